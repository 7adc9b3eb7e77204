/**
 * Import: converts a tar, tar.gz or zip stream to files, without ever holding the whole archive.
 *
 * Small entries are collected and written together; large ones are streamed to object storage. Each batch is
 * one change, and all batches share a change id, so an interrupted import has done exactly what it reported
 * and can be sent again. A hard link becomes a copy of the earlier entry that it names; other links, devices and metadata
 * of macOS are counted as skipped.
 *
 * @module
 */

import { nameOf, resolvePath, type StorePath } from '#core/path.ts'
import { quoteValue } from '#core/quote.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { FileContext } from '../access/file-context.ts'
import type { ReadStore } from '../access/workspace.ts'
import { hasBytes } from '../encoding/bytes.ts'
import { sentence, type Problem } from '../errors/problem.ts'
import type { Content, Step } from '../store/store.ts'
import { createBatch, skip, type Batch, type ImportReport, type ImportTarget } from './batch.ts'
import { BrokenBody, chunksOf, type Part } from './bytes.ts'
import { showText, type ArchiveEntry, type ArchiveText, type LateFacts } from './entry.ts'
import { unpack, type Unpacked } from './gunzip.ts'
import { holdPart } from './hold-part.ts'
import { createLateFacts } from './late-facts.ts'
import { entriesOf, isZip, otherFormat } from './tar.ts'
import { BLOCK } from './tar-header.ts'
import { readZip } from './zip.ts'
import { Contradiction } from './zip-source.ts'

/** Imports an archive into a folder. Errors are in the report and are not thrown. */
export async function importArchive(
  archive: ReadableStream<Uint8Array>,
  target: ImportTarget,
  context: FileContext,
): Promise<ImportReport> {
  const report = await importFiles(archive, target, context)
  return target.after === null ? report : { ...report, version: context.workspace.version() }
}

async function importFiles(
  archive: ReadableStream<Uint8Array>,
  { into, after }: ImportTarget,
  context: FileContext,
): Promise<ImportReport> {
  const known = after === null ? {} : { conflicted: 0, conflicts: [] }
  const report = { files: 0, folders: 0, bytes: 0, skipped: 0, reasons: [], ...known }
  const batch = createBatch(context, { into, after }, report)
  const sent = chunksOf(archive)
  const { bytes, isPacked, leave } = await unpack(sent)
  let fault = bytes.fault
  try {
    const reading = await openArchive({ bytes, isPacked })
    if (!reading.ok) return { ...report, error: reading.error }
    fault = reading.value.fault
    const stopped = await importAll(reading.value, into, context, report, batch)
    return stopped ? { ...report, error: sentence(stopped) } : report
  } catch (error) {
    // Called before the report is copied, because it may write and count pending entries.
    const stopped = whyStopped(error, fault, batch)
    return { ...report, error: stopped }
  } finally {
    await leave()
    // A client that is still sending would not read a response, so the rest is read and discarded.
    while (!(await sent.next().catch(() => GONE)).done);
  }
}

const GONE = { done: true } as const

/** An archive that is read. */
interface Reading {
  readonly entries: AsyncGenerator<ArchiveEntry>
  /** What the end of the archive says of each entry, in their order; null where everything is before the content. */
  readonly facts: (() => readonly LateFacts[]) | null
  /** Returns why the archive broke off, or null. */
  readonly fault: () => BrokenBody | null
}

/** Opens an archive by its first bytes, because the declared type is often wrong. */
async function openArchive({
  bytes,
  isPacked,
}: Pick<Unpacked, 'bytes' | 'isPacked'>): Promise<Result<Reading, string>> {
  const head = await bytes.peek(BLOCK)
  if (isZip(head) && !isPacked) return ok(readZip(bytes))
  const format = isZip(head) ? 'a zip archive inside of gzip' : otherFormat(head)
  if (format) return err(`Cannot import: this is ${format}. Send tar, tar.gz or zip.`)
  return ok({ entries: entriesOf(bytes), facts: null, fault: bytes.fault })
}

/** Writes one entry after the other. Returns the problem that stopped the import, or null at the end. */
async function importAll(
  { entries, facts }: Reading,
  into: StorePath,
  context: FileContext,
  report: ImportReport,
  batch: Batch,
): Promise<Problem | null> {
  const late = facts ? createLateFacts(batch, report, context.workspace.store) : null
  for await (const entry of entries) {
    const step = await stepFor(entry, into, context, batch)
    const name = showText(entry.name)
    if (step && 'stop' in step) return batch.flush() ?? step.stop
    if (step && 'skip' in step) skip(report, name, step.skip)
    const planned = step && 'type' in step ? step : null
    const refused = late ? late.add(name, planned) : planned && batch.add(name, planned)
    if (refused) return refused
  }
  return (late && late.settle(facts?.() ?? [])) ?? batch.flush()
}

