/**
 * The review of a large draft in the console: when the first changed line is on the screen, beside reading the JSON of the
 * draft in the same page.
 *
 * @module
 */

import type { Page } from 'playwright'
import { z } from 'zod'
import { startBrowser, usePage } from '../chromium.ts'
import { startConsole } from '../console.ts'
import { createWrites, holdChanges, readDraft, sendAll, take } from '../drafts.ts'
import type { Figure } from '../../scripts/figure.ts'
import { interleave } from '../median.ts'
import type { Context, Row } from '../row.ts'

const CHANGES = 4_000

/** The row of the review page. */
export const rows: Row[] = [
  {
    name: 'review',
    goal: 'the first difference within 1.2 times the JSON of the draft',
    limit: 'The page needs the JSON, then the difference of the first file, and a frame.',
    tried:
      'The review is built once for the page and the files that it opens, and files far from the window are left out of the layout.',
    run: measureReview,
  },
]

async function measureReview(context: Context): Promise<Figure[]> {
  const changes = Math.min(CHANGES, context.scale.treeFiles)
  const own = await startConsole(context, 1, {})
  const browser = await startBrowser()
  try {
    await holdChanges(own.server)
    await sendAll(own.server, take(createWrites(own.server, 'review'), changes))
    const { id } = await readDraft(own.server)
    return await usePage(browser, async (page) => {
      await page.goto(own.url('#/activity'))
      await page.locator('main h1').first().waitFor()
      return figuresOf(changes, await compare(context, page, id))
    })
  } finally {
    await browser.close()
    await own.stop()
  }
}

const compare = ({ scale }: Context, page: Page, draft: string) =>
  interleave(scale.rounds, {
    edgewise: () => openReview(page, draft),
    baseline: () => readJson(page, draft),
  })

function figuresOf(
  changes: number,
  { edgewise, baseline }: Readonly<Record<'edgewise' | 'baseline', number>>,
): Figure[] {
  const count = changes.toLocaleString('en')
  return [
    {
      work: `review page of a draft of ${count} changes, until the first changed line is drawn`,
      unit: 'ms',
      edgewise,
      baseline: { name: 'its JSON, read in the same page', value: baseline },
      goal: { ratioAtMost: 1.2 },
    },
  ]
}

/** Opens the page of a draft, and returns the milliseconds until a changed line is there. */
async function openReview(page: Page, draft: string): Promise<number> {
  await page.goto(page.url().replace(/#.*/, '#/activity'))
  await page.locator('.draft').waitFor({ state: 'detached' })
  return timed(
    page,
    `location.hash = '#/waiting/${draft}'
     while (!document.querySelector('.draft tr.i')) await new Promise(requestAnimationFrame)`,
  )
}

/** Reads the JSON of a draft in the page. */
const readJson = (page: Page, draft: string) =>
  timed(page, `await (await fetch('/drafts/${draft}')).json()`)

/** Runs a script in a page, and returns how many milliseconds it took. */
async function timed(page: Page, script: string): Promise<number> {
  const run = `(async () => { const start = performance.now(); ${script}; return performance.now() - start })()`
  return z.number().parse(await page.evaluate(run))
}
