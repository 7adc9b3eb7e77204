/**
 * Tokenizer for syntax highlighting, line by line.
 *
 * A language is a list of rules, tried in order at each position. A rule is one pattern, or two: a
 * token that the first begins continues, across lines, until the second ends it. Every pattern
 * takes linear time: it cannot fail after more than a bounded look-ahead.
 * `test/core/highlight.test.ts` checks that, and that every character is kept.
 *
 * @module
 */

/** The kind of a token, which determines its colour. */
export type Kind =
  | 'comment'
  | 'string'
  | 'number'
  | 'keyword'
  | 'name'
  | 'title'
  | 'insert'
  | 'delete'

/** A piece of a line; null for plain text. */
export type Token = readonly [text: string, kind: Kind | null]

/** One pattern, or a begin and an end pattern. Their groups must not capture. */
export type Rule = readonly [kind: Kind | 'word', begin: string, end?: string]

/** The rules of a language. */
export interface Language {
  readonly name: string
  readonly rules: readonly Rule[]
  /** Keywords, among the words that the rule `word` matches. */
  readonly words: ReadonlySet<string>
  readonly foldsCase: boolean
}

/** The rule that continues at the start of a line: 0 for none, else its index plus one. */
export type State = number

/** The tokens of a line, and the state for the next one. */
export interface Tokenized {
  readonly tokens: readonly Token[]
  readonly state: State
}

/** Splits a line into tokens. */
export type Tokenizer = (line: string, state: State) => Tokenized

/** Characters of a line that are highlighted; the rest is plain. */
const MAX_HIGHLIGHTED = 2_000

/** Creates the tokenizer of a language. */
export function createTokenizer({ rules, words, foldsCase }: Language): Tokenizer {
  const begin = new RegExp(rules.map(([, source]) => `(${source})`).join('|') || '$.', 'gu')
  const ends = rules.map(([, , source]) => (source === undefined ? null : new RegExp(source, 'gu')))

  function kindOf(rule: number, text: string): Kind | null {
    const kind = rules[rule]?.[0] ?? null
    if (kind !== 'word') return kind
    if (words.has(foldsCase ? text.toLowerCase() : text)) return 'keyword'
    return /^[A-Z]\w*[a-z]/.test(text) ? 'name' : null
  }

  return (line, before) => {
    const text = line.slice(0, MAX_HIGHLIGHTED)
    const tokens: Token[] = []
    const push = (to: number, kind: Kind | null): number => {
      if (to <= at) return at
      const last = tokens.at(-1)
      const piece = text.slice(at, to)
      // Adjacent pieces of the same kind are one token.
      if (last?.[1] === kind) tokens.splice(-1, 1, [last[0] + piece, kind])
      else tokens.push([piece, kind])
      return to
    }
    let at = 0
    let state = before
    while (at < text.length) {
      const end = ends[state - 1]
      if (end) {
        const stop = endOf(end, text, at)
        const kind = kindOf(state - 1, '')
        if (stop !== null) state = 0
        at = push(stop ?? text.length, kind)
        continue
      }
      begin.lastIndex = at
      const match = begin.exec(text)
      if (!match || match[0] === '') break
      at = push(match.index, null)
      const rule = match.findIndex((group, index) => index > 0 && group !== undefined) - 1
      at = push(at + match[0].length, kindOf(rule, match[0]))
      if (ends[rule]) state = rule + 1
    }
    push(text.length, null)
    if (line.length > text.length) tokens.push([line.slice(text.length), null])
    return { tokens, state }
  }
}

/**
 * Returns the end of a token; null if it continues. End patterns also match escapes: `\` and a
 * character.
 */
function endOf(end: RegExp, text: string, from: number): number | null {
  end.lastIndex = from
  for (let match = end.exec(text); match; match = end.exec(text))
    if (!match[0].startsWith('\\')) return end.lastIndex
  return null
}
