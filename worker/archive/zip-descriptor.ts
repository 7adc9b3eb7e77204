/**
 * What follows the content of an entry of a zip archive whose header says so: its checksum and its sizes.
 *
 * @module
 */

import { readUintLe } from '../encoding/bytes.ts'
import { BrokenBody } from './bytes.ts'
import { SIGNATURE } from './zip-header.ts'
import { Contradiction, skipBytes, type ZipSource } from './zip-source.ts'

/** The sizes of a content, as it was read. */
interface Sizes {
  readonly packed: number
  readonly size: number
}

/**
 * The four forms, of which only one fits: with the signature or without it, with sizes of eight bytes or of four. Those of
 * eight come first, because the upper half of one is no size.
 */
const FORMS = [
  { from: 4, width: 8 },
  { from: 4, width: 4 },
  { from: 0, width: 8 },
  { from: 0, width: 4 },
]

/** Reads the descriptor that follows a content of these sizes. Throws {@link Contradiction} if it has others. */
export async function readDescriptor(zip: ZipSource, { packed, size }: Sizes) {
  // The directory and the end that follow are longer.
  const head = await zip.bytes.peek(24)
  if (head.length < 24) throw new BrokenBody('it is truncated')
  const form = FORMS.find(
    ({ from, width }) =>
      (from === 0 || readUintLe(head, 0, 4) === SIGNATURE.descriptor) &&
      isSize(head, from + 4, { value: packed, width }) &&
      isSize(head, from + 4 + width, { value: size, width }),
  )
  if (!form) throw new Contradiction('the size of an entry that follows its content is another')
  const crc = readUintLe(head, form.from, 4)
  await skipBytes(zip, form.from + 4 + 2 * form.width)
  return { crc, packed, size }
}

/** Whether a size is at an offset. */
const isSize = (head: Uint8Array, at: number, { value, width }: { value: number; width: number }) =>
  readUintLe(head, at, 4) === value % 2 ** 32 &&
  (width === 4 || readUintLe(head, at + 4, 4) === Math.floor(value / 2 ** 32))
