/**
 * The media type that results show with content: the one place that decides it, for tools, resources and HTTP.
 *
 * What the bytes are comes first. The name decides where bytes do not tell a type, and among the types that they can
 * have: a document of an office program is a zip archive. A listing reads no content, so it has the type of the name
 * (`encoding/media-type.ts`). `test/worker/access/shown-type.test.ts` has the cases, and
 * `test/worker/mislabelled.test.ts` those of every route.
 *
 * @module
 */

import type { ReadonlyBytes } from '../encoding/bytes.ts'
import { cannotBeText } from '../encoding/media-type.ts'
import { isTextEncoding } from '../texts/encoding.ts'
import { encodingOf } from '../texts/text.ts'
import type { FileView } from './file-view.ts'
import { INLINE_BYTES } from '../limits.ts'
import type { FileEntry } from '../store/store.ts'
import { HEAD_BYTES, signatureOf } from '../texts/signature.ts'

/** The types of names that content with a signature keeps, because they are kinds of it. */
const KINDS: Readonly<Record<string, RegExp>> = {
  'application/zip': /[./+-](zip|openxmlformats|opendocument|java-archive|android|kmz|xpi)/,
  'application/gzip': /gzip|tgz|svgz/,
  'application/x-ole-storage': /msword|ms-(excel|powerpoint|outlook|office)/,
  'audio/ogg': /ogg|opus/,
  'audio/mp4': /m4a|mp4/,
  'video/mp4': /mp4|m4v|3gpp/,
}

/** Types whose content always has a signature. */
const SIGNED =
  /^(image\/(png|jpeg|gif|webp|avif|bmp|x-icon)|application\/(pdf|gzip|zip|epub\+zip|wasm|msword|vnd\.(ms-(excel|powerpoint)|openxmlformats.*|oasis.*)))$/

/** Returns the type of content by its bytes, or by their beginning, and the type of its name. */
export function shownType(
  { mime, size }: Pick<FileEntry, 'mime' | 'size'>,
  bytes: ReadonlyBytes,
): string {
  const found = signatureOf(bytes, size)
  if (found) return KINDS[found]?.test(mime) ? mime : found
  if (!SIGNED.test(mime) && !cannotBeText(mime)) return mime
  if (isTextEncoding(encodingOf(bytes))) return 'text/plain'
  return SIGNED.test(mime) ? 'application/octet-stream' : mime
}

/** Reads as much of a file as its type takes, and returns the type. */
export async function readType(
  store: Pick<FileView, 'bytes' | 'stream'>,
  file: FileEntry,
): Promise<string> {
  if (file.size <= INLINE_BYTES) return shownType(file, await store.bytes(file))
  const head = await store.stream(file, { offset: 0, length: HEAD_BYTES })
  return shownType(file, new Uint8Array(await new Response(head).arrayBuffer()))
}
