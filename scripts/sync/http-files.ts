/**
 * The files of a workspace over HTTP: `/files`, and archives by `/export` and `/import` (`docs/http.md`). Tested by
 * `test/e2e/sync.test.ts` and `test/e2e/sync-attacks.slow.test.ts`.
 *
 * @module
 */

import { createTarDecoder } from 'modern-tar'
import { createHash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeStranger, UserError } from '../errors.ts'
import { pack, splitParts } from '../import/archive.ts'
import type { Item } from '../import/scan.ts'
import { LeftAlone } from './disk.ts'
import { at, parse, type Context } from './http-context.ts'
import { MAX_TRANSFER_MS } from './limits.ts'
import type { LocalFile } from './plan.ts'
import type { Refused, Upload, WriteOptions, Written } from './remote.ts'
import { readError, readJson, refusalOf } from './requests.ts'
import { importReport, written } from './wire.ts'

/** Reads a file. */
export async function read(context: Context, name: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await context.send(at(context, name), { time: MAX_TRANSFER_MS })
  if (response.ok) return response.body ?? nothing()
  if (response.status >= 500) throw await refusalOf(response)
  throw new LeftAlone((await readError(response)).message)
}

/** Reads an archive of the folder. What is in it is compared with the listing, as other content is. */
export async function readAll(
  context: Context,
  take: (name: string, body: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const from = encodeURIComponent(context.to)
  const response = await context.send(`/export?from=${from}`, { time: MAX_TRANSFER_MS })
  if (!response.ok) throw await refusalOf(response)
  if (!response.body) return
  try {
    for await (const { header, body } of response.body.pipeThrough(createTarDecoder())) {
      if (header.type === 'file') await take(header.name, body)
      await body.cancel().catch(() => {})
    }
  } catch (error) {
    // What is missing is read file by file.
    if (!(error instanceof TypeError || isBroken(error))) throw error
  }
}

/** Whether an archive is damaged, or its stream broke off. */
const isBroken = (error: unknown) =>
  error instanceof Error && !('syscall' in error) && error.constructor === Error

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Writes a file as it is on disk. */
export async function write(
  context: Context,
  { name, local }: Upload,
  { version, executable }: WriteOptions,
): Promise<Written> {
  const condition = version === 0 ? { 'if-none-match': '*' } : { 'if-match': `"${version}"` }
  const body = await readBody(join(context.folder, local.path), local)
  const response = await context.send(at(context, name), {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      ...condition,
      ...(executable !== undefined && { 'x-edgewise-executable': String(executable) }),
    },
    body,
    time: MAX_TRANSFER_MS,
  })
  return readWritten(response)
}

/** Files up to this size (bytes) are held in memory, so that what is sent is what was scanned. */
const HELD_BYTES = 8 * 1024 * 1024

/** @throws {LeftAlone} If the file is not as it was scanned. */
async function readBody(path: string, { size, hash }: LocalFile): Promise<Blob> {
  if (size > HELD_BYTES) return openAsBlob(path)
  const bytes = await readFile(path)
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    throw new LeftAlone('it was changed here meanwhile')
  return new Blob([bytes])
}

/** Deletes a file at a version. */
export async function remove(context: Context, name: string, version: number): Promise<Written> {
  const headers = { 'if-match': `"${version}"` }
  const response = await context.send(at(context, name), { method: 'DELETE', headers })
  if (response.status === 404) {
    await response.body?.cancel()
    return { type: 'done', version: 0, hash: null }
  }
  return readWritten(response)
}

async function readWritten(response: Response): Promise<Written> {
  const { status } = response
  if (status === 204) return { type: 'done', version: 0, hash: null }
  if (status === 412) {
    await response.body?.cancel()
    return { type: 'changed' }
  }
  if (status >= 500 && status !== 507) throw await refusalOf(response)
  if (!response.ok) return { type: 'refused', reason: (await readError(response)).message }
  const { version = 0, hash = null, draft = '' } = await parse(written, response)
  if (status === 202) return { type: 'waits', draft, at: timeOf(response) }
  return { type: 'done', version, hash }
}

/** The time by the clock of the server, which decisions are timed by. */
function timeOf({ headers }: Response): number {
  const time = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(time) ? Date.now() : time
}

/** Writes many files, except those that have changed after a version. */
export async function writeMany(
  context: Context,
  files: readonly Upload[],
  after: number,
): Promise<readonly Refused[]> {
  const refused: Refused[] = []
  const skipped = ({ name, reason }: Refused) => void refused.push({ name, reason })
  const items = await Promise.all(files.map((file) => itemOf(context.folder, file)))
  for (const part of splitParts(items)) {
    const { readable, failure } = pack(part, { packed: () => {}, skipped })
    const target = `/import?to=${encodeURIComponent(context.to)}&after=${after}`
    const headers = { 'content-type': 'application/x-tar' }
    const options = { method: 'POST', headers, body: readable, time: MAX_TRANSFER_MS }
    const response = await context.send(target, options).catch(async (error: unknown) => {
      // A failure of packing causes the missing response, so that failure is reported.
      const cause = await failure
      throw cause instanceof UserError ? cause : error
    })
    const report = importReport.safeParse(await readJson(response))
    if (!report.success) throw new UserError(describeStranger(response.status, null))
    report.data.reasons.forEach(skipped)
    if (report.data.error !== undefined)
      throw new UserError(`The server stopped the upload: ${report.data.error}`)
  }
  return refused
}

async function itemOf(folder: string, { name, local }: Upload): Promise<Item> {
  const full = join(folder, local.path)
  const { mtime } = await lstat(full)
  return { type: 'file', name, path: full, size: local.size, mtime }
}
