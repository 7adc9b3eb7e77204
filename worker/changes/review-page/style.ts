/**
 * The style of a review. It uses the host's colours and fonts where the host sets the style variables of MCP
 * Apps, and its own otherwise, light or dark as the person prefers. A radio button and `:has()` choose one of
 * the two tables, so the page needs no script.
 *
 * @module
 */

/** The style sheet, as text. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --bg: var(--color-background-primary, light-dark(#fff, #15171b));
  --soft: var(--color-background-secondary, light-dark(#f6f7f8, #1c1f24));
  --ink: var(--color-text-primary, light-dark(#1c2024, #e3e6ea));
  --faint: var(--color-text-secondary, light-dark(#5c646d, #98a1ab));
  --rule: var(--color-border-primary, light-dark(#dde1e5, #2f343b));
  --add: var(--color-text-success, light-dark(#14713a, #57c785));
  --cut: var(--color-text-danger, light-dark(#b3261e, #ff8a80));
  --warn: var(--color-text-warning, light-dark(#8a5a00, #e3b341));
  --ring: var(--color-ring-primary, light-dark(#2563eb, #7aa7ff));
  --round: var(--border-radius-md, 8px);
  --sans: var(--font-sans, system-ui, sans-serif);
  --mono: var(--font-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace);
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: clamp(12px, 3vw, 28px); background: var(--bg); color: var(--ink);
  font: var(--font-text-md-size, 15px)/1.5 var(--sans); overflow-wrap: anywhere;
}
header, .views, .notes, .list, .file, .none { max-width: 1600px; margin-inline: auto; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.state { margin: 0; color: var(--faint); font-size: var(--font-text-sm-size, 13px); }
.state b { color: var(--warn); font-weight: var(--font-weight-semibold, 600); }
.state .done { color: var(--add); }
code, .filepath { font-family: var(--mono); font-size: .92em; }
.filepath { white-space: break-spaces; line-break: anywhere; }
h1 {
  margin: 4px 0 6px; font-size: var(--font-heading-md-size, 21px); line-height: 1.3;
  font-weight: var(--font-weight-semibold, 600); text-wrap: balance;
}
.bar { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; min-height: 32px; }
.sum { margin: 0; color: var(--faint); font-variant-numeric: tabular-nums; }
.a { color: var(--add); } .r { color: var(--cut); } .a, .r { white-space: nowrap; }

.views { display: flex; border: 1px solid var(--rule); border-radius: var(--round); padding: 2px; margin: 0 0 0 auto; }
.views label {
  position: relative; padding: 3px 12px; cursor: pointer; color: var(--faint);
  border-radius: calc(var(--round) - 3px); font-size: var(--font-text-sm-size, 13px);
}
.views input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
.views label:has(:checked) { background: var(--soft); color: var(--ink); box-shadow: 0 0 0 1px var(--rule); }
.views label:has(:focus-visible) { outline: 2px solid var(--ring); outline-offset: 1px; }

.notes { margin-block: 14px 0; padding: 8px 14px; list-style: none; border-inline-start: 3px solid var(--warn); background: var(--soft); }
.list { margin-block: 14px 0; padding: 0; list-style: none; border: 1px solid var(--rule); border-radius: var(--round); }
.list li { padding: 6px 12px; } .list li + li { border-top: 1px solid var(--rule); }
.list li, summary { display: flex; flex-wrap: wrap; gap: 2px 12px; align-items: baseline; }
.kind { flex: 0 0 auto; min-width: 4.6em; color: var(--faint); font-size: var(--font-text-sm-size, 13px); }
.path { flex: 1 1 12em; min-width: 0; } .dir { color: var(--faint); }
.stat { flex: 0 0 auto; margin-inline-start: auto; font-size: var(--font-text-sm-size, 13px); color: var(--faint); font-variant-numeric: tabular-nums; }
.none { color: var(--faint); }

.file { margin-block: 16px 0; border: 1px solid var(--rule); border-radius: var(--round); overflow: clip; }
summary {
  position: sticky; top: 0; z-index: 1; padding: 7px 12px; cursor: pointer; background: var(--soft);
  list-style: none;
}
details[open] > summary { border-bottom: 1px solid var(--rule); }
summary::-webkit-details-marker { display: none; }
summary::before {
  content: ''; align-self: flex-start; flex: none; width: 6px; height: 6px; margin: 8px -2px 0 2px;
  border: solid var(--faint); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg);
}
details[open] > summary::before { transform: translateY(-2px) rotate(45deg); }
summary:focus-visible { outline: 2px solid var(--ring); outline-offset: -2px; }

.scroll { overflow-x: auto; }
table {
  width: 100%; border-collapse: collapse; table-layout: fixed;
  font: var(--code, 12.5px)/1.6 var(--mono); font-variant-ligatures: none;
}
.split { display: none; min-width: 620px; }
:root:has(#side:checked) .split { display: table; }
:root:has(#side:checked) .whole { display: none; }
@supports not selector(:has(*)) { .views { display: none; } }
${[1, 2, 3, 4, 5, 6, 7].map((digits) => `.w${digits} { --w: ${digits}ch; }`).join(' ')}
.cn { width: calc(var(--w) + 20px); } .cs { width: calc(1ch + 8px); }
td { padding: 0; vertical-align: top; }
.n, .s { user-select: none; -webkit-user-select: none; color: var(--faint); }
.n { padding: 0 8px 0 10px; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.s { text-align: center; }
.c { padding: 0 12px 0 4px; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; unicode-bidi: isolate; }
.split .n ~ .n { border-inline-start: 1px solid var(--rule); }
.d { background: color-mix(in srgb, var(--cut) 12%, var(--bg)); }
.i { background: color-mix(in srgb, var(--add) 13%, var(--bg)); }
.e { background: var(--soft); }
.d .n { background: color-mix(in srgb, var(--cut) 7%, transparent); }
.i .n { background: color-mix(in srgb, var(--add) 8%, transparent); }
.d.n { background: color-mix(in srgb, var(--cut) 19%, var(--bg)); }
.i.n { background: color-mix(in srgb, var(--add) 20%, var(--bg)); }
.d.s, .d .s { color: var(--cut); } .i.s, .i .s { color: var(--add); }
mark { color: inherit; border-radius: 3px; }
.d mark { background: color-mix(in srgb, var(--cut) 30%, transparent); }
.i mark { background: color-mix(in srgb, var(--add) 32%, transparent); }
.gap td {
  padding: 2px 12px; background: var(--soft); color: var(--faint); text-align: center;
  font: 12px/1.7 var(--sans); border-block: 1px solid var(--rule);
}
tbody:first-of-type .gap td { border-top: 0; }
.rest { margin: 0; padding: 8px 12px; border-top: 1px solid var(--rule); color: var(--warn); }
.v, .end, .cut {
  font: 10px/1.2 var(--sans); white-space: nowrap; border-radius: 3px; padding: 0 3px; margin: 0 1px;
  vertical-align: 1px; user-select: none; -webkit-user-select: none;
}
.v { color: var(--warn); border: 1px solid currentColor; }
.end, .cut { color: var(--faint); border: 1px dashed currentColor; }
.end { margin-inline-start: 5px; } .cut { display: inline-block; margin-inline: 5px; }
h1 .v, .filepath .v { font-size: .6em; }
@media (max-width: 560px) { table { --code: 11.5px; } .n { padding: 0 5px 0 6px; } .cn { width: calc(var(--w) + 13px); } .c { padding-inline-end: 6px; } }
@media (forced-colors: active) { mark { text-decoration: underline; } }
@media print { summary { position: static; } .views { display: none; } }
`
