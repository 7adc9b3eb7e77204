/**
 * The bytes of a zip archive with their position, and the records of its entries, which the directory at the end has to
 * repeat.
 *
 * @module
 */

import { readUintLe } from '../encoding/bytes.ts'
import { MAX_ZIP_DIRECTORY_BYTES, MAX_ZIP_ENTRIES } from '../limits.ts'
import { BrokenBody, EMPTY, type Bytes } from './bytes.ts'
import { createMeter, type Meter } from './decompress.ts'
import type { LateFacts } from './entry.ts'
import { FIXED, type ZipFacts } from './zip-header.ts'

/** The directory of the archive contradicts its entries, so that two programs would unpack different files. */
export class Contradiction extends BrokenBody {}

/** What was read of an entry. */
export interface ZipRecord extends ZipFacts {
  /** Where its header begins. */
  readonly offset: number
  /** What the directory says of it, once it is listed there. */
  late: LateFacts
  isListed: boolean
}

/** An archive that is being read. */
export interface ZipSource {
  readonly bytes: Bytes
  readonly meter: Meter
  readonly records: ZipRecord[]
  /** The position of the next byte. */
  at: number
  /** Bytes that the directory will have at least. */
  directoryBytes: number
  /** Reads the content of the current entry. */
  content: Bytes | null
}

/** Creates the source of an archive. */
export const createZipSource = (bytes: Bytes): ZipSource => ({
  bytes,
  meter: createMeter(),
  records: [],
  at: 0,
  directoryBytes: 0,
  content: null,
})

/** Reads exactly some bytes. */
export async function takeBytes(zip: ZipSource, size: number): Promise<Uint8Array> {
  if (size === 0) return EMPTY
  const bytes = await zip.bytes.take(size)
  if (bytes === null) throw new BrokenBody('it is truncated')
  zip.at += size
  return bytes
}

/** Reads a signature. */
export const takeSignature = async (zip: ZipSource): Promise<number> =>
  readUintLe(await takeBytes(zip, 4), 0, 4)

/** Discards bytes. */
export async function skipBytes(zip: ZipSource, size: number): Promise<void> {
  await zip.bytes.skip(size)
  zip.at += size
}

/** Adds the record of an entry, within the limits. */
export function addRecord(zip: ZipSource, record: ZipRecord): void {
  if (zip.records.push(record) > MAX_ZIP_ENTRIES)
    throw new BrokenBody(`it has more than ${MAX_ZIP_ENTRIES} entries. Send it as tar`)
  zip.directoryBytes += FIXED.directory + 4 + record.rawName.length
  if (zip.directoryBytes > MAX_ZIP_DIRECTORY_BYTES)
    throw new BrokenBody(
      `its names have more than ${MAX_ZIP_DIRECTORY_BYTES} bytes. Send it as tar`,
    )
}
