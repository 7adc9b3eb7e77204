/**
 * Export: a folder as a tar stream in path order, with one file in memory at a time.
 *
 * Entries are read in pages, so a file that is written during the export appears either in its old or in its
 * new version, never as a mixture. What came to paths that were read before follows at the end, so a file that is
 * moved appears at its new path, and perhaps at both. `test/worker/archive/export.test.ts` has the cases.
 *
 * @module
 */

import { relativeTo, type StorePath } from '#core/path.ts'
import { createTarPacker } from 'modern-tar'
import type { ReadStore } from '../access/workspace.ts'
import { MAX_EXPORT_CHANGES } from '../limits.ts'
import type { Entry } from '../store/store.ts'

/** Entries that are listed together. */
const PAGE = 500

/**
 * Streams a folder as a tar archive. An error while reading ends the stream with that error, and so does a folder of
 * which more than `most` entries change meanwhile: those are in memory.
 */
export function exportTar(
  store: ReadStore,
  folder: StorePath,
  most = MAX_EXPORT_CHANGES,
): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker()
  // `finalize` throws when the reader has gone, so its error is caught, too.
  packAll({ store, folder, most }, controller)
    .then(() => controller.finalize())
    .catch((error: unknown) => controller.error(error))
  return readable
}

type Packer = ReturnType<typeof createTarPacker>['controller']

interface ExportContext {
  readonly store: ReadStore
  readonly folder: StorePath
  readonly most: number
}

async function packAll(context: ExportContext, packer: Packer): Promise<void> {
  const { store, folder } = context
  const begun = store.versionOf(folder)
  const packed = new Map<StorePath, number>()
  let after: StorePath | undefined
  for (;;) {
    const page = pageOf(store, folder, after)
    for (const entry of page) {
      if (entry.version > begun) packed.set(entry.path, entry.version)
      checkChanges(packed.size, context)
      await packOne(store, folder, entry, packer)
    }
    after = page.at(-1)?.path
    if (page.length < PAGE) break
  }
  for (const entry of listNewer(context, begun))
    if (packed.get(entry.path) !== entry.version) await packOne(store, folder, entry, packer)
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
  packer: Packer,
): Promise<void> {
  if (isForgotten(store, entry)) {
    const now = store.stat(entry.path)
    return now ? packOne(store, folder, now, packer) : undefined
  }
  const name = relativeTo(entry.path, folder)
  const mtime = new Date(entry.mtime)
  if (entry.type === 'folder') {
    // The plain header leaves the field of a long folder name empty.
    const pax = { path: `${name}/` }
    await packer.add({ name: `${name}/`, size: 0, type: 'directory', mtime, pax }).close()
    return
  }
  // The content that was listed, even if the file has changed since.
  const body = await store.stream(entry)
  const mode = entry.executable ? 0o755 : 0o644
  await body.pipeTo(packer.add({ name, size: entry.size, type: 'file', mtime, mode }))
}

/** Whether history has dropped the listed content, because the file has changed too often since. */
function isForgotten(store: ReadStore, entry: Entry): boolean {
  return entry.type === 'file' && store.contentOf(entry) === null
}
