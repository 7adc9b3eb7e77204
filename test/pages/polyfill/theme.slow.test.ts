/**
 * The theme of the dialog: a page sets colours, corners and light or dark, and whatever it sets, its origin,
 * the arguments and the buttons can be read, stay where they are, and take a press.
 */

import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright'
import { useBrowser } from '../../support/pages/browser.ts'
import { NATIVE } from '../../support/pages/chromium.ts'
import { answer, pictureOfText, question, styleOf } from '../../support/pages/approval-dialog.ts'
import { useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const site = useApprovalSite({})
const browser = useBrowser(NATIVE)

/** Asks for a call with a hidden character, on a page with a style. */
async function ask(css: string): Promise<Page> {
  const page = await browser.open(`${site.origin}/`)
  await page.addStyleTag({ content: css })
  await page.evaluate(`(async () => {
    await tool({ name: 'pay', annotations: { humanInTheLoopHint: 'review' } })
    void call('pay', { to: 'Anna\\u202e' })
  })()`)
  await question(page)
  await page.waitForTimeout(200)
  return page
}

/** What has to be readable, and the contrast of WCAG 2.2 that it has at least. */
const READ = [
  ['H1', 'Allow', 7],
  ['P', 'An agent asks', 4.5],
  ['B', 'http', 7],
  ['PRE', 'Anna', 7],
  ['I', 'U+202E', 3],
  ['BUTTON', 'Deny', 7],
  ['BUTTON', 'Allow once', 4.5],
  ['BUTTON', 'Allow on this visit', 3],
] as const

/** In a page: the highest contrast of a colour in a picture with the colour that it has most of. */
async function measureContrast(data: string): Promise<number> {
  const image = await createImageBitmap(await (await fetch(data)).blob())
  const { width, height } = image
  const context = new OffscreenCanvas(width, height).getContext('2d')
  if (!context) throw new Error('No canvas')
  context.drawImage(image, 0, 0)
  const pixels = context.getImageData(0, 0, width, height).data
  const counts = new Map<number, number>()
  for (let at = 0; at < pixels.length; at += 4) {
    const color = ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0)
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  const linear = (value: number) =>
    value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  const luminance = (color: number) =>
    0.2126 * linear(color >> 16) +
    0.7152 * linear((color >> 8) & 255) +
    0.0722 * linear(color & 255)
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  const surface = luminance(most?.[0] ?? 0)
  const contrasts = [...counts.keys()].map((color) => {
    const ink = luminance(color)
    return (Math.max(ink, surface) + 0.05) / (Math.min(ink, surface) + 0.05)
  })
  return contrasts.reduce((a, b) => Math.max(a, b), 1)
}

/** Measures until it is so, because on a busy machine a note can move what a picture is taken of. */
async function expectReadable(page: Page): Promise<void> {
  const contrastOf = async (name: string, text: string) => {
    const picture = await pictureOfText(page, name, text)
    return page.evaluate(measureContrast, `data:image/png;base64,${picture.toString('base64')}`)
  }
  for (const [name, text, least] of READ)
    await expect
      .poll(() => contrastOf(name, text), { message: `${name} ${text}` })
      .toBeGreaterThan(least)
}

const both = (value: string) => `:root { --webmcp-accent: ${value}; --webmcp-background: ${value} }`
const register = (syntax: string, initial: string) =>
  ['accent', 'background', 'radius']
    .map(
      (name) =>
        `@property --webmcp-${name} { syntax: '${syntax}'; inherits: false; initial-value: ${initial} }`,
    )
    .join('')

const THEMES: readonly (readonly [name: string, css: string])[] = [
  ['transparent', both('transparent')],
  ['white', both('#fff')],
  ['black', both('#000')],
  ['grey', both('#888')],
  ['yellow', both('yellow')],
  ['out of gamut', both('oklch(0.95 99 264)')],
  ['infinite', both('oklch(calc(infinity) calc(infinity) calc(infinity))')],
  ['without components', both('oklch(none none none / none)')],
  ['the current colour', both('currentcolor')],
  ['no colour', both('12px')],
  ['an image', both('url(/x.png)')],
  ['empty', both(' ')],
  ['the end of a function', both('red 1 0 0 / 0')],
  ['half a colour', both('red) 0 0 0/0), red')],
  ['registered as transparent', register('<color>', 'transparent')],
  ['registered as a length', register('<length>', '900px')],
  ['large corners', ':root { --webmcp-radius: 100vmax }'],
  ['negative corners', ':root { --webmcp-radius: -90px }'],
  [
    'an animation',
    `${both('red')} @keyframes k { to { --webmcp-accent: transparent; --webmcp-background: transparent } } :root { animation: k 1ms forwards }`,
  ],
  [
    'parts and everything',
    `*, *::part(x), ::part(dialog) { opacity: 0 !important; --webmcp-accent: #0000 !important; color: transparent !important }`,
  ],
]

describe.each(['light', 'dark'])('in a page that is %s', (scheme) => {
  it.each(THEMES)('the question can be read and answered: %s', async (_, css) => {
    const page = await ask(`:root { color-scheme: ${scheme} } ${css}`)
    await expectReadable(page)
    await answer(page, 'Allow once')
    await page.waitForFunction('ran.length === 1')
  })
})

it('no element of the question is a part, whose timelines would lead a page to it', async () => {
  const page = await ask(':root {}')
  const nodes = JSON.stringify((await question(page)).node)
  expect(nodes).toContain('"aria-labelledby"')
  expect(nodes).not.toContain('"part"')
})

it('has the colours that a page sets', async () => {
  const page = await ask(
    ':root { color-scheme: dark; --webmcp-accent: light-dark(red, lime); --webmcp-radius: 0px }',
  )
  const style = await styleOf(page, 'Allow once')
  expect(style.get('background-image')).toMatch(/^linear-gradient\(oklch\(0\.8\d* 0\.2 142/)
  await expectReadable(page)
})

it.each([
  ['light', 'light', 'rgb(28, 32, 36)'],
  ['dark', 'dark', 'rgb(230, 232, 235)'],
  ['only dark', 'dark', 'rgb(230, 232, 235)'],
  ['normal', 'light', 'rgb(28, 32, 36)'],
  ['light dark', 'that of the device', 'rgb(230, 232, 235)'],
])('a page whose color-scheme is %s has a question that is %s', async (scheme, _, ink) => {
  const page = await browser.open(`${site.origin}/`, { colorScheme: 'dark' })
  await page.addStyleTag({ content: `:root { color-scheme: ${scheme} }` })
  await page.evaluate(`tool({ name: 'a' }).then(() => void call('a'))`)
  expect((await styleOf(page, 'Deny')).get('color')).toBe(ink)
  // A page that changes takes its question along.
  await page.evaluate(`document.documentElement.style.colorScheme = 'light'`)
  expect((await styleOf(page, 'Deny')).get('color')).toBe('rgb(28, 32, 36)')
})
