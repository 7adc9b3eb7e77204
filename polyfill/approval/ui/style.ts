/**
 * Styles of the dialog and the notice: one constructed sheet, which the page's content security
 * policy does not block. There are no animations, because the page can find them.
 *
 * A page themes them by three custom properties, which reach closed trees, and by its `color-scheme`.
 * Whatever a page sets, each value is clamped where it is used: colours are opaque and keep a lightness
 * at which the text can be read. They are painted over the default colours, which remain where a page
 * sets what is no colour. No other name that a page can define for the whole document is used, and no
 * font except the generic ones that every browser has (`@font-face` defines `ui-monospace` where the
 * browser does not). No element is a part, because `::part()` takes every property
 * (`docs/decisions/0035-theming.md`).
 * `test/polyfill/approval/style.test.ts` checks the names, `test/pages/polyfill/theme.slow.test.ts` the look.
 *
 * @module
 */

import { intrinsics } from './intrinsics.ts'

const BACKGROUND = 'light-dark(#fff,#1b1e23)'

/** Paints a colour of the page, opaque, with its lightness and chroma in light and in dark. */
const paint = (name: string, light: string, dark: string) => {
  const color = `oklch(from var(--webmcp-${name})`
  return `background-image:linear-gradient(light-dark(${color} ${light} h/1),${color} ${dark} h/1)) 0 0)`
}
const SURFACE = paint('background', 'clamp(.94,l,1) min(c,.04)', 'clamp(.14,l,.28) min(c,.04)')
const ACCENT = paint('accent', 'clamp(.3,l,.52) min(c,.2)', 'clamp(.72,l,.9) min(c,.2)')
const SOFT = '#8881'
const INK = 'light-dark(#1c2024,#e6e8eb)'
const FAINT = 'light-dark(#5b636c,#a0a8b2)'
const RULE = '1px solid #8885'

/** The rules. */
export const CSS = `
:host{all:initial!important;display:contents!important;color-scheme:inherit!important}
*{box-sizing:border-box;margin:0}
dialog,aside{position:fixed;background:${BACKGROUND};${SURFACE};color:${INK};border:${RULE};border-radius:clamp(0px,var(--webmcp-radius,14px),20px);padding:0;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;text-align:left;box-shadow:0 12px 48px #0006}
[dir=rtl]{text-align:right}
pre{text-align:left}
dialog{inset:0;margin:auto;width:min(600px,100vw - 24px);max-width:none;height:fit-content;max-height:calc(100dvh - 24px);overflow:hidden}
dialog[open]{display:flex;flex-direction:column}
dialog::backdrop{background:#0008}
header{padding:16px 24px 8px}
h1{font-size:19px;line-height:1.3}
h2,header p,footer p{font-size:13px;font-weight:500;color:${FAINT}}
p,h1,li{unicode-bidi:plaintext}
code,pre{font:13px/1.5 monospace}
b{font-weight:600;color:${INK}}
main{overflow:auto;padding:8px 24px}
section{padding:6px 0 8px;contain:paint}
.claim{border-inline-start:3px solid #8885;padding-inline-start:12px;font-size:16px;max-height:9em;overflow:auto}
mark{unicode-bidi:isolate;background:#eb04;color:inherit;border-radius:3px}
i{font:600 11px/1 monospace;color:light-dark(#b3261e,#ff8f86);border:1px solid;border-radius:4px;padding:0 3px;margin:0 1px;white-space:nowrap}
pre{white-space:pre-wrap;background:${SOFT};border:${RULE};border-radius:8px;padding:8px 12px;max-height:min(40vh,360px);overflow:auto;tab-size:2}
pre span{display:block;margin:0 -12px;padding:0 12px;min-height:1.5em}
.add{background:#2a63}
.cut{background:#e433}
.at{color:${FAINT}}
slot{display:block;contain:strict;height:min(40vh,360px);overflow:auto}
p+slot{height:1px}
.small{width:100vw;max-height:none;height:100%}
.small button{flex:1;padding:0;min-height:0}
ul{padding-inline-start:20px}
footer{border-top:${RULE};padding:16px 24px;display:flex;flex-wrap:wrap;gap:10px;justify-content:flex-end}
footer p{flex:1 0 100%;order:-2}
p:empty{display:none}
button{font:inherit;font-weight:550;color:${INK};background:none;border:${RULE};border-radius:8px;padding:8px 16px;min-height:40px;cursor:pointer}
button:hover{background:${SOFT}}
:focus-visible{outline:2px solid ${INK};outline-offset:2px}
button.once{background:light-dark(#1a5fd0,#8ab4ff);${ACCENT};color:${BACKGROUND}}
.session,.days{order:-1;padding-inline:10px;border-color:#0000;color:${FAINT};font-weight:500}
.deny{margin-inline-start:auto}
[aria-disabled=true]{opacity:.5}
.probe{position:fixed;inset:0;visibility:hidden}
aside{inset:auto 16px 16px auto;width:min(380px,100vw - 32px);padding:12px 16px;font-size:14px}
@media(max-width:600px){header,main,footer{padding-inline:16px}button{flex:1 1 auto}#e,.session,.days{order:1}.deny{margin:0}}
`

/**
 * Creates a sheet with captured functions, because a reference to it leads to every rule. A document
 * takes only sheets of its own window's constructor.
 */
export function newSheet(place: Document, css: string): CSSStyleSheet {
  const Sheet = place === document ? null : intrinsics.windowOf(place)?.CSSStyleSheet
  const made = new (Sheet ?? intrinsics.Sheet)()
  intrinsics.fillSheet(made, css)
  return made
}
