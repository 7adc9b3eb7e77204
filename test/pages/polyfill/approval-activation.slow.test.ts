/**
 * `toolactivated` of calls that wait at the gate: when the tool has been called, and not before.
 */

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { answer, question } from '../../support/pages/approval-dialog.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { NATIVE, NOT_NATIVE, ways } from '../../support/pages/chromium.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

/** Notes events of a context, and the calls of tools that are registered by `make`. */
const NOTES = `<script>
var log = []
const { modelContext } = document
for (const type of ['toolactivated', 'toolcancel'])
  modelContext.addEventListener(type, (event) => log.push(type + ' ' + event.toolName))
modelContext.ontoolactivated = (event) => log.push('handler ' + event.toolName)
const make = (name, rest = {}) => modelContext.registerTool(
  { name, description: 'd', execute: ({ x }) => { log.push('called ' + x) }, ...rest })
</script>`

const FORM = `<form toolname="order" tooldescription="Orders" toolautosubmit><input name="dish"><button>Order</button></form>
<script>document.querySelector('form').addEventListener('submit', (event) => {
  log.push('submit')
  event.preventDefault()
  event.respondWith('served')
})</script>`

const site = useApprovalSite({
  '/notes': pageWith(NOTES),
  '/form': pageWith(NOTES + FORM),
  '/frame-notes': pageWith(NOTES),
  '/framing': pageWith(
    `${NOTES}<iframe id="inner" width="800" height="600" src="/frame-notes"></iframe>`,
  ),
})

const WAYS = [
  { way: 'native', args: NATIVE },
  { way: 'polyfill', args: NOT_NATIVE },
]

const run = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)
const logOf = (page: Page) => run(page, 'return log')
const NO_QUESTION = `annotations: { humanInTheLoopHint: 'none' }`

/** Answers the question, and waits until its call has ended. */
async function end(page: Page, label: string): Promise<void> {
  await answer(page, label)
  await page.waitForFunction(`outcome !== 'waiting'`)
}

describe.each(ways(WAYS))('toolactivated, $way', ({ args }) => {
  const browser = useBrowser(args)
  const open = (path: string) => browser.open(`${site.origin}${path}`, { mayComplain: /./ })

  it('is fired when an allowed tool has been called, for listeners and handlers', async () => {
    const page = await open('/notes')
    await run(page, `await make('a'); void call('a', { x: 1 })`)
    await question(page)
    expect(await logOf(page)).toEqual([])
    await end(page, 'Allow once')
    expect(await logOf(page)).toEqual(['called 1', 'toolactivated a', 'handler a'])
    await page.context().close()
  })

  it('is fired when an allowed tool throws', async () => {
    const page = await open('/notes')
    await run(
      page,
      `await make('a', { execute() { log.push('called'); throw new Error('mine') } }); void call('a')`,
    )
    await end(page, 'Allow once')
    expect(await logOf(page)).toEqual(['called', 'toolactivated a', 'handler a'])
    await page.context().close()
  })

  it('is not fired for a denied or aborted call', async () => {
    const page = await open('/notes')
    await run(page, `await make('a'); void call('a')`)
    await end(page, 'Deny')
    await run(
      page,
      `globalThis.over = new AbortController(); void call('a', {}, { signal: over.signal })`,
    )
    await question(page)
    await run(page, 'over.abort()')
    await page.waitForFunction(`log.includes('toolcancel a')`)
    expect(await logOf(page)).toEqual(['toolcancel a'])
    await page.context().close()
  })

  it('is left to the browser for a call that asks nothing', async () => {
    const page = await open('/notes')
    await run(
      page,
      `modelContext.addEventListener('toolactivated', (event) => log.push(event.isTrusted))
       await make('a', { ${NO_QUESTION} }); await call('a', { x: 1 })`,
    )
    const trusted = args === NATIVE
    expect(await logOf(page)).toEqual(['called 1', 'toolactivated a', 'handler a', trusted])
    await page.context().close()
  })

  it('is counted for each of several calls of a tool', async () => {
    const page = await open('/notes')
    await run(page, `await make('a'); for (const x of [1, 2, 3]) void call('a', { x })`)
    await answer(page, 'Allow once')
    await page.waitForFunction('log.length === 3')
    await answer(page, 'Deny')
    await answer(page, 'Allow once')
    await page.waitForFunction('log.length === 6')
    // The questions come in any order, as the definitions are hashed at the same time.
    const one = [expect.stringMatching(/^called [123]$/), 'toolactivated a', 'handler a']
    expect(await logOf(page)).toEqual([...one, ...one])
    await page.context().close()
  })

  it('is fired after the submit event of a form that is held', async () => {
    const page = await open('/form')
    await expect.poll(() => run(page, `return (await modelContext.getTools()).length`)).toBe(1)
    await run(page, `void call('order', { dish: 'soup' })`)
    await question(page)
    expect(await logOf(page)).toEqual([])
    await end(page, 'Allow once')
    expect(await logOf(page)).toEqual(['submit', 'toolactivated order', 'handler order'])
    await page.context().close()
  })

  it('is not fired at a document that its tool removes', async () => {
    const page = await open('/framing')
    await run(
      page,
      `await inner.contentDocument.modelContext.registerTool({ name: 'a', description: 'd', execute: () => inner.remove() })
       inner.contentDocument.modelContext.addEventListener('toolactivated', () => log.push('fired'))
       void call('a')`,
    )
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome.startsWith('UnknownError')`)
    expect(await logOf(page)).toEqual([])
    await page.context().close()
  })
})
