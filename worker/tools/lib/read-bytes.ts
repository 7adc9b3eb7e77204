/**
 * `read_file` with `encoding: "base64"`: the bytes of any file, in parts.
 *
 * A part is a multiple of three bytes, so the base64 of all parts in a row is that of the whole file.
 * `test/worker/tools/binary.test.ts` has the cases.
 *
 * @module
 */

import { toBase64 } from '../../encoding/base64.ts'
import { MAX_IMAGE_BYTES } from '../../limits.ts'
import type { FileEntry } from '../../store/store.ts'
import type { Answer, ToolContext } from './tool.ts'

/** Returns the size of a part in bytes: its base64 fits the byte limit of one result. */
function partOf({ config: { read_max_bytes: most } }: ToolContext): number {
  const groups = Math.floor(Math.min(most === 0 ? Infinity : most / 4, MAX_IMAGE_BYTES / 3))
  return Math.max(groups, 1) * 3
}

/** Reads the part of a file that begins at a byte offset. `facts` are added to the structured content. */
export async function readBytes(
  file: FileEntry,
  offset: number,
  facts: Record<string, unknown>,
  context: ToolContext,
): Promise<Answer> {
  const { size, version } = file
  const length = Math.min(partOf(context), Math.max(size - offset, 0))
  const next = offset + length
  const content = length === 0 ? '' : await encodeRange(file, offset, length, context)
  const structured = {
    ...facts,
    content_base64: content,
    offset,
    count: length,
    truncated: next < size,
    ...(next < size && { next_offset: next }),
  }
  const how = next < size ? `, continue with offset ${next}` : ''
  const range = length === 0 ? `no bytes from byte ${offset} on` : `bytes ${offset}-${next - 1}`
  const note = `(version ${version}; ${range} of ${size}${how})`
  return { text: content === '' ? note : `${content}\n${note}`, structured }
}

async function encodeRange(
  file: FileEntry,
  offset: number,
  length: number,
  { store }: ToolContext,
) {
  const stream = await store.stream(file, { offset, length })
  return toBase64(new Uint8Array(await new Response(stream).arrayBuffer()))
}
