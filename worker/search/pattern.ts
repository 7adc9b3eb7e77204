/**
 * Patterns: what a search matches in a line, as regular expressions in the syntax of ripgrep.
 *
 * Patterns are untrusted, so they run on RE2, whose time is linear in the text, and a pattern that expands
 * to a large program is refused before it is compiled. A line never contains `\n`; because anchors are
 * compiled as those of a line, one program tests single lines and, to rule out files quickly, whole texts.
 * `test/worker/search/pattern.test.ts` checks that a ruled-out file never has a match.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js'
import { createEngine, type Engine } from './engine.ts'
import { unlimited, type Meter } from './meter.ts'
import { exactNeedle, MAX_NEEDLE, needleOf } from './needle.ts'
import { literalTokens, namedChars, readParts, readTokens } from './trigrams.ts'
import type { Part, Token } from './trigrams.ts'

/** The longest pattern, in UTF-16 code units. */
export const MAX_PATTERN_LENGTH = 1_000

/** Maximum number of steps that a pattern may expand to; a character may cost time for each of them. */
export const MAX_PATTERN_STEPS = 1_200

/** A checked pattern. Only {@link compilePattern} makes one. */
export interface Pattern {
  readonly text: string
  readonly caseSensitive: boolean
  /** What every matching line contains. */
  readonly parts: readonly Part[]
  /** Whether it names a character beyond ASCII. */
  readonly isBeyondAscii: boolean
  /** Whether a line, given without its line break, or a name matches. */
  testLine(line: string): boolean
  /** The same within the steps of a meter; null if it ran out of steps. */
  tryLine(line: string, meter: Meter): boolean | null
  /** Whether some line of a text may match. Never false if one does. */
  testText(text: string): boolean
  /** Returns an index before which no whole line from `from` on matches; -1 if no line does. */
  seek(text: string, from: number, meter: Meter): number
  /** Whether what `seek` found is certainly a match, which only a pattern of plain characters can tell. */
  isFound(text: string, found: number): boolean
}

/** Options of {@link compilePattern}. */
export interface PatternOptions {
  /** `auto` is the smart case of ripgrep: case-sensitive if the pattern contains a capital letter. */
  readonly case: 'auto' | boolean
  /** Whether the text is literal and not a regular expression. */
  readonly literal?: boolean
}

/** Compiles a pattern. The error is a sentence for the caller. */
export function compilePattern(text: string, options: PatternOptions): Result<Pattern, string> {
  if (text.length > MAX_PATTERN_LENGTH) {
    return refuse(text, `it is longer than ${MAX_PATTERN_LENGTH} characters`)
  }
  const tokens = options.literal ? literalTokens(text) : readTokens(text)
  const fault = faultOf(tokens)
  if (fault) return refuse(text, fault)

  const caseSensitive = options.case === 'auto' ? caseCounts(tokens) : options.case
  try {
    const engine = RE2JS.compile(lineBound(tokens), caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
    const isBeyondAscii = tokens.flatMap(namedChars).some((char) => char > '\x7f')
    const known = { text, caseSensitive, parts: readParts(tokens), isBeyondAscii }
    return ok(createPattern(known, createEngine(engine)))
  } catch (error) {
    if (error instanceof RE2JSException) return refuse(text, explain(text, error))
    throw error
  }
}

/** What is known of a pattern without its engine. */
type Known = Pick<Pattern, 'text' | 'caseSensitive' | 'parts' | 'isBeyondAscii'>

function createPattern(known: Known, engine: Engine): Pattern {
  const { text, caseSensitive, parts } = known
  // The engine runs only where the native search found a text that every match contains.
  const plain = plainText(text, parts)
  const needle = plain !== null && caseSensitive ? exactNeedle(text) : needleOf(parts)
  let quick = true

  /** If the steps do not suffice for a whole text, they may still suffice for its lines. */
  function mayMatch(whole: string, meter: Meter): boolean {
    const found = quick ? engine.test(withoutReturns(whole), meter) : null
    quick = found !== null
    return found ?? true
  }

  function seek(whole: string, from: number, meter: Meter): number {
    if (!needle) return from > 0 || mayMatch(whole, meter) ? from : -1
    return needle(whole, from)
  }
  return {
    ...known,
    testLine: (line) => engine.test(line, unlimited()) === true,
    tryLine: (line, meter) => engine.test(line, meter),
    testText: (whole) =>
      seek(whole, 0, unlimited()) >= 0 && (needle === null || mayMatch(whole, unlimited())),
    seek,
    isFound(whole, found) {
      if (plain === null || needle === null) return false
      const start = found + 1 - Math.min(plain.length, MAX_NEEDLE)
      return caseSensitive ? whole.startsWith(text, start) : isInAnyCase(whole, plain, start)
    },
  }
}

/** Returns the pattern in lower case if it matches only its own characters, which are ASCII; otherwise null. */
function plainText(text: string, parts: readonly Part[]): string | null {
  if (text === '') return null
  const plain = text.toLowerCase()
  const characters = parts.filter((part) => typeof part === 'string')
  return characters.length === parts.length && characters.join('') === plain ? plain : null
}

/** Whether an ASCII text in lower case is at an index, in any case. Nothing is copied, as a search may have many matches. */
function isInAnyCase(whole: string, plain: string, start: number): boolean {
  for (let at = 0; at < plain.length; at++) {
    const code = whole.charCodeAt(start + at)
    const lower = code >= UPPER_A && code <= UPPER_Z ? code + CASE_BIT : code
    if (lower !== plain.charCodeAt(at)) return false
  }
  return true
}

const [UPPER_A, UPPER_Z, CASE_BIT] = [0x41, 0x5a, 0x20]

/** Removes the `\r` of `\r\n` line ends. */
function withoutReturns(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?=\n|$)/g, '') : text
}

