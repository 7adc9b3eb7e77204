/**
 * The characters of a Unicode property, computed with the regular expressions of the platform.
 *
 * The regular expression engine has tables for all properties, which few patterns use; the build replaces
 * them by this module. A table is computed when a pattern first uses its property.
 *
 * @module
 */

/** First code points of blocks that can be written as text, in which surrogates never form a pair. */
const BLOCKS = [0, 0xdc00, ...Array.from({ length: 16 }, (_, plane) => (plane + 1) * 0x10000)]
const END = 0x110000

/** Code points that are converted to text at once. */
const PART = 0x1000

/** Returns a triple for each range: first code point, last code point, and a step of 1. */
export function rangesOf(property: string): Int32Array {
  const runs = new RegExp(`\\p{${property}}+`, 'gu')
  const ranges: number[] = []
  for (const [index, start] of BLOCKS.entries()) {
    const end = BLOCKS[index + 1] ?? END
    const width = start >= 0x10000 ? 2 : 1
    for (const { index: at, 0: run } of textOf(start, end).matchAll(runs)) {
      const first = start + at / width
      const last = first + run.length / width - 1
      // A run continues across the end of a block.
      if (ranges.at(-2) === first - 1) ranges[ranges.length - 2] = last
      else ranges.push(first, last, 1)
    }
  }
  return Int32Array.from(ranges)
}

function textOf(start: number, end: number): string {
  const parts: string[] = []
  for (let at = start; at < end; at += PART) {
    const points: number[] = []
    for (let point = at; point < Math.min(at + PART, end); point++) points.push(point)
    parts.push(String.fromCodePoint(...points))
  }
  return parts.join('')
}
