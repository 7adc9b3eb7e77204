/**
 * Tokens: a line of source text cut into pieces that have a colour.
 *
 * A language is a list of rules, tried in their order at each place. A rule is one pattern, or two:
 * then what it begins goes on, over lines, until the second one ends it. Every pattern takes linear
 * time: it cannot fail after more than a bounded look ahead. `test/views/files-highlight.test.ts`
 * holds it to that, and to giving back every character.
 *
 * @module
 */

export type Kind =
  'comment' | 'string' | 'number' | 'keyword' | 'name' | 'title' | 'insert' | 'delete'

/** A piece of a line; null is plain text. */
export type Token = readonly [text: string, kind: Kind | null]

/** One pattern, or a beginning and an end. Groups in them do not capture. */
export type Rule = readonly [kind: Kind | 'word', begin: string, end?: string]

export interface Language {
  readonly name: string
  readonly rules: readonly Rule[]
  /** Words that are coloured where the rule `word` finds them. */
  readonly words: ReadonlySet<string>
  readonly foldsCase: boolean
}

/** What a line begins in: 0 for nothing, else one more than the rule that goes on. */
export type State = number

export interface Tokenized {
  readonly tokens: readonly Token[]
  readonly state: State
}

export type Tokenizer = (line: string, state: State) => Tokenized

/** Characters of a line that are coloured; the rest of a longer one is plain. */
export const COLOURED = 2_000

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
    const text = line.slice(0, COLOURED)
    const tokens: Token[] = []
    const push = (to: number, kind: Kind | null): number => {
      if (to <= at) return at
      const last = tokens.at(-1)
      const piece = text.slice(at, to)
      // What a rule began and went on with is one piece.
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

/** Where the text ends that a rule began. An end may match what it passes over: `\` and one more. */
function endOf(end: RegExp, text: string, from: number): number | null {
  end.lastIndex = from
  for (let match = end.exec(text); match; match = end.exec(text))
    if (!match[0].startsWith('\\')) return end.lastIndex
  return null
}
