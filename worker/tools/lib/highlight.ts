/**
 * Lines as an HTML table, for hosts that ask for it with `_meta.highlight` (mcp4h proposals, section 4).
 *
 * Everything from the file is escaped, so that nothing in it can act as markup. Colours are left to the host.
 *
 * @module
 */

/** Converts numbered lines, each `N: text`, to a table with a row for each. */
export function tableOfLines(content: string): string {
  const rows = content === '' ? [] : content.split('\n').map(rowOf)
  return `<table class="code"><tbody>${rows.join('')}</tbody></table>`
}

function rowOf(line: string): string {
  const colon = line.indexOf(': ')
  const [number, text] = [line.slice(0, colon), line.slice(colon + 2)]
  return `<tr><td class="line-number">${number}</td><td class="line"><pre>${escaped(text)}</pre></td></tr>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