const LINE_EDGES: Readonly<Record<string, string>> = {
  '^': '(?m:^)',
  '\\A': '(?m:^)',
  $: '(?m:$)',
  '\\z': '(?m:$)',
}

/** Returns the pattern with its anchors matching the ends of lines within a text, and `\b` the edges of all words. */
function lineBound(tokens: readonly Token[]): string {
  const starts = findStarts(tokens)
  const ends = findStarts(tokens.map(mirror).toReversed()).toReversed()
  return tokens
    .map(({ type, text }, at) => {
      if (type !== 'edge' || text !== '\\b') return (type === 'edge' && LINE_EDGES[text]) || text
      if (isOtherLetter(tokens[at + 1])) return starts[at] ? BEFORE_WORD : ANYWHERE
      if (isOtherLetter(tokens[at - 1])) return ends[at] ? AFTER_WORD : ANYWHERE
      return text
    })
    .join('')
}

/**
 * The edge of a word beside a letter beyond ASCII: the engine knows the letters of ASCII only, and would find an edge inside
 * of such a word and none around it. Where the pattern has something on the other side, that decides.
 */
const BEFORE_WORD = String.raw`(?:(?m:^)|\PL)`
const AFTER_WORD = String.raw`(?:(?m:$)|\PL)`
const ANYWHERE = '(?:)'

const isOtherLetter = (token: Token | undefined) =>
  token?.type === 'char' && /[^\0-\x7f]/.test(token.char) && /[\p{L}\p{M}]/u.test(token.char)

/** Finds out for each token whether a match can begin with it. */
function findStarts(tokens: readonly Pick<Token, 'type'>[]): boolean[] {
  const groups: boolean[] = []
  let isStart = true
  return tokens.map(({ type }) => {
    const now = isStart
    if (type === 'close') groups.pop()
    if (type === 'open') groups.push(isStart)
    else if (type === 'or') isStart = groups.at(-1) ?? true
    else if (type !== 'edge' && type !== 'flags') isStart = false
    return now
  })
}

/** A token as it is in the pattern read backwards. */
const mirror = ({ type }: Token): Pick<Token, 'type'> => ({
  type: type === 'open' ? 'close' : type === 'close' ? 'open' : type,
})

/** Whether the pattern contains a capital letter, or no literal character, such as `\p{Lu}` alone. */
function caseCounts(tokens: readonly Token[]): boolean {
  const named = tokens.flatMap(namedChars).join('')
  return named === '' || /\p{Uppercase}/u.test(named)
}

