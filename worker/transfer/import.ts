/**
 * Import: a tar or tar.gz stream becomes files, without the archive ever being held as a whole.
 *
 * Small entries are gathered and written together, large ones go straight to the objects. Each batch
 * is one change, and all batches share a change id, so an import that breaks off has done exactly
 * what it reported and can be sent again. Links and devices are counted as skipped.
 *
 * @module
 */

import { resolvePath, type StorePath } from '#core/path.ts'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { INLINE_BYTES } from '../limits.ts'
import { sentence, type Problem } from '../problem.ts'
import type { Step } from '../store/store.ts'
import { BY_HAND, type FileDesk } from './files.ts'

export interface ImportReport {
  files: number
  folders: number
  bytes: number
  skipped: number
  /** The first reasons, by entry name. */
  reasons: { name: string; reason: string }[]
  /** Why the import stopped before the end of the archive. */
  error?: string
}

/** What is gathered before it is written. */
const BATCH_STEPS = 500
const BATCH_BYTES = 4 * 1024 * 1024

/** Reasons that a report spells out. */
const REASONS = 20

export async function importTar(
  archive: ReadableStream<Uint8Array>,
  into: StorePath,
  desk: FileDesk,
): Promise<ImportReport> {
  const report: ImportReport = { files: 0, folders: 0, bytes: 0, skipped: 0, reasons: [] }
  const batch = createBatch(desk, into, report)
  const source: Source = { broken: true, left: false }
  try {
    const tar = await inflated(archive)
    source.broken = false
    for await (const entry of entriesOf(tar, source)) {
      // Whoever is still sending would not hear an answer, so the rest is let pass.
      if (report.error !== undefined) {
        await entry.body.cancel()
        continue
      }
      const step = await stepFor(entry, into, desk)
      if (step === null) continue
      if ('skip' in step) {
        await entry.body.cancel()
        skip(report, entry.header.name, step.skip)
        continue
      }
      const refused = batch.add(entry.header.name, step)
      if (refused) report.error = sentence(refused)
    }
    const refused = batch.flush()
    return refused ? { ...report, error: sentence(refused) } : report
  } catch (error) {
    // Before the report is copied, because it may write what is pending, and count it.
    const stopped = whyStopped(error, source, batch)
    return { ...report, error: stopped }
  }
}

/** Writes what came before the stop. What a fault of our own says is for the log. */
function whyStopped(error: unknown, { broken }: Source, { flush }: Batch): string {
  if (!broken) {
    console.error(error)
    return 'Something went wrong here. What is counted was written, and nothing else'
  }
  const refused = flush()
  const reason = error instanceof Error ? error.message : 'the archive cannot be read'
  return refused ? sentence(refused) : `The archive broke off: ${reason}`
}

/** How it goes with the archive, to tell its faults from ours. */
interface Source {
  /** It has not begun, has ended too early, or is none. */
  broken: boolean
  /** Nobody reads it any more. */
  left: boolean
}

/**
 * The entries of a tar stream. It is fed by hand, because the platform's pipe keeps a little of every
 * chunk until it ends, and an archive of any size has to fit into the memory of an object.
 */
async function* entriesOf(
  archive: ReadableStream<Uint8Array>,
  source: Source,
): AsyncGenerator<ParsedTarEntry> {
  const { readable, writable } = createTarDecoder({ strict: true })
  const reader = archive.getReader()
  const fed = feed(reader, writable.getWriter(), source)
  try {
    yield* readable
  } catch (error) {
    source.broken = true
    throw error
  } finally {
    source.left = true
    await reader.cancel().catch(() => {})
    await fed
  }
}

async function feed(
  archive: ReadableStreamDefaultReader<Uint8Array>,
  decoder: WritableStreamDefaultWriter<Uint8Array>,
  source: Source,
): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await archive.read()
      if (done) break
      await decoder.write(value)
    }
    await decoder.close()
  } catch (error) {
    if (!source.left) source.broken = true
    // Whoever reads the entries is told; one who has stopped reading need not be.
    await decoder.abort(error).catch(() => {})
  }
}

