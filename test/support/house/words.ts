/**
 * Words that this project does not use, because the field has better ones (`docs/glossary.md`).
 *
 * @module
 */

/** Lower-case words, as they are written or as a part of an identifier. */
const DIALECT = new Set(
  (
    'whoever whomever whosoever somebody someone nobody anybody everybody strangers anew told said stands desk ' +
    'ears hearing narrowed admit admission surroundings whatsoever thereof wherein whence henceforth trail'
  ).split(' '),
)

/** Words that are dialect only as an identifier. */
const IN_IDENTIFIERS = new Set(['pace', 'trial', 'office', 'around', 'terms', 'reach', 'told'])

const WORD = /[A-Za-z][A-Za-z0-9]*/g
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g

/** Finds words of the dialect in a text, as `line: word`. */
export function findDialect(text: string): string[] {
  return text.split('\n').flatMap((line, at) =>
    [...line.matchAll(WORD)]
      .map(([word]) => word)
      .filter(isDialect)
      .map((word) => `${at + 1}: ${word}`),
  )
}

function isDialect(word: string): boolean {
  const parts = (word.match(PART) ?? []).map((part) => part.toLowerCase())
  const compound = parts.length > 1
  return parts.some((part) => DIALECT.has(part) || (compound && IN_IDENTIFIERS.has(part)))
}
