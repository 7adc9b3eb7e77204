/**
 * The style of the panel. It is in the colours of the page's `color-scheme`, below the approval dialog, which
 * is in the top layer.
 *
 * @module
 */

const RULE = '1px solid #8884'
const FAINT = 'light-dark(#5b636c,#a0a8b2)'

/** The rules. */
export const CSS = `
:host{all:initial;color-scheme:inherit;position:fixed;z-index:2147483646;inset:auto auto 12px 12px;max-width:calc(100vw - 24px);font:13px/1.5 system-ui,sans-serif;color:light-dark(#1c2024,#e6e8eb)}
*{box-sizing:border-box;margin:0}
:host>*{display:block}
summary{cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
:focus-visible{outline:2px solid light-dark(#4f46c8,#a5b4fc);outline-offset:2px}
details{background:light-dark(#fff,#1b1e23)}
details:not(.row){border:${RULE};border-radius:12px;box-shadow:0 8px 30px #0003;overflow:hidden}
details:not(.row)>summary{padding:8px 14px;font-weight:600;min-height:40px;display:flex;align-items:center;gap:8px}
details:not(.row)>summary::before{content:"";width:8px;height:8px;border-radius:50%;background:#2a9d5c}
details:not(.row)[open]>summary{border-bottom:${RULE}}
section{width:min(440px,100vw - 26px);max-height:min(70vh,640px);overflow:auto;padding:4px 14px 14px}
h2{font-size:11px;letter-spacing:.06em;text-transform:uppercase;color:${FAINT};margin:12px 0 4px}
ol{list-style:none;padding:0}
.row{border-top:${RULE};background:none}
.row>summary{display:flex;flex-wrap:wrap;gap:2px 8px;align-items:center;padding:8px 0;min-height:40px}
.row>:not(summary){margin-bottom:10px}
b{font:600 13px/1.4 ui-monospace,monospace;overflow-wrap:anywhere}
small{flex:1 1 100%;font-size:12px;color:${FAINT};overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
[open]>summary>small{white-space:normal}
[open]>summary>.brief{display:none}
.badge{font-size:11px;font-weight:600;border-radius:99px;padding:1px 8px;background:#8882}
.badge:is(.ran,.none){background:light-dark(#d9f2e3,#16402a);color:light-dark(#0f5c33,#a8e6c3)}
.badge:is(.notify){background:light-dark(#dfeafe,#1d345c);color:light-dark(#1d4a9c,#b6d0ff)}
.badge:is(.review,.pending){background:light-dark(#fdf0cf,#4a3908);color:light-dark(#6b4e00,#f6d98b)}
.badge:is(.confirm,.denied,.failed){background:light-dark(#fde1de,#571c17);color:light-dark(#8f1d13,#ffb9b2)}
p{color:${FAINT};overflow-wrap:anywhere}
figcaption{font-size:11px;color:${FAINT};margin-bottom:2px}
pre,textarea{width:100%;font:12px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;background:#8881;color:inherit;border:${RULE};border-radius:8px;padding:8px 10px;max-height:180px;overflow:auto}
textarea{resize:vertical;display:block;min-height:72px;max-height:none}
button{font:inherit;font-weight:600;color:#fff;background:#4f46c8;border:0;border-radius:8px;padding:6px 16px;min-height:36px;margin:8px 0;cursor:pointer}
output{display:block;font:12px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
`
