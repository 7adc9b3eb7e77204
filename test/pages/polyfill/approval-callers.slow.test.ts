/**
 * Calls of a tool that do not come from its page: a frame of another origin, developer tools, a
 * form that an agent fills. Each of them ends at the gate.
 */

import type { CDPSession, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowser } from '../../support/pages/browser.ts'
import { isYoung, NATIVE, NOT_NATIVE, ways } from '../../support/pages/chromium.ts'
import {
  answer,
  press,
  question,
  questionNow,
  STEADY_MS,
} from '../../support/pages/approval-dialog.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const form = (attributes: string, script = '') =>
  pageWith(`<form toolname="order" tooldescription="Orders" action="/went" ${attributes}>
<label>Dish <input name="dish"></label><label>Times <input name="times" type="number" max="9"></label>
<button name="how" value="now">Order</button></form>
<script>const form = document.querySelector('form'); ${script}</script>`)

const ANSWERING = `form.addEventListener('submit', (event) => {
  ran.push([event.agentInvoked, event.isTrusted, event.submitter?.value, form.dish.value].join())
  event.preventDefault()
  event.respondWith?.(Promise.resolve('served ' + form.dish.value))
})`

/** The same page with the module in the place of the script. */
const asModule = (html: string) =>
  html.replace(
    '<script src="/webmcp.js" ></script>',
    '<script type="module">import { apply } from "/webmcp.mjs"; apply()</script>',
  )

const CLICKING = `onload = () => setTimeout(() => {
  void call('order', { dish: 'soup' })
  setTimeout(() => form.elements.how.click(), 500)
}, 500)`

const SHADOW_FORM = `<form toolname="order" tooldescription="Orders" toolautosubmit><input name="dish"><button>Order</button></form>`
const IN_SHADOW = `const FORM = ${JSON.stringify(SHADOW_FORM)}
function answering(root) {
  root.querySelector('form').addEventListener('submit', (event) => {
    ran.push(event.target.elements.dish.value)
    event.preventDefault()
    event.respondWith?.(Promise.resolve('served'))
  })
}`

/** A page that replaces something, and then calls its tool without a gesture. */
const REPLACED = `setTimeout(async () => {
  const [tool] = await document.modelContext.getTools()
  const input = { dish: 'soup' }
  eval(new URL(location.href).searchParams.get('replaced'))
  for (const given of [input, JSON.stringify(input)]) document.modelContext.executeTool(tool, given).catch(() => {})
}, 500)`

const SHADOWS: Readonly<Record<string, string>> = {
  '/shadow': pageWith(`<script>${IN_SHADOW}
    const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
    root.innerHTML = FORM
    answering(root)</script>`),
  '/shadow-declared':
    pageWith(`<div id="host"><template shadowrootmode="open">${SHADOW_FORM}</template></div>
    <script>${IN_SHADOW}; answering(host.shadowRoot)</script>`),
  '/shadow-copied':
    pageWith(`<div id="host"><template shadowrootmode="open" shadowrootclonable>${SHADOW_FORM.replace('toolname="order"', '')}</template></div>
    <script>${IN_SHADOW}
    onload = () => setTimeout(() => {
      const copy = host.cloneNode(true)
      host.replaceWith(copy)
      copy.shadowRoot.querySelector('form').setAttribute('toolname', 'order')
      answering(copy.shadowRoot)
    }, 300)</script>`),
  '/shadow-late': pageWith(`<script>${IN_SHADOW}
    const late = document.createElement('div')
    late.attachShadow({ mode: 'open' }).innerHTML = FORM
    answering(late.shadowRoot)
    onload = () => setTimeout(() => document.body.append(late), 300)</script>`),
}

