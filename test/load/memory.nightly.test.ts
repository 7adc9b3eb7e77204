/**
 * Memory while a large workspace is imported, searched and exported: the heap is held to the 128 MB of
 * a Durable Object, and the resident set of raw workerd stays bounded, whatever the workspace's size.
 * Workerd on a large machine collects buffers late, so the resident set is no measure of what the object
 * would need at the edge.
 */

import { readFileSync } from 'node:fs'
import { createTarPacker } from 'modern-tar'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSourceText } from '../../bench/source-text.ts'
import { startWorkerd, stop, type Server } from '../../bench/workerd.ts'
import { buildIfOld } from '../../scripts/build.ts'
import { workerModules } from '../../scripts/built.ts'

const FILES = Number(process.env['MEMORY_FILES'] ?? 100_000)
const FILE_BYTES = 10_700
const LARGE = { files: 20, bytes: 5 * 1024 * 1024 }

/** V8 ends a process whose objects outgrow this, so passing shows that they never did. */
const HEAP_MIB = 128

/** The rest is buffers that wait for the collector, SQLite's cache and the runtime's streams. */
const MAX_GROWTH = 512 * 1024 * 1024

let server: Server
let idle: number

beforeAll(async () => {
  await buildIfOld()
  const v8Flags = [`--max-old-space-size=${HEAP_MIB}`]
  const spec = { modules: workerModules(), className: 'Workspace', binding: 'WORKSPACE', v8Flags }
  server = await startWorkerd('memory', spec)
  await (await fetch(server.url('/status'))).text()
  idle = resident()
})

afterAll(() => stop(server))

/** Bytes of the process that are in memory. */
function resident(): number {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

/** Runs work, and answers by how much the process has grown at the most. */
async function growthDuring<T>(work: () => Promise<T>): Promise<{ value: T; growth: number }> {
  let most = 0
  const sample = setInterval(() => (most = Math.max(most, resident() - idle)), 20)
  try {
    return { value: await work(), growth: most }
  } finally {
    clearInterval(sample)
  }
}

function archive(): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker()
  const text = createSourceText(7)
  const encoder = new TextEncoder()
  const add = async (name: string, content: Uint8Array) => {
    const writer = controller.add({ name, size: content.length, type: 'file' }).getWriter()
    await writer.write(content)
    await writer.close()
  }
  const fill = async () => {
    for (let at = 0; at < FILES; at++)
      await add(`d${at % 500}/f${at}.ts`, encoder.encode(`// ${at}\n${text(FILE_BYTES)}`))
    for (let at = 0; at < LARGE.files; at++)
      await add(`large/${at}`, new Uint8Array(LARGE.bytes).fill(at))
    controller.finalize()
  }
  fill().catch((error: unknown) => controller.error(error))
  return readable
}

it('stays bounded while 1 GiB is imported, searched and exported', async () => {
  const report: Record<string, string> = {}
  const note = (phase: string, growth: number) => {
    report[phase] =
      `${Math.round(growth / 1024 / 1024)} MiB over ${Math.round(idle / 1024 / 1024)} MiB`
  }
  const imported = await growthDuring(async () => {
    const init = { method: 'POST', body: archive(), duplex: 'half' }
    const response = await fetch(server.url('/import'), init as RequestInit)
    return response.json()
  })
  note('import', imported.growth)
  expect(imported.value).toMatchObject({ files: FILES + LARGE.files, skipped: 0 })

  const exported = await growthDuring(async () => {
    let bytes = 0
    const { body } = await fetch(server.url('/export'))
    for await (const chunk of body ?? []) bytes += chunk.length
    return bytes
  })
  note('export', exported.growth)
  expect(exported.value).toBeGreaterThan(FILES * FILE_BYTES)

  const searched = await growthDuring(async () => {
    const response = await fetch(server.url('/mcp'), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'search_files', arguments: { pattern: 'no such text [0-9]{3}' } },
      }),
    })
    return response.text()
  })
  note('search', searched.growth)
  expect(searched.value).toContain('structuredContent')

  console.log(report)
  const growths = [imported.growth, exported.growth, searched.growth]
  for (const growth of growths) expect(growth).toBeLessThan(MAX_GROWTH)
})
