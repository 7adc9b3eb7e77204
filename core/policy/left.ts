/**
 * What is left of a pattern below a folder: the place where its automaton stands after the folder.
 *
 * Walking down the tree one name at a time, a pattern that can match nothing further down is dead
 * and drops out, and one that matches everything further down needs no more looking at. So a
 * thousand files of a folder cost the reading of their names, and of no pattern that is not about
 * them. That both are true of all paths below is held by `test/core/policy-laws.ts`.
 *
 * @module
 */

import type { Glob } from '../glob.ts'
import type { StorePath } from '../path.ts'

type Place = Glob['machine']['start']

/** A pattern below a folder; with a `root` only for what belongs to that root. */
export interface Left {
  readonly root: StorePath | null
  readonly glob: Glob
  readonly place: Place
  /** Whether everything below matches. */
  readonly all: boolean
}

/** A pattern in the folder that it counts from. */
export function atBase(glob: Glob, root: StorePath | null): Left {
  const place = glob.machine.start
  return { root, glob, place, all: place.accepts && isClosed(glob) }
}

/** A pattern one folder further down. */
export function enter(left: Left, name: string): Left {
  if (left.all) return left
  const { root, glob } = left
  const place = walk(left, name)
  const all = place.accepts && isClosed(glob)
  return { root, glob, place: walk({ glob, place }, '/'), all }
}

/** Whether something below can match. */
export function isAlive({ place, all }: Left): boolean {
  return all || place.spots.length > 0
}

/** Whether what has this name in the folder matches. */
export function fits(left: Left, name: string): boolean {
  return left.all || walk(left, name).accepts
}

function walk({ glob, place }: Pick<Left, 'glob' | 'place'>, text: string): Place {
  let at = place
  for (let index = 0; index < text.length && at.spots.length > 0; index++) {
    const code = text.codePointAt(index) ?? 0
    if (code > 0xffff) index++
    const next = code < 128 ? at.ascii[code] : at.beyond.get(code)
    at = next ?? glob.machine.step(at, code)
  }
  return at
}

/** Whether a pattern that matches a folder matches all that is below it: it ends in `/**`. */
function isClosed({ pieces }: Glob): boolean {
  const end = pieces.findLastIndex(({ type }) => type !== 'slash')
  return pieces[end]?.type === 'deep' && (end === 0 || pieces[end - 1]?.type === 'slash')
}