const site = useApprovalSite({
  ...SHADOWS,
  ...Object.fromEntries(
    Object.entries(SHADOWS).map(([path, html]) => [`${path}-module`, asModule(html)]),
  ),
  '/early': pageWith('').replace(
    '<body>',
    `<script>
      const event = new SubmitEvent('submit')
      const name = (act) => { try { act() } catch (error) { return error.name } }
      var early = [event.agentInvoked, name(() => event.respondWith(1)), name(() => event.respondWith())]
    </script><body>`,
  ),
  '/order-changing': form(
    'toolautosubmit',
    `${ANSWERING}; form.dish.addEventListener('change', () => form.requestSubmit())`,
  ),
  '/outer': pageWith(
    '<script>document.write(`<iframe allow="tools" width="800" height="600" src="http://127.0.0.1:${location.port}/inner"></iframe>`)</script>',
  ),
  '/order': form('toolautosubmit', ANSWERING),
  '/order-hidden': form('toolautosubmit', ANSWERING).replace(
    '<label>Dish',
    '<input type="hidden" name="account" value="main"><label>Dish',
  ),
  '/srcdoc': pageWith(`<iframe id="inner" width="800" height="600"></iframe><script>
    inner.srcdoc = '<!doctype html><script src="/webmcp.js"><\\/script><p>Inside'</script>`),
  '/order-plain': form('', ANSWERING),
  '/order-free': form('toolautosubmit toolhumanintheloophint="none"', ANSWERING),
  '/order-navigating': form('toolautosubmit'),
  '/order-clicked': form(
    '',
    `${ANSWERING}
    onload = () => setTimeout(() => { void call('order', { dish: 'soup' }); setTimeout(() => form.how.click(), 500) }, 200)`,
  ),
  '/order-replaced': form('toolautosubmit', `${ANSWERING}; ${REPLACED}`),
  '/order-replaced-clicked': form(
    '',
    `${ANSWERING}; ${REPLACED}; setTimeout(() => form.elements.how.click(), 1_000)`,
  ),
  '/order-module': asModule(form('toolautosubmit', ANSWERING)),
  '/order-module-clicked': asModule(form('', `${ANSWERING}; ${CLICKING}`)),
  '/framing': pageWith('<iframe src="/one"></iframe>'),
  '/order-intent': form(
    'toolautosubmit toolintenttemplate="Order {dish} [{times} times]"',
    ANSWERING,
  ),
})

/** What turns a form into another tool, or makes it send other values or elsewhere. */
const CHANGES = [
  `form.setAttribute('toolname', 'delete_account')`,
  `form.setAttribute('tooldescription', 'Deletes the account')`,
  `form.action = '/elsewhere'`,
  `form.method = 'post'`,
  `form.elements.how.formAction = '/elsewhere'`,
  `form.elements.how.formMethod = 'post'`,
  `form.elements.account.value = 'other'`,
]

/** Calls a form, changes it while its question is open, and returns what has run after an approval. */
async function runChanged(page: Page, change: string): Promise<unknown> {
  await expect.poll(() => run(page, COUNT)).toBe(1)
  await run(page, `void call('order', { dish: 'soup' })`)
  await question(page)
  await run(page, change)
  await page.waitForTimeout(STEADY_MS)
  if (await questionNow(page)) await answer(page, 'Allow once')
  await page.waitForFunction(`outcome !== 'waiting'`)
  return run(page, 'return ran')
}

const COUNT = 'return (await document.modelContext.getTools()).length'

const run = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)

const WAYS = [
  { way: 'native', args: NATIVE },
  { way: 'polyfill', args: NOT_NATIVE },
]

