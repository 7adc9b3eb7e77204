/** Ranges of paths, compared with sets of paths, in the order in which SQLite has them. */

import { parsePath, type StorePath } from '#core/path.ts'
import {
  compareKeys,
  intersectRanges,
  isWhole,
  joinRanges,
  rangesAt,
  rangesBelow,
  rangesWithin,
  subtractRanges,
  WHOLE,
  type PathRanges,
} from '#worker/store/path-ranges.ts'
import { expect, it } from 'vitest'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'

// Characters around the slash, and two that SQLite and UTF-16 order differently.
const NAMES = ['a', 'a-', 'a0', '\uff5e', '\u{1f600}']
const FOLDERS = NAMES.flatMap((name) => [`/${name}`, ...NAMES.map((below) => `/${name}/${below}`)])
const PATHS = [...FOLDERS, '/a/a/a', '/a/a-/x', '/b'].map((path) => parsePath(path))

const has = (ranges: PathRanges, path: StorePath) =>
  ranges.some(({ low, high }) => compareKeys(low, path) <= 0 && compareKeys(path, high) < 0)
const pathsIn = (ranges: PathRanges) => PATHS.filter((path) => has(ranges, path))

const folders = fc.subarray(
  FOLDERS.map((path) => parsePath(path)),
  { maxLength: 5 },
)
const ranges = fc
  .tuple(folders, folders)
  .map(([within, at]) => joinRanges([...rangesWithin(within), ...rangesAt(at)]))

it('are united, subtracted and intersected as sets of paths are', () => {
  const law = fc.property(ranges, ranges, (one, other) => {
    const isIn = (list: PathRanges) => (path: StorePath) => has(list, path)
    const [first, second] = [isIn(one), isIn(other)]
    const together = joinRanges([...one, ...other])
    expect(pathsIn(together)).toEqual(PATHS.filter((path) => first(path) || second(path)))
    const less = subtractRanges(one, other)
    expect(pathsIn(less)).toEqual(PATHS.filter((path) => first(path) && !second(path)))
    const both = intersectRanges(one, other)
    expect(pathsIn(both)).toEqual(PATHS.filter((path) => first(path) && second(path)))
    for (const list of [together, less, both])
      for (const [at, { low, high }] of list.entries()) {
        expect(compareKeys(low, high)).toBeLessThan(0)
        const next = list[at + 1]
        if (next) expect(compareKeys(high, next.low)).toBeLessThanOrEqual(0)
      }
  })
  fc.assert(law, runs(300))
})

it('are in the order of UTF-8', () => {
  const bytes = (text: string) => [...new TextEncoder().encode(text)]
  const key = fc
    .array(fc.constantFrom('/', '0', 'a', '\uff5e', '\u{1f600}', '\u{1f601}'))
    .map(String)
  const law = fc.property(key, key, (a, b) => {
    const [one, other] = [bytes(a), bytes(b)]
    const at = one.findIndex((byte, index) => byte !== other[index])
    const order = at === -1 ? one.length - other.length : (one[at] ?? -1) - (other[at] ?? -1)
    expect(Math.sign(compareKeys(a, b))).toBe(Math.sign(order))
  })
  fc.assert(law, runs(300))
})

it('of a folder are those below it, after a path, and within others', () => {
  const a = parsePath('/a')
  expect(rangesBelow(a)).toEqual([{ low: '/a/', high: '/a0' }])
  const [range] = rangesBelow(a, undefined, parsePath('/a/b'))
  expect([range?.high, has([range ?? { low: '', high: '' }], parsePath('/a/b/c'))]).toEqual([
    '/a0',
    true,
  ])
  const within = rangesWithin([parsePath('/a/b'), parsePath('/c')])
  expect(rangesBelow(a, within)).toEqual(rangesWithin([parsePath('/a/b')]))
  expect([isWhole(WHOLE), isWhole(within), isWhole([])]).toEqual([true, false, false])
})
