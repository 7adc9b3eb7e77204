/**
 * The WebMCP polyfill beside Chromium's own WebMCP and another polyfill, each in a fresh page: registering, listing and
 * calling tools, the memory of a tool, and the bytes that a page loads.
 *
 * Chromium has its own behind the feature `WebMCP`. Up to version 154 it takes arguments as text, like the peer, whose
 * responses do not wait for the tasks that the specification requires.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright'
import { z } from 'zod'
import { ASSETS_FOLDER } from '../../scripts/built.ts'
import { inProject } from '../../scripts/settings.ts'
import { heapOf, startBrowser, usePage } from '../chromium.ts'
import type { Figure } from '../../scripts/figure.ts'
import { interleave } from '../median.ts'
import type { Row } from '../row.ts'
import { startSite, type Site } from '../site.ts'

const PEER = '@mcp-b/webmcp-polyfill'
const peerFile = (file: string) => readFileSync(inProject('node_modules', PEER, file), 'utf8')
const Manifest = z.object({ version: z.string() })
const PEER_TITLE = `${PEER} ${Manifest.parse(JSON.parse(peerFile('package.json'))).version}`

const WORKS: Readonly<Record<string, string>> = {
  'register and abort': `const over = new AbortController()
    await context.registerTool(tool('t' + i), { signal: over.signal })
    over.abort()`,
  'list 20 tools': 'await context.getTools()',
  'call a tool': 'answer = await context.executeTool(one, input)',
}

/** Milliseconds of one round, because the contenders differ by orders of magnitude. */
const ROUND_MS = 200

/** Tools of the measurement of memory. */
const TOOLS = 1_000

/** The rows of the polyfill. */
export const rows: Row[] = [
  {
    name: 'webmcp',
    goal: 'call at most 1.5 times the time of native, and ahead of the other polyfill in speed and size',
    limit:
      'The tasks that the specification requires between a call and its events, and JSON of arguments; native sends each call through the process of the browser. Memory: what a list shows of a tool is kept as text with its origin, so a list costs only parsing.',
    async run({ scale: { rounds } }) {
      const site = await startSite(ASSETS_FOLDER, { '/': '<!doctype html>' })
      const contest = await openContest(site)
      try {
        return [...(await speeds(contest, rounds)), ...(await memory(contest)), contest.size]
      } finally {
        await Promise.all([contest.scripted.close(), contest.native.close()])
        site.stop()
      }
    },
  },
]

/** A page with one implementation. */
interface Contender {
  readonly browser: Browser
  readonly url: string
  /** The polyfill, if it is one. */
  readonly script: string
  /** The arguments of a call as an expression. */
  readonly input: string
}

async function openContest(site: Site) {
  const url = site.url('/')
  const [scripted, native] = [await startBrowser(), await startBrowser({ native: true })]
  const own = readFileSync(`${ASSETS_FOLDER}/webmcp-core.js`, 'utf8')
  const peer = peerFile('dist/index.iife.js')
  const text = `'{"q":1}'`
  const takesText = Number.parseInt(native.version(), 10) < 155
  return {
    scripted,
    native,
    title: `native, Chromium ${Number.parseInt(native.version(), 10)}`,
    contenders: {
      edgewise: { browser: scripted, url, script: own, input: '{ q: 1 }' },
      peer: { browser: scripted, url, script: peer, input: text },
      native: { browser: native, url, script: '', input: takesText ? text : '{ q: 1 }' },
    },
    size: sizes(own, peer),
  }
}

type Contest = Awaited<ReturnType<typeof openContest>>

async function speeds({ contenders, title }: Contest, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, code] of Object.entries(WORKS)) {
    const { edgewise, peer, native } = await interleave(rounds, {
      edgewise: () => measureTime(contenders.edgewise, code),
      peer: () => measureTime(contenders.peer, code),
      native: () => measureTime(contenders.native, code),
    })
    const common = { work: `WebMCP: ${name}`, unit: 'µs', edgewise } as const
    figures.push(
      { ...common, baseline: { name: title, value: native }, goal: { ratioAtMost: 1.5 } },
      { ...common, baseline: { name: PEER_TITLE, value: peer }, goal: { ratioAtMost: 1 } },
    )
  }
  return figures
}

async function open(page: Page, { url, script }: Contender): Promise<void> {
  await page.goto(url)
  if (script) await page.addScriptTag({ content: script })
}

/** Measures the microseconds of one repetition in a page that contains only the script. */
function measureTime(contender: Contender, code: string): Promise<number> {
  return usePage(contender.browser, async (page) => {
    await open(page, contender)
    return page.evaluate<number>(`(async () => {
      const context = document.modelContext
      const input = ${contender.input}
      ${DEFINE_TOOL}
      for (let i = 0; i < 20; i++) await context.registerTool(tool('tool' + i))
      const [one] = await context.getTools()
      let answer = 'done'
      const work = async (i) => { ${code} }
      const measure = async (milliseconds) => {
        const start = performance.now()
        let times = 0, elapsed = 0
        for (; elapsed < milliseconds; elapsed = performance.now() - start)
          for (let i = 0; i < 10; i++) await work(times++)
        return elapsed * 1000 / times
      }
      await measure(${ROUND_MS / 4})
      const time = await measure(${ROUND_MS})
      if (answer !== 'done') throw new Error('The call returned ' + answer)
      return time
    })()`)
  })
}

const DEFINE_TOOL = `const schema = { type: 'object', properties: { q: { type: 'number' } } }
  const tool = (name) => ({ name, description: 'A tool', inputSchema: schema, execute: () => 'done' })`

/** A heap does not depend on other load, so one round is enough. */
async function memory({ contenders, title }: Contest): Promise<Figure[]> {
  const edgewise = await measureHeap(contenders.edgewise)
  const common = { work: 'WebMCP: script heap of one tool', unit: 'bytes', edgewise } as const
  const native = await measureHeap(contenders.native)
  const peer = await measureHeap(contenders.peer)
  return [
    // Native tools are outside of the heap of scripts.
    { ...common, baseline: { name: title, value: native } },
    { ...common, baseline: { name: PEER_TITLE, value: peer } },
  ]
}

/** Returns the bytes of one registered tool. */
function measureHeap(contender: Contender): Promise<number> {
  return usePage(contender.browser, async (page) => {
    await open(page, contender)
    await page.evaluate(`(() => {
      ${DEFINE_TOOL}
      globalThis.register = async (from, to) => {
        for (let i = from; i < to; i++) await document.modelContext.registerTool(tool('tool' + i))
      }
    })()`)
    await page.evaluate('register(0, 10)')
    const before = await heapOf(page)
    await page.evaluate(`register(10, ${10 + TOOLS})`)
    return ((await heapOf(page)) - before) / TOOLS
  })
}

function sizes(own: string, peer: string): Figure {
  const bytes = (text: string) => gzipSync(text, { level: 9 }).length
  return {
    work: 'WebMCP: core, gzip',
    unit: 'bytes',
    edgewise: bytes(own),
    baseline: { name: PEER_TITLE, value: bytes(peer) },
    goal: { ratioAtMost: 1 },
  }
}