// Refusing

function refuse(pattern: string, reason: string) {
  return err(`Cannot search for ${quote(pattern)}: ${reason}`)
}

function faultOf(tokens: readonly Token[]): string | null {
  if (tokens.some((token) => token.type === 'char' && token.char === '\n')) {
    return 'a line break is not allowed, because each line is searched separately. Search for one of the lines'
  }
  const steps = stepsOf(tokens)
  if (steps <= MAX_PATTERN_STEPS) return null
  return `its repetitions unfold into ${steps} steps, and the limit is ${MAX_PATTERN_STEPS}. Use smaller counts, or * and +`
}

/** Estimates the length of the program without compiling it. */
function stepsOf(tokens: readonly Token[]): number {
  const outer: number[] = []
  let steps = 0
  let last = 0
  for (const token of tokens) {
    if (token.type === 'open') {
      outer.push(steps)
      steps = 0
    } else if (token.type === 'close') {
      last = steps + 2
      steps = last + (outer.pop() ?? 0)
    } else if (token.type === 'repeat') {
      const more = stepsMore(last, token.min, token.max)
      last += more
      steps += more
    } else if (token.type !== 'flags') {
      last = 1
      steps++
    }
  }
  return steps
}

function stepsMore(once: number, min: number, max: number): number {
  const rounds = Math.max(1, Number.isFinite(max) ? max : min)
  const optional = Number.isFinite(max) ? max - min : 1
  return once * (rounds - 1) + Math.max(0, optional)
}

/** Syntax of other engines that RE2 does not support, by how it begins. */
const FOREIGN: readonly (readonly [begin: RegExp, reason: string])[] = [
  [/^\(\?<?[=!]/, 'look-ahead and look-behind are not supported. Match more of the line instead'],
  [/^\\[1-9]|^\\[gk]|^\(\?P$/, 'back-references are not supported. Match more of the line instead'],
  [/^\(\?>|^[*+?}]\+/, 'atomic groups and possessive repetition are not supported. Leave them out'],
  [/^\\Z/, '\\Z is not supported. Use $ for the end of a line'],
  [/^\\u/, '\\u is not supported. Use \\x{41} for a character by its code'],
]

const REASONS: Readonly<Record<string, string>> = {
  'missing closing ]': 'a [ is not closed. Use \\[ for the character',
  'missing closing )': 'a ( is not closed. Use \\( for the character',
  'unexpected )': 'a ) closes no group. Use \\) for the character',
  'missing argument to repetition operator':
    'it has nothing to repeat. Put a \\ before it for the character',
  'invalid nested repetition operator': 'one repetition follows another. Put the first into (?: )',
  'invalid repeat count': 'counts go from small to large and up to 1000, nested ones multiplied',
  'invalid escape sequence': 'this escape is unknown. Leave the \\ out before a letter',
  'invalid character class range': 'the range is empty, or the class is unknown',
  'trailing backslash at end of expression': 'it ends in a single \\. Use \\\\ for the character',
  'invalid or unsupported Perl syntax': 'this kind of group is unknown',
}

/** Explains an error of the engine, with the part of the pattern that caused it. */
function explain(pattern: string, error: RE2JSException): string {
  if (!(error instanceof RE2JSSyntaxException)) return error.message
  const piece = sentPart(error.getPattern() ?? '', pattern)
  const foreign = FOREIGN.find(([begin]) => begin.test(piece))
  const reason = foreign?.[1] ?? REASONS[error.getDescription()] ?? error.getDescription()
  if (piece === '' || piece === pattern) return reason
  const at = pattern.indexOf(piece)
  const once = at >= 0 && at === pattern.lastIndexOf(piece)
  return `${quote(piece)}${once ? ` at character ${at + 1}` : ''}: ${reason}`
}

/** Returns a part of the compiled expression as the caller sent it: flags and anchors are added there. */
function sentPart(piece: string, pattern: string): string {
  if (pattern.includes(piece)) return piece
  const sent = piece.replace(/^\(\?[a-z]+\)/, '').replace(/\(\?m:([$^])\)/g, '$1')
  return pattern.includes(sent) ? sent : ''
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}
