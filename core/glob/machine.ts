/**
 * The machine: a nondeterministic automaton, never longer than its pattern, that is walked one
 * character at a time.
 *
 * The sets of places it can be in are remembered, within a limit, so that the next path costs one
 * look-up a character.
 *
 * @module
 */

import { codeOf, type Piece, type Step } from './pieces.ts'

/** Characters below this are looked up in a list. */
export const ASCII = 128
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
export interface State {
  /** Places with a mode each, as `id * MODES + mode`. */
  readonly spots: readonly number[]
  readonly accepts: boolean
  readonly ascii: (State | undefined)[]
  readonly beyond: Map<number, State>
}

/** No path that begins like this matches. */
export const NOWHERE = stateOf([])

// What is remembered for one pattern, in words of memory, roughly.
const MAX_MEMORY = 100_000

export class Machine {
  start: State
  /** Spots that were looked at so far: a measure of the time that it took. */
  steps = 0
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
    this.steps += ASCII / 4 + from.spots.length + spots.length
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

/** A character in all the cases that one character can have. */
function spellings(code: number): number[] {
  const char = String.fromCodePoint(code)
  const cased = [char.toLowerCase(), char.toUpperCase()]
  const single = cased.filter((text) => String.fromCodePoint(codeOf(text)) === text)
  return [...new Set([code, ...single.map(codeOf)])]
}
