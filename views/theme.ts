/**
 * Styles of a view from the host context, on top of `style.css`.
 *
 * A host can send the 76 style variables of MCP Apps. Only these names are accepted, only values
 * that load nothing, and only the font faces of its style sheet. Variables that the host no longer
 * sends fall back to the view's own values. `test/views/theme.test.ts` covers it.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import type { HostContext } from './bridge/types.ts'

const TONES = ['info', 'danger', 'success', 'warning']
const SURFACES = ['primary', 'secondary', 'tertiary', 'inverse', 'ghost', ...TONES, 'disabled']
const SIZES = ['xs', 'sm', 'md', 'lg']
const TYPES = [
  ...SIZES.map((size) => `text-${size}`),
  ...[...SIZES, 'xl', '2xl', '3xl'].map((size) => `heading-${size}`),
]

/** The 76 names of MCP Apps, as custom properties. */
export const STYLE_VARIABLES: readonly string[] = [
  ...['background', 'text', 'border'].flatMap((kind) => SURFACES.map((s) => `color-${kind}-${s}`)),
  ...['primary', 'secondary', 'inverse', ...TONES].map((tone) => `color-ring-${tone}`),
  'font-sans',
  'font-mono',
  ...['normal', 'medium', 'semibold', 'bold'].map((weight) => `font-weight-${weight}`),
  ...TYPES.flatMap((type) => [`font-${type}-size`, `font-${type}-line-height`]),
  ...[...SIZES, 'xl', 'full'].map((size) => `border-radius-${size}`),
  'border-width-regular',
  ...['hairline', 'sm', 'md', 'lg'].map((size) => `shadow-${size}`),
].map((name) => `--${name}`)

const MOST_VALUE = 1_000
const MOST_FONTS = 100_000
const MOST_IMPORTS = 10

/** Matches values that could end their declaration or load a resource. */
const UNFIT = /[;{}\\@]|url|image|src\(|\/\*/i

/** Applies theme, style variables and fonts of a host context to the document. */
export function applyHostStyles({ theme, styles = {} }: HostContext): void {
  const { style, dataset } = document.documentElement
  if (theme) dataset['theme'] = theme
  else delete dataset['theme']
  const variables = recordOf(styles['variables'])
  for (const name of STYLE_VARIABLES) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (isFit(value)) style.setProperty(name, value)
    else style.removeProperty(name)
  }
  const { fonts } = recordOf(styles['css'])
  applyFonts(typeof fonts === 'string' && fonts.length <= MOST_FONTS ? fonts : '')
}

function isFit(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_VALUE && !UNFIT.test(value)
}

let sheet: HTMLStyleElement | null = null

function applyFonts(text: string): void {
  const rules = fontRules(text)
  if (rules === (sheet?.textContent ?? '')) return
  sheet ??= document.head.appendChild(document.createElement('style'))
  sheet.textContent = rules
}

const IMPORT = /@import\s{1,9}(?:url\(\s{0,9})?["']?(https:\/\/[^\s"'()\\;]{1,2000})/g

/** Returns the imports and font faces of a style sheet, without its other rules. */
function fontRules(text: string): string {
  const imports = [...text.matchAll(IMPORT)].slice(0, MOST_IMPORTS)
  const read = new CSSStyleSheet()
  read.replaceSync(text)
  const faces = [...read.cssRules].filter((rule) => rule instanceof CSSFontFaceRule)
  return [
    ...imports.map(([, address = '']) => `@import url("${address}");`),
    ...faces.map((rule) => rule.cssText),
  ].join('\n')
}