describe.each(ways(WAYS))('$way', ({ args }) => {
  const browser = useBrowser([...args, '--site-per-process'])

  it('holds calls from a page of another origin', async () => {
    const page = await browser.open(`${site.origin}/outer`)
    const frame = page.frame({ url: `${site.other}/inner` })
    if (!frame) throw new Error('There is no frame')
    await frame.evaluate(`tool({ name: 'a' }, { exposedTo: ['${site.origin}'] })`)
    await run(page, `void call('a', { x: 1 }, {}, ['${site.other}'])`)
    expect((await question(page, frame)).text).toContain(site.other)
    expect(await frame.evaluate('ran')).toEqual([])
    await answer(page, 'Allow once', frame)
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await frame.evaluate('ran')).toEqual(['{"x":1}'])
    await page.context().close()
  })

  it('accepts no approval in a frame that its page has covered', async () => {
    const page = await browser.open(`${site.origin}/outer`)
    const frame = page.frame({ url: `${site.other}/inner` })
    if (!frame) throw new Error('There is no frame')
    await frame.evaluate(`tool({ name: 'a' }, { exposedTo: ['${site.origin}'] })`)
    await run(page, `void call('a', { x: 1 }, {}, ['${site.other}'])`)
    await question(page, frame)
    await run(
      page,
      `globalThis.cover = document.createElement('div')
       cover.textContent = 'Press here for a kitten'
       cover.style.cssText = 'position:fixed;inset:0;pointer-events:none;background:white'
       document.body.append(cover)`,
    )
    await page.waitForTimeout(STEADY_MS)
    await press(page, 'Allow once', frame)
    await page.waitForTimeout(STEADY_MS)
    expect(await frame.evaluate('ran')).toEqual([])
    await run(page, 'cover.remove()')
    await answer(page, 'Allow once', frame)
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await frame.evaluate('ran')).toEqual(['{"x":1}'])
    await page.context().close()
  })
})

describe.skipIf(!isYoung)('developer tools', () => {
  const browser = useBrowser(NATIVE)

  it('are held too, and receive a refusal', async () => {
    const page = await browser.open(`${site.origin}/`)
    await run(page, `await tool({ name: 'a', annotations: { humanInTheLoopHint: 'review' } })`)
    const session = await page.context().newCDPSession(page)
    const answers: unknown[] = []
    const send = anySend(session)
    session.on('WebMCP.toolResponded' as 'Page.loadEventFired', (event) => answers.push(event))
    await send('WebMCP.enable')
    const frameId = await mainFrameId(session)
    const invoke = () => send('WebMCP.invokeTool', { frameId, toolName: 'a', input: { x: 1 } })

    await invoke()
    await question(page)
    expect(await run(page, 'return ran')).toEqual([])
    await answer(page, 'Deny')
    await expect.poll(() => answers.length).toBe(1)
    expect(JSON.stringify(answers[0])).toContain('NotAllowedError: a did not run')

    await invoke()
    await answer(page, 'Allow once')
    await expect.poll(() => answers.length).toBe(2)
    expect(answers[1]).toMatchObject({ status: 'Completed' })
    expect(await run(page, 'return ran')).toEqual(['{"x":1}'])
    await page.context().close()
  })
})

describe.skipIf(!isYoung)('a call of the browser', () => {
  const browser = useBrowser(NATIVE)
  const FRAMES = [
    `document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: '<p>new' }))`,
    `document.body.append(Object.assign(document.createElement('iframe'), { src: '${'http://127.0.0.1:'}' + location.port }))`,
    `frames[0].location.href = '/again'`,
  ]

  // Chromium answers the call when a frame loads, and goes on with it.
  it.each(FRAMES)('does not run once a frame has ended it: %s', async (script) => {
    const page = await browser.open(`${site.origin}/framing`, { mayComplain: /./ })
    await run(page, `await tool({ name: 'a' })`)
    const session = await page.context().newCDPSession(page)
    const send = anySend(session)
    await send('WebMCP.enable')
    const frameId = await mainFrameId(session)
    await send('WebMCP.invokeTool', { frameId, toolName: 'a', input: { x: 1 } })
    await question(page)
    await run(page, script)
    await expect.poll(() => questionNow(page)).toBeNull()
    expect(await run(page, 'return ran')).toEqual([])
    await page.context().close()
  })

  it('of the page itself continues', async () => {
    const page = await browser.open(`${site.origin}/framing`)
    await run(page, `await tool({ name: 'a' }); void call('a', { x: 1 })`)
    await question(page)
    await run(page, FRAMES[0] ?? '')
    await answer(page, 'Allow once')
    await page.waitForFunction('ran.length === 1')
    await page.context().close()
  })
})

