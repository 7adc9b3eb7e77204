/**
 * Pieces: parses the text of a pattern into its parts.
 *
 * @module
 */

import { err, ok, type Result } from '../result.ts'

/** The longest pattern, in UTF-16 code units of its NFC form. */
export const MAX_GLOB_LENGTH = 1024

/** Maximum nesting depth of braces. */
export const MAX_BRACE_DEPTH = 8

interface Char {
  readonly type: 'char'
  readonly code: number
}

interface CharClass {
  readonly type: 'class'
  readonly negated: boolean
  readonly ranges: readonly (readonly [from: number, to: number])[]
}

interface Either {
  readonly type: 'either'
  readonly options: readonly (readonly Piece[])[]
}

/** A part of a pattern other than braces. `deep` is two or more stars in a row. */
export type Step = Char | CharClass | { readonly type: 'slash' | 'any' | 'star' | 'deep' }
/** A part of a pattern. Braces are one part with their alternatives. */
export type Piece = Step | Either

// A `[` or `\` that matches nothing else is matched as a char, and then refused.
const TOKEN =
  /\\(?<plain>.)|(?<deep>\*{2,})|(?<star>\*)|(?<any>\?)|(?<slash>\/)|(?<open>\{)|(?<close>\})|(?<comma>,)|\[(?<not>[!^])?(?<members>\]?(?:\\.|[^\]\\])*)\]|(?<char>.)/gsu

/** Parses a pattern in NFC. The error gives the reason and the position. */
export function readPieces(pattern: string): Result<readonly Piece[], string> {
  const fault = faultOf(pattern)
  return fault ? err(fault) : piecesIn(pattern)
}

function faultOf(pattern: string): string | null {
  if (pattern === '') return 'it is empty'
  if (pattern.length > MAX_GLOB_LENGTH) return `it is longer than ${MAX_GLOB_LENGTH} characters`
  if (!pattern.isWellFormed()) return 'it holds half of a surrogate pair'
  // Such a pattern never matches, and a deny rule without effect is worse than an error.
  const dots = /(?<=^|\/)\.\.?(?=\/|$)/.exec(pattern)
  return dots && `the segment ${dots[0]} ${describePosition(dots.index)} is in no path`
}

function describePosition(index: number): string {
  return `at character ${index + 1}`
}

/** Braces that are not closed yet. */
interface OpenBrace {
  readonly index: number
  readonly outer: Piece[]
  readonly options: Piece[][]
}

function piecesIn(pattern: string): Result<Piece[], string> {
  const open: OpenBrace[] = []
  let pieces: Piece[] = []
  for (const { 0: token, index, groups = {} } of pattern.matchAll(TOKEN)) {
    const brace = open.at(-1)
    if (groups['open']) {
      if (open.length === MAX_BRACE_DEPTH) {
        return err(`braces are nested more than ${MAX_BRACE_DEPTH} deep ${describePosition(index)}`)
      }
      open.push({ index, outer: pieces, options: [] })
      pieces = []
    } else if (brace && groups['comma']) {
      brace.options.push(pieces)
      pieces = []
    } else if (brace && groups['close']) {
      brace.outer.push({ type: 'either', options: [...brace.options, pieces] })
      pieces = brace.outer
      open.pop()
    } else {
      const step = readStep(token, index, groups)
      if (!step.ok) return step
      pieces.push(step.value)
    }
  }
  const unclosed = open.at(-1)
  return unclosed ? err(`the { ${describePosition(unclosed.index)} is never closed`) : ok(pieces)
}

type Groups = Readonly<Record<string, string | undefined>>

function readStep(token: string, index: number, groups: Groups): Result<Step, string> {
  if (groups['members'] !== undefined) return readClass(groups['members'], groups['not'], index)
  if (groups['deep']) return ok({ type: 'deep' })
  if (groups['star']) return ok({ type: 'star' })
  if (groups['any']) return ok({ type: 'any' })
  if (token === '[') return err(`the [ ${describePosition(index)} is never closed`)
  if (token === '\\') return err(`the \\ ${describePosition(index)} has nothing after it`)
  const char = groups['plain'] ?? token
  return ok(char === '/' ? { type: 'slash' } : { type: 'char', code: codeOf(char) })
}

function readClass(members: string, not: string | undefined, index: number): Result<Step, string> {
  if (members === '') return err(`the [ ${describePosition(index)} is never closed`)
  if (members.includes('/'))
    return err(`the [ ${describePosition(index)} holds a /, which no class matches`)
  if (members.includes('[:'))
    return err(`the [ ${describePosition(index)} holds a named class, which is unknown`)

  const ranges: [number, number][] = []
  for (const [, from = '', to = from] of members.matchAll(/\\?(.)(?:-\\?(.))?/gsu)) {
    if (codeOf(from) > codeOf(to))
      return err(`the range ${from}-${to} ${describePosition(index)} is empty`)
    ranges.push([codeOf(from), codeOf(to)])
  }
  return ok({ type: 'class', negated: not !== undefined, ranges })
}

/** Returns the code point of a character. */
export function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0
}
