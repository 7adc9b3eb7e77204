/**
 * Trigrams: what every match of a pattern has to hold, and how the search index is asked for it.
 *
 * A pattern's syntax is read for literals, and the reader would rather see a gap than too much: a
 * class, an alternative and anything optional promise nothing. Only printable ASCII counts, because
 * there the case folding of the pattern and that of the index can be shown to agree, see
 * {@link foldForIndex}. `test/worker/search-pattern.test.ts` tries it on random patterns.
 *
 * @module
 */

/** A piece of a pattern: its text as it stands there, and what it is. */
export type Token =
  | { readonly type: 'char'; readonly text: string; readonly char: string }
  | { readonly type: 'repeat'; readonly text: string; readonly min: number; readonly max: number }
  | {
      readonly type: 'class' | 'edge' | 'open' | 'close' | 'or' | 'flags'
      readonly text: string
    }

/** What a match holds, in order: a character, anything (null), or one of several. */
export type Part = string | null | { readonly either: readonly (readonly Part[])[] }

const TRIGRAM = 3

/** More would not narrow the search, only make the query slower. */
const MAX_TRIGRAMS = 40

// What is searched for natively is kept small: such a search takes the product of text and needles.
const MAX_NEEDLES = 8
const MAX_NEEDLE = 12

/** The trigrams that every matching line holds once it is folded; null when none is certain. */
export function requiredTrigrams({ parts }: { readonly parts: readonly Part[] }): string[] | null {
  const trigrams = new Set<string>()
  for (const run of runsOf(parts)) {
    for (let at = 0; at + TRIGRAM <= run.length; at++) trigrams.add(run.slice(at, at + TRIGRAM))
  }
  return trigrams.size === 0 ? null : [...trigrams].slice(0, MAX_TRIGRAMS)
}

/** An FTS5 query for texts that hold all of these. */
export function toMatchQuery(trigrams: readonly string[]): string {
  return trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}

/**
 * A text as the index is fed with it.
 *
 * Of all characters only two outside ASCII match an ASCII letter when case is ignored: U+212A, the
 * Kelvin sign, which `toLowerCase` makes a k, and U+017F, the long s, which has to be told. So where
 * a pattern's ASCII literal matches, in any case, this text holds that literal in lower case. What
 * else it, or the folding of FTS5, makes of other characters cannot matter: no trigram has them.
 */
export function foldForIndex(text: string): string {
  return text.toLowerCase().replaceAll('\u017f', 's')
}

/**
 * Finds where a match may be: every match holds one of a few texts, which the platform finds many
 * times faster than an engine for patterns. Null when no text is certain.
 */
export function needleOf(parts: readonly Part[]): RegExp | null {
  const needles = needlesOf(parts)
  if (needles.length === 0) return null
  const escaped = needles.map((needle) => needle.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(escaped.join('|'), 'giu')
}

/** Of the sets of texts of which every match holds one, that whose shortest text is longest. */
function needlesOf(parts: readonly Part[]): string[] {
  let best: string[] = []
  for (const set of [
    ...runsOf(parts).map((run) => [run.slice(0, MAX_NEEDLE)]),
    ...eithersOf(parts),
  ]) {
    if (set.length <= MAX_NEEDLES && shortest(set) > shortest(best)) best = set
  }
  return best
}

function eithersOf(parts: readonly Part[]): string[][] {
  return parts.flatMap((part) => {
    if (part === null || typeof part === 'string') return []
    const sets = part.either.map(needlesOf)
    return sets.some((set) => set.length === 0) ? [] : [[...new Set(sets.flat())]]
  })
}

function shortest(texts: readonly string[]): number {
  return texts.length === 0 ? 0 : Math.min(...texts.map((text) => text.length))
}

function runsOf(parts: readonly Part[]): string[] {
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
  /** Of the branch that is being read: what a repetition can follow. */
  atoms: Part[][]
}

/** Reads what every match holds. The pattern has to be one that compiles. */
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
        group.atoms.push(repeated(group.atoms.pop() ?? [], token.min))
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
      case 'flags': // no atom: a repetition that follows is one of what stands before
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
 * At least one round: it begins like one and ends like one. Only what follows the last gap is
 * doubled, or a nest of repetitions would grow twofold with every level.
 */
function repeated(parts: readonly Part[], min: number): Part[] {
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

/** Cuts any text into tokens. Whether it is a pattern is for the engine to say. */
export function readTokens(pattern: string): Token[] {
  return [...pattern.matchAll(TOKEN)].flatMap(({ 0: text, groups = {} }) => readToken(text, groups))
}

/** The tokens of a text that stands for itself. */
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

/** The characters that a token names, those between brackets included. */
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