describe.skipIf(!isYoung)('forms', () => {
  const browser = useBrowser(NATIVE)
  const order = `call('order', { dish: 'soup' })`

  it('are held before the page sees them, and then continue unchanged', async () => {
    const page = await browser.open(`${site.origin}/order`)
    await run(page, `void ${order}`)
    const { text } = await question(page)
    expect(text).toContain('Allow order?')
    expect(text).toContain('"dish": "soup"')
    expect(await run(page, 'return ran')).toEqual([])
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return [ran, outcome]')).toEqual([
      ['true,true,now,soup'],
      'served soup',
    ])
    await page.context().close()
  })

  // Chromium reports a refused submission to the page as an uncaught error.
  it('do not reach the page when the user denies', async () => {
    const page = await browser.open(`${site.origin}/order`, { mayComplain: /./ })
    await run(page, `void ${order}`)
    await answer(page, 'Deny')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return ran')).toEqual([])
    expect(await run(page, 'return outcome')).toContain('NotAllowedError: order did not run')
    await page.context().close()
  })

  it('are not submitted with other values than were shown', async () => {
    const page = await browser.open(`${site.origin}/order`, { mayComplain: /./ })
    await run(page, `void ${order}`)
    await question(page)
    await run(page, `form.dish.value = 'caviar'`)
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return ran')).toEqual([])
    await page.context().close()
  })

  it.each(CHANGES)('are not submitted after a change: %s', async (change) => {
    const page = await browser.open(`${site.origin}/order-hidden`, { mayComplain: /./ })
    expect(await runChanged(page, change)).toEqual([])
    await page.context().close()
  })

  it('navigate after approval', async () => {
    const page = await browser.open(`${site.origin}/order-navigating`)
    await run(page, `void ${order}`)
    await question(page)
    expect(page.url()).toBe(`${site.origin}/order-navigating`)
    await answer(page, 'Allow once')
    await page.waitForURL(`${site.origin}/went?dish=soup&times=&how=now`)
    await page.context().close()
  })

  it('have an intent, and may need no approval', async () => {
    const page = await browser.open(`${site.origin}/order-intent`)
    await run(page, `void call('order', { dish: 'soup', times: 2 })`)
    expect(await question(page)).toMatchObject({ marks: ['soup', '2'] })
    await page.context().close()
    const free = await browser.open(`${site.origin}/order-free`)
    expect(await run(free, `return ${order}`)).toBe('served soup')
    await free.context().close()
  })

  it('run without approval when the person submits them', async () => {
    const page = await browser.open(`${site.origin}/order-plain`)
    await run(page, `void ${order}`)
    await page.waitForTimeout(300)
    await page.getByRole('button', { name: 'Order' }).click()
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return [ran, outcome]')).toEqual([
      ['true,true,now,soup'],
      'served soup',
    ])
    await page.context().close()
  })

  it('need approval when a script presses the button', async () => {
    const page = await browser.open(`${site.origin}/order-clicked`)
    await question(page)
    expect(await run(page, 'return ran')).toEqual([])
    await page.context().close()
  })

  it.each([
    [`Object.defineProperty(Event.prototype, 'target', { get: () => document.body })`],
    [`Event.prototype.preventDefault = Event.prototype.stopImmediatePropagation = () => {}`],
    [`Element.prototype.hasAttribute = () => false; Element.prototype.matches = () => false`],
    [`Object.defineProperty(HTMLFormElement, Symbol.hasInstance, { value: () => false })`],
    [`Object.defineProperty(UserActivation.prototype, 'isActive', { get: () => true })`],
    [`Object.defineProperty(SubmitEvent.prototype, 'agentInvoked', { get: () => false })`],
    [`SubmitEvent.prototype.respondWith = () => {}`],
    [`Set.prototype.delete = Set.prototype.has = WeakSet.prototype.has = () => true`],
    [`Object.prototype.humanInTheLoopHint = 'none'`],
    [
      `form.innerHTML += '<input name="hasAttribute"><input name="getAttribute"><input name="requestSubmit">'`,
    ],
  ])('are held whatever the page replaces: %s', async (replaced) => {
    for (const path of ['/order-replaced', '/order-replaced-clicked']) {
      const url = `${site.origin}${path}?replaced=${encodeURIComponent(replaced)}`
      const page = await browser.open(url, { mayComplain: /./ })
      await question(page)
      expect(await run(page, 'return ran')).toEqual([])
      await page.context().close()
    }
  })

  it.each([
    ['/shadow', 'that a script has attached'],
    ['/shadow-declared', 'that the parser has made'],
    ['/shadow-copied', 'that was copied'],
  ])('in a shadow tree are held, too: %s, %s', async (path) => {
    const page = await browser.open(`${site.origin}${path}`, { mayComplain: /./ })
    await expect.poll(() => run(page, COUNT)).toBe(1)
    await run(page, `void ${order}`)
    const { text } = await question(page)
    expect(text).toContain('"dish": "soup"')
    expect(await run(page, 'return ran')).toEqual([])
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return ran')).toEqual(['soup'])
    await page.context().close()
  })

  it('in a shadow tree are held before they are filled in', async () => {
    const page = await browser.open(`${site.origin}/shadow-declared`, { mayComplain: /./ })
    await expect.poll(() => run(page, COUNT)).toBe(1)
    await page.waitForTimeout(300)
    await run(page, `void call('order', {})`)
    await question(page)
    expect(await run(page, 'return ran')).toEqual([])
    await page.context().close()
  })

  it('close their dialog when the call is aborted', async () => {
    const page = await browser.open(`${site.origin}/order`)
    await run(
      page,
      `globalThis.controller = new AbortController()
       void call('order', { dish: 'soup' }, { signal: controller.signal })`,
    )
    await question(page)
    await run(page, 'controller.abort()')
    await page.waitForTimeout(STEADY_MS)
    expect(await questionNow(page)).toBeNull()
    expect(await run(page, 'return ran')).toEqual([])
    await page.context().close()
  })
})

