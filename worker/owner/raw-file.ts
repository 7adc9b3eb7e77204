/**
 * The bytes of a file on one side of a comparison: all of them, as plain text or a picture, in a sandbox.
 *
 * `test/worker/owner/apps.test.ts` and `test/worker/drafts/units.test.ts` have the cases.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { FileStates } from '../changes/shown-diff.ts'
import type { FileEntry } from '../store/store.ts'
import { rawHeaders } from '../file-headers.ts'
import { refuse } from '../errors/respond.ts'
import { readType } from '../access/shown-type.ts'

/** Reads which side a request asks for; the one after the change if it names none. */
export function parseSide(params: URLSearchParams): Result<keyof FileStates, Response> {
  const side = params.get('side') ?? 'after'
  return side === 'before' || side === 'after'
    ? ok(side)
    : err(refuse(400, 'INVALID_SIDE', 'Invalid side. Use before or after.'))
}

/** Serves all bytes of a file. */
export async function serveRaw(
  { method }: Request,
  file: FileEntry,
  store: Pick<ReadStore, 'bytes' | 'stream'>,
): Promise<Response> {
  const mime = await readType(store, file)
  const body = method === 'HEAD' ? null : await store.stream(file)
  return new Response(body, { headers: rawHeaders(file, mime) })
}
