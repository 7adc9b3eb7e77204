/** Bounds a cache. `test/worker/tools/large-text.test.ts` and `test/worker/drafts/compared-room.test.ts` fill some. @module */

/** Deletes what was added first, so that a map has at most `most` entries. */
export function dropOldest<Key>(map: Map<Key, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}
