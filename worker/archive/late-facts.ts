/**
 * What an import does with the facts at the end of a zip archive: permissions, and which entries are links.
 *
 * A link looks like a small text file until then, so what could be one is kept back. What has been written before its
 * permission is known is written again with it; small archives are in memory as a whole until then. Of two entries with
 * one name, the first is written: which of them other programs unpack differs. `test/worker/archive/zip.test.ts` has
 * the cases.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { Problem } from '../errors/problem.ts'
import type { Content, Step } from '../store/store.ts'
import { skip, type Batch, type ImportReport, type PutStep } from './batch.ts'
import type { LateFacts } from './entry.ts'

/** Longest target of a link in bytes. */
const LINK_BYTES = 4096
/** Bytes that are kept back; beyond them, what may be a link is written. */
const KEPT_BACK_BYTES = 4 * 1024 * 1024

interface NamedFile {
  readonly name: string
  readonly path: StorePath
}

interface Late {
  readonly batch: Batch
  readonly report: ImportReport
  readonly store: ReadStore
  /** The name and the path of each entry in their order; null for one that is not a file to write. */
  readonly files: (NamedFile | null)[]
  readonly seen: Set<StorePath>
  /** Files that may be links. */
  readonly keptBack: Map<StorePath, PutStep>
  keptBytes: number
}

/** Creates what takes the entries of one archive in their order. */
export function createLateFacts(batch: Batch, report: ImportReport, store: ReadStore) {
  const late: Late = {
    batch,
    report,
    store,
    files: [],
    seen: new Set(),
    keptBack: new Map(),
    keptBytes: 0,
  }
  return {
    /** Adds an entry; one that is not written has no step. */
    add: (name: string, step: Step | null) => addEntry(late, name, step),
    /** Writes or skips what was kept back, and applies permissions. */
    settle: (facts: readonly LateFacts[]) => settle(late, facts),
  }
}

function addEntry(late: Late, name: string, step: Step | null): Problem | null {
  const { batch, report, files, seen, keptBack } = late
  const path = step?.type === 'put' ? step.path : null
  const isRepeated = path !== null && seen.has(path)
  files.push(path === null || isRepeated ? null : { name, path })
  if (isRepeated) return skip(report, name, 'an earlier entry has the same name')
  if (step?.type !== 'put') return step && batch.add(name, step)
  seen.add(step.path)
  const isKept = mayBeLink(step.content) && late.keptBytes < KEPT_BACK_BYTES
  if (!isKept) return batch.add(name, step)
  late.keptBytes += step.content.size
  keptBack.set(step.path, step)
  return null
}

/** Whether a content may be the target of a link: one line of text. */
function mayBeLink({ size, place }: Content): boolean {
  if (size === 0 || size > LINK_BYTES || place.type !== 'inline') return false
  for (let at = 0; at < size; at++)
    if (place.bytes[at] === 0 || place.bytes[at] === 10) return false
  return true
}

function settle(late: Late, facts: readonly LateFacts[]): Problem | null {
  for (const [index, known] of facts.entries()) {
    const file = late.files[index]
    const refused = file ? settleOne(late, file, known) : null
    if (refused) return refused
  }
  return null
}

function settleOne(
  { batch, report, store, keptBack }: Late,
  { name, path }: NamedFile,
  { executable, other }: LateFacts,
): Problem | null {
  const kept = keptBack.get(path)
  if (other !== undefined) {
    if (kept) return skip(report, name, `it is a ${other}`)
    const isPending = batch.amend(path, () => null)
    return skip(report, name, `it is a ${other}${isPending ? '' : ', and its content was written'}`)
  }
  const permission = executable === undefined ? {} : { executable }
  if (kept) return batch.add(name, { ...kept, ...permission })
  if (executable === undefined) return null
  if (batch.amend(path, (step) => ({ ...step, executable }))) return null
  const file = store.stat(path)
  if (file?.type !== 'file' || !batch.hasWritten(file.version)) return null
  if ((file.executable ?? false) === executable) return null
  const content = store.contentOf(file)
  const step = { type: 'put', path, content, mtime: file.mtime, executable } as const
  return content && batch.add(name, { ...step, content }, true)
}
