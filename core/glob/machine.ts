/**
 * The machine: a nondeterministic automaton, never longer than its pattern, that runs one character at a
 * time.
 *
 * The sets of states it can be in are cached, within a limit, so that the next path costs one look-up per
 * character.
 *
 * @module
 */

import { ruleCaches } from '../cache-budget.ts'
import { codeOf, type Piece, type Step } from './pieces.ts'

/** Code points below this are looked up in an array. */
export const ASCII = 128
const SLASH = 0x2f
const DOT = 0x2e

/** A dot that begins a name, where only a literal dot may match it. It is beyond all code points. */
export const HIDDEN_DOT = 0x110000

// The modes: what the automaton tracks besides its place in the pattern. They show whether two stars have
// a segment to themselves, and which slashes count, without expanding braces.
const START = 0 // nothing of this segment of the pattern has been matched
const INSIDE = 1 // part of this segment has been matched
const DEEP = 2 // two stars have consumed text: a slash or the end must follow
const NONE = 3 // two stars have consumed nothing: the slash after them matches nothing
const OWED = 4 // a slash was skipped: only two stars that consume nothing, or the end, may follow
const MODES = 5

/** By mode: the modes after a piece that consumes nothing of the path. */
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

/** All spots that the text so far leads to, with the cached transitions to the next states. */
export interface State {
  /** Places with a mode each, as `id * MODES + mode`. */
  readonly spots: readonly number[]
  readonly accepts: boolean
  /** Transitions by code point below {@link ASCII}. */
  readonly ascii: (State | undefined)[]
  /** Transitions by other code points. */
  readonly beyond: Map<number, State>
}

/** The state from which no path can match. */
export const NOWHERE = stateOf([])

// Approximate limit of the cache for one pattern, in words of memory.
const MAX_MEMORY = 100_000

/** The automaton of one pattern, with its cache of states. */
export class Machine {
  /** The state before the first character. It is replaced when the cache is cleared. */
  start: State
  /** Spots visited so far: a measure of the time used. */
  steps = 0
  readonly #nodes: Node[] = [END]
  readonly #first: Node
  readonly #caseSensitive: boolean
  readonly #known = new Map<string, State>()
  #memory = 0
  // By spot, the round in which it was reached. Incrementing the round empties this set.
  readonly #reached: Uint32Array
  #round = 0

  constructor(pieces: readonly Piece[], caseSensitive: boolean) {
    this.#first = this.#link(pieces, END)
    this.#caseSensitive = caseSensitive
    this.#reached = new Uint32Array(this.#nodes.length * MODES)
    this.start = this.#begin()
  }

  /** Clears the cache. States that are still referenced keep working. */
  empty(): void {
    this.start = this.#begin()
  }

  /** Computes the state that a character leads to, and caches it. */
  step(from: State, code: number): State {
    if (this.#memory > MAX_MEMORY) this.empty()
    const before = this.#memory
    const codes = this.#caseSensitive || code === HIDDEN_DOT ? [code] : spellings(code)
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
    ruleCaches.charge(this, this.#memory - before)
    return to
  }

  #begin(): State {
    this.#known.clear()
    this.#memory = 0
    this.#reached.fill(0)
    this.#round = 1
    const spots: number[] = []
    this.#reach(this.#first, START, spots)
    return this.#remembered(spots)
  }

  // Equal sets in another order become two states. That costs memory; sorting would cost more time.
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

  /** Adds a spot, and those that follow from it without consuming text. */
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
    const isHidden = codes[0] === HIDDEN_DOT
    if (step.type === 'deep' && !isHidden && (mode === START || mode === DEEP))
      this.#reach(node, DEEP, spots)
    if (slash || mode > INSIDE) return
    if (isHidden) {
      const isNamed = mode === START && step.type === 'char' && step.code === DOT
      if (isNamed) this.#reach(next, INSIDE, spots)
      return
    }
    if (step.type === 'deep' || step.type === 'star') this.#reach(node, INSIDE, spots)
    else {
      if (step.type === 'class') this.steps += step.ranges.length
      if (fits(step, codes)) this.#reach(next, INSIDE, spots)
    }
  }

  /** Links pieces from the last to the first, so that alternatives share what follows them. */
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
  const accepts = spots.some((spot) => spot < MODES) // spots at END, in any mode
  return { spots, accepts, ascii: new Array(ASCII).fill(undefined), beyond: new Map() }
}

function fits(step: Step, codes: readonly number[]): boolean {
  if (step.type === 'char') return codes.includes(step.code)
  if (step.type !== 'class') return true
  const { ranges, negated } = step
  return codes.some((code) => ranges.some(([from, to]) => from <= code && code <= to)) !== negated
}

/** Returns the code point and its other cases that are single characters. */
function spellings(code: number): number[] {
  const char = String.fromCodePoint(code)
  const cased = [char.toLowerCase(), char.toUpperCase()]
  const single = cased.filter((text) => String.fromCodePoint(codeOf(text)) === text)
  return [...new Set([code, ...single.map(codeOf)])]
}
