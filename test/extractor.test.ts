/** The process that reads documents on this machine: what takes too long or too much ends there, and only there. */

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { createExtractor } from '../scripts/extractor.ts'

const folder = mkdtempSync(join(tmpdir(), 'edgewise-extractor-'))
const module = join(folder, 'extract.mjs')
writeFileSync(
  module,
  `import { writeFileSync } from 'node:fs'
  export async function extractText(bytes, { format, isIsolated }) {
    if (format === 'pid') writeFileSync(import.meta.filename + '.pid', String(process.pid))
    if (format === 'endless' || format === 'pid') for (;;);
    if (format === 'large') for (const all = []; ; ) all.push(new Array(1e6).fill(all.length))
    if (format === 'exit') process.exit(1)
    if (format === 'later') setTimeout(() => process.exit(1), 10)
    return { ok: true, format, isIsolated, bytes: bytes.length }
  }`,
)
const extractor = createExtractor({ maxMs: 8_000, module })

afterAll(() => {
  extractor.end()
  rmSync(folder, { recursive: true })
})

const read = async (format: string): Promise<unknown> =>
  JSON.parse((await extractor.read({ bytes: new Uint8Array(3), format })) ?? 'null')

it('reads documents one after the other', async () => {
  const found = await Promise.all([read('pdf'), read('docx')])
  expect(found).toEqual([
    { ok: true, format: 'pdf', isIsolated: true, bytes: 3 },
    { ok: true, format: 'docx', isIsolated: true, bytes: 3 },
  ])
})

it.each(['large', 'exit', 'endless'])(
  'refuses one that is %s, and reads the next',
  async (how) => {
    expect(await read(how)).toMatchObject({ ok: false, why: 'too_large' })
    expect(await read('pdf')).toMatchObject({ ok: true })
  },
  60_000,
)

it('blames no document for a process that has ended since the one before', async () => {
  expect(await read('later')).toMatchObject({ ok: true })
  await setTimeout(1_000)
  expect(await read('pdf')).toMatchObject({ ok: true })
})

it('blames no document that is being read when the product ends', async () => {
  const ended = createExtractor({ maxMs: 8_000, module })
  const running = ended.read({ bytes: new Uint8Array(3), format: 'endless' })
  await setTimeout(500)
  ended.end()
  expect(await running).toBeNull()
  expect(await ended.read({ bytes: new Uint8Array(3), format: 'pdf' })).toBeNull()
})

it('ends with the product, also in the middle of a document', async () => {
  const program = `
    import { createExtractor } from ${JSON.stringify(import.meta.resolve('../scripts/extractor.ts'))}
    const extractor = createExtractor({ maxMs: 60_000, module: ${JSON.stringify(module)} })
    await extractor.read({ bytes: new Uint8Array(3), format: 'pid' })`
  const product = spawn(process.execPath, ['--input-type=module', '-e', program])
  const pid = () => Number(readFileSync(`${module}.pid`, 'utf8'))
  await expect.poll(pid, { timeout: 20_000 }).toBeGreaterThan(0)
  expect(isRunning(pid())).toBe(true)
  product.kill('SIGKILL')
  await expect.poll(() => isRunning(pid()), { timeout: 10_000 }).toBe(false)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('leaves documents to the Worker while too many wait', async () => {
  const all = await Promise.all(Array.from({ length: 70 }, () => read('pdf')))
  expect(all.filter((one) => one === null)).toHaveLength(6)
})
