/** Numbers the lines of a text that arrives in pieces. @module */

import { createCounter } from '#worker/tools/lib/line-counter.ts'
import type { Lines, LineWindow } from '#worker/tools/lib/lines.ts'

/** Numbers the lines of pieces, each of them pushed as it arrives. */
export async function numberStream(
  pieces: AsyncIterable<string>,
  window: LineWindow,
): Promise<Lines> {
  const counter = createCounter(window)
  for await (const piece of pieces) counter.push(piece)
  return counter.end()
}
