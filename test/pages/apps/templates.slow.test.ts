/** All templates in all places, with the pointer, with 100,000 rows, and in every look. */

import type { Frame } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  LARGE_ROWS,
  largeCsv,
  serveLarge,
  serveSamples,
  TASK,
} from '../../support/pages/app-samples.ts'
import { PLACES, takePicture, useStages } from '../../support/pages/app-stages.ts'
import { putFile, readText } from '../../support/pages/console-actions.ts'

const { server, open } = useStages()

beforeAll(async () => {
  await serveSamples(server)
  await serveLarge(server)
})

/** What each app shows of its files. */
const SHOWN = [
  ['results', '40 rows'],
  ['tasks', 'Plan the trip'],
  ['people', 'Member'],
  ['tree', 'wash.md'],
  ['changes', 'const a = 2'],
  ['run', '75 %'],
] as const

describe.each(PLACES)('in %s', (place) => {
  it.each(SHOWN)('%s shows %j, and its title', async (name, text) => {
    const stage = await open(place, name)
    await stage.app.getByText(text).first().waitFor()
    const title = await stage.app.getByRole('heading', { level: 1 }).innerText()
    expect(await (await stage.frame()).title()).toBe(title)
    await takePicture(stage, `${name}-${place.replaceAll(/\W/g, '-')}`)
    await stage.close()
  })

  it('a board moves a task with the pointer', async () => {
    await putFile(server.url, '/tasks/paint.md', TASK)
    const stage = await open(place, 'tasks')
    const { app } = stage
    const card = app.getByRole('article', { name: 'Paint the fence' })
    await card.dragTo(app.getByRole('region', { name: /^Done/ }))
    await stage.answer('Allow')
    await app.getByText('Moved to Done').waitFor()
    expect(await readText(server.url, '/tasks/paint.md')).toBe(TASK.replace('todo', 'done'))
    await stage.close()
  })
})

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

const LOOKS = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 400],
  ['dark', 400],
] as const

describe.each(LOOKS)('%s, %d pixels', (colorScheme, width) => {
  const CASES = PLACES.slice(0, 2).flatMap((place) =>
    (['results', 'tasks', 'customers'] as const).map((name) => [place, name] as const),
  )

  it.each(CASES)('in %s: %s is as wide as its frame', async (place, name) => {
    const viewport = { width, height: 900 }
    const stage = await open(place, name, { viewport, colorScheme })
    await stage.app
      .getByText(/Paint the|rows/)
      .first()
      .waitFor()
    await takePicture(stage, `${name}-${place.replaceAll(/\W/g, '-')}-${colorScheme}-${width}`)
    const wide = await (
      await stage.frame()
    ).evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wide).toBeLessThanOrEqual(0)
    await stage.close()
  })
})

it('shows in forced colours how far work is', async () => {
  const stage = await open('the console', 'run', { forcedColors: 'active' })
  const bar = stage.app.getByRole('progressbar')
  const colours = await bar.evaluate((track) => {
    const [fill] = track.children
    const page = getComputedStyle(document.body).backgroundColor
    return { page, fill: fill && getComputedStyle(fill).backgroundColor }
  })
  expect(colours.fill).not.toBe(colours.page)
  expect(await bar.evaluate((track) => getComputedStyle(track).outlineStyle)).toBe('solid')
  await stage.close()
})
