/**
 * Pseudo-random numbers from a seed, so that every run measures the same files.
 *
 * @module
 */

/** Returns the next number, from 0 up to 1 (mulberry32). */
export type Random = () => number

/** Creates a generator. */
export function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a random integer from 0 up to `end`. */
export const below = (random: Random, end: number) => Math.floor(random() * end)

/**
 * Returns a random item.
 *
 * @throws `RangeError` for an empty list.
 */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[below(random, items.length)]
  if (item === undefined) throw new RangeError('Cannot pick from an empty list')
  return item
}
