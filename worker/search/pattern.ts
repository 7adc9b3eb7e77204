/**
 * Patterns: what a search looks for in a line, written as regular expressions are for ripgrep.
 *
 * Patterns come from strangers, so they run on RE2, whose time is linear in the text, and a pattern
 * that unfolds into a large program is refused before it is built. A line never holds `\n`; with the
 * anchors read as those of a line, one program serves for lines and, as a quick "no", for whole
 * files. `test/worker/search-pattern.test.ts` checks that such a "no" is never wrong.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js'
import { createEngine, type Engine } from './engine.ts'
import { unlimited, type Meter } from './meter.ts'
import { literalTokens, namedChars, needleOf, readParts, readTokens } from './trigrams.ts'
import type { Part, Token } from './trigrams.ts'

/** The longest pattern, in UTF-16 code units. */
export const MAX_PATTERN_LENGTH = 1_000

/** The steps that a pattern may unfold into: a character at worst costs time for each of them. */
export const MAX_PATTERN_STEPS = 1_200

/** A checked pattern. Only {@link compilePattern} makes one. */
export interface Pattern {
  readonly text: string
  readonly caseSensitive: boolean
  /** What every matching line holds. */
  readonly parts: readonly Part[]
  /** Whether a line matches. It is given without its line break; a name will do as well. */
  testLine(line: string): boolean
  /** The same within the steps of a meter; null when they were not enough to find out. */
  tryLine(line: string, meter: Meter): boolean | null
  /** Whether some line of a text may match. It never says no when one does. */
  testText(text: string): boolean
  /** No line that lies wholly between `from` and the answer matches; -1: none from there on. */
  seek(text: string, from: number, meter: Meter): number
}

export interface PatternOptions {
  /** `auto` is the smart case of ripgrep: case counts when the pattern names a capital. */
  readonly case: 'auto' | boolean
  /** The text stands for itself and is no regular expression. */
  readonly literal?: boolean
}

/** Compiles a pattern. The error is a sentence that says what is wrong with it. */
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
    return ok(createPattern(text, caseSensitive, readParts(tokens), createEngine(engine)))
  } catch (error) {
    if (error instanceof RE2JSException) return refuse(text, explain(text, error))
    throw error
  }
}

function createPattern(
  text: string,
  caseSensitive: boolean,
  parts: readonly Part[],
  engine: Engine,
): Pattern {
  // The engine is asked only where the platform has found what every match holds.
  const needle = needleOf(parts)
  let quick = true

  /** Without steps for a whole text there may still be enough for its lines. */
  function mayMatch(whole: string, meter: Meter): boolean {
    const found = quick ? engine.test(withoutReturns(whole), meter) : null
    quick = found !== null
    return found ?? true
  }

  function seek(whole: string, from: number, meter: Meter): number {
    if (!needle) return from > 0 || mayMatch(whole, meter) ? from : -1
    needle.lastIndex = from
    return needle.test(whole) ? needle.lastIndex - 1 : -1
  }
  return {
    text,
    caseSensitive,
    parts,
    testLine: (line) => engine.test(line, unlimited()) === true,
    tryLine: (line, meter) => engine.test(line, meter),
    testText: (whole) =>
      seek(whole, 0, unlimited()) >= 0 && (needle === null || mayMatch(whole, unlimited())),
    seek,
  }
}

/** Drops the `\r` that lines of the other kind end in. */
function withoutReturns(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?=\n|$)/g, '') : text
}

const LINE_EDGES: Readonly<Record<string, string>> = {
  '^': '(?m:^)',
  '\\A': '(?m:^)',
  $: '(?m:$)',
  '\\z': '(?m:$)',
}

/** The pattern with edges that are those of a line, also within a file. */
function lineBound(tokens: readonly Token[]): string {
  return tokens.map(({ type, text }) => (type === 'edge' && LINE_EDGES[text]) || text).join('')
}

/** Whether a capital is named, or no character at all: `\p{Lu}` alone means what it says. */
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
    return 'the literal \\n is not allowed, because lines are searched one by one. Search for one of the lines'
  }
  const steps = stepsOf(tokens)
  if (steps <= MAX_PATTERN_STEPS) return null
  return `its repetitions unfold into ${steps} steps, and ${MAX_PATTERN_STEPS} are allowed. Use smaller counts, or * and +`
}

/** About how long the program will be, told without building it. */
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

/** What other engines know and RE2 does not, by how it begins. */
const FOREIGN: readonly (readonly [begin: RegExp, reason: string])[] = [
  [
    /^\(\?<?[=!]/,
    'look-ahead and look-behind do not exist here, because every search takes linear time. Match more of the line and pick from it',
  ],
  [
    /^\\[1-9]|^\\[gk]|^\(\?P$/,
    'back-references do not exist here, because every search takes linear time. Match more of the line and pick from it',
  ],
  [
    /^\(\?>|^[*+?}]\+/,
    'nothing backtracks here, so atomic groups and possessive repetition do not exist. Leave them out',
  ],
  [/^\\Z/, '\\Z is unknown. The end of a line is $'],
  [/^\\u/, '\\u is unknown. A character by its code is \\x{41}'],
]

const REASONS: Readonly<Record<string, string>> = {
  'missing closing ]': 'a [ is never closed. The character itself is \\[',
  'missing closing )': 'a ( is never closed. The character itself is \\(',
  'unexpected )': 'a ) closes nothing. The character itself is \\)',
  'missing argument to repetition operator':
    'there is nothing to repeat before it. The character itself needs a \\ before it',
  'invalid nested repetition operator': 'one repetition follows another. Put the first into (?: )',
  'invalid repeat count': 'counts go from small to large and up to 1000, nested ones multiplied',
  'invalid escape sequence': 'this escape is unknown. Letters mean themselves without a \\',
  'invalid character class range': 'this range is empty, or this class unknown',
  'trailing backslash at end of expression': 'it ends in a single \\. The character itself is \\\\',
  'invalid or unsupported Perl syntax': 'this kind of group is unknown',
}

/** Says an error of the engine in words that help, with the piece of the pattern that is meant. */
function explain(pattern: string, error: RE2JSException): string {
  if (!(error instanceof RE2JSSyntaxException)) return error.message
  const piece = error.getPattern() ?? ''
  const foreign = FOREIGN.find(([begin]) => begin.test(piece))
  const reason = foreign?.[1] ?? REASONS[error.getDescription()] ?? error.getDescription()
  if (piece === '' || piece === pattern) return reason
  const at = pattern.indexOf(piece)
  const once = at >= 0 && at === pattern.lastIndexOf(piece)
  return `${quote(piece)}${once ? ` at character ${at + 1}` : ''}: ${reason}`
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}
