/**
 * Stores a part of an uploaded body as content: a file of an archive, or the whole body.
 * `test/worker/archive/archives.slow.test.ts` tests it through the routes.
 *
 * @module
 */

import { ok, type Result } from '#core/result.ts'
import type { ReadStore } from '../access/workspace.ts'
import { INLINE_BYTES } from '../limits.ts'
import { hasRoomFor } from '../store/disk-space.ts'
import type { Content, StoreProblem } from '../store/store.ts'
import type { Part } from './bytes.ts'

/** Stores a part of `size` bytes. A small one needs no stream, which would cost more than its bytes. */
export async function holdPart(
  store: Pick<ReadStore, 'hold' | 'holdStream'>,
  part: Part,
  size: number,
): Promise<Result<Content, StoreProblem>> {
  if (size > INLINE_BYTES || !hasRoomFor(size)) return store.holdStream(part.stream(), size)
  return ok(await store.hold(await part.bytes()))
}
