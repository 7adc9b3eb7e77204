/**
 * Quoted names: writes file names with unusual characters as git does in a patch.
 *
 * A name with a control character, a quote, a backslash or anything beyond ASCII is quoted, and each such
 * byte of its UTF-8 form becomes an escape of the C language. Other names stay as they are, with their
 * spaces. A name with a space at either end is quoted too, unlike in git, because `patch` would ignore that
 * space.
 *
 * @module
 */

const ODD = /[^ !#-[\]-~]/u

const LETTERS: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
])

/** Quotes a name if it needs quotes. */
export function quoteName(name: string): string {
  return ODD.test(name) || name.trim() !== name ? inQuotes(name) : name
}

/** Quotes a name also if it contains a space, for places where a space ends a name. */
export function quoteSpaces(name: string): string {
  return name.includes(' ') ? inQuotes(name) : quoteName(name)
}

function inQuotes(name: string): string {
  const escaped = Array.from(name.toWellFormed(), (char) => (ODD.test(char) ? escape(char) : char))
  return `"${escaped.join('')}"`
}

function escape(char: string): string {
  const code = char.codePointAt(0) ?? 0
  return LETTERS.get(code) ?? utf8Of(code).map(octal).join('')
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`
}

function utf8Of(code: number): number[] {
  if (code < 0x80) return [code]
  if (code < 0x800) return [0xc0 | (code >> 6), rest(code)]
  if (code < 0x10000) return [0xe0 | (code >> 12), rest(code >> 6), rest(code)]
  return [0xf0 | (code >> 18), rest(code >> 12), rest(code >> 6), rest(code)]
}

function rest(bits: number): number {
  return 0x80 | (bits & 0x3f)
}
