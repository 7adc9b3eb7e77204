/** The process that reads documents on this machine: what takes too long or too much ends there, and only there. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createExtractor } from '../scripts/extractor.ts'

const folder = mkdtempSync(join(tmpdir(), 'edgewise-extractor-'))
const module = join(folder, 'extract.mjs')
writeFileSync(
  module,
  `export async function extractText(bytes, { format, isIsolated }) {
    if (format === 'endless') for (;;);
    if (format === 'large') for (const all = []; ; ) all.push(new Array(1e6).fill(all.length))
    if (format === 'exit') process.exit(1)
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

it('leaves documents to the Worker while too many wait', async () => {
  const all = await Promise.all(Array.from({ length: 70 }, () => read('pdf')))
  expect(all.filter((one) => one === null)).toHaveLength(6)
})
