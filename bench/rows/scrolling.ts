/**
 * Scrolling 100,000 rows in the console's file browser, beside a page of the same height that has only a background.
 *
 * A script moves the list in every frame: as far as a fast wheel does, and as far as a drag of the scroll bar does, so
 * that every frame has other rows. The gap between two frames is a multiple of 16.7 ms, and a longer one is a dropped
 * frame. After each frame the rows of the previous position must be there.
 *
 * @module
 */

import type { Frame, Page } from 'playwright'
import { z } from 'zod'
import { findApp, startBrowser, usePage, watchWork, type Work } from '../chromium.ts'
import { FOLDER, startConsole } from '../console.ts'
import type { Figure } from '../../scripts/figure.ts'
import { summariseFrames, type Gaps, type Summary } from '../frames.ts'
import { median } from '../median.ts'
import type { Context, Row } from '../row.ts'

/** Height of a row of the file browser in CSS pixels. */
const ROW = 28

/** Frames of one round. */
const FRAMES = 60

/** CSS pixels of one frame, in a list of this height. */
const SPEEDS: Readonly<Record<string, (height: number) => number>> = {
  wheel: () => 120,
  'scroll bar': (height) => height / FRAMES,
}

/** The row of scrolling. */
export const rows: Row[] = [
  {
    name: 'scrolling',
    goal: '60 frames per second',
    limit:
      'Style, layout and painting: a fast wheel brings five rows into each frame, the scroll bar all 40.',
    run: measureScrolling,
  },
]

async function measureScrolling(context: Context): Promise<Figure[]> {
  const { manyFiles } = context.scale
  const own = await startConsole(context, manyFiles, { '/tall': tallPage(manyFiles) })
  const browser = await startBrowser()
  try {
    return await usePage(browser, async (page) => {
      const view = await openFolder(page, own.url('#/files/browser'), manyFiles)
      return usePage(browser, async (tall) => {
        await tall.goto(own.site.url('/tall'))
        return compare(context, {
          view: await contend(page, view),
          tall: await contend(tall, tall.mainFrame()),
        })
      })
    })
  } finally {
    await browser.close()
    await own.stop()
  }
}

/** Opens the folder and loads all of its pages, by a key that goes to the last row. */
async function openFolder(page: Page, url: string, files: number): Promise<Frame> {
  await page.goto(url)
  const view = await findApp(page, '[role=treeitem]')
  await view.getByRole('treeitem', { name: FOLDER }).click()
  await view.getByRole('treeitem', { name: 'file-000000.txt' }).waitFor()
  await view.getByRole('treeitem', { name: FOLDER }).press('End')
  const last = `file-${String(files - 1).padStart(6, '0')}.txt`
  await view.getByRole('treeitem', { name: last }).waitFor({ timeout: 120_000 })
  return view
}

interface Contender {
  readonly page: Page
  readonly frame: Frame
  readonly readWork: () => Promise<Work>
}

type Contenders = Readonly<Record<'view' | 'tall', Contender>>

/** The frame of an app belongs to the process of the sandbox around it. */
async function contend(page: Page, frame: Frame): Promise<Contender> {
  return { page, frame, readWork: await watchWork(frame.parentFrame() ?? page) }
}

async function compare({ scale }: Context, contenders: Contenders): Promise<Figure[]> {
  const figures: Figure[] = []
  const rounds = Math.min(scale.rounds, 3)
  for (const [speed, stepIn] of Object.entries(SPEEDS)) {
    const { view, tall } = await interleave(rounds, contenders, stepIn(scale.manyFiles * ROW))
    const work = `file browser, scrolling ${scale.manyFiles.toLocaleString('en-US')} files by ${speed}`
    figures.push(...figuresOf(work, view, tall))
  }
  return figures
}

/** What rounds of scrolling came to. */
interface Result extends Summary {
  /** CPU milliseconds of the main thread for each frame. */
  readonly tasks: number
}

function figuresOf(work: string, view: Result, tall: Result): Figure[] {
  const name = 'page of the same height'
  return [
    {
      work,
      unit: 'frames/s',
      edgewise: view.rate,
      baseline: { name, value: tall.rate },
      goal: { ratioAtLeast: 0.95 },
    },
    {
      work: `${work}, 95th percentile of a frame`,
      unit: 'ms',
      edgewise: view.late,
      baseline: { name, value: tall.late },
      goal: { under: 17 },
    },
    {
      work: `${work}, main thread for a frame, CPU`,
      unit: 'ms',
      edgewise: view.tasks,
      baseline: { name, value: tall.tasks },
      goal: { under: 1000 / 60 },
    },
  ]
}

/** Scrolls both in turns; a first round for warming up does not count. */
async function interleave(rounds: number, { view, tall }: Contenders, step: number) {
  const taken = { view: new Array<Round>(), tall: new Array<Round>() }
  for (let round = 0; round <= rounds; round++) {
    const both = { view: await scroll(view, step), tall: await scroll(tall, step) }
    if (round === 0) continue
    taken.view.push(both.view)
    taken.tall.push(both.tall)
  }
  return { view: summarise(taken.view), tall: summarise(taken.tall) }
}

interface Round {
  readonly gaps: Gaps
  readonly tasks: number
}

function summarise(rounds: readonly Round[]): Result {
  const tasks = median(rounds.map((round) => round.tasks))
  return { ...summariseFrames(rounds.map(({ gaps }) => gaps)), tasks }
}

const Gap = z.array(z.number())

/** Scrolls from the top; the page is brought to the front, because hidden pages draw no frames. */
async function scroll({ page, frame, readWork }: Contender, step: number): Promise<Round> {
  await page.bringToFront()
  const before = await readWork()
  const gaps = Gap.parse(
    await frame.evaluate(`(async () => {
      const list = document.querySelector('[role=tree]')
      const nextFrame = () => new Promise(requestAnimationFrame)
      const hasRows = () => {
        const { left, top, height } = list.getBoundingClientRect()
        return [2, height / 2, height - 2].every((y) =>
          document.elementFromPoint(left + 60, top + y)?.closest('[role=treeitem]'))
      }
      list.scrollTop = 0
      await nextFrame()
      let last = await nextFrame()
      const gaps = []
      for (let frame = 0; frame < ${FRAMES}; frame++) {
        list.scrollTop += ${step}
        const now = await nextFrame()
        gaps.push(now - last)
        last = now
        if (!hasRows()) throw new Error('There are no rows at ' + list.scrollTop)
      }
      return gaps
    })()`),
  )
  const { tasks } = await readWork()
  return { gaps, tasks: (tasks - before.tasks) / FRAMES }
}

/** One element with a background of stripes, which the check above takes for rows. */
function tallPage(files: number): string {
  const stripes = `repeating-linear-gradient(#fff 0 ${ROW}px, #eee ${ROW}px ${2 * ROW}px)`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tall</title>
    <style>body{margin:0}[role=tree]{height:100vh;overflow:auto}
    [role=treeitem]{height:${files * ROW}px;background:${stripes}}</style>
    <div role="tree"><div role="treeitem"></div></div></html>`
}
