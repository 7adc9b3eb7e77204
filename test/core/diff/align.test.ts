import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { align, alignFew, findAnchors, MAX_FEW_CHANGES } from '#core/diff/myers.ts'

/** The length of the longest common subsequence, by the usual table. */
function mostCommon(old: ArrayLike<unknown>, next: ArrayLike<unknown>): number {
  let row = new Array<number>(next.length + 1).fill(0)
  for (let i = 0; i < old.length; i++) {
    const below = [0]
    for (let j = 0; j < next.length; j++) {
      const best = Math.max(row[j + 1] ?? 0, below[j] ?? 0)
      below.push(old[i] === next[j] ? (row[j] ?? 0) + 1 : best)
    }
    row = below
  }
  return row.at(-1) ?? 0
}

/** How many stay, once it is certain that they do: equal, and in the same order on both sides. */
function staying(
  old: ArrayLike<unknown>,
  next: ArrayLike<unknown>,
  partners: Int32Array | null,
): number {
  if (!partners) throw new TypeError('There is no alignment')
  expect(partners.length).toBe(old.length)
  let last = -1
  let count = 0
  for (const [index, partner] of partners.entries()) {
    if (partner === -1) continue
    expect(partner).toBeGreaterThan(last)
    expect(next[partner]).toBe(old[index])
    last = partner
    count++
  }
  return count
}

const items = (max: number, length: number) =>
  fc.array(fc.nat({ max }), { maxLength: length }).map((list) => Int32Array.from(list))

const pairs = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 60 }))
  .chain(([max, length]) => fc.tuple(items(max, length), items(max, length)))

/** Numbers in an order that looks like none, the same each time. */
function shuffled(length: number): Int32Array {
  const list = Int32Array.from({ length }, (_, index) => index)
  let seed = 1
  for (let at = length - 1; at > 0; at--) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    const other = (seed >> 8) % (at + 1)
    const held = list[at] ?? 0
    list[at] = list[other] ?? 0
    list[other] = held
  }
  return list
}

describe('align', () => {
  it('finds a longest common subsequence', () => {
    fc.assert(
      fc.property(pairs, ([old, next]) => {
        expect(staying(old, next, align(old, next))).toBe(mostCommon(old, next))
      }),
      { numRuns: 500 },
    )
  })

  it('is correct with any step limit', () => {
    fc.assert(
      fc.property(pairs, fc.nat({ max: 2_000 }), ([old, next], steps) => {
        expect(staying(old, next, align(old, next, steps))).toBeLessThanOrEqual(
          mostCommon(old, next),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('uses unique lines as anchors when a search would be too long', () => {
    const old = shuffled(1_000)
    const next = Int32Array.from([...old.slice(600), ...old.slice(0, 600)])
    expect(staying(old, next, align(old, next, 10_000))).toBe(600)
    expect(staying(old, next, align(old, next, 1_000))).toBe(0)
  })

  it.each([
    ['in another order', Int32Array.from({ length: 100_000 }, (_, at) => at), shuffled(100_000)],
    [
      'of two kinds',
      shuffled(100_000).map((item) => item % 2),
      shuffled(200_000).map((item) => item % 2),
    ],
    [
      'in different rhythms',
      Int32Array.from({ length: 100_000 }, (_, at) => at % 2),
      Int32Array.from({ length: 90_000 }, (_, at) => at % 3),
    ],
  ])('ends in time on 100,000 items %s', (_, old, next) => {
    expect(staying(old, next, align(old, next))).toBeGreaterThanOrEqual(0)
  })
})

describe('findAnchors', () => {
  it.each([
    [[], [], []],
    [
      [1, 2, 3],
      [1, 2, 3],
      ['0:0', '1:1', '2:2'],
    ],
    [
      [1, 2, 3],
      [3, 1, 2],
      ['0:1', '1:2'],
    ],
    [[1, 1, 2], [1, 2, 2], []],
    [
      [9, 1, 9, 2],
      [1, 9, 2],
      ['1:0', '3:2'],
    ],
  ])('of %j and %j are %j', (old, next, expected) => {
    const whole = { oldLow: 0, oldHigh: old.length, newLow: 0, newHigh: next.length }
    const anchors = findAnchors(Int32Array.from(old), Int32Array.from(next), whole)
    expect(anchors.map((anchor) => `${anchor.old}:${anchor.new}`)).toEqual(expected)
  })
})

describe('alignFew', () => {
  it('finds a longest common subsequence', () => {
    fc.assert(
      fc.property(pairs, ([old, next]) => {
        const lines = [Array.from(old, String), Array.from(next, String)] as const
        expect(staying(...lines, alignFew(...lines))).toBe(mostCommon(old, next))
      }),
      { numRuns: 500 },
    )
  })

  it('gives up above its limit of changes', () => {
    const lines = Array.from({ length: MAX_FEW_CHANGES }, String)
    expect(alignFew([], lines)).toHaveLength(0)
    expect(alignFew([], [...lines, 'one more'])).toBeNull()
    expect(alignFew(lines, [])).toHaveLength(MAX_FEW_CHANGES)
    expect(alignFew([...lines, 'one more'], [])).toBeNull()
  })

  it('gives up above its limit of lines', () => {
    const lines = Array.from({ length: 1_000 }, String)
    const other = lines.with(500, 'another')
    expect(staying(lines, other, alignFew(lines, other))).toBe(999)
    expect(alignFew(lines, other, 500)).toBeNull()
  })
})
