/**
 * Files as tar streams, one file open at a time.
 *
 * An import goes in parts, because Cloudflare refuses larger request bodies and gives each request
 * its share of time. A part ends before the file that would make it too large, so a file is always
 * whole.
 *
 * @module
 */

import { createTarPacker } from 'modern-tar'
import { open, type FileHandle } from 'node:fs/promises'
import { ImportError, reasonOf } from './import-error.ts'
import type { Item, Skipped } from './scan.ts'

/** Bytes of the files of one part. */
const PART_BYTES = 64 * 1024 * 1024

/** Entries of one part. */
const PART_ITEMS = 20_000

const CHUNK_BYTES = 256 * 1024

/** Told of every file that has been packed, and of every one that could not be. */
export interface Watcher {
  packed(item: Item): void
  skipped(skipped: Skipped): void
}

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

/** A part as a tar stream, and why it ended before its time, once it has. */
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

/** It may have changed since it was found, or gone: what counts is what it is when it is opened. */
async function packFile(item: Item, packer: Packer, watcher: Watcher): Promise<void> {
  let file: FileHandle
  try {
    file = await open(item.path)
  } catch (error) {
    return watcher.skipped({ name: item.name, reason: reasonOf(error) })
  }
  try {
    const { size, mtimeMs } = await file.stat()
    const mtime = new Date(Math.floor(mtimeMs)) // Node's own date may be rounded into the next second
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
