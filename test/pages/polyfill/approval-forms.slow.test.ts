/**
 * Responses that a page promises to a call of its form, over Chromium's own WebMCP and over the polyfill: the
 * caller gets them, also when the form is removed or changes meanwhile.
 */

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { answer, question } from '../../support/pages/approval-dialog.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { NATIVE, NOT_NATIVE, ways } from '../../support/pages/chromium.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const form = (attributes: string) =>
  pageWith(`<form toolname="order" tooldescription="Orders" ${attributes}>
<input name="dish"><button name="how" value="now">Order</button></form>
<script>
const form = document.querySelector('form')
const given = Promise.withResolvers()
let change = () => {}
form.addEventListener('submit', (event) => {
  event.preventDefault()
  ran.push(form.dish.value)
  event.respondWith(given.promise)
  change()
})
</script>`)

const site = useApprovalSite({
  '/asked': form('toolautosubmit'),
  '/noticed': form('toolautosubmit toolhumanintheloophint="notify"'),
  '/free': form('toolautosubmit toolhumanintheloophint="none"'),
  '/by-hand': form(''),
  '/clicked': `${form('')}<script>
    change = () => { queueMicrotask(() => form.remove()); setTimeout(() => given.resolve({ served: 'soup' }), 150) }
    onload = () => setTimeout(() => {
      void call('order', { dish: 'soup' })
      setTimeout(() => form.elements.how.click(), 300)
    }, 300)</script>`,
  '/framing': pageWith('<iframe id="inner" width="800" height="600" src="/asked"></iframe>'),
})

const WAYS = [
  { way: 'native', args: NATIVE },
  { way: 'polyfill', args: NOT_NATIVE },
]

/** What happens to a form, and when: in its handler, in a microtask, or in a task. */
const CHANGES = [
  'form.remove()',
  'queueMicrotask(() => form.remove())',
  'setTimeout(() => form.remove())',
  `queueMicrotask(() => form.removeAttribute('tooldescription'))`,
  `setTimeout(() => form.setAttribute('tooldescription', 'Other'))`,
]

const run = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)
const COUNT = 'return (await document.modelContext.getTools()).length'
const NOW_AND_THEN = `setTimeout(() => given.resolve({ served: form.dish.value }), 150)`

/** Waits until the form is a tool, and calls it; its response comes a while after the change. */
async function start(page: Page, change: string): Promise<void> {
  await expect.poll(() => run(page, COUNT)).toBe(1)
  await run(
    page,
    `change = () => { ${change}; ${NOW_AND_THEN} }; void call('order', { dish: 'soup' })`,
  )
}

async function served(page: Page): Promise<void> {
  await page.waitForFunction(`outcome !== 'waiting'`)
  expect(await run(page, 'return [ran, outcome]')).toEqual([['soup'], '{"served":"soup"}'])
  await page.context().close()
}

describe.each(ways(WAYS))('a response, $way', ({ args }) => {
  const browser = useBrowser(args)
  const open = (path: string) => browser.open(`${site.origin}${path}`, { mayComplain: /./ })

  it.each(CHANGES)('of an allowed form reaches the caller: %s', async (change) => {
    const page = await open('/asked')
    await start(page, change)
    await answer(page, 'Allow once')
    await served(page)
  })

  it.each(CHANGES)('of a form that asks nothing reaches the caller: %s', async (change) => {
    for (const path of ['/free', '/noticed']) {
      const page = await open(path)
      await start(page, change)
      await served(page)
    }
  })

  it.each(CHANGES)('of a form that the user submits reaches the caller: %s', async (change) => {
    const page = await open('/by-hand')
    await start(page, change)
    await page.waitForFunction(`form.dish.value === 'soup'`)
    await page.getByRole('button', { name: 'Order' }).click()
    await served(page)
  })

  // Core alone fails such a call, as Chromium alone does.
  it.runIf(args === NATIVE)('of a form that a script submits reaches the caller', async () => {
    const page = await open('/clicked')
    await answer(page, 'Allow once')
    await served(page)
  })

  it('reaches a caller in another document of the origin', async () => {
    const page = await open('/framing')
    const [, frame] = page.frames()
    await expect.poll(() => run(page, COUNT)).toBe(1)
    await frame?.evaluate(`change = () => { ${CHANGES[1] ?? ''}; ${NOW_AND_THEN} }`)
    await run(page, `void call('order', { dish: 'soup' })`)
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return outcome')).toBe('{"served":"soup"}')
    await page.context().close()
  })

  it('that rejects fails the call, and a response is given once', async () => {
    const page = await open('/asked')
    await start(page, `form.remove(); given.reject(new Error('mine'))`)
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return outcome')).toMatch(/^UnknownError/)
    await page.context().close()
  })

  it('ends with the signal of the caller', async () => {
    const page = await open('/asked')
    await expect.poll(() => run(page, COUNT)).toBe(1)
    await run(
      page,
      `globalThis.over = new AbortController(); change = () => setTimeout(() => form.remove())
       void call('order', { dish: 'soup' }, { signal: over.signal })`,
    )
    await answer(page, 'Allow once')
    await page.waitForFunction(`!form.isConnected`)
    await page.waitForTimeout(100)
    expect(await run(page, 'return outcome')).toBe('waiting')
    await run(page, 'over.abort()')
    await page.waitForFunction(`outcome.startsWith('AbortError')`)
    await page.context().close()
  })

  // Core alone keeps the response with the call.
  const later = `form.remove()
    document.body.insertAdjacentHTML('beforeend', '<form toolname="order" tooldescription="Another"><input name="dish"><button>Order</button></form>')`
  it('is not given to the next call, when its own caller has gone', async () => {
    const page = await open('/asked')
    await expect.poll(() => run(page, COUNT)).toBe(1)
    await run(
      page,
      `globalThis.over = new AbortController()
       globalThis.first = document.modelContext.executeTool((await document.modelContext.getTools())[0], { dish: 'soup' }, { signal: over.signal })
         .catch((error) => error.name)`,
    )
    await answer(page, 'Allow once')
    await page.waitForFunction('ran.length === 1')
    expect(await run(page, 'over.abort(); return first')).toBe('AbortError')
    await run(page, later)
    await expect.poll(() => run(page, COUNT)).toBe(1)
    await run(page, `void call('order', { dish: 'salad' })`)
    await page.waitForFunction(`document.querySelector('form').dish.value === 'salad'`)
    await run(
      page,
      `document.querySelector('form').setAttribute('tooldescription', 'Other')
       given.resolve({ served: 'soup' })`,
    )
    await page.waitForTimeout(300)
    expect(await run(page, 'return outcome')).not.toContain('soup')
    await page.context().close()
  })

  it('is not given to a call whose form changes before the user has allowed it', async () => {
    const page = await open('/asked')
    await start(page, '')
    await question(page)
    await run(page, 'form.remove()')
    await page.waitForTimeout(900)
    await answer(page, 'Allow once').catch(() => undefined)
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return ran')).toEqual([])
    await page.context().close()
  })
})
