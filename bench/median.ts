/**
 * Interleaved measurement rounds, so that other load on the machine affects all contenders equally.
 *
 * @module
 */

/** Takes one sample: requests per second, or milliseconds. */
export type Sampler = () => Promise<number>

/**
 * Returns the median.
 *
 * @throws `RangeError` without values.
 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  if (low === undefined || high === undefined)
    throw new RangeError('Cannot take the median of an empty list')
  return (low + high) / 2
}

/** Returns the median sample of each contender. A first round for warming up does not count. */
export async function interleave<K extends string>(
  rounds: number,
  contenders: Readonly<Record<K, Sampler>>,
): Promise<Record<K, number>> {
  const names = Object.keys(contenders) as K[] // `Object.keys` forgets the keys' type
  const samples = new Map<K, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const sample = await contenders[name]()
      if (round > 0) samples.get(name)?.push(sample)
    }
  }
  const medians = names.map((name) => [name, median(samples.get(name) ?? [])] as const)
  return Object.fromEntries(medians) as Record<K, number> // one entry for each name
}
