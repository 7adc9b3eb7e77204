/**
 * Trigrams: what every match of a pattern must contain, and the query that finds it in the search index.
 *
 * The syntax of a pattern is scanned for literals, and doubtful parts are treated as gaps: a class, an
 * alternative and anything optional guarantee nothing. Only printable ASCII counts, because only there the
 * case folding of the pattern and that of the index provably agree, see {@link foldForIndex}.
 * `test/worker/search/pattern.test.ts` tests this with random patterns.
 *
 * @module
 */

/** A token of a pattern, with its source text. */
export type Token =
  | { readonly type: 'char'; readonly text: string; readonly char: string }
  | { readonly type: 'repeat'; readonly text: string; readonly min: number; readonly max: number }
  | {
      readonly type: 'class' | 'edge' | 'open' | 'close' | 'or' | 'flags'
      readonly text: string
    }

/** A part of what a match contains, in order: a character, a gap (null), or one of several alternatives. */
export type Part = string | null | { readonly either: readonly (readonly Part[])[] }

/** Characters of a trigram. */
export const TRIGRAM = 3

/** Maximum number of trigrams of a query; more would slow it down without narrowing the search. */
const MAX_TRIGRAMS = 40

/** Returns trigrams that every matching line contains after folding; null if none is certain. */
export function requiredTrigrams({ parts }: { readonly parts: readonly Part[] }): string[] | null {
  const trigrams = new Set<string>()
  for (const run of runsOf(parts)) {
    for (let at = 0; at + TRIGRAM <= run.length; at++) trigrams.add(run.slice(at, at + TRIGRAM))
  }
  return trigrams.size === 0 ? null : [...trigrams].slice(0, MAX_TRIGRAMS)
}

/** Builds an FTS5 query for texts that contain all of these trigrams. */
export function toMatchQuery(trigrams: readonly string[]): string {
  return trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}

/**
 * Folds the case of a text for the index.
 *
 * Only two characters outside ASCII match an ASCII letter when case is ignored: U+212A, the Kelvin sign,
 * which `toLowerCase` turns into k, and U+017F, the long s, which needs an explicit replacement. So wherever
 * a pattern's ASCII literal matches, in any case, the folded text contains that literal in lower case. How
 * this function or FTS5 folds other characters does not matter, because no trigram contains them.
 */
export function foldForIndex(text: string): string {
  return text.toLowerCase().replaceAll('\u017f', 's')
}

/** Returns the runs of characters between gaps and alternatives. */
export function runsOf(parts: readonly Part[]): string[] {
  const runs = ['']
  for (const part of parts) {
    if (typeof part === 'string') runs.push(runs.pop() + part)
    else runs.push('')
  }
  return runs.filter((run) => run !== '')
}

// Reading parts

interface Group {
  readonly branches: Part[][]
  /** The atoms of the current branch; a repetition applies to the last one. */
  atoms: Part[][]
}

/** Returns what every match contains. The pattern must be valid. */
export function readParts(tokens: readonly Token[]): Part[] {
  const outer: Group[] = []
  let group: Group = { branches: [], atoms: [] }
  for (const token of tokens) {
    switch (token.type) {
      case 'char':
        group.atoms.push([/[\t\x20-\x7e]/.test(token.char) ? token.char.toLowerCase() : null])
        break
      case 'class':
        group.atoms.push([null])
        break
      case 'edge':
        group.atoms.push([])
        break
      case 'repeat':
        group.atoms.push(repeatParts(group.atoms.pop() ?? [], token.min))
        break
      case 'or':
        group.branches.push(group.atoms.flat())
        group.atoms = []
        break
      case 'open':
        outer.push(group)
        group = { branches: [], atoms: [] }
        break
      case 'close': {
        const parts = partsOf(group)
        group = outer.pop() ?? { branches: [], atoms: [] }
        group.atoms.push(parts)
        break
      }
      case 'flags': // no atom: a repetition after it applies to the atom before it
        break
    }
  }
  return partsOf(group)
}

