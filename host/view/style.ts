/**
 * Styles of the element: a card with a slim header, and a layer above the page in the larger modes.
 *
 * Fonts and colours are inherited. While a confirmation dialog is open the app's frame is hidden: a
 * frame may take the focus at any time, but receives no keys while it is not rendered.
 *
 * @module
 */

/** The style sheet of the shadow tree. */
export const STYLE = `
:host{display:block}
:host([hidden]),[hidden]{display:none!important}
dialog{padding:0;border:1px solid #8883;border-radius:8px;overflow:hidden;font:inherit;font-size:13px;
color:inherit;background:var(--color-background-primary,Canvas)}
.box{display:flex;flex-direction:column;width:auto;height:auto;max-width:none;max-height:none}
.inline{position:static;margin:0;background:none}
.bare{border:0}
.bare header{display:none}
.fullscreen{margin:8px}
.pip{margin:auto 8px 8px auto;width:400px;height:300px}
header,p{display:flex;align-items:center;gap:8px;margin:0;padding:4px 8px}
header,button{background:#8883}
i{opacity:.8;margin-right:auto;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
button{font:inherit;color:inherit;border:0;border-radius:8px;padding:4px 8px}
div{display:flex;flex:1}
iframe{flex:1;width:0;border:0}
.fullscreen iframe,.pip iframe{height:100%!important}
:has(+.ask) iframe{display:none}
.ask{width:400px;padding:8px;overflow-wrap:anywhere}
`
