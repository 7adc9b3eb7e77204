/**
 * Single pieces of Markdown that are found by a look ahead of bounded length: spans of code, addresses, and characters
 * that are written by name. `test/core/markdown/inline.test.ts` tests them.
 *
 * @module
 */

/** The spans of code of a text. Their beginnings have to be asked for in order. */
export interface CodeSpans {
  /** The run of backticks at a place, and where the next one of its length is; null without one. */
  at(place: number): { readonly ticks: number; readonly end: number | null } | null
}

/** Finds all runs of backticks once, because a search from each of them would take quadratic time. */
export function codeSpans(text: string): CodeSpans {
  const places = new Map<number, number[]>()
  for (const { index, 0: run } of text.matchAll(/`+/g)) {
    const known = places.get(run.length)
    if (known) known.push(index)
    else places.set(run.length, [index])
  }
  const passed = new Map<number, number>()
  return {
    at(place) {
      let ticks = 0
      while (text[place + ticks] === '`') ticks++
      if (ticks === 0) return null
      const all = places.get(ticks) ?? []
      let next = passed.get(ticks) ?? 0
      while ((all[next] ?? Infinity) < place + ticks) next++
      passed.set(ticks, next)
      return { ticks, end: all[next] ?? null }
    },
  }
}

/** Maximum number of characters of an address. */
const MAX_ADDRESS = 1_000

/** `(address "title")`: the address has no space, and parentheses in it are balanced. The title is left out. */
const ADDRESS =
  /\(\s{0,9}(?:<([^<>\n]{0,1000})>|([^\s()<>]{0,1000}(?:\([^\s()<>]{0,1000}\)[^\s()<>]{0,1000}){0,9}))(?:\s{1,9}(?:"[^"]{0,300}"|'[^']{0,300}'))?\s{0,9}\)/y

/** Reads the address of a link after its text. */
export function readAddress(text: string, at: number): { address: string; end: number } | null {
  ADDRESS.lastIndex = at
  const match = ADDRESS.exec(text)
  if (!match) return null
  const [whole, pointed, plain] = match
  const address = unescape(pointed ?? plain ?? '')
  return address.length > MAX_ADDRESS ? null : { address, end: at + whole.length }
}

/** Takes the backslashes before punctuation away. */
export const unescape = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')

const POINTED = /<(https?:\/\/[^\s<>]{1,1000}|mailto:[^\s<>]{1,300})>|<br ?\/?>/iy
const BARE = /https?:\/\/[^\s<>"'`\]\\]{1,1000}/y

/** Reads an address that is its own text; `address` is null for `<br>`. */
export function readAutolink(
  text: string,
  at: number,
): { address: string | null; length: number } | null {
  POINTED.lastIndex = at
  const pointed = POINTED.exec(text)
  if (pointed) return { address: pointed[1] ?? null, length: pointed[0].length }
  if (/\w/.test(text[at - 1] ?? '')) return null
  BARE.lastIndex = at
  const [bare = ''] = BARE.exec(text) ?? []
  const address = withoutEnd(bare)
  return address === '' ? null : { address, length: address.length }
}

/** Punctuation at the end of an address belongs to the sentence, also a parenthesis that the address did not open. */
function withoutEnd(address: string): string {
  const closing = address.includes('(') ? '' : ')'
  let end = address.length
  while (end > 0 && `.,:;!?*_~${closing}`.includes(address[end - 1] ?? '')) end--
  return end > 'https://'.length ? address.slice(0, end) : ''
}

const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/y

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®' },
  ...{ trade: '™', hellip: '…', mdash: '—', ndash: '–', laquo: '«', raquo: '»', times: '×' },
  ...{ rarr: '→', larr: '←', middot: '·', deg: '°', euro: '€', sect: '§', bull: '•' },
}

/** Reads a character that is written by number or name; null if it is not known. */
export function readEntity(text: string, at: number): { text: string; length: number } | null {
  ENTITY.lastIndex = at
  const match = ENTITY.exec(text)
  if (!match) return null
  const [whole, decimal, hex, name = ''] = match
  const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
  const known = Object.hasOwn(NAMED, name) ? NAMED[name] : characterOf(code)
  return known === undefined ? null : { text: known, length: whole.length }
}

const characterOf = (code: number): string | undefined =>
  code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff)
    ? String.fromCodePoint(code)
    : undefined
