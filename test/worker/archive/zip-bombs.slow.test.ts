/** Zip archives beyond the limits: decompression bombs, very many entries and names, and sizes that only follow. */

import type { ImportReport } from '#worker/archive/batch.ts'
import { createBytes } from '#worker/archive/bytes.ts'
import { readZip } from '#worker/archive/zip.ts'
import { createZipWriter } from '#worker/archive/zip-writer.ts'
import {
  MAX_FILE_BYTES,
  MAX_ZIP_DIRECTORY_BYTES,
  MAX_ZIP_ENTRIES,
  MAX_ZIP_UNSIZED_BYTES,
} from '#worker/limits.ts'
import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { join, repeat } from '../../support/worker/raw-tar.ts'
import { deflate, zip, zipEntry, type ZipFields } from '../../support/worker/raw-zip.ts'
import { withTimeout } from '../../support/worker/with-timeout.ts'

/** Time (ms) after which an import counts as a denial of service. */
const TOO_LONG = 120_000

const MIB = 1024 * 1024

async function send(body: BodyInit) {
  const workspace = freshWorkspace()
  const sent = workspace.fetch('/import?to=/in', { method: 'POST', body })
  const response = await withTimeout(sent, TOO_LONG, 'an import')
  return { workspace, report: await response.json<ImportReport>() }
}

const noise = (size: number) => {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}

const ZEROS = new Uint8Array(64 * MIB)
const PACKED = deflate(ZEROS)

it.each<[string, Partial<ZipFields>]>([
  ['whose size follows', { descriptor: 4 }],
  ['whose size is before', {}],
])('a bomb of many files %s is refused, and few of them are read', async (_, form) => {
  const entry = zipEntry({ name: 'zeros', body: ZEROS, packed: PACKED, method: 8, ...form })
  const { stream } = repeat(entry, 100)
  const { report } = await send(stream)
  expect(report.error).toContain('it unpacks to more than 100 times its size')
  expect(report.files).toBeLessThan(20)
})

it('a file that says a wrong size unpacks no further than that', async () => {
  const entry = {
    name: 'a',
    body: 'x',
    packed: PACKED,
    method: 8,
    sizes: [PACKED.length, 1],
  } as const
  const { report } = await send(zip([entry]).slice())
  expect(report).toMatchObject({ files: 0, error: expect.stringContaining('another size') })
})

it('a file above the limit is skipped, whether its size is before it or after it', async () => {
  const large = new Uint8Array(MAX_FILE_BYTES + 1)
  const packed = deflate(large)
  const file = { body: large, packed, method: 8 }
  const archive = zip([
    { name: 'before', ...file },
    { name: 'after', ...file, descriptor: 4 },
    { name: 'good', body: 'x' },
  ])
  const { report } = await send(archive.slice())
  const reason = expect.stringContaining(` ${MAX_FILE_BYTES} bytes`)
  expect(report).toMatchObject({ files: 1, skipped: 2 })
  expect(report.reasons.map((one) => one.reason)).toEqual([reason, reason])
})

it('a file whose size follows is imported up to a packed size, and skipped above it', async () => {
  const body = noise(MAX_ZIP_UNSIZED_BYTES)
  const fitting = body.subarray(0, MAX_ZIP_UNSIZED_BYTES - 64 * 1024)
  const archive = zip([
    { name: 'fitting', body: fitting, method: 8, descriptor: 4 },
    { name: 'large', body, method: 8, descriptor: 4 },
    { name: 'good', body: 'x' },
  ])
  const { workspace, report } = await send(archive.slice())
  expect(report.error).toBe(undefined)
  expect(report).toMatchObject({ files: 2, skipped: 1 })
  expect(report.reasons[0]?.reason).toContain('whose size only follows it')
  expect((await workspace.raw('/in/fitting')).byteLength).toBe(fitting.length)
})

const sourceOf = (stream: ReadableStream<Uint8Array>) => {
  const reader = stream.getReader()
  return createBytes({
    async next() {
      const { done, value } = await reader.read()
      return done ? { done } : { value }
    },
  })
}

/** Reads all entries without a workspace, and returns their number. */
async function countEntries(stream: ReadableStream<Uint8Array>): Promise<number> {
  let count = 0
  for await (const _ of readZip(sourceOf(stream)).entries) count++
  return count
}

it('an archive has a maximum of entries when it is read', async () => {
  const entry = zipEntry({ name: 'a' })
  await expect(countEntries(repeat(entry, MAX_ZIP_ENTRIES + 1).stream)).rejects.toThrow(
    `more than ${MAX_ZIP_ENTRIES} entries`,
  )
  await expect(countEntries(repeat(entry, MAX_ZIP_ENTRIES).stream)).rejects.toThrow('truncated')
})

it('an archive has a maximum size of names when it is read', async () => {
  const entry = zipEntry({ name: 'n'.repeat(60_000) })
  const fitting = Math.floor(MAX_ZIP_DIRECTORY_BYTES / (60_000 + 46))
  const tooMany = countEntries(repeat(entry, fitting + 1).stream)
  await expect(tooMany).rejects.toThrow(`more than ${MAX_ZIP_DIRECTORY_BYTES} bytes`)
  await expect(countEntries(repeat(entry, fitting).stream)).rejects.toThrow('truncated')
})

/** Writes folders until the archive refuses one, and returns how many it has. */
async function writeFolders(count: number, nameOf: (at: number) => string): Promise<number> {
  const { readable, writer } = createZipWriter()
  const read = new Response(readable).arrayBuffer().catch(() => null)
  let written = 0
  try {
    for (; written < count; written++) await writer.addFolder(nameOf(written), new Date(0))
    await writer.finish()
  } catch (error) {
    writer.fail(error)
    expect(String(error)).toContain('Use tar')
  }
  await read
  return written
}

it('an archive has a maximum of entries and names when it is written', async () => {
  expect(await writeFolders(MAX_ZIP_ENTRIES + 1, (at) => `${at}/`)).toBe(MAX_ZIP_ENTRIES)
  expect(await writeFolders(MAX_ZIP_ENTRIES, (at) => `${at}/`)).toBe(MAX_ZIP_ENTRIES)
  const long = (at: number) => `${String(at).padStart(1_000, '0')}/`
  expect(await writeFolders(40_000, long)).toBeLessThan(MAX_ZIP_DIRECTORY_BYTES / 1_000)
})

it('an archive of very many small files takes linear time', async () => {
  const files = Array.from({ length: 20_000 }, (_, at) => ({
    name: `f/${at}`,
    body: `text ${at}\n`,
    method: 8,
    descriptor: 4 as const,
  }))
  const { report } = await send(join(zip(files)).slice())
  expect(report.error).toBe(undefined)
  expect(report).toMatchObject({ files: 20_000, skipped: 0 })
})
