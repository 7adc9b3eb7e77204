/**
 * Hostile values for names, texts and other values: markup that would run, and characters that hide
 * or reverse text.
 *
 * All markup carries `data-evil`, so that an element created from it can be recognised.
 *
 * @module
 */

/** Markup for every place that a text may end up in: between tags, in an attribute, in a script. */
export const MARKUP = [
  `<img data-evil src=x onerror="pwned='img'">`,
  `"><svg data-evil onload="pwned='svg'">`,
  `' autofocus data-evil onfocus="pwned='focus'" x='`,
  `</script><script data-evil>pwned='script'</script>`,
  `</title></textarea></style></pre><img data-evil src=x onerror="pwned='end'">`,
  `]]><img data-evil src=x onerror="pwned='cdata'">`,
  `<a data-evil href="javascript:pwned='link'">click</a>`,
  `<form data-evil action="http://evil.example/"><button>Allow</button></form>`,
  `<iframe data-evil srcdoc="<script>parent.pwned='frame'</script>"></iframe>`,
  `<meta data-evil http-equiv="refresh" content="0;url=http://evil.example/">`,
  `<base data-evil href="http://evil.example/">`,
  `<style data-evil>* { display: none }</style>`,
  `<math data-evil><mtext><table><mglyph><style><img src=x onerror="pwned='mutated'">`,
] as const

/** What some would take for more than text without any tag. */
export const SPELLS = [
  `javascript:pwned='address'`,
  `data:text/html,<script>pwned='data'</script>`,
  '{{constructor.constructor("pwned=1")()}}',
  '${pwned=1}',
  '{path?}{[}{?x}{',
  '__proto__',
  'http://evil.example/',
] as const

/** All payloads in one line. */
export const EVERYTHING = [...MARKUP, ...SPELLS].join(' ')

/** Turns what follows round: reads as `invoice.exe.txt` does backwards. */
export const TURNED = 'invoice\u202etxt.exe'

/** Looks like `/docs/plan.md` and is not. */
export const HIDDEN = 'pl\u200ban\u2060.md'

/** Names for files, in one folder. A name has no slash, no backslash and no control character. */
export const NAMES = [
  `<img data-evil src=x onerror=pwned='name'>.md`,
  `"><svg data-evil onload=pwned='name'>.svg`,
  `' data-evil onmouseover=pwned='name' '.txt`,
  `javascript:pwned='name'`,
  '{{7*7}}${7*7}{?x}.txt',
  ']]>&lt;img src=x&gt;%3Cimg%3E.xml',
  TURNED,
  HIDDEN,
  `${'w'.repeat(251)}.txt`,
  '__proto__',
  ' .. ',
] as const

/** Contents, by the name of the file that has them. */
export const CONTENTS: Readonly<Record<string, string>> = {
  'page.html': `<!doctype html><title>x</title>${EVERYTHING}`,
  'drawing.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="pwned='file'"><script>pwned='file'</script></svg>`,
  'code.js': `pwned = 'file'; alert('file')\n</script>\n`,
  'notes.md': `# ${EVERYTHING}\n\n[click](javascript:pwned='md') ![x](http://evil.example/x.png)\n`,
  'data.json': JSON.stringify({ __proto__: null, text: EVERYTHING }),
  'long.txt': `${EVERYTHING} `.repeat(100),
  'turned.txt': `${TURNED}\n${HIDDEN}\nif (user\u2066 // admin\u2069 ) {}\n`,
}
