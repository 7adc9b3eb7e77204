/**
 * The first visit to the console and to its file browser: when something is painted, when there is something to use, and
 * how long scripts run until then.
 *
 * Nothing is cached, neither files nor compiled code. The baselines are a page without scripts that shows one sentence,
 * which is the least that a browser does for a page, and the web interface of the MCP Inspector. All files come from the
 * same process.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import type { Browser, Frame, Page } from 'playwright'
import { z } from 'zod'
import { inProject } from '../../scripts/settings.ts'
import { findApp, startBrowser, usePage, watchProcesses, watchWork } from '../chromium.ts'
import { FOLDER, startConsole } from '../console.ts'
import type { Figure } from '../../scripts/figure.ts'
import { median } from '../median.ts'
import type { Context, Row } from '../row.ts'
import { startSite } from '../site.ts'

const PEER = 'node_modules/@modelcontextprotocol/inspector'
const Manifest = z.object({ version: z.string() })
const FILES = 200
const PLAIN =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Plain</title><p>One sentence.</p>'

/** The row of the console. */
export const rows: Row[] = [
  {
    name: 'console',
    goal: 'painted before the MCP Inspector, with less script and less CPU time',
    limit:
      'Parsing and running the script of all pages; the file browser also waits for the connection, for its own HTML, and for two frames, each in a process of its own.',
    run: measureVisits,
  },
]

/** What is measured of one visit, in milliseconds since its start. */
interface Visit {
  readonly paint: number
  readonly ready: number
  /** CPU time of scripts in the page itself. */
  readonly script: number
  /** CPU time of the page and its frames, in all threads. */
  readonly cpu: number
}

/** Opens a page, and returns when it painted and when it was ready. */
type Visitor = (page: Page) => Promise<Pick<Visit, 'paint' | 'ready'>>

async function measureVisits(context: Context): Promise<Figure[]> {
  const own = await startConsole(context, FILES, { '/plain': PLAIN })
  const inspector = await startSite(inProject(PEER, 'clients/web/dist'))
  const browser = await startBrowser()
  try {
    const visits = await interleaveVisits(browser, Math.min(context.scale.rounds, 3), {
      plain: (page) => visit(page, own.site.url('/plain'), 'p'),
      inspector: (page) => visit(page, inspector.url('/'), '#root button'),
      console: (page) => visit(page, own.url(''), `main :text("${FOLDER}")`),
      files: (page) => visitApp(page, own.url('#/files/browser'), '[role=treeitem]'),
    })
    return figuresOf(visits)
  } finally {
    await Promise.all([browser.close(), own.stop()])
    inspector.stop()
  }
}

type Visits = Readonly<Record<'plain' | 'inspector' | 'console' | 'files', Visit>>

function figuresOf({ plain, inspector, console, files }: Visits): Figure[] {
  const manifest = readFileSync(inProject(PEER, 'package.json'), 'utf8')
  const peer = `MCP Inspector ${Manifest.parse(JSON.parse(manifest)).version}`
  const beside = (work: string, edgewise: number, name: string, value: number): Figure => {
    return { work, unit: 'ms', edgewise, baseline: { name, value } }
  }
  const ahead = { ratioAtMost: 1 }
  return [
    beside('console, first paint', console.paint, 'page of one sentence', plain.paint),
    { ...beside('console, first paint', console.paint, peer, inspector.paint), goal: ahead },
    { ...beside('console, script, CPU', console.script, peer, inspector.script), goal: ahead },
    { ...beside('console, page, CPU', console.cpu, peer, inspector.cpu), goal: ahead },
    beside('console, connected', console.ready, `${peer}, without a server`, inspector.ready),
    beside('file browser, first paint', files.paint, 'page of one sentence', plain.paint),
    beside('file browser, first rows', files.ready, 'overview of the console', console.ready),
    beside('file browser, page and frames, CPU', files.cpu, 'overview of the console', console.cpu),
  ]
}

/** Visits each in turn; a first round for warming up the servers does not count. */
async function interleaveVisits(
  browser: Browser,
  rounds: number,
  visitors: Readonly<Record<keyof Visits, Visitor>>,
): Promise<Visits> {
  const taken: Visits[] = []
  for (let round = 0; round <= rounds; round++) {
    const { plain, inspector, console, files } = visitors
    const visits = {
      plain: await watch(browser, plain),
      inspector: await watch(browser, inspector),
      console: await watch(browser, console),
      files: await watch(browser, files),
    }
    if (round > 0) taken.push(visits)
  }
  const middle = (name: keyof Visits) => medianVisit(taken.map((visits) => visits[name]))
  return {
    plain: middle('plain'),
    inspector: middle('inspector'),
    console: middle('console'),
    files: middle('files'),
  }
}

function medianVisit(visits: readonly Visit[]): Visit {
  const middle = (name: keyof Visit) => median(visits.map((one) => one[name]))
  return {
    paint: middle('paint'),
    ready: middle('ready'),
    script: middle('script'),
    cpu: middle('cpu'),
  }
}

function watch(browser: Browser, visitor: Visitor): Promise<Visit> {
  return usePage(browser, async (page) => {
    const readWork = await watchWork(page)
    const readProcesses = await watchProcesses(browser)
    const visited = await visitor(page)
    return { ...visited, script: (await readWork()).script, cpu: await readProcesses() }
  })
}

async function visit(page: Page, url: string, selector: string) {
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator(selector).first().waitFor()
  const ready = await page.evaluate<number>('performance.now()')
  return { paint: await paintOf(page.mainFrame()), ready }
}

/** The start of the visit is that of the page; the paint is that of the app's frame. */
async function visitApp(page: Page, url: string, selector: string) {
  await page.goto(url, { waitUntil: 'commit' })
  const frame = await findApp(page, selector)
  const ready = await page.evaluate<number>('performance.now()')
  const start = await page.evaluate<number>('performance.timeOrigin')
  const frameStart = await frame.evaluate<number>('performance.timeOrigin')
  const paint = frameStart - start + (await paintOf(frame))
  return { paint, ready }
}

/** Returns the milliseconds from the start of a frame's document to its first content. */
function paintOf(frame: Frame): Promise<number> {
  return frame.evaluate<number>(`new Promise((resolve) =>
    new PerformanceObserver((list) => {
      const entry = list.getEntriesByName('first-contentful-paint')[0]
      if (entry) resolve(entry.startTime)
    }).observe({ type: 'paint', buffered: true }))`)
}
