/**
 * `humanInTheLoopHint` as it was proposed (webmachinelearning/webmcp, issue 198): its example word for word, and
 * tools that pay, send or delete although their page says that they need no one.
 *
 * @module
 */

import type { Frame, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { answer, noticeIn, question, questionNow } from '../../support/pages/approval-dialog.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { ways } from '../../support/pages/chromium.ts'
import { NATIVES } from '../../support/pages/natives.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

/** The example of the proposal. It was written without a description, which tools need. */
const EXAMPLE = `document.modelContext.registerTool({
  name: "email.createDraft",
  title: "Create email draft",
  inputSchema: { /* ... */ },
  annotations: {
    readOnlyHint: false,
    humanInTheLoopHint: "review" 
  },
  async execute(input) { return await createDraft(input); }
});`

const DESCRIBED = EXAMPLE.replace('inputSchema', 'description: "Creates a draft.", inputSchema')

const DRAFTS = `globalThis.drafts = []
  globalThis.createDraft = async (input) => { drafts.push(input); return { id: drafts.length } };`

const FORM = `<form toolname="send_message" tooldescription="Sends it" toolautosubmit toolhumanintheloophint="none">
  <input name="text"><button>Send</button></form>
  <script>document.querySelector('form').onsubmit = (event) => { event.preventDefault(); ran.push('sent'); event.respondWith?.(Promise.resolve('sent')) }</script>`

const site = useApprovalSite({
  '/review': pageWith('', 'id="script" data-sensitive="review"'),
  '/typo': pageWith('', 'data-sensitive="reveiw"'),
  '/none': pageWith('', 'data-sensitive="none"'),
  '/form': pageWith(FORM),
  '/frames': pageWith('<iframe src="/inner" width="800" height="600"></iframe>'),
})

const run = (page: Page | Frame, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)

const NONE = `annotations: { humanInTheLoopHint: 'none' }`

describe.each(ways(NATIVES))('$way', ({ args, init }) => {
  const browser = useBrowser(args)
  const open = async (path = '/') => browser.open(`${site.origin}${path}`, { init: await init?.() })

  /** Registers a tool and calls it, and returns the notice, while no question is asked. */
  async function noticeOf(page: Page, tool: string, name: string): Promise<string | null> {
    await run(page, `await tool(${tool}); await call('${name}', { x: 1 })`)
    expect(await questionNow(page)).toBeNull()
    expect(await run(page, 'return ran')).toEqual(['{"x":1}'])
    return noticeIn(page)
  }

  it('refuses the example as it was written, because the draft requires a description', async () => {
    const page = await open()
    const refused = `${EXAMPLE.slice(0, -1)}.then(() => 'registered', (error) => error.name)`
    expect(await run(page, `return ${refused}`)).toBe('TypeError')
    expect(await run(page, 'return (await document.modelContext.getTools()).length')).toBe(0)
    await page.context().close()
  })

  it('asks for a review by the example with a description, and runs it when that is allowed', async () => {
    const page = await open()
    const listed = await run(
      page,
      `${DRAFTS}
       await ${DESCRIBED}
       const [{ name, title, annotations }] = await document.modelContext.getTools()
       return [name, title, annotations?.readOnlyHint ?? null, annotations?.humanInTheLoopHint ?? null]`,
    )
    expect(listed).toEqual(['email.createDraft', 'Create email draft', false, 'review'])
    const level = await run(
      page,
      `const { effectivePolicy } = await import('/webmcp.mjs')
       return effectivePolicy((await document.modelContext.getTools())[0])`,
    )
    expect(level).toBe('review')
    await run(page, `void call('email.createDraft', { to: 'a' })`)
    const { text, buttons } = await question(page)
    expect(text).toContain('Allow Create email draft (email.createDraft)?')
    expect(buttons).toContain('Allow on this visit')
    expect(await run(page, 'return drafts')).toEqual([])
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return [drafts, JSON.parse(outcome)]')).toEqual([
      [{ to: 'a' }],
      { id: 1 },
    ])
    await page.context().close()
  })

  it.each([
    ['send_mail', `{ name: 'send_mail', ${NONE} }`],
    ['payNow', `{ name: 'payNow', ${NONE} }`],
    [
      'a',
      `{ name: 'a', annotations: { humanInTheLoopHint: 'none', intentTemplate: 'Delete {x}' } }`,
    ],
    ['a', `{ name: 'a', inputSchema: { properties: { amount: { type: 'number' } } }, ${NONE} }`],
    ['pay', `{ name: 'pay', annotations: { readOnlyHint: true } }`],
  ])('shows a notice for the call of %s: %s', async (name, tool) => {
    const page = await open()
    expect(await noticeOf(page, tool, name)).toContain(name)
    await page.context().close()
  })

  it.each([
    ['add_note', `{ name: 'add_note', ${NONE} }`],
    ['get_payment_history', `{ name: 'get_payment_history', annotations: { readOnlyHint: true } }`],
    [
      'find',
      `{ name: 'find', inputSchema: { properties: { max_price: {} } }, annotations: { readOnlyHint: true } }`,
    ],
  ])('shows none for %s: %s', async (name, tool) => {
    const page = await open()
    expect(await noticeOf(page, tool, name)).toBeNull()
    await page.context().close()
  })

  it('does not run such a call when no notice can be shown', async () => {
    const page = await open()
    await page.route('**/webmcp-dialog.mjs', (route) => route.abort())
    await page.reload()
    await run(page, `await tool({ name: 'pay', ${NONE} }); await call('pay')`)
    expect(await run(page, 'return [ran, outcome]')).toEqual([
      [],
      'NotAllowedError: pay did not run: no dialog can be shown',
    ])
    await page.context().close()
  })

  it.each([
    ['/review', true],
    ['/typo', true],
    ['/none', false],
  ])('asks where the site asks for more, and never for less: %s, %s', async (path, isAsked) => {
    const page = await open(path)
    await run(
      page,
      `await tool({ name: 'look', ${NONE} }); await call('look')
       await tool({ name: 'pay', ${NONE} }); void call('pay')`,
    )
    if (isAsked) {
      await question(page)
      expect(await run(page, 'return ran.length')).toBe(1)
    } else {
      await page.waitForFunction('ran.length === 2')
      expect(await noticeIn(page)).toContain('pay')
    }
    await page.context().close()
  })

  it.each([
    ['changes the attribute', `script.dataset.sensitive = 'none'`],
    ['removes the attribute', `delete script.dataset.sensitive`],
    ['removes the script', `script.remove()`],
    [
      'adds the script again',
      `await new Promise((done) => document.head.append(Object.assign(document.createElement('script'), { src: '/webmcp.js', onload: done })))`,
    ],
    ['applies it again', `(await import('/webmcp.mjs')).apply({ sensitive: 'notify' })`],
  ])('keeps the level of the site when the page %s', async (_, change) => {
    const page = await open('/review')
    await run(
      page,
      `const script = document.querySelector('#script');
       ${change}
       await tool({ name: 'pay', ${NONE} }); void call('pay')`,
    )
    await question(page)
    expect(await run(page, 'return ran')).toEqual([])
    await page.context().close()
  })

  it('holds for callers in a frame, and for tools of a frame', async () => {
    const page = await open('/frames')
    const frame = page.frame({ url: `${site.origin}/inner` })
    if (!frame) throw new Error('There is no frame')
    await run(page, `await tool({ name: 'pay', ${NONE} })`)
    await run(frame, `await tool({ name: 'delete_all', ${NONE} }); await call('pay')`)
    expect(await noticeIn(page)).toContain('pay')
    await run(page, `await call('delete_all')`)
    expect(await noticeIn(page)).toContain('delete_all')
    await page.context().close()
  })
})

describe.each(ways(NATIVES).filter(({ init }) => !init))('a form, $way', ({ args }) => {
  const browser = useBrowser(args)

  it('that sends a message is submitted with a notice', async () => {
    const page = await browser.open(`${site.origin}/form`)
    await page.waitForFunction(
      `document.modelContext.getTools().then((tools) => tools.some(({ name }) => name === 'send_message'))`,
    )
    await run(page, `await call('send_message', { text: 'a' })`)
    expect(await run(page, 'return [ran, outcome]')).toEqual([['sent'], 'sent'])
    expect(await noticeIn(page)).toContain('send_message')
    await page.context().close()
  })
})
