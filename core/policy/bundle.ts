/**
 * Bundles: many patterns that are matched together, name by name down the tree.
 *
 * A bundle holds the current states of the automata of up to {@link MAX_TOGETHER} patterns. Patterns that
 * can no longer match are dropped, and transitions are cached, so the next name costs one look-up per
 * character for all patterns. A pattern that matches a folder with everything below it needs no further
 * matching. `test/support/core/policy-laws.ts` compares bundles with each pattern alone.
 *
 * @module
 */

import { ruleCaches, type Emptiable } from '../cache-budget.ts'
import type { Glob } from '../glob.ts'

type Place = Glob['machine']['start']

interface Spot {
  readonly glob: Glob
  readonly place: Place
}

/** The patterns that can still match at one point of a path. */
export interface Bundle {
  readonly spots: readonly Spot[]
  /** Whether a path that ends here matches. */
  readonly accepts: boolean
  /** Whether a folder that ends here matches with everything below it. */
  readonly closes: boolean
  readonly next: Map<number, Bundle>
}

/** The bundles of one set of rules, without duplicates. */
export interface Bundles {
  readonly known: Map<string, Bundle>
  /** A number for each automaton state, from which keys of `known` are built. */
  readonly ids: Map<Place, number>
  /** Approximate memory use in words. */
  words: number
  /** What is emptied when the rules of all callers take too much memory. */
  readonly cache: Emptiable
}

/** Everything from this point on matches. */
const ALL: Bundle = { spots: [], accepts: true, closes: true, next: new Map() }
/** Nothing from this point on matches. */
const NONE: Bundle = { spots: [], accepts: false, closes: false, next: new Map() }

/** The steps that matching the patterns of all rules has taken: a measure of the time used, as those of a machine. */
export const judgingWork = { steps: 0 }

/** Characters that a bundle matches in the time of one step if its transitions are cached. */
const CACHED_PER_STEP = 16

const SLASH = 0x2f

/** Maximum number of patterns of a bundle: larger bundles match faster and cache much more. */
const MAX_TOGETHER = 64

/** Creates an empty cache for the bundles of one set of rules. */
export function createBundles(cache: Emptiable): Bundles {
  return { known: new Map(), ids: new Map(), words: 0, cache }
}

/** Counts what was added to the caches of one set of rules. */
export function chargeWords(bundles: Bundles, words: number): void {
  bundles.words += words
  ruleCaches.charge(bundles.cache, words)
}

/** Returns bundles for patterns, at the folder that the patterns are relative to. */
export function bundlesOf(bundles: Bundles, globs: readonly Glob[]): Bundle[] {
  const spots = globs.map((glob) => ({ glob, place: glob.machine.start }))
  const parts = Array.from({ length: Math.ceil(spots.length / MAX_TOGETHER) }, (_, part) =>
    spots.slice(part * MAX_TOGETHER, (part + 1) * MAX_TOGETHER),
  )
  return parts.map((part) => settled(intern(bundles, part)))
}

/** Returns the bundles for the child folder `name`. */
export function enterFolder(bundles: Bundles, all: readonly Bundle[], name: string): Bundle[] {
  const folders = all.map((bundle) => settled(walk(bundles, bundle, name)))
  return folders.map((folder) => step(bundles, folder, SLASH)).filter((one) => one !== NONE)
}

/** Whether the child `name` of the folder matches one of the patterns. */
export function matchesChild(bundles: Bundles, all: readonly Bundle[], name: string): boolean {
  return all.some((bundle) => walk(bundles, bundle, name).accepts)
}

/** Whether everything below this point matches one of the patterns. */
export function isSettled(all: readonly Bundle[]): boolean {
  return all.includes(ALL)
}

function settled(bundle: Bundle): Bundle {
  return bundle.closes ? ALL : bundle
}

function walk(bundles: Bundles, from: Bundle, text: string): Bundle {
  let at = from
  let index = 0
  for (; index < text.length && at.spots.length > 0; index++) {
    const code = text.codePointAt(index) ?? 0
    if (code > 0xffff) index++
    at = step(bundles, at, code)
  }
  judgingWork.steps += (index + 1) / CACHED_PER_STEP
  return at
}

function step(bundles: Bundles, from: Bundle, code: number): Bundle {
  if (from.spots.length === 0) return from
  return from.next.get(code) ?? advance(bundles, from, code)
}

function advance(bundles: Bundles, from: Bundle, code: number): Bundle {
  judgingWork.steps += from.spots.length
  const spots = from.spots.map((spot) => moved(spot, code))
  const to = intern(
    bundles,
    spots.filter(({ place }) => place.spots.length > 0),
  )
  from.next.set(code, to)
  chargeWords(bundles, 4)
  return to
}

function moved(spot: Spot, code: number): Spot {
  const { glob, place } = spot
  const known = code < 128 ? place.ascii[code] : place.beyond.get(code)
  const next = known ?? compute(spot, code)
  return next === place ? spot : { glob, place: next }
}

function compute({ glob: { machine }, place }: Spot, code: number): Place {
  const before = machine.steps
  const next = machine.step(place, code)
  judgingWork.steps += machine.steps - before
  return next
}

function intern(bundles: Bundles, spots: readonly Spot[]): Bundle {
  if (spots.length === 0) return NONE
  const key = spots.map(({ place }) => idOf(bundles, place)).join(' ')
  const known = bundles.known.get(key)
  if (known) return known

  const accepting = spots.filter(({ place }) => place.accepts)
  const closes = accepting.some(({ glob }) => isClosed(glob))
  const bundle = { spots, accepts: accepting.length > 0, closes, next: new Map() }
  bundles.known.set(key, bundle)
  chargeWords(bundles, 40 + 2 * spots.length)
  return bundle
}

/** A state belongs to exactly one pattern, so the ids of its states identify a bundle. */
function idOf({ ids }: Bundles, place: Place): number {
  const id = ids.get(place) ?? ids.size
  ids.set(place, id)
  return id
}

/** Whether a pattern that matches a folder matches all that is below it: it ends in `/**`. */
function isClosed({ pieces }: Glob): boolean {
  const end = pieces.findLastIndex(({ type }) => type !== 'slash')
  return pieces[end]?.type === 'deep' && (end === 0 || pieces[end - 1]?.type === 'slash')
}
