/**
 * The directory at the end of a zip archive, held to the entries that were read.
 *
 * @module
 */

import { readUintLe } from '../encoding/bytes.ts'
import { BrokenBody } from './bytes.ts'
import {
  FIXED,
  IN_ZIP64,
  readDirectoryHeader,
  readLong,
  SIGNATURE,
  sizesInDirectory,
  type DirectoryHeader,
} from './zip-header.ts'
import {
  Contradiction,
  skipBytes,
  takeBytes,
  takeSignature,
  type ZipRecord,
  type ZipSource,
} from './zip-source.ts'

/** The number of entries of the directory, and where it is, in bytes. */
interface Place {
  readonly count: number
  readonly size: number
  readonly offset: number
}

/** Reads the directory after its first signature, up to the end of the archive. */
export async function readDirectory(zip: ZipSource, first: number): Promise<void> {
  const offset = zip.at - 4
  const records = new Map(zip.records.map((record) => [record.offset, record]))
  let [signature, count] = [first, 0]
  for (; signature === SIGNATURE.directory; count++) {
    compare(await readHeader(zip), records)
    signature = await takeSignature(zip)
  }
  if (signature !== SIGNATURE.zip64End && signature !== SIGNATURE.end)
    throw new BrokenBody('it has an invalid header')
  if (count !== zip.records.length) throw new Contradiction('its directory leaves out an entry')
  await readEnd(zip, signature, { count, size: zip.at - 4 - offset, offset })
}

async function readHeader(zip: ZipSource): Promise<DirectoryHeader> {
  const fixed = await takeBytes(zip, FIXED.directory)
  const [nameSize = 0, extraSize = 0, commentSize = 0] = sizesInDirectory(fixed)
  const name = await takeBytes(zip, nameSize)
  const header = readDirectoryHeader(fixed, name, await takeBytes(zip, extraSize))
  await skipBytes(zip, commentSize)
  return header
}

const COMPARED = ['method', 'crc', 'packed', 'size', 'rawName'] as const

function compare(header: DirectoryHeader, records: ReadonlyMap<number, ZipRecord>): void {
  const record = records.get(header.offset)
  if (!record || record.isListed || COMPARED.some((name) => header[name] !== record[name]))
    throw new Contradiction('its directory contradicts an entry')
  record.isListed = true
  record.late = header.late
}

/** Reads what ends the archive, and what comes before that where numbers have eight bytes. */
async function readEnd(zip: ZipSource, first: number, place: Place): Promise<void> {
  let signature = first
  if (signature === SIGNATURE.zip64End) {
    await readZip64End(zip, place)
    signature = await takeSignature(zip)
  }
  if (signature !== SIGNATURE.end) throw new BrokenBody('it has an invalid header')
  const end = await takeBytes(zip, FIXED.end)
  const places = [
    [readUintLe(end, 6, 2), place.count, 0xffff],
    [readUintLe(end, 8, 4), place.size, IN_ZIP64],
    [readUintLe(end, 12, 4), place.offset, IN_ZIP64],
  ] as const
  if (places.some(([found, known, inZip64]) => found !== known && found !== inZip64))
    throw new Contradiction('its end contradicts its directory')
  await skipBytes(zip, readUintLe(end, 16, 2))
  if ((await zip.bytes.some(1)) !== null) throw new BrokenBody('data follows its end')
}

/** Largest end of zip64 in bytes: its data for programs of one kind are skipped. */
const MAX_END_BYTES = 64 * 1024

async function readZip64End(zip: ZipSource, { count, size, offset }: Place): Promise<void> {
  const begin = zip.at - 4
  const length = readLong(await takeBytes(zip, 8), 0)
  if (length < 44 || length > MAX_END_BYTES) throw new BrokenBody('it has an invalid header')
  const end = await takeBytes(zip, length)
  const found = [20, 28, 36].map((at) => readLong(end, at))
  if (found.some((value, index) => value !== [count, size, offset][index]))
    throw new Contradiction('its end contradicts its directory')
  if ((await takeSignature(zip)) !== SIGNATURE.zip64Locator)
    throw new BrokenBody('it has an invalid header')
  const locator = await takeBytes(zip, FIXED.zip64Locator)
  if (readLong(locator, 4) !== begin) throw new Contradiction('its end contradicts its directory')
}
