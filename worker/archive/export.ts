/**
 * Export: a folder as a tar or zip stream in path order, with one file in memory at a time.
 *
 * Entries are read in pages, so a file that is written during the export appears either in its old or in its
 * new version, never as a mixture. What came to paths that were read before follows at the end, so a file that is
 * moved appears at its new path, and perhaps at both. A tar archive may have both versions of a file, and then the newer
 * one is the last; a zip archive has the one that was read first. `test/worker/archive/export.test.ts` has the cases.
 *
 * @module
 */

import { relativeTo, type StorePath } from '#core/path.ts'
import { createTarPacker } from 'modern-tar'
import type { ReadStore } from '../access/workspace.ts'
import { MAX_EXPORT_CHANGES } from '../limits.ts'
import type { Entry } from '../store/store.ts'
import { createZipWriter, type ArchiveWriter } from './zip-writer.ts'

/** Entries that are listed together. */
const PAGE = 500

/** The formats of an export. */
export type ArchiveFormat = 'tar' | 'zip'

/** What is exported. */
interface Exported {
  readonly folder: StorePath
  readonly format: ArchiveFormat
  /** Entries that may change meanwhile: those are in memory. */
  readonly most?: number
}

/**
 * Streams a folder as an archive. An error while reading ends the stream with that error, and so does a folder of
 * which more than `most` entries change meanwhile, or one that is too large for its format.
 */
export function exportArchive(
  store: ReadStore,
  { folder, format, most = MAX_EXPORT_CHANGES }: Exported,
): ReadableStream<Uint8Array> {
  const { readable, writer } = format === 'zip' ? createZipWriter() : createTarWriter()
  // `finish` throws when the reader has gone, so its error is caught, too.
  packAll({ store, folder, most }, writer)
    .then(() => writer.finish())
    .catch((error: unknown) => writer.fail(error))
  return readable
}

function createTarWriter(): { readable: ReadableStream<Uint8Array>; writer: ArchiveWriter } {
  const { readable, controller } = createTarPacker()
  const writer: ArchiveWriter = {
    has: () => false,
    // The plain header leaves the field of a long folder name empty.
    addFolder: (name, mtime) =>
      controller.add({ name, size: 0, type: 'directory', mtime, pax: { path: name } }).close(),
    addFile: ({ name, size, mtime, mode }, body) =>
      body.pipeTo(controller.add({ name, size, type: 'file', mtime, mode })),
    finish: async () => controller.finalize(),
    fail: (error) => controller.error(error),
  }
  return { readable, writer }
}

interface ExportContext {
  readonly store: ReadStore
  readonly folder: StorePath
  readonly most: number
}

async function packAll(context: ExportContext, writer: ArchiveWriter): Promise<void> {
  const { store, folder } = context
  const begun = store.versionOf(folder)
  const packed = new Map<StorePath, number>()
  let after: StorePath | undefined
  for (;;) {
    const page = pageOf(store, folder, after)
    for (const entry of page) {
      if (entry.version > begun) packed.set(entry.path, entry.version)
      checkChanges(packed.size, context)
      await packOne(store, folder, entry, writer)
    }
    after = page.at(-1)?.path
    if (page.length < PAGE) break
  }
  for (const entry of listNewer(context, begun))
    if (packed.get(entry.path) !== entry.version) await packOne(store, folder, entry, writer)
}

/** Lists what is newer than a version at one moment: with what was older and stays, it is the whole folder. */
function listNewer(context: ExportContext, version: number): Entry[] {
  const { store, folder } = context
  const newer: Entry[] = []
  if (store.versionOf(folder) === version) return newer
  for (const entry of store.walk(folder))
    if (entry.version > version) checkChanges(newer.push(entry), context)
  return newer
}

function checkChanges(changed: number, { most }: ExportContext): void {
  if (changed > most) throw new Error(`Cannot export: more than ${most} entries changed meanwhile`)
}

function pageOf(store: ReadStore, folder: StorePath, after: StorePath | undefined): Entry[] {
  const page: Entry[] = []
  for (const entry of store.walk(folder, after ? { after } : {})) {
    if (page.push(entry) === PAGE) break
  }
  return page
}

async function packOne(
  store: ReadStore,
  folder: StorePath,
  entry: Entry,
  writer: ArchiveWriter,
): Promise<void> {
  if (isForgotten(store, entry)) {
    const now = store.stat(entry.path)
    return now ? packOne(store, folder, now, writer) : undefined
  }
  const name = relativeTo(entry.path, folder) + (entry.type === 'folder' ? '/' : '')
  if (writer.has(name)) return
  const mtime = new Date(entry.mtime)
  if (entry.type === 'folder') return writer.addFolder(name, mtime)
  // The content that was listed, even if the file has changed since.
  const body = await store.stream(entry)
  const mode = entry.executable ? 0o755 : 0o644
  await writer.addFile({ name, size: entry.size, mtime, mode }, body)
}

/** Whether history has dropped the listed content, because the file has changed too often since. */
function isForgotten(store: ReadStore, entry: Entry): boolean {
  return entry.type === 'file' && store.contentOf(entry) === null
}
