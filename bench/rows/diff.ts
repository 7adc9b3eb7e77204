/**
 * Diff of two files of ten thousand lines, as hunks with marks inside the lines, against the line
 * diff of jsdiff. It runs in this process, because no request is involved.
 *
 * @module
 */

import { diffTexts } from '#core/diff/hunks.ts'
import { structuredPatch } from 'diff'
import { interleave } from '../median.ts'
import { below, seeded } from '../random.ts'
import type { Row } from '../row.ts'

const LINES = 10_000

/** The rows of the diff. */
export const rows: Row[] = [
  {
    name: 'diff',
    goal: 'at most 1.2 times jsdiff alone',
    limit: 'Hashing and comparing all lines; the search for the edits itself is short.',
    async run({ scale: { rounds } }) {
      const figures = []
      for (const [every, work] of [
        [200, 'a few changes'],
        [20, 'many changes'],
      ] as const) {
        const [old, next] = texts(every)
        const measured = await interleave(rounds, {
          edgewise: async () => timed(() => diffTexts(old, next)),
          jsdiff: async () => timed(() => structuredPatch('a', 'b', old, next)),
        })
        figures.push({
          work: `difference of two files of 10,000 lines, ${work}`,
          unit: 'ms' as const,
          edgewise: measured.edgewise,
          baseline: { name: 'jsdiff', value: measured.jsdiff },
          goal: { ratioAtMost: 1.2 },
        })
      }
      return figures
    },
  },
]

/** Returns a text, and a copy in which every so many lines one is changed, removed or inserted. */
function texts(every: number): [old: string, next: string] {
  const random = seeded(7)
  const old = Array.from({ length: LINES }, (_, index) => `line ${index} of ${below(random, 1000)}`)
  const next = old.flatMap((line, index) => {
    if (index % every !== 0) return [line]
    return [[`${line} changed`], [], [line, 'put in']][(index / every) % 3] ?? []
  })
  return [old.join('\n'), next.join('\n')]
}

function timed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
