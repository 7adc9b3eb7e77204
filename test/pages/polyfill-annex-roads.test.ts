/**
 * The roads to a tool that do not begin in its page: a frame of another origin, developer tools, a
 * form that an agent fills. Each of them ends at the gate.
 */

import type { CDPSession, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowser } from './browser.ts'
import { isYoung, NATIVE, NOT_NATIVE, ways } from './chromium.ts'
import { answer, question, questionNow, STEADY_MS } from './polyfill-annex-person.ts'
import { pageWith, useAnnexSite } from './polyfill-annex-site.ts'

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

const site = useAnnexSite({
  '/outer': pageWith(
    '<script>document.write(`<iframe allow="tools" width="800" height="600" src="http://127.0.0.1:${location.port}/inner"></iframe>`)</script>',
  ),
  '/tiny': pageWith(
    '<script>document.write(`<iframe allow="tools" width="10" height="10" src="http://127.0.0.1:${location.port}/inner"></iframe>`)</script>',
  ),
  '/order': form('toolautosubmit', ANSWERING),
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
  '/order-said': form(
    'toolautosubmit toolintenttemplate="Order {dish} [{times} times]"',
    ANSWERING,
  ),
})

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

  it('takes no yes in a frame that the page around it has covered', async () => {
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
    await answer(page, 'Allow once', frame)
    await page.waitForTimeout(STEADY_MS)
    expect(await frame.evaluate('ran')).toEqual([])
    await run(page, 'cover.remove()')
    await answer(page, 'Allow once', frame)
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await frame.evaluate('ran')).toEqual(['{"x":1}'])
    await page.context().close()
  })

  it('refuses where the frame is too small to ask anybody', async () => {
    const page = await browser.open(`${site.origin}/tiny`)
    const frame = page.frame({ url: `${site.other}/inner` })
    await frame?.evaluate(`tool({ name: 'a' }, { exposedTo: ['${site.origin}'] })`)
    await run(page, `await call('a', { x: 1 }, {}, ['${site.other}'])`)
    expect(await run(page, 'return outcome')).toMatch(/^UnknownError/)
    expect(await frame?.evaluate('ran')).toEqual([])
    await page.context().close()
  })
})

describe.skipIf(!isYoung)('developer tools', () => {
  const browser = useBrowser(NATIVE)

  it('are held too, and told of a refusal', async () => {
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

  it('of the page itself goes on', async () => {
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

  it('are held before the page sees them, and then go on as if nothing had been', async () => {
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

  // Chromium reports a refused submission to the page as an error that nobody caught.
  it('do not reach the page when the person says no', async () => {
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

  it('navigate after a yes', async () => {
    const page = await browser.open(`${site.origin}/order-navigating`)
    await run(page, `void ${order}`)
    await question(page)
    expect(page.url()).toBe(`${site.origin}/order-navigating`)
    await answer(page, 'Allow once')
    await page.waitForURL(`${site.origin}/went?dish=soup&times=&how=now`)
    await page.context().close()
  })

  it('say what they do, and may need nobody', async () => {
    const page = await browser.open(`${site.origin}/order-said`)
    await run(page, `void call('order', { dish: 'soup', times: 2 })`)
    expect(await question(page)).toMatchObject({ marks: ['soup', '2'] })
    await page.context().close()
    const free = await browser.open(`${site.origin}/order-free`)
    expect(await run(free, `return ${order}`)).toBe('served soup')
    await free.context().close()
  })

  it('are the person’s own when they submit them', async () => {
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

  it('are not the person’s own when a script presses the button', async () => {
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

  it('in a shadow tree are held where nothing is filled in', async () => {
    const page = await browser.open(`${site.origin}/shadow-declared`, { mayComplain: /./ })
    await expect.poll(() => run(page, COUNT)).toBe(1)
    await page.waitForTimeout(300)
    await run(page, `void call('order', {})`)
    await question(page)
    expect(await run(page, 'return ran')).toEqual([])
    await page.context().close()
  })

  it('take their question away when the call is aborted', async () => {
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

  it('holds what developer tools have discovered', async () => {
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
       globalThis.told = execute()`,
    )
    expect((await question(page)).text).toContain('Allow a?')
    expect(await run(page, 'return ran')).toEqual([])
    await answer(page, 'Allow once')
    await page.waitForFunction('ran.length === 1')

    await run(page, 'globalThis.told = execute()')
    await answer(page, 'Deny')
    expect(await run(page, 'return told')).toBe(
      'NotAllowedError: a did not run: the person said no',
    )
    await page.context().close()
  })

  it('fills no form in before the person has allowed it', async () => {
    const page = await browser.open(`${site.origin}/order-said`)
    await expect.poll(() => run(page, COUNT)).toBe(1)
    await run(page, `void call('order', { dish: 'soup' })`)
    expect((await question(page)).marks).toEqual(['soup'])
    expect(await run(page, 'return [ran, form.dish.value]')).toEqual([[], ''])
    await answer(page, 'Deny')
    await page.waitForFunction(`outcome.startsWith('NotAllowedError')`)
    await run(page, `void call('order', { dish: 'soup' })`)
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome === 'served soup'`)
    expect(await run(page, 'return ran')).toEqual(['true,true,now,soup'])
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

  it('leaves a form to the person who submits it', async () => {
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
