/** Accessibility of the review, and its response time with ten thousand lines. */

import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { until, windowOf } from '../../support/views/host-frame.ts'
import {
  edited,
  openReview,
  refusal,
  resourcesOf,
  resultWith,
  type Review,
} from '../../support/views/review-frame.ts'

const before = Array.from({ length: 60 }, (_, i) => `line ${i + 1} as it was`).join('\n')
const FILES = [
  edited('/notes/a.md', before, before.replace('9 as', '9 \u202eis')),
  { from: '/old.bin', to: '/new.bin', binary: true, hunks: [] },
]

/** Returns the axe violations in the frame. */
async function faults(review: Review): Promise<string[]> {
  const window = windowOf(review.frame) as Window & { axe?: typeof axe }
  const script = review.document.createElement('script')
  script.textContent = axe.source
  review.document.head.append(script)
  const results = await window.axe?.run({
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'],
    resultTypes: ['violations'],
  })
  return (results?.violations ?? []).map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join()}`,
  )
}

const CASES = {
  'a preview': { result: resultWith({ files: FILES }), selector: 'tr' },
  'an applied change': { result: resultWith({ files: FILES, applied: true }), selector: 'tr' },
  'an expired preview': {
    result: resultWith({ files: FILES, expires: new Date(0).toISOString() }),
    selector: '.badge.expired',
  },
  'a failure': { result: refusal('NOT_FOUND', 'There is no /a'), selector: '.badge.failed' },
}

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  it.each(Object.entries(CASES))('%s has no violations', async (_, { result, selector }) => {
    const widths = [1_000, 400]
    for (const width of widths) {
      const setup = { width, context: { theme }, read: resourcesOf(FILES) }
      const review = await openReview(setup)
      await review.host.sendToolInput({ arguments: {} })
      await review.host.sendToolResult(result)
      await until(() => review.document.querySelector(selector) !== null)
      expect(await faults(review)).toEqual([])
    }
  })
})

it('the dialog of shortcuts has no violations', async () => {
  const review = await openReview({ read: resourcesOf(FILES) })
  await review.host.sendToolResult(resultWith({ files: FILES }))
  ;(await review.button('Keyboard shortcuts')).click()
  await until(() => review.document.querySelector('dialog[open]') !== null)
  expect(await faults(review)).toEqual([])
})

it('renders ten thousand changed lines in slices, and stays responsive', async () => {
  const old = Array.from({ length: 10_000 }, (_, i) => `line ${i} as it was`).join('\n')
  const file = edited('/big.txt', old, old.replaceAll('was', 'is'))
  const rounds: number[] = []
  for (let round = 0; round < 3; round++) rounds.push(await longestPiece(file))
  // Reading and cutting the change is one piece of work; drawing it is not. Other work of the machine makes rounds longer.
  expect(Math.min(...rounds)).toBeLessThan(500)
})

/** Draws a file of ten thousand changed lines, and returns the longest time (ms) in which the page does nothing else. */
async function longestPiece(file: ReturnType<typeof edited>): Promise<number> {
  const review = await openReview({ read: resourcesOf([file]) })
  let longest = 0
  let last = performance.now()
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  })
  await review.host.sendToolResult(resultWith({ files: [file], leaveOut: true }))
  const rows = () => review.document.querySelectorAll('tr').length
  await until(() => rows() > 0)
  const first = rows()
  await until(() => rows() === 10_000)
  clearInterval(watch)
  expect(first).toBeLessThan(10_000)
  return longest
}