describe('the polyfill alone', () => {
  const browser = useBrowser(NOT_NATIVE)

  it('holds calls of developer tools', async () => {
    const page = await browser.open(`${site.origin}/`)
    await run(
      page,
      `await tool({ name: 'a' })
       const discovery = new CustomEvent('devtoolstooldiscovery')
       const found = Promise.withResolvers()
       discovery.respondWith = (group) => found.resolve(group)
       dispatchEvent(discovery)
       const { tools } = await found.promise
       globalThis.execute = () => tools[0].execute({ x: 1 }).catch(String)
       globalThis.outcome = execute()`,
    )
    expect((await question(page)).text).toContain('Allow a?')
    expect(await run(page, 'return ran')).toEqual([])
    await answer(page, 'Allow once')
    await page.waitForFunction('ran.length === 1')

    await run(page, 'globalThis.outcome = execute()')
    await answer(page, 'Deny')
    expect(await run(page, 'return outcome')).toBe(
      'NotAllowedError: a did not run: the user denied it',
    )
    await page.context().close()
  })

  it('shows the origin of a frame without an address of its own', async () => {
    const page = await browser.open(`${site.origin}/srcdoc`)
    await page.waitForFunction(`inner.contentDocument.querySelector('p')`)
    await run(
      page,
      `await inner.contentDocument.modelContext.registerTool({ name: 'x', description: 'd', execute: () => 'ran' })
       void call('x')`,
    )
    expect((await question(page)).text).toContain(site.origin)
    await page.context().close()
  })

  it('shows all values that a form would submit, and submits it if it is still the same', async () => {
    const page = await browser.open(`${site.origin}/order-hidden`)
    await expect.poll(() => run(page, COUNT)).toBe(1)
    await run(page, `form.times.value = 3; void call('order', { dish: 'soup' })`)
    const { text } = await question(page)
    for (const shown of ['"account": "main"', '"times": "3"', '"dish": "soup"', '"how": "now"'])
      expect(text).toContain(shown)
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return outcome')).toBe('served soup')
    await page.context().close()
  })

  it.each(CHANGES)('submits no form after a change: %s', async (change) => {
    const page = await browser.open(`${site.origin}/order-hidden`, { mayComplain: /./ })
    expect(await runChanged(page, change)).toEqual([])
    await page.context().close()
  })

  it('submits no form before the person has allowed it', async () => {
    const page = await browser.open(`${site.origin}/order-intent`)
    await expect.poll(() => run(page, COUNT)).toBe(1)
    await run(page, `void call('order', { dish: 'soup' })`)
    expect((await question(page)).marks).toEqual(['soup'])
    expect(await run(page, 'return [ran, form.dish.value]')).toEqual([[], 'soup'])
    await answer(page, 'Deny')
    await page.waitForFunction(`outcome.startsWith('NotAllowedError')`)
    await run(page, `void call('order', { dish: 'soup' })`)
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome === 'served soup'`)
    expect(await run(page, 'return ran')).toEqual(['true,true,now,soup'])
    await page.context().close()
  })

  it('has the members of SubmitEvent at once, and refuses responses that no call awaits', async () => {
    const page = await browser.open(`${site.origin}/early`)
    expect(await run(page, 'return early')).toEqual([false, 'InvalidStateError', 'TypeError'])
    await page.context().close()
  })

  it.each([
    ['/shadow', 'that a script has attached'],
    ['/shadow-declared', 'that the parser has made'],
    ['/shadow-copied', 'that was copied'],
    ['/shadow-late', 'whose host was inserted later'],
  ])('asks once about a form in a shadow tree: %s, %s', async (path) => {
    for (const url of [path, `${path}-module`]) {
      const page = await browser.open(`${site.origin}${url}`)
      await expect.poll(() => run(page, COUNT)).toBe(1)
      await run(page, `void call('order', { dish: 'soup' })`)
      await answer(page, 'Allow once')
      await page.waitForFunction(`outcome === 'served'`)
      expect(await run(page, 'return ran')).toEqual(['soup'])
      await page.context().close()
    }
  })

  it('asks once about a form that is submitted while it is filled in, too', async () => {
    const page = await browser.open(`${site.origin}/order-changing`)
    await expect.poll(() => run(page, COUNT)).toBe(1)
    await run(page, `void call('order', { dish: 'soup' })`)
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome === 'served soup'`)
    expect(await questionNow(page)).toBeNull()
    await page.context().close()
  })

  it('asks once about a form, also as a module', async () => {
    for (const path of ['/order', '/order-module']) {
      const page = await browser.open(`${site.origin}${path}`)
      await expect.poll(() => run(page, COUNT)).toBe(1)
      await run(page, `void call('order', { dish: 'soup' })`)
      await answer(page, 'Allow once')
      await page.waitForFunction(`outcome === 'served soup'`)
      expect(await run(page, 'return ran')).toEqual(['true,true,now,soup'])
      await page.context().close()
    }
  })

  it('asks about a form whose button a script presses, also as a module', async () => {
    for (const path of ['/order-clicked', '/order-module-clicked']) {
      const page = await browser.open(`${site.origin}${path}`)
      await question(page)
      expect(await run(page, 'return ran')).toEqual([])
      await page.context().close()
    }
  })

  it('does not ask about a form that the person submits', async () => {
    const page = await browser.open(`${site.origin}/order-plain`)
    await expect.poll(() => run(page, COUNT)).toBe(1)
    await run(page, `void call('order', { dish: 'soup' })`)
    await page.waitForFunction(`form.dish.value === 'soup'`)
    await page.getByRole('button', { name: 'Order' }).click()
    await page.waitForFunction(`outcome === 'served soup'`)
    await page.context().close()
  })
})

// The types of Playwright do not know the domain yet.
const anySend =
  (session: CDPSession) =>
  (method: string, params: object = {}) =>
    session.send(method as 'Page.enable', params as never)

async function mainFrameId(session: CDPSession): Promise<string> {
  const { frameTree } = await session.send('Page.getFrameTree')
  return frameTree.frame.id
}
