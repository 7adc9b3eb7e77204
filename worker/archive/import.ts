/**
 * Import: converts a tar or tar.gz stream to files, without ever holding the whole archive.
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
import { err, type Result } from '#core/result.ts'
import type { CallerWorkspace, ReadStore } from '../access/workspace.ts'
import { hasBytes } from '../encoding/bytes.ts'
import { sentence, type Problem } from '../errors/problem.ts'
import { MAX_IMPORT_CONFLICTS } from '../limits.ts'
import type { Content, Step } from '../store/store.ts'
import { BrokenBody, chunksOf, type Bytes, type Part } from './bytes.ts'
import type { FileContext } from '../access/file-context.ts'
import { findConflicts, type Conflict } from './conflicts.ts'
import { unpack } from './gunzip.ts'
import { holdPart } from './hold-part.ts'
import { entriesOf, otherFormat, type TarEntry } from './tar.ts'
import { BLOCK, showText, type TarText } from './tar-header.ts'

/** What an import has written, and what it skipped. */
export interface ImportReport {
  files: number
  folders: number
  bytes: number
  skipped: number
  /** The reasons of the first skipped entries. */
  reasons: { name: string; reason: string }[]
  /** Why the import stopped before the end of the archive. */
  error?: string
  /** With `after`: the number of files that were not written because of a later change, and the first of them. */
  conflicted?: number
  conflicts?: Conflict[]
  /** With `after`: the version of the workspace after the import. */
  version?: number
}

/** Where an archive goes. */
export interface ImportTarget {
  readonly into: StorePath
  /** The version that the sender knows: a file that a later change concerns is not written. Null without one. */
  readonly after: number | null
}

/** Steps of one batch. */
const BATCH_STEPS = 500
/** Bytes of one batch. */
const BATCH_BYTES = 4 * 1024 * 1024

/** Most reasons in a report. */
const MAX_REASONS = 20

/** Imports an archive into a folder. Errors are in the report and are not thrown. */
export async function importTar(
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
  const { bytes, leave } = await unpack(sent)
  try {
    const format = otherFormat(await bytes.peek(BLOCK))
    if (format) return { ...report, error: `Cannot import: this is ${format}. Send tar or tar.gz.` }
    const stopped = await importAll(bytes, into, context, report, batch)
    return stopped ? { ...report, error: sentence(stopped) } : report
  } catch (error) {
    // Called before the report is copied, because it may write and count pending entries.
    const stopped = whyStopped(error, bytes, batch)
    return { ...report, error: stopped }
  } finally {
    await leave()
    // A client that is still sending would not read a response, so the rest is read and discarded.
    while (!(await sent.next().catch(() => GONE)).done);
  }
}

const GONE = { done: true } as const

/** Writes one entry after the other. Returns the problem that stopped the import, or null at the end. */
async function importAll(
  bytes: Bytes,
  into: StorePath,
  context: FileContext,
  report: ImportReport,
  batch: Batch,
): Promise<Problem | null> {
  for await (const entry of entriesOf(bytes)) {
    const step = await stepFor(entry, into, context, batch)
    if (step === null) continue
    const name = showText(entry.name)
    if ('stop' in step) return batch.flush() ?? step.stop
    if ('skip' in step) skip(report, name, step.skip)
    else {
      const refused = batch.add(name, step)
      if (refused) return refused
    }
  }
  return batch.flush()
}

/** Writes the pending entries and explains the stop. An error of our own is only logged. */
function whyStopped(error: unknown, { fault }: Bytes, { flush }: Batch): string {
  // A stream that breaks inside a file can surface as an error of the storage that was reading it.
  const broken = error instanceof BrokenBody ? error : fault()
  if (!broken) {
    console.error(error)
    return 'Internal error. The files that this report counts were written, and no others.'
  }
  const refused = flush()
  return refused
    ? sentence(refused)
    : `Cannot read the whole archive: ${broken.message}. The files that this report counts were written.`
}

