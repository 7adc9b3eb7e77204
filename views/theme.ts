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
import { STYLE_VARIABLES } from '#core/theme-variables.ts'
import type { HostContext } from './bridge/types.ts'

/** Most UTF-16 code units of a value and of a style sheet, and most imports of one. */
const MAX_VALUE_LENGTH = 1_000
const MAX_FONTS_LENGTH = 100_000
const MAX_IMPORTS = 10

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
  applyFonts(typeof fonts === 'string' && fonts.length <= MAX_FONTS_LENGTH ? fonts : '')
}

function isFit(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && !UNFIT.test(value)
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
  const imports = [...text.matchAll(IMPORT)].slice(0, MAX_IMPORTS)
  const read = new CSSStyleSheet()
  read.replaceSync(text)
  const faces = [...read.cssRules].filter((rule) => rule instanceof CSSFontFaceRule)
  return [
    ...imports.map(([, address = '']) => `@import url("${address}");`),
    ...faces.map((rule) => rule.cssText),
  ].join('\n')
}
