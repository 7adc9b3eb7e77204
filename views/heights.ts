/**
 * Offsets of blocks in a virtual list, where only rendered blocks have been measured.
 *
 * Other blocks count with their expected height. `test/views/files/tree.test.ts` compares offsets
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

/** Rows rendered above and below the visible ones. */
const SPARE_ROWS = 10

/** Returns the rows to render of a list with equal heights: the visible ones, and some spare. */
export function visibleRows(scroll: number, height: number, row: number, count: number): Range {
  const from = Math.floor(scroll / row) - SPARE_ROWS
  const to = Math.ceil((scroll + height) / row) + SPARE_ROWS
  return { from: Math.max(0, Math.min(from, count)), to: Math.max(0, Math.min(to, count)) }
}

/** The offsets of a list of blocks, in CSS pixels. */
export class BlockHeights {
  readonly #count: number
  readonly #expected: (block: number) => number
  readonly #measured = new Map<number, number>()

  /** Creates the offsets of `count` blocks from their expected heights. */
  constructor(count: number, expected: (block: number) => number) {
    this.#count = count
    this.#expected = expected
  }

  /** Returns the top of a block; for the number of blocks, the end of the last one. */
  offsetOf(block: number): number {
    let offset = 0
    for (let each = 0; each < block; each++) offset += this.#heightOf(each)
    return offset
  }

  /** Returns the block at an offset. */
  blockAt(offset: number): number {
    let rest = offset
    for (let block = 0; block < this.#count; block++) {
      rest -= this.#heightOf(block)
      if (rest < 0) return block
    }
    return Math.max(0, this.#count - 1)
  }

  /** Returns the blocks in a part of the list. */
  visible(scroll: number, height: number): Range {
    const last = this.blockAt(scroll + height)
    return { from: this.blockAt(scroll), to: Math.min(this.#count, last + 1) }
  }

  /** Stores the height of a block; returns true if it was not known. */
  measure(block: number, height: number): boolean {
    if (this.#heightOf(block) === height) return false
    this.#measured.set(block, height)
    return true
  }

  #heightOf(block: number): number {
    return this.#measured.get(block) ?? this.#expected(block)
  }
}
