/**
 * The blobs that may match a search.
 *
 * @module
 */

/** Maximum number of matching texts that are joined with their files at once; more are found page by page. */
export const MAX_JOINED = 2_000

/** The blobs that may match. */
export interface FoundBlobs {
  /** Whether most blobs are among them. */
  readonly isMost: boolean
  /** Their ids; null if they are many. */
  readonly ids: readonly number[] | null
  /** Whether a file with a blob may match. A blob that was written since is not known, so it may. */
  readonly mayMatch: (blob: number) => boolean
}

/**
 * Creates an empty set of ids up to `newest`, some of `total`. It is a set of bits: objects of a million would not fit
 * into the memory of an isolate.
 */
export function createBlobSet(newest: number, total = newest) {
  const bits = new Uint8Array((newest >> 3) + 1)
  const first: number[] = []
  let count = 0
  let known = newest
  const isAdded = (id: number) => ((bits[id >> 3] ?? 0) & (1 << (id & 7))) !== 0
  return {
    add(id: number): void {
      bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7))
      if (count++ < MAX_JOINED) first.push(id)
    },
    /** Adds all ids after one. Of those, the ones in a range count. */
    addAll(after: number, low: number, high: number): void {
      known = after
      count += high - Math.max(after, low - 1)
    },
    found: (): FoundBlobs => ({
      isMost: count > total / 2,
      ids: count > MAX_JOINED ? null : first,
      mayMatch: (id) => id > known || isAdded(id),
    }),
  }
}
