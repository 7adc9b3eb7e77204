/**
 * The WebMCP polyfill against another one, each in a fresh page of the same browser: registering,
 * listing and calling tools, and the bytes that a page loads.
 *
 * The peer takes arguments as text, and responds without the tasks that the specification requires.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { chromium, type Browser } from 'playwright'
import { ASSETS_FOLDER, buildArtefacts } from '../../scripts/artefacts.ts'
import { findBrowser } from '../../scripts/browser.ts'
import { inProject } from '../../scripts/settings.ts'
import type { Figure } from '../figure.ts'
import { interleave } from '../median.ts'
import type { Row } from '../row.ts'

const PEER = '@mcp-b/webmcp-polyfill'

interface Work {
  readonly code: string
  /** Repetitions in one round, so that a round is long enough to measure. */
  readonly times: number
}

const WORKS: Readonly<Record<string, Work>> = {
  'register and abort': {
    code: `const over = new AbortController()
      await context.registerTool(tool('t' + i), { signal: over.signal })
      over.abort()`,
    times: 1_000,
  },
  'list 20 tools': { code: 'await context.getTools()', times: 1_000 },
  'call a tool': { code: 'await context.executeTool(one, input)', times: 20_000 },
}

/** The row of the polyfill. */
export const rows: Row[] = [
  {
    name: 'webmcp',
    goal: 'ahead of the other polyfill, in speed and in size',
    limit: 'The tasks that the specification requires between a call and its events.',
    async run({ scale: { rounds } }) {
      await buildArtefacts()
      const own = readFileSync(`${ASSETS_FOLDER}/webmcp-core.js`, 'utf8')
      const peer = readFileSync(inProject('node_modules', PEER, 'dist/index.iife.js'), 'utf8')
      const { executable, env } = await findBrowser()
      const browser = await chromium.launch({
        executablePath: executable,
        args: ['--no-sandbox'],
        env,
      })
      const site = createServer((_, answer) => answer.end('<!doctype html>')).listen(0, '127.0.0.1')
      await once(site, 'listening')
      const address = site.address()
      const url = `http://localhost:${typeof address === 'object' ? address?.port : 0}/`
      try {
        return [...(await speeds({ browser, url, own, peer, rounds })), sizes(own, peer)]
      } finally {
        await browser.close()
        site.close()
      }
    },
  },
]

interface Contest {
  readonly browser: Browser
  readonly url: string
  readonly own: string
  readonly peer: string
  readonly rounds: number
}

async function speeds({ browser, url, own, peer, rounds }: Contest): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, work] of Object.entries(WORKS)) {
    const measured = await interleave(rounds, {
      edgewise: () => rate(browser, url, own, work, '{ q: 1 }'),
      peer: () => rate(browser, url, peer, work, `'{"q":1}'`),
    })
    figures.push({
      work: `WebMCP: ${name}`,
      unit: 'calls/s',
      edgewise: measured.edgewise,
      baseline: { name: PEER, value: measured.peer },
      goal: { ratioAtLeast: 1 },
    })
  }
  return figures
}

/** Measures calls per second in a page that contains only the script. */
async function rate(
  browser: Browser,
  url: string,
  script: string,
  { code, times }: Work,
  input: string,
) {
  const page = await browser.newPage()
  await page.goto(url)
  await page.addScriptTag({ content: script })
  const perSecond = await page.evaluate<number>(`(async () => {
    const context = document.modelContext
    const input = ${input}
    const schema = { type: 'object', properties: { q: { type: 'number' } } }
    const tool = (name) => ({ name, description: 'A tool', inputSchema: schema, execute: () => 'done' })
    for (let i = 0; i < 20; i++) await context.registerTool(tool('tool' + i))
    const [one] = await context.getTools()
    const work = async (i) => { ${code} }
    for (let i = 0; i < ${times / 10}; i++) await work(i)
    const start = performance.now()
    for (let i = 0; i < ${times}; i++) await work(i)
    return ${times} / ((performance.now() - start) / 1000)
  })()`)
  await page.close()
  return perSecond
}

function sizes(own: string, peer: string): Figure {
  const bytes = (text: string) => gzipSync(text, { level: 9 }).length
  return {
    work: 'WebMCP: core, gzip',
    unit: 'bytes',
    edgewise: bytes(own),
    baseline: { name: PEER, value: bytes(peer) },
    goal: { ratioAtMost: 1 },
  }
}
