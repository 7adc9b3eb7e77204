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
import { UserError, describeSystemError } from '../errors.ts'
import type { Item, Skipped } from './scan.ts'

/** Most bytes of the files in one part. */
const MAX_PART_BYTES = 64 * 1024 * 1024

/** Most entries in one part. */
const MAX_PART_ITEMS = 20_000

const CHUNK_BYTES = 256 * 1024

/** Receives every file that was packed, and every one that could not be. */
export interface PackListener {
  packed(item: Item): void
  skipped(skipped: Skipped): void
}

/** Splits items into parts. A file larger than a part gets its own. */
export function* splitParts(items: readonly Item[]): Generator<Item[]> {
  let part: Item[] = []
  let bytes = 0
  for (const item of items) {
    if (part.length === MAX_PART_ITEMS || (bytes > 0 && bytes + item.size > MAX_PART_BYTES)) {
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

/** Packs a part into a tar stream; `failure` resolves to the error that ended it early, or null. */
export function pack(part: readonly Item[], listener: PackListener) {
  const { readable, controller } = createTarPacker()
  const failure = packAll(part, controller, listener).then(
    () => null,
    (error: unknown) => {
      controller.error(error)
      return error
    },
  )
  return { readable, failure }
}

async function packAll(
  part: readonly Item[],
  packer: Packer,
  listener: PackListener,
): Promise<void> {
  for (const item of part) {
    if (item.type === 'file') await packFile(item, packer, listener)
    else await packFolder(item, packer)
  }
  packer.finalize()
}

function packFolder({ name, mtime }: Item, packer: Packer): Promise<void> {
  return packer.add({ name: `${name}/`, size: 0, mtime, type: 'directory' }).close()
}

/** Packs a file as it is when it is opened: it may have changed since the scan, or be gone. */
async function packFile(item: Item, packer: Packer, listener: PackListener): Promise<void> {
  let file: FileHandle
  try {
    file = await open(item.path)
  } catch (error) {
    return listener.skipped({ name: item.name, reason: describeSystemError(error) })
  }
  try {
    const { size, mtimeMs, mode: stored } = await file.stat()
    const mode = permissionsOf(stored)
    const mtime = new Date(Math.floor(mtimeMs)) // the date of Node may be rounded up to the next second
    const header = { name: item.name, size, mtime, mode, type: 'file' } as const
    await copy(file, header, packer.add(header).getWriter())
  } finally {
    await file.close()
  }
  listener.packed(item)
}

/** Windows has no executable bit, so an archive from there has no permissions: those of the workspace stay. */
function permissionsOf(mode: number): number {
  if (process.platform === 'win32') return 0
  return mode & 0o100 ? 0o755 : 0o644
}

async function copy(
  file: FileHandle,
  { name, size }: { readonly name: string; readonly size: number },
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  for (let left = size; left > 0;) {
    const chunk = new Uint8Array(Math.min(left, CHUNK_BYTES))
    const { bytesRead } = await file.read(chunk)
    if (bytesRead === 0)
      throw new UserError(
        `Cannot import ${name}: it became shorter while it was read. Import again`,
      )
    await writer.write(chunk.subarray(0, bytesRead))
    left -= bytesRead
  }
  await writer.close()
}
