/**
 * Globs: patterns for paths, such as `src/*.{ts,tsx}`.
 *
 * Patterns come from strangers, so none may take more than linear time. A pattern becomes a small
 * nondeterministic automaton, never longer than the pattern (braces are not expanded), and matching
 * walks it one character at a time; the sets of places it can be in are remembered, within a limit,
 * so that the next path costs one look-up a character. `test/core/glob.test.ts` has the table, and
 * an oracle that expands and backtracks.
 *
 * @module
 */

import { err, ok, type Result } from './result.ts'

/** The longest pattern, in UTF-16 code units of its NFC form. */
export const MAX_GLOB_LENGTH = 1024

/** How deep braces may stand in each other. */
export const MAX_BRACE_DEPTH = 8

/** A checked pattern. Only {@link parseGlob} makes one. */
export interface Glob {
  readonly pattern: string
  readonly caseSensitive: boolean
  readonly pieces: readonly Piece[]
  readonly machine: Machine
}

export interface GlobOptions {
  /** Default true. Otherwise characters match in lower and upper case. */
  readonly caseSensitive?: boolean
}

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

/** One thing in a pattern. `deep` is two stars or more in a row. */
type Step = Char | CharClass | { readonly type: 'slash' | 'any' | 'star' | 'deep' }
type Piece = Step | Either

// A `[` or `\` that is none of the other things is matched as a char, and then refused.
const TOKEN =
  /\\(?<plain>.)|(?<deep>\*{2,})|(?<star>\*)|(?<any>\?)|(?<slash>\/)|(?<open>\{)|(?<close>\})|(?<comma>,)|\[(?<not>[!^])?(?<members>\]?(?:\\.|[^\]\\])*)\]|(?<char>.)/gsu

/**
 * Reads a pattern. The error says why there is none in the text, and where.
 *
 * - `*` is any text without a slash, also none, and `?` is one character other than a slash.
 * - `**` is any number of segments, also none, where it has a segment to itself; elsewhere, as in
 *   `a**b`, it is `*`. So a pattern that ends in a slash and `**` also matches the folder before.
 * - `{a,b}` is one of the two; slashes, braces and nothing may stand in it.
 * - `[a-c]` is one of these, `[!a]` and `[^a]` one that is not, never a slash. A `]` that comes
 *   first belongs to the class.
 * - `\` makes the next character plain. Slashes count as in paths: one at an end or after another
 *   adds nothing. Everything else is plain, a leading `!` or dot too.
 */
export function parseGlob(
  text: string,
  { caseSensitive = true }: GlobOptions = {},
): Result<Glob, string> {
  if (text.length > MAX_GLOB_LENGTH) return err(`it is longer than ${MAX_GLOB_LENGTH} characters`)
  const pattern = text.normalize('NFC')
  const fault = faultOf(pattern)
  if (fault) return err(fault)

  const pieces = readPieces(pattern)
  if (!pieces.ok) return pieces
  const machine = new Machine(pieces.value, caseSensitive)
  return ok({ pattern, caseSensitive, pieces: pieces.value, machine })
}

/**
 * Whether the whole of a path matches. The path is one as `relativeTo` in path.ts gives it: in
 * NFC, without a slash at either end.
 */
export function matches({ machine }: Glob, relativePath: string): boolean {
  let state = machine.start
  for (let at = 0; at < relativePath.length; at++) {
    const code = relativePath.codePointAt(at) ?? 0
    if (code > 0xffff) at++
    const next = code < ASCII ? state.ascii[code] : state.beyond.get(code)
    state = next ?? machine.step(state, code)
    if (state === NOWHERE) return false
  }
  return state.accepts
}

/** A path that every match is or lies below, for a look-up by range; empty when there is none. */
export function literalPrefix(glob: Glob): string {
  const plain = literalRun(glob, 0)
  const whole = plain.length === glob.pieces.length
  const text = whole ? plain.join('') : plain.join('').replace(/[^/]*$/, '')
  return trimSlashes(text)
}

/**
 * The longest text that every match contains, for an index that finds texts; null when there is
 * none. Only what stands outside braces counts.
 */
export function globToLiteral(glob: Glob): string | null {
  let longest = ''
  for (let at = 0; at < glob.pieces.length; at++) {
    const run = literalRun(glob, at)
    const text = trimSlashes(run.join(''))
    if (text.length > longest.length) longest = text
    at += run.length
  }
  return longest === '' ? null : longest
}

// Reading

function faultOf(pattern: string): string | null {
  if (pattern === '') return 'it is empty'
  if (pattern.length > MAX_GLOB_LENGTH) return `it is longer than ${MAX_GLOB_LENGTH} characters`
  if (!pattern.isWellFormed()) return 'it holds half of a surrogate pair'
  // Nothing would ever match, and a rule that forbids nothing is worse than an error.
  const dots = /(?<=^|\/)\.\.?(?=\/|$)/.exec(pattern)
  return dots && `no path has the segment ${dots[0]} that stands ${place(dots.index)}`
}

