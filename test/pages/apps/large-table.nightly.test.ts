/** A table of 100,000 rows in all places: how fast it is, which a busy machine changes. */

import type { Frame } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { LARGE_ROWS, largeCsv, serveLarge } from '../../support/pages/app-samples.ts'
import { useStages } from '../../support/pages/app-stages.ts'
import { putFile } from '../../support/pages/console-actions.ts'

const { server, open } = useStages()

beforeAll(() => serveLarge(server))

describe('a table of 100,000 rows', () => {
  const CASES = [
    ['the console', false],
    ['AppBridge 2.0.4', false],
    ['AppBridge 2.0.4', true],
    ['AppBridge 1.7.5', true],
  ] as const

  it.each(CASES)('in %s, only tools: %j', async (place, onlyTools) => {
    const csv = largeCsv()
    await putFile(server.url, '/data/large.csv', csv)
    const from = performance.now()
    const stage = await open(place, 'customers', { onlyTools })
    const { app } = stage
    await app.getByText('100,000 rows').waitFor()
    const loaded = performance.now() - from
    const frame = await stage.frame()
    await frame.evaluate(watchPauses)
    const naive = await frame.evaluate(workAtOnce, csv)
    // The watch sees a task that is long.
    expect(await frame.evaluate(takeLongestPause)).toBeGreaterThan(naive / 2)

    await putFile(server.url, '/data/large.csv', `${csv}new,Customer,,,\n`)
    await app.getByText('100,001 rows').waitFor()
    await app.getByRole('button', { name: 'name' }).click()
    await expect.poll(() => firstRow(frame)).toContain('newCustomer')
    await app.getByRole('searchbox').fill('customer 99')
    await app.getByText(/of 100,001 rows/).waitFor()
    await app.getByRole('searchbox').fill('')
    await app.getByText(/^100,001 rows/).waitFor()
    await app.getByRole('button', { name: 'name' }).click()
    await app.getByRole('button', { name: 'name' }).click()
    const { idle, scrolling, last } = await frame.evaluate(scroll)
    const longest = await frame.evaluate(takeLongestPause)
    console.info(`${place}, only tools: ${onlyTools}`, { loaded, naive, longest, idle, scrolling })

    expect(last).toContain(`Select row ${LARGE_ROWS + 1}`)
    expect(loaded).toBeLessThan(Math.max(15_000, 30 * naive))
    expect(longest).toBeLessThan(Math.max(150, naive / 2))
    expect(scrolling).toBeLessThan(2 * idle + 17)
    await stage.close()
  })
})

/** What a page does that works in one piece: the baseline of long tasks. Returns milliseconds. */
function workAtOnce(csv: string): number {
  const from = performance.now()
  const rows = csv.split('\n').map((line) => line.split(','))
  rows.sort(([, a = ''], [, b = '']) => a.localeCompare(b))
  rows.filter((row) => row.some((cell) => cell.toLowerCase().includes('customer 99')))
  return performance.now() - from
}

const firstRow = (frame: Frame) =>
  frame.evaluate(() => document.querySelector('[aria-rowindex="2"]')?.textContent ?? '')

/** Scrolls through the whole table. Returns the median time of a frame without and with it. */
async function scroll() {
  const grid = document.querySelector('.grid')
  if (!grid) throw new Error('There is no grid')
  const medianOf = async (step: (share: number) => void) => {
    const times: number[] = []
    let before = performance.now()
    for (let count = 0; count <= 60; count++) {
      step(count / 60)
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      times.push(now - before)
      before = now
    }
    return times.toSorted((a, b) => a - b)[30] ?? 0
  }
  const idle = await medianOf(() => {})
  const scrolling = await medianOf((share) => (grid.scrollTop = share * grid.scrollHeight))
  await new Promise((resolve) => void setTimeout(resolve, 200))
  const last = [...grid.querySelectorAll('.grid-body input')].map((input) => input.ariaLabel).join()
  return { idle, scrolling, last }
}

/** Measures from now on for how long the page runs no other task. */
function watchPauses(): void {
  const pauses = { longest: 0, before: performance.now() }
  Object.assign(globalThis, { pauses })
  const tick = () => {
    const now = performance.now()
    pauses.longest = Math.max(pauses.longest, now - pauses.before)
    pauses.before = now
    setTimeout(tick)
  }
  tick()
}

/** Returns the longest pause since the last time that it was asked for. */
async function takeLongestPause(): Promise<number> {
  await new Promise((resolve) => void setTimeout(resolve, 50))
  const pauses = Reflect.get(globalThis, 'pauses') as { longest: number }
  const { longest } = pauses
  pauses.longest = 0
  return longest
}
