/**
 * Bundles: many patterns that are matched as one, name by name down the tree.
 *
 * A bundle is where the automata of up to {@link MAX_TOGETHER} patterns stand. Those that can match
 * nothing further on drop out, and where a character leads is remembered, so the next name costs
 * one look-up a character for all of them. One that matches a folder with everything below it
 * settles the rest. `test/core/policy-laws.ts` holds them to each pattern alone.
 *
 * @module
 */

import type { Glob } from '../glob.ts'

type Place = Glob['machine']['start']

interface Spot {
  readonly glob: Glob
  readonly place: Place
}

/** What is left of some patterns at one point of a path. */
export interface Bundle {
  readonly spots: readonly Spot[]
  /** Whether a path that ends here matches. */
  readonly accepts: boolean
  /** Whether a folder that ends here matches with everything below it. */
  readonly closes: boolean
  readonly next: Map<number, Bundle>
}

/** The bundles of one set of rules, each of them once. */
export interface Bundles {
  readonly known: Map<string, Bundle>
  readonly ids: Map<Place, number>
  /** What they take of memory, in words, roughly. */
  words: number
}

/** Everything from here on matches. */
const ALL: Bundle = { spots: [], accepts: true, closes: true, next: new Map() }
/** Nothing does. */
const NONE: Bundle = { spots: [], accepts: false, closes: false, next: new Map() }

const SLASH = 0x2f

/** Patterns of one bundle. With more a name costs less, and what is remembered much more. */
const MAX_TOGETHER = 64

export function createBundles(): Bundles {
  return { known: new Map(), ids: new Map(), words: 0 }
}

/** Patterns in the folder that they count from. */
export function bundlesOf(bundles: Bundles, globs: readonly Glob[]): Bundle[] {
  const spots = globs.map((glob) => ({ glob, place: glob.machine.start }))
  const parts = Array.from({ length: Math.ceil(spots.length / MAX_TOGETHER) }, (_, part) =>
    spots.slice(part * MAX_TOGETHER, (part + 1) * MAX_TOGETHER),
  )
  return parts.map((part) => settled(intern(bundles, part)))
}

/** What is left of patterns one folder further down. */
export function enter(bundles: Bundles, all: readonly Bundle[], name: string): Bundle[] {
  const folders = all.map((bundle) => settled(walk(bundles, bundle, name)))
  return folders.map((folder) => step(bundles, folder, SLASH)).filter((one) => one !== NONE)
}

/** Whether what has this name in the folder matches one of the patterns. */
export function fits(bundles: Bundles, all: readonly Bundle[], name: string): boolean {
  return all.some((bundle) => walk(bundles, bundle, name).accepts)
}

/** Whether everything further down matches one of the patterns. */
export function isSettled(all: readonly Bundle[]): boolean {
  return all.includes(ALL)
}

function settled(bundle: Bundle): Bundle {
  return bundle.closes ? ALL : bundle
}

function walk(bundles: Bundles, from: Bundle, text: string): Bundle {
  let at = from
  for (let index = 0; index < text.length && at.spots.length > 0; index++) {
    const code = text.codePointAt(index) ?? 0
    if (code > 0xffff) index++
    at = step(bundles, at, code)
  }
  return at
}

function step(bundles: Bundles, from: Bundle, code: number): Bundle {
  if (from.spots.length === 0) return from
  return from.next.get(code) ?? advance(bundles, from, code)
}

function advance(bundles: Bundles, from: Bundle, code: number): Bundle {
  const spots = from.spots.map((spot) => moved(spot, code))
  const to = intern(
    bundles,
    spots.filter(({ place }) => place.spots.length > 0),
  )
  from.next.set(code, to)
  bundles.words += 4
  return to
}

function moved(spot: Spot, code: number): Spot {
  const { glob, place } = spot
  const known = code < 128 ? place.ascii[code] : place.beyond.get(code)
  const next = known ?? glob.machine.step(place, code)
  return next === place ? spot : { glob, place: next }
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
  bundles.words += 40 + 2 * spots.length
  return bundle
}

/** A place belongs to one pattern only, so a number for each tells all about a bundle. */
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