async function stepFor(
  { name: sentName, kind, size, mtime, executable, content: part }: TarEntry,
  into: StorePath,
  { workspace: { store }, limits }: FileContext,
  batch: Batch,
): Promise<Step | { skip: string } | { stop: Problem } | null> {
  if (typeof sentName !== 'string') return { skip: 'its name is not UTF-8 text' }
  const name = withoutRoot(sentName)
  // Archives of a folder begin with the folder itself.
  if (name === '' || name === '.') return kind === 'folder' ? null : { skip: 'it has no name' }
  const path = pathIn(name, into)
  if (!path.ok) return { skip: path.error }
  if (nameOf(path.value) === '__MACOSX' && kind === 'folder') return { skip: OF_MACOS }
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

const nameLink = (link: TarText) => quoteValue(showText(link).slice(0, 200))

/** Returns the content of the earlier file that a hard link names, if this import has written it; null otherwise. */
function contentOfLink(
  link: TarText,
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

interface Pending {
  readonly name: string
  readonly step: Step
}

type Batch = ReturnType<typeof createBatch>

function createBatch(
  { workspace, actor, decision }: FileContext,
  { into, after }: ImportTarget,
  report: ImportReport,
) {
  const intent = `Import files to ${quoteValue(into)}`
  const note = { tool: 'import', intent, actor, decision }
  // All parts have the id of the first.
  let id: string | undefined
  // One version for each batch, so that the names of a large archive need no room.
  const written = new Set<number>()
  let pending: Pending[] = []
  let bytes = 0

  function add(name: string, step: Step): Problem | null {
    pending.push({ name, step })
    const content = step.type === 'put' ? step.content : null
    // An object must be referenced at once, because the next entry may take longer than the sweep's grace
    // period.
    if (content?.place.type === 'object') return flush()
    bytes += content?.size ?? 0
    return pending.length >= BATCH_STEPS || bytes >= BATCH_BYTES ? flush() : null
  }

  /** Writes the pending entries together, or one by one when one of them is refused. */
  function flush(): Problem | null {
    // They are written in the same turn, so no change comes between.
    const batch = leaveOutConflicts(workspace, pending, { after, written, report })
    pending = []
    bytes = 0
    if (batch.length === 0 || !apply(batch)) return null
    for (const one of batch) {
      const refused = apply([one])
      if (refused?.reason === 'workspace_full' || refused?.reason === 'storage_full') return refused
      if (refused) skip(report, one.name, sentence(refused))
    }
    return null
  }

  function apply(batch: readonly Pending[]): Problem | null {
    const steps = batch.map(({ step }) => step)
    const applied = workspace.apply({
      basis: workspace.version(),
      steps,
      note: id === undefined ? note : { ...note, id },
    })
    if (!applied.ok) return applied.error
    written.add(applied.value.version)
    id ??= applied.value.id
    for (const step of steps) count(report, step)
    return null
  }

  const pendingContent = (path: StorePath) => findContent(pending, path)

  return { add, flush, pendingContent, hasWritten: (version: number) => written.has(version) }
}

/** Returns the content of a file that is not written yet. */
function findContent(pending: readonly Pending[], path: StorePath): Content | null {
  const step = pending.findLast((one) => one.step.type === 'put' && one.step.path === path)?.step
  return step?.type === 'put' ? step.content : null
}

/** What the sender of an archive knows, what the import has written, and where conflicts are reported. */
interface Known {
  readonly after: number | null
  readonly written: ReadonlySet<number>
  readonly report: ImportReport
}

/** Returns the entries that no change after the known version concerns, and reports the others. */
function leaveOutConflicts(
  workspace: CallerWorkspace,
  batch: readonly Pending[],
  { after, written, report }: Known,
): readonly Pending[] {
  if (after === null) return batch
  const conflictOf = findConflicts(workspace, batch, { after, written })
  return batch.filter(({ step }) => {
    const conflict = conflictOf(step)
    if (conflict) reportConflict(report, conflict)
    return conflict === null
  })
}

function reportConflict(report: ImportReport, conflict: Conflict): void {
  report.conflicted = (report.conflicted ?? 0) + 1
  if (report.conflicted <= MAX_IMPORT_CONFLICTS) report.conflicts?.push(conflict)
}

function count(report: ImportReport, step: Step): void {
  if (step.type === 'folder') report.folders++
  if (step.type !== 'put') return
  report.files++
  report.bytes += step.content.size
}

function skip(report: ImportReport, name: string, reason: string): void {
  report.skipped++
  if (report.reasons.length < MAX_REASONS) report.reasons.push({ name: name.slice(0, 200), reason })
}