async function stepFor(
  { header, body }: ParsedTarEntry,
  into: StorePath,
  { store, limits }: FileDesk,
): Promise<Step | { skip: string } | null> {
  const name = header.name.replace(/^(\.?\/)+/, '')
  if (name === '' || name === '.') {
    await body.cancel()
    return null
  }
  if (name.split('/').includes('..')) return { skip: 'the name leaves the folder' }
  const path = resolvePath(name, into)
  if (!path.ok) return { skip: path.error }
  if (header.type === 'directory') {
    await body.cancel()
    return { type: 'folder', path: path.value }
  }
  if (header.type !== 'file' && header.type !== undefined) return { skip: `it is a ${header.type}` }
  if (header.size > limits.fileBytes) return { skip: `it is larger than ${limits.fileBytes} bytes` }

  const content = await store.holdStream(body, header.size)
  if (!content.ok) return { skip: sentence(content.error) }
  const mtime = header.mtime?.getTime() ?? NaN
  const step = { type: 'put', path: path.value, content: content.value } as const
  return mtime > 0 ? { ...step, mtime } : step
}

interface Pending {
  readonly name: string
  readonly step: Step
}

type Batch = ReturnType<typeof createBatch>

function createBatch(
  { store, actor, limits, changed }: FileDesk,
  into: StorePath,
  report: ImportReport,
) {
  const intent = `Import files to ${into}`
  const note = { tool: 'import', intent, actor, decision: BY_HAND, id: crypto.randomUUID() }
  let pending: Pending[] = []
  let bytes = 0

  function add(name: string, step: Step): Problem | null {
    pending.push({ name, step })
    if (step.type === 'put' && step.content.size <= INLINE_BYTES) bytes += step.content.size
    return pending.length >= BATCH_STEPS || bytes >= BATCH_BYTES ? flush() : null
  }

  /** Writes what is pending at once, or one by one when something in it does not fit. */
  function flush(): Problem | null {
    const batch = pending
    pending = []
    bytes = 0
    if (batch.length === 0 || !apply(batch)) return null
    for (const one of batch) {
      const refused = apply([one])
      if (refused?.reason === 'workspace_full') return refused
      if (refused) skip(report, one.name, sentence(refused))
    }
    return null
  }

  function apply(batch: readonly Pending[]): Problem | null {
    const steps = batch.map(({ step }) => step)
    const applied = store.apply({ basis: store.totals.version, steps, note, limits })
    if (!applied.ok) return applied.error
    changed(applied.value, steps)
    for (const step of steps) count(report, step)
    return null
  }

  return { add, flush }
}

function count(report: ImportReport, step: Step): void {
  if (step.type === 'folder') report.folders++
  if (step.type !== 'put') return
  report.files++
  report.bytes += step.content.size
}

function skip(report: ImportReport, name: string, reason: string): void {
  report.skipped++
  if (report.reasons.length < REASONS) report.reasons.push({ name: name.slice(0, 200), reason })
}

/** Looks at the first bytes, because what a sender calls its archive is often wrong. */
async function inflated(archive: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const [head, whole] = await peeked(archive)
  const gzip = head[0] === 0x1f && head[1] === 0x8b
  return gzip ? whole.pipeThrough(new DecompressionStream('gzip')) : whole
}

async function peeked(
  stream: ReadableStream<Uint8Array>,
): Promise<[Uint8Array, ReadableStream<Uint8Array>]> {
  const reader = stream.getReader()
  let head: Uint8Array = new Uint8Array(0)
  while (head.length < 2) {
    const { done, value } = await reader.read()
    if (done) break
    head = joined(head, value)
  }
  const whole = new ReadableStream<Uint8Array>({
    start: (controller) => (head.length > 0 ? controller.enqueue(head) : undefined),
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return [head, whole]
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
