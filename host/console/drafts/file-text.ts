/** The text of a file of a draft, for what its difference leaves out. @module */

import type { LineReader } from '#views/diff/gap.tsx'

/**
 * Reads a text file of this server.
 *
 * @throws {Error} If it cannot be read.
 */
export async function readTextAt(address: string): Promise<string> {
  const response = await fetch(address)
  if (!response.ok) throw new Error('Cannot read the file')
  const bytes = new Uint8Array(await response.arrayBuffer())
  const [first, second] = bytes
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8'
  return new TextDecoder(first === 0xfe && second === 0xff ? 'utf-16be' : encoding).decode(bytes)
}

/** Creates the reader of the unchanged lines of a text, which reads it once. */
export function createLineReader(readText: () => Promise<string>): LineReader {
  let reading: Promise<readonly string[]> | null = null
  const read = async () => {
    const lines = (await readText()).split('\n')
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines
  }
  return async (_, { newStart }, from, count) => {
    reading ??= read()
    const lines = await reading.catch((error: unknown) => {
      reading = null
      throw error
    })
    const start = newStart - 1 + from
    return { texts: lines.slice(start, start + count), rest: Math.max(0, lines.length - start) }
  }
}
