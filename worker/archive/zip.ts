/**
 * The zip reader: yields the entries of an archive as they arrive, in one pass, by the headers before their content.
 *
 * A zip archive says everything twice: programs that can seek read the directory at its end, and never see what that
 * leaves out. So the directory has to repeat every entry that was read, at its place, with the same name, method, sizes and
 * checksum, and nothing else; the entries follow each other without a gap, so that none overlap. An archive that
 * contradicts itself ends with an error. Permissions and links are in the directory alone, so they are known at the end.
 * `test/worker/archive/zip.test.ts` has the cases.
 *
 * @module
 */

import { BrokenBody, type Bytes } from './bytes.ts'
import type { ArchiveEntry, LateFacts } from './entry.ts'
import { readContent } from './zip-content.ts'
import { readDirectory } from './zip-directory.ts'
import { FIXED, FLAG, METHOD, readEntryHeader, SIGNATURE, type EntryHeader } from './zip-header.ts'
import {
  addRecord,
  createZipSource,
  takeBytes,
  takeSignature,
  type ZipRecord,
  type ZipSource,
} from './zip-source.ts'
import { readUintLe } from '../encoding/bytes.ts'

/** An archive that is read once. */
export interface ZipReading {
  /** Read or ignore the content of an entry before the next one. Throws `BrokenBody` for an invalid archive. */
  readonly entries: AsyncGenerator<ArchiveEntry>
  /** What the directory says of each entry, in their order. */
  readonly facts: () => readonly LateFacts[]
  /** Returns why the archive broke off inside of a content, or null. */
  readonly fault: () => BrokenBody | null
}

/** Opens an archive. */
export function readZip(bytes: Bytes): ZipReading {
  const zip = createZipSource(bytes)
  return {
    entries: entriesOf(zip),
    facts: () => zip.records.map(({ late }) => late),
    fault: () => bytes.fault() ?? zip.content?.fault() ?? null,
  }
}

async function* entriesOf(zip: ZipSource): AsyncGenerator<ArchiveEntry> {
  for (;;) {
    const offset = zip.at
    const signature = await takeSignature(zip)
    if (signature !== SIGNATURE.entry) return readDirectory(zip, signature)
    const header = await readHeader(zip)
    const record: ZipRecord = { ...header, offset, late: {}, isListed: false }
    addRecord(zip, record)
    yield* entryOf(zip, header, record)
  }
}

async function readHeader(zip: ZipSource): Promise<EntryHeader> {
  const fixed = await takeBytes(zip, FIXED.entry)
  const name = await takeBytes(zip, readUintLe(fixed, 22, 2))
  const header = readEntryHeader(fixed, name, await takeBytes(zip, readUintLe(fixed, 24, 2)))
  if (header.flags & (FLAG.encrypted | FLAG.strong | FLAG.masked))
    throw new BrokenBody('it is encrypted. Make it without a password')
  if (header.flags & FLAG.patch) throw new BrokenBody('it is a patch of another archive')
  return header
}

/** Yields the entry, then reads what is left of it. */
async function* entryOf(
  zip: ZipSource,
  header: EntryHeader,
  record: ZipRecord,
): AsyncGenerator<ArchiveEntry> {
  const { name, mtime } = header
  const { part, size, finish, tooLarge } = await readContent(zip, header, record)
  const kind = tooLarge === null ? kindOf(header, size) : { other: tooLarge }
  yield { name, kind, size, mtime, executable: undefined, content: part, damage: finish }
  await finish()
}

function kindOf({ name, method }: EntryHeader, size: number): ArchiveEntry['kind'] {
  if (typeof name === 'string' && name.endsWith('/'))
    return size === 0 ? 'folder' : { other: 'folder with content' }
  if (method === METHOD.stored || method === METHOD.deflated) return 'file'
  return { other: `file with the compression method ${method}. Use deflate` }
}
