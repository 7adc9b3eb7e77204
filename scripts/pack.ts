/**
 * Packs files into tar streams, one open file at a time.
 *
 * An import is sent in parts, because Cloudflare limits the body and the time of a request. A
 * part ends before the file that would exceed its size, so files are never split.
 *
 * @module
 */

import { createTarPacker } from 'modern-tar'
import { open, type FileHandle } from 'node:fs/promises'
import { ImportError, reasonOf } from './import-error.ts'
import type { Item, Skipped } from './scan.ts'

/** Bytes of the files in one part. */
const PART_BYTES = 64 * 1024 * 1024

/** Entries in one part. */
const PART_ITEMS = 20_000

const CHUNK_BYTES = 256 * 1024

/** Receives every file that was packed, and every one that could not be. */
export interface Watcher {
  packed(item: Item): void
  skipped(skipped: Skipped): void
}

/** Splits items into parts. A file larger than a part gets its own. */
export function* partsOf(items: readonly Item[]): Generator<Item[]> {
  let part: Item[] = []
  let bytes = 0
  for (const item of items) {
    if (part.length === PART_ITEMS || (bytes > 0 && bytes + item.size > PART_BYTES)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(item)
    bytes += item.size
  }
  if (part.length > 0) yield part
}

type Packer = ReturnType<typeof createTarPacker>['controller']

/** Packs a part into a tar stream; `fault` resolves to the error that ended it early, or null. */
export function pack(part: readonly Item[], watcher: Watcher) {
  const { readable, controller } = createTarPacker()
  const fault = packAll(part, controller, watcher).then(
    () => null,
    (error: unknown) => {
      controller.error(error)
      return error
    },
  )
  return { readable, fault }
}

async function packAll(part: readonly Item[], packer: Packer, watcher: Watcher): Promise<void> {
  for (const item of part) {
    if (item.type === 'file') await packFile(item, packer, watcher)
    else await packFolder(item, packer)
  }
  packer.finalize()
}

function packFolder({ name, mtime }: Item, packer: Packer): Promise<void> {
  return packer.add({ name: `${name}/`, size: 0, mtime, type: 'directory' }).close()
}

/** Packs a file as it is when it is opened: it may have changed since the scan, or be gone. */
async function packFile(item: Item, packer: Packer, watcher: Watcher): Promise<void> {
  let file: FileHandle
  try {
    file = await open(item.path)
  } catch (error) {
    return watcher.skipped({ name: item.name, reason: reasonOf(error) })
  }
  try {
    const { size, mtimeMs } = await file.stat()
    const mtime = new Date(Math.floor(mtimeMs)) // the date of Node may be rounded up to the next second
    const header = { name: item.name, size, mtime, type: 'file' } as const
    await copy(file, header, packer.add(header).getWriter())
  } finally {
    await file.close()
  }
  watcher.packed(item)
}

async function copy(
  file: FileHandle,
  { name, size }: { readonly name: string; readonly size: number },
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  for (let left = size; left > 0;) {
    const chunk = new Uint8Array(Math.min(left, CHUNK_BYTES))
    const { bytesRead } = await file.read(chunk)
    if (bytesRead === 0) throw new ImportError(`${name} became shorter while it was read`)
    await writer.write(chunk.subarray(0, bytesRead))
    left -= bytesRead
  }
  await writer.close()
}
