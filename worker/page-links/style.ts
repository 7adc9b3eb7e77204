/** The style of pages for people: light, dark, narrow and printed. Its hash is in the policy of each page. @module */

/** The style sheet. */
export const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", sans-serif;
  --ink: light-dark(#1b1f26, #e4e7ec); --faint: light-dark(#5c6570, #98a2ae); --paper: light-dark(#fff, #14171c);
  --wash: light-dark(#f5f6f8, #1b1f26); --line: light-dark(#dfe3e8, #2c323b); --accent: light-dark(#1a56c4, #8ab4ff) }
* { box-sizing: border-box }
body { margin: 0; color: var(--ink); background: var(--paper); overflow-wrap: anywhere }
a { color: var(--accent); text-underline-offset: .15em }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .2rem }
header, main, footer { max-width: 56rem; margin: 0 auto; padding: 0 1.5rem }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: end; padding-top: 2rem }
header > div { flex: 1 1 20rem; min-width: 0 }
nav.crumbs { font-size: .9rem; color: var(--faint) }
nav.crumbs a { color: inherit }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .1rem 0 .25rem; text-wrap: balance }
.facts { margin: 0; color: var(--faint); font-size: .9rem }
.button { display: inline-block; padding: .45rem .95rem; border: 1px solid var(--line); border-radius: .45rem;
  text-decoration: none; font-weight: 600; font-size: .95rem; color: var(--ink); background: var(--wash); white-space: nowrap }
.button:hover { border-color: var(--accent) }
main { padding-block: 1.5rem 2rem; border-top: 1px solid var(--line); margin-top: 1.25rem }
footer { padding-block: 1rem 2.5rem; color: var(--faint); font-size: .85rem; border-top: 1px solid var(--line) }
.note { border-inline-start: 3px solid var(--accent); padding: .1rem 0 .1rem .9rem; color: var(--faint) }
.ways { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; align-items: center }
.entries { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: .6rem; overflow: hidden }
.entries li { display: flex; gap: 1rem; justify-content: space-between; padding: .55rem .9rem }
.entries li + li { border-top: 1px solid var(--line) }
.entries li:hover { background: var(--wash) }
.entries a { text-decoration: none; min-width: 0 } .entries a:hover { text-decoration: underline }
.entries .folder { font-weight: 600 }
.entries span.size { color: var(--faint); font-size: .9rem; white-space: nowrap }
.readme { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line) }
pre { font: .875rem/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--wash);
  border: 1px solid var(--line); border-radius: .6rem; padding: .9rem 1rem; overflow: auto; margin: 1rem 0; tab-size: 4;
  overflow-wrap: normal }
main > pre { margin-top: 0 }
pre.plain { white-space: pre-wrap; overflow-wrap: anywhere; background: none; border: 0; padding: 0; border-radius: 0 }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em }
:not(pre) > code { background: var(--wash); border: 1px solid var(--line); border-radius: .3rem; padding: .05em .3em }
pre code { font-size: inherit }
.t-comment { color: var(--faint); font-style: italic } .t-string { color: light-dark(#12693a, #66d091) }
.t-number { color: light-dark(#7d4e00, #e8bc56) } .t-keyword, .t-title { color: light-dark(#1a56c4, #8ab4ff) }
.t-name { color: light-dark(#7b2fa8, #d3a1f5) } .t-insert { color: light-dark(#12693a, #66d091) }
.t-delete { color: light-dark(#b3261e, #ff968d) }
.prose { max-width: 46rem; margin: 0 auto }
.prose > :first-child { margin-top: 0 }
.prose h2, .prose h3, .prose h4, .prose h5, .prose h6 { line-height: 1.3; margin: 1.8em 0 .6em; text-wrap: balance }
.prose h2 { font-size: 1.6rem } .prose h3 { font-size: 1.3rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line) }
.prose h4 { font-size: 1.1rem } .prose h5, .prose h6 { font-size: 1rem }
.prose p, .prose ul, .prose ol, .prose blockquote { margin: .9em 0 } .prose li { margin: .25em 0 }
.prose :is(ul, ol) :is(ul, ol) { margin: .25em 0 }
.prose blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--faint) }
.prose hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0 }
.prose .task { list-style: none; margin-inline-start: -1.4em } .prose input { margin: 0 .3em 0 0; accent-color: var(--accent) }
img { max-width: 100%; height: auto; border-radius: .4rem; vertical-align: middle }
figure { margin: 0; text-align: center } figure img { max-height: 85vh;
  background: repeating-conic-gradient(var(--wash) 0 25%, transparent 0 50%) 0 0 / 1.25rem 1.25rem }
.picture { border: 1px dashed var(--line); border-radius: .3rem; padding: 0 .35em; color: var(--faint) }
.wide { overflow-x: auto; margin: 1rem 0; border: 1px solid var(--line); border-radius: .6rem }
main > .wide { margin-top: 0 }
table { border-collapse: collapse; font-size: .925rem; min-width: 100%; font-variant-numeric: tabular-nums }
th, td { padding: .4rem .8rem; text-align: start; vertical-align: top; border-top: 1px solid var(--line); max-width: 32rem;
  overflow-wrap: break-word }
thead th { border-top: 0; background: var(--wash); white-space: nowrap }
tbody tr:nth-child(even) { background: color-mix(in srgb, var(--wash) 55%, transparent) }
.a-left { text-align: left } .a-center { text-align: center } .a-right { text-align: right }
.page-name { font-size: 1.05rem; margin: 2rem 0 .5rem } main > .page-name:first-child { margin-top: 0 }
.filepath { white-space: break-spaces }
.v { font: 600 .75em system-ui, sans-serif; padding: 0 .3em; margin: 0 1px; border-radius: .25rem;
  color: light-dark(#8a4b00, #f0b35a); border: 1px solid currentColor; white-space: nowrap }
.lost { display: grid; place-content: center; min-height: 70vh; text-align: center }
@media (max-width: 30rem) { header, main, footer { padding-inline: 1rem } header { padding-top: 1.25rem } h1 { font-size: 1.35rem } }
@media print { :root { color-scheme: light } header .button, .ways, nav.crumbs { display: none }
  main { border: 0; padding: 0; max-width: none } pre { white-space: pre-wrap } a { color: inherit }
  pre, table, .wide { overflow: visible } }
`