function partsOf({ branches, atoms }: Group): Part[] {
  const last = atoms.flat()
  return branches.length === 0 ? last : [{ either: [...branches, last] }]
}

/**
 * A repeated text begins with one round and ends with one. Only the part after the last gap is added for the
 * end, otherwise nested repetitions would double the parts at each level.
 */
function repeatParts(parts: readonly Part[], min: number): Part[] {
  if (min === 0) return [null]
  const gap = parts.findLastIndex((part) => typeof part !== 'string')
  return [...parts, null, ...parts.slice(gap + 1)]
}

// Reading tokens

const CLASS_ESCAPE = String.raw`\\[dDsSwW]|\\[pP](?:\{[^}]*\}|.)`
const NAMED_CLASS = String.raw`\[:\^?\w+:\]`
const ESCAPE = String.raw`\\x(?:\{(?<long>[\da-fA-F]+)\}|(?<hex>[\da-fA-F]{2}))|\\(?<octal>0[0-7]{0,2}|[1-7][0-7]{1,2})|\\(?<plain>.)`

const TOKEN = new RegExp(
  [
    String.raw`\\Q(?<quoted>.*?)(?:\\E|$)`,
    String.raw`(?<edge>\\[AzbB]|[\^$])`,
    String.raw`(?<class>${CLASS_ESCAPE}|\[\^?\]?(?:${NAMED_CLASS}|\\.|[^\]\\])*\]|\.)`,
    ESCAPE,
    String.raw`(?<flags>\(\?[a-zA-Z\-]*\))`,
    String.raw`(?<open>\((?:\?(?:P?<[^>]*>|[a-zA-Z\-]*:))?)`,
    String.raw`(?<close>\))`,
    String.raw`(?<or>\|)`,
    String.raw`(?<sign>[*+?])\??`,
    String.raw`\{(?<min>0|[1-9]\d*)(?<more>,(?<max>0|[1-9]\d*)?)?\}\??`,
    String.raw`(?<char>.)`,
  ].join('|'),
  'gsu',
)
const MEMBER = new RegExp(`(?<set>${NAMED_CLASS}|${CLASS_ESCAPE})|${ESCAPE}|(?<char>.)`, 'gsu')

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

type Groups = Readonly<Record<string, string | undefined>>

/** Splits any text into tokens. The engine decides whether it is a valid pattern. */
export function readTokens(pattern: string): Token[] {
  return [...pattern.matchAll(TOKEN)].flatMap(({ 0: text, groups = {} }) => readToken(text, groups))
}

/** Returns the tokens of a literal text. */
export function literalTokens(text: string): Token[] {
  return Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0
    return { type: 'char', text: `\\x{${code.toString(16)}}`, char }
  })
}

function readToken(text: string, groups: Groups): Token[] {
  const { quoted, sign, min, more, max } = groups
  if (quoted !== undefined) return literalTokens(quoted)
  if (sign !== undefined) {
    return [{ type: 'repeat', text, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }]
  }
  if (min !== undefined) {
    const most = more === undefined ? min : (max ?? Infinity)
    return [{ type: 'repeat', text, min: Number(min), max: Number(most) }]
  }
  for (const type of ['edge', 'class', 'flags', 'open', 'close', 'or'] as const) {
    if (groups[type] !== undefined) return [{ type, text }]
  }
  return [{ type: 'char', text, char: charOf(groups) }]
}

/** Returns the characters that a token names, including those inside brackets. */
export function namedChars(token: Token): string[] {
  if (token.type === 'char') return [token.char]
  if (token.type !== 'class' || !token.text.startsWith('[')) return []
  const members = token.text.slice(1, -1).replace(/^\^/, '').matchAll(MEMBER)
  return Array.from(members, ({ groups = {} }) => (groups['set'] ? '' : charOf(groups)))
}

function charOf({ char, plain = '', long, hex = long, octal }: Groups): string {
  if (char !== undefined) return char
  const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16)
  if (Number.isNaN(code)) return NAMED_ESCAPES[plain] ?? plain
  return String.fromCodePoint(Math.min(code, 0x10ffff))
}