/** Writes the pending entries and explains the stop. An error of our own is only logged. */
function whyStopped(error: unknown, fault: () => BrokenBody | null, batch: Batch): string {
  // A stream that breaks inside a file can surface as an error of the storage that was reading it.
  const broken = error instanceof BrokenBody ? error : fault()
  if (!broken) {
    console.error(error)
    return 'Internal error. The files that this report counts were written, and no others.'
  }
  // What an archive that contradicts itself means is unknown.
  const refused = broken instanceof Contradiction ? null : batch.flush()
  return refused
    ? sentence(refused)
    : `Cannot read the whole archive: ${broken.message}. The files that this report counts were written.`
}

async function stepFor(
  entry: ArchiveEntry,
  into: StorePath,
  { workspace: { store }, limits }: FileContext,
  batch: Batch,
): Promise<Step | { skip: string } | { stop: Problem } | null> {
  const { name: sentName, kind, size, mtime, executable, content: part } = entry
  if (typeof sentName !== 'string') return { skip: 'its name is not UTF-8 text' }
  const name = withoutRoot(sentName)
  // Archives of a folder begin with the folder itself.
  if (name === '' || name === '.') return kind === 'folder' ? null : { skip: 'it has no name' }
  const path = pathIn(name, into)
  if (!path.ok) return { skip: path.error }
  if (kind === 'folder' && name.split('/').includes('__MACOSX')) return { skip: OF_MACOS }
  if (kind === 'folder') return { type: 'folder', path: path.value }
  const time = mtime > 0 && mtime < MAX_TIME ? { mtime: Math.trunc(mtime) } : {}
  const facts = { ...time, ...(executable !== undefined && { executable }) }
  if (kind !== 'file' && 'link' in kind) {
    const content = contentOfLink(kind.link, into, store, batch)
    if (content) return { type: 'put', path: path.value, content, ...facts }
    return {
      skip: `it is a hard link to ${nameLink(kind.link)}, which is no earlier file of this archive`,
    }
  }
  if (kind !== 'file') return { skip: `it is a ${kind.other}` }
  if (size > limits.fileBytes) return { skip: `it is larger than ${limits.fileBytes} bytes` }
  if (await isOfMacos(nameOf(path.value), part)) return { skip: OF_MACOS }

  const content = await holdPart(store, part, size)
  if (!content.ok && content.error.reason === 'storage_full') return { stop: content.error }
  if (!content.ok) return { skip: sentence(content.error) }
  const damage = await entry.damage?.()
  if (damage) return { skip: damage }
  return { type: 'put', path: path.value, content: content.value, ...facts }
}

const OF_MACOS = 'it is metadata of macOS'

/** Whether a file has what macOS stores beside a file (RFC 1740), or of a folder: by name and signature. */
async function isOfMacos(name: string, part: Part): Promise<boolean> {
  if (name.startsWith('._')) return hasBytes(await part.peek(4), 0, '\x00\x05\x16\x07')
  return name === '.DS_Store' && hasBytes(await part.peek(8), 0, '\0\0\0\x01Bud1')
}

const withoutRoot = (name: string) => name.replace(/^(\.?\/)+/, '')

function pathIn(name: string, into: StorePath): Result<StorePath, string> {
  return name.split('/').includes('..')
    ? err('the name leaves the folder')
    : resolvePath(name, into)
}

const nameLink = (link: ArchiveText) => quoteValue(showText(link).slice(0, 200))

/** Returns the content of the earlier file that a hard link names, if this import has written it; null otherwise. */
function contentOfLink(
  link: ArchiveText,
  into: StorePath,
  store: ReadStore,
  batch: Batch,
): Content | null {
  const path = typeof link === 'string' ? pathIn(withoutRoot(link), into) : null
  if (!path?.ok) return null
  const pending = batch.pendingContent(path.value)
  if (pending) return pending
  const file = store.stat(path.value)
  return file?.type === 'file' && batch.hasWritten(file.version) ? store.contentOf(file) : null
}

/** The first millisecond since 1970 that a tar header cannot represent. */
const MAX_TIME = 8 ** 11 * 1000