function place(index: number): string {
  return `at character ${index + 1}`
}

/** Alternatives that are being read. */
interface OpenBrace {
  readonly index: number
  readonly outer: Piece[]
  readonly options: Piece[][]
}

function readPieces(pattern: string): Result<Piece[], string> {
  const open: OpenBrace[] = []
  let pieces: Piece[] = []
  for (const { 0: token, index, groups = {} } of pattern.matchAll(TOKEN)) {
    const brace = open.at(-1)
    if (groups['open']) {
      if (open.length === MAX_BRACE_DEPTH) {
        return err(`braces stand more than ${MAX_BRACE_DEPTH} deep in each other ${place(index)}`)
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
  return unclosed ? err(`the { ${place(unclosed.index)} is never closed`) : ok(pieces)
}

type Groups = Readonly<Record<string, string | undefined>>

function readStep(token: string, index: number, groups: Groups): Result<Step, string> {
  if (groups['members'] !== undefined) return readClass(groups['members'], groups['not'], index)
  if (groups['deep']) return ok({ type: 'deep' })
  if (groups['star']) return ok({ type: 'star' })
  if (groups['any']) return ok({ type: 'any' })
  if (token === '[') return err(`the [ ${place(index)} is never closed`)
  if (token === '\\') return err(`the \\ ${place(index)} has nothing after it`)
  const char = groups['plain'] ?? token
  return ok(char === '/' ? { type: 'slash' } : { type: 'char', code: codeOf(char) })
}

function readClass(members: string, not: string | undefined, index: number): Result<Step, string> {
  if (members === '') return err(`the [ ${place(index)} is never closed`)
  if (members.includes('/')) return err(`the [ ${place(index)} holds a /, which no class matches`)
  if (members.includes('[:'))
    return err(`the [ ${place(index)} holds a named class, which is unknown`)

  const ranges: [number, number][] = []
  for (const [, from = '', to = from] of members.matchAll(/\\?(.)(?:-\\?(.))?/gsu)) {
    if (codeOf(from) > codeOf(to)) return err(`the range ${from}-${to} ${place(index)} is empty`)
    ranges.push([codeOf(from), codeOf(to)])
  }
  return ok({ type: 'class', negated: not !== undefined, ranges })
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0
}

// Literals

/** The characters from a piece on, as long as each stands for itself only. */
function literalRun({ pieces, caseSensitive }: Glob, from: number): string[] {
  const run: string[] = []
  for (const piece of pieces.slice(from)) {
    if (piece.type === 'slash') run.push('/')
    else if (piece.type !== 'char') break
    else {
      const char = String.fromCodePoint(piece.code)
      if (!caseSensitive && /\p{Changes_When_Casemapped}/u.test(char)) break
      run.push(char)
    }
  }
  return run
}

/** Slashes in a row are one, and one at an end may stand for nothing, as in `a/**`. */
function trimSlashes(text: string): string {
  return text.split('/').filter(Boolean).join('/')
}

/** A character in all the cases that one character can have. */
function spellings(code: number): number[] {
  const char = String.fromCodePoint(code)
  const cased = [char.toLowerCase(), char.toUpperCase()]
  const single = cased.filter((text) => String.fromCodePoint(codeOf(text)) === text)
  return [...new Set([code, ...single.map(codeOf)])]
}

// Matching

const ASCII = 128
const SLASH = 0x2f

// What the automaton has to know besides its place in the pattern. With it, braces need not be
// expanded to see whether two stars stand alone in their segment, nor which slashes count.
const START = 0 // nothing of this segment of the pattern has been matched
const INSIDE = 1 // something of it has
const DEEP = 2 // two stars have taken some of the path: a slash or the end has to follow
const NONE = 3 // two stars have taken nothing of it: the slash after them stands for nothing
const OWED = 4 // a slash was left out: only two stars that take nothing, or the end, may follow
const MODES = 5

/** By mode: the modes after a piece that takes nothing of the path. */
const SKIPS: Readonly<Record<Step['type'], readonly (readonly number[])[]>> = {
  char: [],
  class: [],
  any: [],
  star: [[INSIDE], [INSIDE]],
  deep: [[INSIDE, NONE], [INSIDE], [DEEP], [NONE], [OWED]],
  slash: [[START], [OWED], [OWED], [START], [OWED]],
}

/** A place in the pattern. */
type Node =
  | { readonly id: number; readonly type: 'end' }
  | { readonly id: number; readonly type: 'either'; readonly options: readonly Node[] }
  | { readonly id: number; readonly type: 'step'; readonly step: Step; readonly next: Node }

const END: Node = { id: 0, type: 'end' }

/** All the spots that a beginning of a path leads to, and where the next characters lead. */
interface State {
  /** Places with a mode each, as `id * MODES + mode`. */
  readonly spots: readonly number[]
  readonly accepts: boolean
  readonly ascii: (State | undefined)[]
  readonly beyond: Map<number, State>
}

const NOWHERE = stateOf([])

// What is remembered for one pattern, in words of memory, roughly.
const MAX_MEMORY = 100_000

class Machine {
  start: State
  readonly #nodes: Node[] = [END]
  readonly #first: Node
  readonly #caseSensitive: boolean
  readonly #known = new Map<string, State>()
  #memory = 0
  // By spot, the round in which it was reached: a set that is emptied by counting on.
  readonly #reached: Uint32Array
  #round = 0

  constructor(pieces: readonly Piece[], caseSensitive: boolean) {
    this.#first = this.#link(pieces, END)
    this.#caseSensitive = caseSensitive
    this.#reached = new Uint32Array(this.#nodes.length * MODES)
    this.start = this.#begin()
  }

  /** Finds where a character leads, and remembers it. */
  step(from: State, code: number): State {
    if (this.#memory > MAX_MEMORY) this.start = this.#begin()
    const codes = this.#caseSensitive ? [code] : spellings(code)
    const spots: number[] = []
    this.#round++
    for (const spot of from.spots) {
      const node = this.#nodes[Math.floor(spot / MODES)] ?? END
      this.#advance(node, spot % MODES, codes, spots)
    }
    const to = this.#remembered(spots)
    if (code < ASCII) from.ascii[code] = to
    else from.beyond.set(code, to)
    this.#memory += 4
    return to
  }

  /** Forgets everything. States that are still held go on working. */
  #begin(): State {
    this.#known.clear()
    this.#memory = 0
    this.#reached.fill(0)
    this.#round = 1
    const spots: number[] = []
    this.#reach(this.#first, START, spots)
    return this.#remembered(spots)
  }

  // Equal sets in another order make two states. That costs memory, and sorting would cost more.
  #remembered(spots: readonly number[]): State {
    if (spots.length === 0) return NOWHERE
    const key = String.fromCharCode(...spots)
    const known = this.#known.get(key)
    if (known) return known

    const state = stateOf(spots)
    this.#known.set(key, state)
    this.#memory += ASCII + 2 * spots.length
    return state
  }

  /** Adds a spot, and those that follow from it without taking anything of the path. */
  #reach(node: Node, mode: number, spots: number[]): void {
    const spot = node.id * MODES + mode
    if (this.#reached[spot] === this.#round) return
    this.#reached[spot] = this.#round
    spots.push(spot)
    if (node.type === 'either') for (const option of node.options) this.#reach(option, mode, spots)
    if (node.type !== 'step') return
    for (const after of SKIPS[node.step.type][mode] ?? []) this.#reach(node.next, after, spots)
  }

  /** Adds the spots to which a character, in any of its cases, leads from a spot. */
  #advance(node: Node, mode: number, codes: readonly number[], spots: number[]): void {
    if (node.type !== 'step') return
    const { step, next } = node
    const slash = codes[0] === SLASH
    if (step.type === 'slash') {
      if (slash && (mode === INSIDE || mode === DEEP)) this.#reach(next, START, spots)
      return
    }
    if (step.type === 'deep' && (mode === START || mode === DEEP)) this.#reach(node, DEEP, spots)
    if (slash || mode > INSIDE) return
    if (step.type === 'deep' || step.type === 'star') this.#reach(node, INSIDE, spots)
    else if (fits(step, codes)) this.#reach(next, INSIDE, spots)
  }

  /** Links pieces from the last to the first, so that braces share what follows them. */
  #link(pieces: readonly Piece[], end: Node): Node {
    let next = end
    for (const piece of pieces.toReversed()) {
      const after = next
      if (piece.type === 'either') {
        const options = piece.options.map((option) => this.#link(option, after))
        next = { id: this.#nodes.length, type: 'either', options }
      } else next = { id: this.#nodes.length, type: 'step', step: piece, next: after }
      this.#nodes.push(next)
    }
    return next
  }
}

function stateOf(spots: readonly number[]): State {
  const accepts = spots.some((spot) => spot < MODES) // any mode at END will do
  return { spots, accepts, ascii: new Array(ASCII).fill(undefined), beyond: new Map() }
}

function fits(step: Step, codes: readonly number[]): boolean {
  if (step.type === 'char') return codes.includes(step.code)
  if (step.type !== 'class') return true
  const { ranges, negated } = step
  return codes.some((code) => ranges.some(([from, to]) => from <= code && code <= to)) !== negated
}
