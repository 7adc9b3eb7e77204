/**
 * A workspace over HTTP: `/changes`, `/files` and `/import` (`docs/http.md`), as the owner or through a session link.
 * Tested by `test/e2e/sync.test.ts` against the product, and by `test/e2e/sync-attacks.slow.test.ts` against a hostile server.
 *
 * @module
 */

import { createTarDecoder } from 'modern-tar'
import { createHash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ZodType } from 'zod'
import { UserError, describeStranger } from '../errors.ts'
import { pack, splitParts } from '../import/archive.ts'
import type { Item } from '../import/scan.ts'
import { LeftAlone } from './disk.ts'
import { MAX_PAGES, MAX_TRANSFER_MS, MAX_WAIT_SECONDS } from './limits.ts'
import type { LocalFile, RemoteFile } from './plan.ts'
import {
  wasReset,
  type Decided,
  type Feed,
  type FileChange,
  type Listing,
  type Refused,
  type Remote,
  type Upload,
  type WriteOptions,
  type Written,
} from './remote.ts'
import { isLink, readError, readJson, refusalOf, type Send } from './requests.ts'
import {
  feedPage,
  importReport,
  listingPage,
  readDecided,
  readEntries,
  readFeed,
  written,
} from './wire.ts'

/** Which folder of which workspace is in step with which folder on disk. */
export interface Ends {
  /** Address of the workspace, without a trailing slash. */
  readonly base: string
  readonly to: string
  /** The folder on disk. */
  readonly folder: string
}

interface Context extends Ends {
  readonly send: Send
}

/** Opens a workspace. */
export function createHttpRemote(ends: Ends, send: Send): Remote {
  const context = { ...ends, send }
  return {
    takesArchives: !isLink(ends.base),
    list: () => list(context),
    changes: (after) => readChanges(context, after),
    wait: (after, signal) => wait(context, after, signal),
    read: (name) => read(context, name),
    readAll: (take) => readAll(context, take),
    write: (name, local, options) => write(context, { name, local }, options),
    remove: (name, version) => remove(context, name, version),
    writeMany: (files, after) => writeMany(context, files, after),
  }
}

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')

const at = ({ to }: Ends, name: string) =>
  `/files${encodePath(to === '/' ? `/${name}` : `${to}/${name}`)}`

async function parse<T>(schema: ZodType<T>, response: Response): Promise<T> {
  if (!response.ok) throw await refusalOf(response)
  const read = schema.safeParse(await readJson(response))
  if (read.success) return read.data
  throw new UserError(describeStranger(response.status, null))
}

/** Lists page by page. The version is that of the first page, so that what changes meanwhile is in the feed after it. */
async function list(context: Context): Promise<Listing> {
  const files = new Map<string, RemoteFile>()
  const skipped: Refused[] = []
  let version: number | null = null
  let after: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = `?recursive=true&limit=10000${after === null ? '' : `&after=${encodeURIComponent(after)}`}`
    const response = await context.send(`/files${encodePath(context.to)}${query}`)
    if (response.status === 404) return listNothing(context, response)
    const page = await parse(listingPage, response)
    const read = readEntries(page, context.to)
    for (const [name, file] of read.files) files.set(name, file)
    skipped.push(...read.skipped)
    version ??= page.version
    if (!page.next || page.next === after) return { version, files, skipped }
    after = page.next
  }
  throw new UserError(`Cannot list the workspace: it has more than ${MAX_PAGES} pages`)
}

/** The folder does not exist yet. */
async function listNothing(context: Context, response: Response): Promise<Listing> {
  if (context.to === '/') throw await refusalOf(response)
  await response.body?.cancel()
  const top = await parse(listingPage, await context.send('/files/?recursive=true&limit=1'))
  return { version: top.version, files: new Map(), skipped: [] }
}

/** Without a folder, a link gets what it may read of all of them. */
const inFolder = ({ to }: Ends) => (to === '/' ? '' : `&path=${encodeURIComponent(to)}`)

async function readChanges(context: Context, after: number): Promise<Feed | null> {
  const changes: FileChange[] = []
  const decided: Decided[] = []
  const skipped: Refused[] = []
  let from = after
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const response = await context.send(`/changes?after=${from}&limit=1000${inFolder(context)}`)
    if (response.status === 410) {
      await response.body?.cancel()
      return null
    }
    if (response.status === 400) throw await explain(response, after)
    const page = await parse(feedPage, response)
    const read = readFeed(page, context.to)
    if (read === null) return null
    changes.push(...read.changes)
    skipped.push(...read.skipped)
    decided.push(...readDecided(page, context.to))
    if (page.next >= page.version || page.next <= from)
      return { version: page.version, changes, decided, skipped }
    from = page.next
  }
  throw new UserError(`Cannot read the changes: they have more than ${MAX_PAGES} pages`)
}

async function explain(response: Response, after: number): Promise<UserError> {
  const { code, message } = await readError(response)
  if (code === 'INVALID_AFTER') return wasReset(after)
  return new UserError(`The server refused: ${message}`)
}

async function wait(context: Context, after: number, signal: AbortSignal): Promise<void> {
  const query = `?after=${after}&limit=1&wait=${MAX_WAIT_SECONDS}${inFolder(context)}`
  const response = await context.send(`/changes${query}`, { signal })
  if (!response.ok && response.status !== 410) throw await refusalOf(response)
  await response.body?.cancel()
}

async function read(context: Context, name: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await context.send(at(context, name), { time: MAX_TRANSFER_MS })
  if (response.ok) return response.body ?? nothing()
  if (response.status >= 500) throw await refusalOf(response)
  throw new LeftAlone((await readError(response)).message)
}

/** Reads an archive of the folder. What is in it is compared with the listing, as other content is. */
async function readAll(
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

async function write(
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

async function remove(context: Context, name: string, version: number): Promise<Written> {
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

async function writeMany(
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
