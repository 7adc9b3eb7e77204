/**
 * The dialog against a page that wants a yes without its person: clicks made by scripts, stolen
 * focus, overlays, access to its nodes; and untrusted text in it.
 */

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowser } from '../../support/pages/browser.ts'
import { NATIVE } from '../../support/pages/chromium.ts'
import {
  answer,
  enabled,
  pictureOf,
  press,
  question,
  questionNow,
  STEADY_MS,
  styleOf,
} from '../../support/pages/approval-dialog.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const SHOTS = process.env['SHOTS']

const site = useApprovalSite({
  '/closed': {
    html: pageWith('<p>x</p>').replaceAll('<script', '<script nonce="n"'),
    headers: {
      'content-security-policy':
        "default-src 'none'; script-src 'nonce-n' 'unsafe-eval'; require-trusted-types-for 'script'",
    },
  },
})
const browser = useBrowser(NATIVE)

const run = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)

/** Takes pictures to look at: light, dark, and 400 pixels wide. */
async function shoot(page: Page, name: string): Promise<void> {
  if (!SHOTS) return
  for (const width of [1280, 400])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 700 })
      await page.waitForTimeout(200)
      await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}-${width}.png` })
    }
}

async function asked(before = '', annotations = '{}', input = '{ x: 1 }', init?: string) {
  const page = await browser.open(`${site.origin}/`, { init })
  const start = `await tool({ name: 'a', annotations: ${annotations} }); void call('a', ${input})`
  await run(page, `${before}; ${start}`)
  await question(page)
  return page
}

/** The dialog is open, or was denied: in both cases nothing ran. */
async function expectNothingRan(page: Page): Promise<void> {
  await page.waitForTimeout(STEADY_MS)
  expect(await run(page, 'return ran')).toEqual([])
  await page.context().close()
}

/** How long the dialog has to be undisturbed before a click counts; `presence.ts` has the same. */
const TAKES_CLICKS_MS = 500

/** Custom properties as the sheet had them: a registered one reaches closed trees. `theme.slow.test.ts` has the theme. */
const NAMES = ['--bg', '--ink', '--go']

const REGISTER = `for (const name of ${JSON.stringify(NAMES)}) CSS.registerProperty(
  { name, syntax: 'transparent', inherits: false, initialValue: 'transparent' })`

describe('a page cannot press Allow', () => {
  it('with clicks and keys that scripts make', async () => {
    const page = await asked()
    await page.waitForTimeout(STEADY_MS)
    await run(
      page,
      `const host = document.documentElement.lastElementChild
       for (let x = 0; x < innerWidth; x += 20) for (let y = 0; y < innerHeight; y += 20) {
         const at = document.elementFromPoint(x, y)
         for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
           at.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, cancelable: true, clientX: x, clientY: y }))
       }
       for (const key of ['Tab', 'Enter', ' '])
         for (const type of ['keydown', 'keypress', 'keyup'])
           (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, composed: true }))
       host.click()
       document.activeElement.click()`,
    )
    expect(await questionNow(page)).not.toBeNull()
    await expectNothingRan(page)
  })

  it('by reaching into the dialog', async () => {
    const page = await asked(
      `globalThis.met = []
       const nodes = []
       const meet = (value) => {
         if (value instanceof Node) nodes[nodes.length] = value
         else if (value instanceof IntersectionObserverEntry) nodes[nodes.length] = value.target
         else if (Array.isArray(value)) for (let i = 0; i < value.length; i++) meet(value[i])
       }
       globalThis.inTree = () => {
         for (let i = 0; i < nodes.length; i++)
           try {
             if (nodes[i].getRootNode() instanceof ShadowRoot) met[met.length] = nodes[i].nodeName
           } catch {} // a prototype
       }
       const { next } = Reflect.getPrototypeOf([][Symbol.iterator]())
       Reflect.getPrototypeOf([][Symbol.iterator]()).next = function () {
         const step = Reflect.apply(next, this, [])
         meet(step.value)
         return step
       }
       const spied = [Node.prototype, Element.prototype, HTMLElement.prototype, HTMLDialogElement.prototype,
         EventTarget.prototype, ShadowRoot.prototype, DocumentFragment.prototype, Document.prototype,
         IntersectionObserver.prototype, IntersectionObserverEntry.prototype, CSSStyleSheet.prototype,
         Array.prototype, Set.prototype, Map.prototype, WeakMap.prototype]
       for (const holder of spied) for (const key of Reflect.ownKeys(holder)) {
         const descriptor = Reflect.getOwnPropertyDescriptor(holder, key)
         if (!descriptor.configurable || ['constructor', 'getRootNode', 'isConnected'].includes(key)) continue
         for (const part of ['value', 'get', 'set']) {
           const original = descriptor[part]
           if (typeof original !== 'function') continue
           descriptor[part] = function () {
             meet(this)
             for (let i = 0; i < arguments.length; i++) meet(arguments[i])
             const result = Reflect.apply(original, this, arguments)
             meet(result)
             return result
           }
         }
         Reflect.defineProperty(holder, key, descriptor)
       }
       const { attachShadow } = Element.prototype
       Element.prototype.attachShadow = function () { met[met.length] = 'attachShadow'; return attachShadow.call(this, { mode: 'open' }) }`,
      `{ intentTemplate: 'Do {x} \u202e' }`,
    )
    await page.waitForTimeout(STEADY_MS)
    const reached = await run(
      page,
      `inTree()
       const host = document.documentElement.lastElementChild
       const found = [host.shadowRoot, document.activeElement?.shadowRoot, document.querySelector('button, dialog')]
       const animations = document.getAnimations().length
       return { found, animations, met }`,
    )
    expect(reached).toEqual({ found: [null, null, null], animations: 0, met: [] })
    await expectNothingRan(page)
  })

  it('by stealing the focus of a person who types', async () => {
    const page = await asked(
      `const input = document.body.appendChild(document.createElement('input'))
       setInterval(() => input.focus(), 5)`,
    )
    await page.waitForTimeout(STEADY_MS)
    await page.keyboard.type('hello there\n')
    await expectNothingRan(page)
  })

  it('by the Enter key, which denies', async () => {
    const page = await asked()
    await page.waitForTimeout(STEADY_MS)
    await page.keyboard.press('Enter')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return [ran, outcome]')).toEqual([
      [],
      'NotAllowedError: a did not run: the user denied it',
    ])
    await page.context().close()
  })

  it('with a click that was meant for other content', async () => {
    const clock = `new MutationObserver(() => { globalThis.shown ??= performance.now() })
      .observe(document.documentElement, { childList: true })`
    for (let attempt = 1; ; attempt++) {
      const page = await asked(clock)
      const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
      expect(width * height).toBeGreaterThan(0)
      await press(page, 'Allow once')
      // On a busy machine the click may come when the dialog takes one.
      const waited = await page.evaluate<number>('performance.now() - shown')
      if (waited < TAKES_CLICKS_MS || attempt === 10) {
        expect(await questionNow(page)).not.toBeNull()
        return expectNothingRan(page)
      }
      await page.context().close()
    }
  })

  it('by removing the dialog', async () => {
    const page = await asked()
    await run(page, 'document.documentElement.lastElementChild.remove()')
    await page.waitForFunction(`outcome.startsWith('NotAllowedError')`)
    await expectNothingRan(page)
  })

  it.each([
    [
      'hides it',
      `host.style.cssText = 'display:none!important;opacity:0!important;transform:scale(0)!important'`,
    ],
    [
      'restyles it',
      `document.head.append(Object.assign(document.createElement('style'), { textContent: '*, *::backdrop { opacity: 0 !important; pointer-events: none !important; position: static !important; font-size: 1px !important }' }))`,
    ],
    [
      'hides all of itself',
      `document.documentElement.style.cssText = 'opacity:0;filter:opacity(0);visibility:hidden;clip-path:inset(50%)'`,
    ],
    [
      'animates it',
      `host.animate({ opacity: [0, 0], display: ['none', 'none'] }, { duration: 1e6 })`,
    ],
    ['registers properties', REGISTER],
  ])('the appearance is unchanged when the page %s', async (_, script) => {
    const page = await asked()
    await enabled(page, 'Allow once')
    const before = await pictureOf(page)
    await run(page, `const host = document.documentElement.lastElementChild; ${script}`)
    expect((await pictureOf(page)).equals(before)).toBe(true)
    await answer(page, 'Allow once')
    await page.waitForFunction('ran.length === 1')
    await page.context().close()
  })
})

const COVER = `const cover = document.createElement('div')
cover.popover = 'manual'
cover.textContent = 'Press here for a kitten'
document.body.append(cover)`

describe('a covered dialog accepts no approval', () => {
  it.each([
    ['whole', `cover.style.cssText = 'position:fixed;inset:0;width:auto;height:auto'`],
    [
      'by what lets clicks through',
      `cover.style.cssText = 'position:fixed;inset:0;width:auto;height:auto;pointer-events:none'`,
    ],
    [
      'by what cannot be seen through only in part',
      `cover.style.cssText = 'position:fixed;inset:0 0 auto 0;width:auto;height:45%;margin:0;pointer-events:none'`,
    ],
  ])('%s', async (_, style) => {
    const page = await asked()
    await page.waitForTimeout(STEADY_MS)
    await run(page, `${COVER}; ${style}; cover.showPopover(); globalThis.cover = cover`)
    await page.waitForTimeout(STEADY_MS)
    expect((await question(page)).text).toContain('Something covers this question')
    await press(page, 'Allow once')
    await page.waitForTimeout(200)
    expect(await run(page, 'return ran')).toEqual([])

    await run(page, 'cover.remove()')
    await press(page, 'Allow once') // too early again
    await page.waitForTimeout(100)
    expect(await run(page, 'return ran')).toEqual([])
    await answer(page, 'Allow once')
    await page.waitForFunction('ran.length === 1')
    await page.context().close()
  })

  it('by another dialog, which makes it inert', async () => {
    const page = await asked()
    await run(
      page,
      `const other = document.body.appendChild(document.createElement('dialog'))
       other.style.cssText = 'width:100vw;height:100vh;max-width:none;max-height:none'
       other.showModal()`,
    )
    await page.waitForTimeout(STEADY_MS)
    await press(page, 'Allow once')
    await expectNothingRan(page)
  })

  it('or made too small to read', async () => {
    const page = await asked()
    await run(page, `document.documentElement.style.zoom = '0.3'`)
    await page.waitForTimeout(STEADY_MS)
    expect((await question(page)).text).toContain('Something covers this question')
    await press(page, 'Allow once')
    await expectNothingRan(page)
  })
})

/** A browser without visibility tracking. */
const UNTRACKED = 'delete IntersectionObserverEntry.prototype.isVisible'

describe('without visibility tracking, a dialog accepts no approval', () => {
  it.each([
    ['under a popover', `${COVER}; cover.showPopover(); globalThis.end = () => cover.remove()`],
    [
      'under a view transition',
      `document.head.append(Object.assign(document.createElement('style'), { textContent:
         '::view-transition { background: white; pointer-events: none } ::view-transition-group(*) { animation-duration: 1000s; pointer-events: none } :root { view-transition-name: none } body { view-transition-name: x }' }))
       const transition = document.startViewTransition(() => {})
       await transition.ready
       globalThis.end = () => transition.skipTransition()`,
    ],
    [
      'beside a full screen',
      `const cover = document.body.appendChild(document.createElement('div'))
       cover.addEventListener('click', () => {})
       await cover.requestFullscreen()
       globalThis.end = () => document.exitFullscreen()`,
    ],
  ])('%s', async (_, cover) => {
    const page = await asked('', '{}', '{ x: 1 }', UNTRACKED)
    await page.mouse.click(1, 1) // a full screen needs a gesture
    await enabled(page, 'Allow once')
    await run(page, cover)
    await expect
      .poll(async () => (await question(page)).text)
      .toContain('Something covers this question')
    await press(page, 'Allow once')
    expect(await run(page, 'return ran')).toEqual([])
    await run(page, 'await end()')
    await answer(page, 'Allow once')
    await page.waitForFunction('ran.length === 1')
    await page.context().close()
  })
})

describe('a window without the focus', () => {
  /** The window of a test has the focus always, so the browser pretends that it is gone. */
  const UNFOCUSED = 'Document.prototype.hasFocus = () => globalThis.isHere === true'

  it('accepts no approval until it has had the focus for half a second', async () => {
    for (let attempt = 1; ; attempt++) {
      const page = await asked('document.hasFocus = () => true', '{}', '{ x: 1 }', UNFOCUSED)
      await page.waitForTimeout(STEADY_MS)
      const { text, disabled } = await question(page)
      expect(text).toContain('Click this question first.')
      expect(disabled).toEqual(['Allow once'])
      await press(page, 'Allow once')
      expect(await run(page, 'return ran')).toEqual([])

      await run(page, 'isHere = true; globalThis.came = performance.now()')
      await press(page, 'Allow once')
      // On a busy machine the click may come when the dialog takes one.
      const waited = await page.evaluate<number>('performance.now() - came')
      if (waited < TAKES_CLICKS_MS || attempt === 10) {
        expect(await run(page, 'return ran')).toEqual([])
        await answer(page, 'Allow once')
        await page.waitForFunction('ran.length === 1')
        return page.context().close()
      }
      await page.context().close()
    }
  })
})

describe('untrusted text', () => {
  it('is shown as text, with hidden characters visible', async () => {
    const page = await asked(
      '',
      `{ intentTemplate: '<b>Delete</b> {x} {__proto__.polluted} {constructor} \\u202enothing' }`,
      `{ x: '<img src=x onerror="ran.push(1)">\\u202e\\u0000\\u200b', deep: { '<script>': '\\u2066' } }`,
    )
    const { text, marks, badges } = await question(page)
    expect(text).toContain('<b>Delete</b>')
    expect(marks[0]).toContain('<img src=x onerror="ran.push(1)">')
    expect(marks).toContain('{constructor}')
    expect(badges).toEqual(expect.arrayContaining(['U+202E', 'U+0000', 'U+200B', 'U+2066']))
    await expectNothingRan(page)
  })

  it('marks what is left out when a value fills the sentence exactly', async () => {
    const page = await asked(
      '',
      `{ intentTemplate: 'Send {note} and pay {amount}' }`,
      `{ note: 'n'.repeat(1995), amount: 5000 }`,
    )
    expect((await question(page)).text).toContain('more characters')
    await page.context().close()
  })

  it('does not push the answers out of view, however long it is', async () => {
    const page = await asked(
      '',
      `{ intentTemplate: 'Say {x}' }`,
      `{ x: 'a'.repeat(200000), lines: Array.from({ length: 5000 }, (_, i) => i) }`,
    )
    const { text } = await question(page)
    expect(text).toContain('more characters')
    await answer(page, 'Allow once')
    await page.waitForFunction('ran.length === 1')
    await page.context().close()
  })
})

it('is shown under a policy that allows no style, and keeps Tab inside', async () => {
  const page = await browser.open(`${site.origin}/closed`)
  await run(
    page,
    `await tool({ name: 'a', annotations: { humanInTheLoopHint: 'review' } }); void call('a')`,
  )
  await question(page)
  await page.waitForTimeout(STEADY_MS)
  // Deny, then the other answers in their order, then the arguments are none, so Deny again.
  for (let tab = 0; tab < 4; tab++) await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.waitForFunction('ran.length === 1')
  await page.context().close()
})

it('shows the focus on Allow, whose colour is that of the ring', async () => {
  const page = await asked()
  await page.keyboard.press('Tab')
  const style = await styleOf(page, 'Allow once')
  expect(style.get('outline-style')).toBe('solid')
  expect(parseFloat(style.get('outline-offset') ?? '')).toBeGreaterThan(0)
  await page.context().close()
})

it('is an alert dialog with a name and a description', async () => {
  const page = await asked('', `{ intentTemplate: 'Send it to {x}' }`)
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const dialog = nodes.find(({ role }) => role?.value === 'alertdialog')
  expect(dialog?.name?.value).toBe('Allow a?')
  expect(dialog?.description?.value).toBe('Send it to 1')
  const focused = nodes.find(({ properties }) =>
    properties?.some(({ name, value }) => name === 'focused' && value.value === true && name),
  )
  expect(focused).toBeDefined()
  expect(nodes.some(({ role, name }) => role?.value === 'button' && name?.value === 'Deny')).toBe(
    true,
  )
  await page.context().close()
})

it('says for which values an approval for longer holds, also in its description', async () => {
  const page = await asked('', `{ humanInTheLoopHint: 'review', intentTemplate: 'Send it to {x}' }`)
  const extent =
    'Longer approvals cover all calls of this tool, with any arguments, until its definition changes.'
  const { text, buttons } = await question(page)
  expect(text).toContain(extent)
  expect(buttons).toEqual(['Deny', 'Allow once', 'Allow on this visit', 'Allow for 30 days'])
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const dialog = nodes.find(({ role }) => role?.value === 'alertdialog')
  expect(dialog?.description?.value).toBe(`Send it to 1 ${extent}`)
  await page.waitForTimeout(STEADY_MS)
  await shoot(page, 'review')
  await page.context().close()
})

it('names the tool by its title, with its name beside it, and the amount', async () => {
  const page = await browser.open(`${site.origin}/`)
  await run(
    page,
    `await tool({ name: 'pay', title: 'Pay the cart', annotations: { intentTemplate: 'Pay {amount} {currency} to {shop}' } })
     void call('pay', { amount: 1200.5, currency: 'EUR', shop: 'the tea shop' })`,
  )
  const { text } = await question(page)
  expect(text).toContain('Allow Pay the cart (pay)?')
  expect(text).toContain('Amount: 1200.5 EUR')
  await page.waitForTimeout(STEADY_MS)
  await shoot(page, 'confirm')
  await page.context().close()
})

it('asks in a window of its own when its window is too small', async () => {
  const page = await browser.open(`${site.origin}/`, { viewport: { width: 300, height: 150 } })
  await run(page, `await tool({ name: 'a' }); void call('a')`)
  await page.waitForFunction(`document.documentElement.lastElementChild.localName === 'div'`)
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.mouse.click(150, 75),
  ])
  await answer(opened, 'Allow once')
  await page.waitForFunction('ran.length === 1')
  await page.context().close()
})

it('shows a notice whose appearance is unchanged when the page registers properties', async () => {
  const picture = async (before: string) => {
    const page = await browser.open(`${site.origin}/`)
    await run(
      page,
      `${before}
       await tool({ name: 'a', annotations: { humanInTheLoopHint: 'notify' } })
       await call('a')`,
    )
    const taken = await pictureOf(page, 'ASIDE')
    await page.context().close()
    return taken
  }
  expect((await picture(REGISTER)).equals(await picture(''))).toBe(true)
})

it('shows a notice for calls that need no approval', async () => {
  const page = await browser.open(`${site.origin}/`)
  await run(
    page,
    `await tool({ name: 'a', annotations: { humanInTheLoopHint: 'notify', intentTemplate: 'Turn it {x}' } })
     await call('a', { x: 'on' })`,
  )
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const notice = nodes.find(({ role }) => role?.value === 'status')
  expect(notice).toBeDefined()
  const texts = nodes.map(({ name }) => String(name?.value ?? '')).join('')
  expect(texts).toContain('Turn it')
  await shoot(page, 'notify')
  await page.context().close()
})
