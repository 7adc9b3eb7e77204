/**
 * Heights: which of many blocks can be seen, when only those that were drawn have been measured.
 *
 * The others count with what they are expected to take. `test/views/files-tree.test.ts` holds
 * offsets and look-ups against each other.
 *
 * @module
 */

export interface Range {
  readonly from: number
  /** The first one behind. */
  readonly to: number
}

/** Rows of one height that can be seen, and some above and below. */
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

export type Heights = ReturnType<typeof createHeights>

export function createHeights(count: number, expected: (block: number) => number) {
  const measured = new Map<number, number>()
  const heightOf = (block: number) => measured.get(block) ?? expected(block)

  /** Where a block begins; for `count`, where all end. */
  function offsetOf(block: number): number {
    let offset = 0
    for (let each = 0; each < block; each++) offset += heightOf(each)
    return offset
  }

  /** The block at an offset. */
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

  /** Notes what a block takes; true when that was not known. */
  function measure(block: number, height: number): boolean {
    if (heightOf(block) === height) return false
    measured.set(block, height)
    return true
  }

  return { offsetOf, blockAt, visible, measure, forget: () => measured.clear() }
}
