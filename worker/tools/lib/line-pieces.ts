/**
 * Cuts a stream of bytes into pieces that end where a line does, or, within a long line, never between the two
 * characters of a Windows line end. `test/worker/tools/large-text.test.ts` tests it.
 *
 * @module
 */

/** Largest size of a piece in bytes. */
export const PIECE_BYTES = 64 * 1024

const [NEWLINE, RETURN] = [0x0a, 0x0d]

/** Yields the pieces of a stream, of at most `most` bytes, which has to be at least two. */
export async function* linePieces(
  stream: ReadableStream<Uint8Array>,
  most: number,
): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0)
  for await (const chunk of stream) {
    rest = rest.length === 0 ? chunk : join(rest, chunk)
    while (rest.length >= most) {
      const end = endOfPiece(rest.subarray(0, most))
      yield rest.subarray(0, end)
      rest = rest.subarray(end)
    }
  }
  if (rest.length > 0) yield rest
}

function endOfPiece(bytes: Uint8Array): number {
  const newline = bytes.lastIndexOf(NEWLINE)
  if (newline >= 0) return newline + 1
  return bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
