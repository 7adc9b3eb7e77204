/**
 * Offsets of blocks in a virtual list, where only rendered blocks have been measured.
 *
 * Other blocks count with their expected height. `test/views/files-tree.test.ts` compares offsets
 * and look-ups.
 *
 * @module
 */

/** A range of rows or blocks. */
export interface Range {
  readonly from: number
  /** One past the last. */
  readonly to: number
}

/** Returns the visible rows of a list with equal heights, and `spare` rows above and below. */
export function visibleRows(
  scroll: number,
  height: number,
  row: number,
  count: number,
  spare = 10,
): Range {
  const from = Math.floor(scroll / row) - spare
  const to = Math.ceil((scroll + height) / row) + spare
  return { from: Math.max(0, Math.min(from, count)), to: Math.max(0, Math.min(to, count)) }
}

/** The offsets of a list of blocks. */
export type Heights = ReturnType<typeof createHeights>

/** Creates the offsets of `count` blocks, in CSS pixels. */
export function createHeights(count: number, expected: (block: number) => number) {
  const measured = new Map<number, number>()
  const heightOf = (block: number) => measured.get(block) ?? expected(block)

  /** Returns the top of a block; for `count`, the end of the last one. */
  function offsetOf(block: number): number {
    let offset = 0
    for (let each = 0; each < block; each++) offset += heightOf(each)
    return offset
  }

  /** Returns the block at an offset. */
  function blockAt(offset: number): number {
    let rest = offset
    for (let block = 0; block < count; block++) {
      rest -= heightOf(block)
      if (rest < 0) return block
    }
    return Math.max(0, count - 1)
  }

  function visible(scroll: number, height: number): Range {
    const last = blockAt(scroll + height)
    return { from: blockAt(scroll), to: Math.min(count, last + 1) }
  }

  /** Stores the height of a block; returns true if it was not known. */
  function measure(block: number, height: number): boolean {
    if (heightOf(block) === height) return false
    measured.set(block, height)
    return true
  }

  return { offsetOf, blockAt, visible, measure, forget: () => measured.clear() }
}
