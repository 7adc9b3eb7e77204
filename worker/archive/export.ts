/**
 * Export: a folder as a tar stream in path order, with one file in memory at a time.
 *
 * Entries are read in pages, so a file that is written during the export appears either in its old or in its
 * new version, never as a mixture.
 *
 * @module
 */

import { relativeTo, type StorePath } from '#core/path.ts'
import { createTarPacker } from 'modern-tar'
import type { ReadStore } from '../access/workspace.ts'
import type { Entry } from '../store/store.ts'

/** Entries that are listed together. */
const PAGE = 500

/** Streams a folder as a tar archive. An error while reading ends the stream with that error. */
export function exportTar(store: ReadStore, folder: StorePath): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker()
  // `finalize` throws when the reader has gone, so its error is caught, too.
  packAll(store, folder, controller)
    .then(() => controller.finalize())
    .catch((error: unknown) => controller.error(error))
  return readable
}

type Packer = ReturnType<typeof createTarPacker>['controller']

async function packAll(store: ReadStore, folder: StorePath, packer: Packer): Promise<void> {
  let after: StorePath | undefined
  for (;;) {
    const page = pageOf(store, folder, after)
    for (const entry of page) await packOne(store, folder, entry, packer)
    after = page.at(-1)?.path
    if (page.length < PAGE) return
  }
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
  await body.pipeTo(packer.add({ name, size: entry.size, type: 'file', mtime }))
}

/** Whether history has dropped the listed content, because the file has changed too often since. */
function isForgotten(store: ReadStore, entry: Entry): boolean {
  return entry.type === 'file' && store.contentOf(entry) === null
}
