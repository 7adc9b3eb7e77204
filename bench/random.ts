/**
 * Random numbers that are the same in every run, so that every run measures the same files.
 *
 * @module
 */

/** Numbers from 0 up to 1: the generator mulberry32. */
export type Random = () => number

export function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const below = (random: Random, end: number) => Math.floor(random() * end)

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[below(random, items.length)]
  if (item === undefined) throw new RangeError('Cannot pick from nothing')
  return item
}
