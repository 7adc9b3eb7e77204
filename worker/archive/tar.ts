/**
 * The tar reader: yields the entries of an archive as they arrive. An archive is complete when it ends with
 * two empty blocks, followed only by more of them.
 *
 * @module
 */

import { hasBytes } from '../encoding/bytes.ts'
import { MAX_TAR_NOTE_BYTES } from '../limits.ts'
import { BrokenBody, EMPTY, type Bytes } from './bytes.ts'
import { showText, type ArchiveEntry, type ArchiveText } from './entry.ts'
import {
  BLOCK,
  mapContinues,
  isEmptyBlock,
  isHeader,
  readExtension,
  readHeader,
  textOf,
  type Extension,
  type Header,
} from './tar-header.ts'

const LINK = '1'

/** Types of entries without content, whatever size they have. */
const BODILESS: Readonly<Record<string, string>> = {
  [LINK]: 'hard link',
  '2': 'symbolic link',
  '3': 'device',
  '4': 'device',
  '6': 'pipe',
}

const FILES = '07'
/** The second is that of GNU's incremental archives, whose folders have a list as content. */
const FOLDERS = '5D'
const SPARSE = 'S'

/** bsdtar, which macOS and Windows have, leaves out holes unless it is asked not to. */
const WITH_HOLES =
  'sparse file. Archive it with bsdtar --no-read-sparse, or with GNU tar without --sparse'

/** Types of headers that describe later entries. */
const NOTES = 'xgLK'

/**
 * Yields the entries of an archive. Read or ignore a body before the next entry. Throws {@link BrokenBody}
 * for an invalid archive.
 */
export async function* entriesOf(bytes: Bytes): AsyncGenerator<ArchiveEntry> {
  let always: Extension = {}
  let next: Extension = {}
  for (;;) {
    const header = await headerOf(bytes)
    if (header === null) return
    if (NOTES.includes(header.type)) {
      const note = await readNote(bytes, header)
      if (header.type === 'g') always = { ...always, ...note }
      else next = { ...next, ...note }
      continue
    }
    yield* entryOf(bytes, header, { ...always, ...next })
    next = {}
  }
}

/** Reads the next header; null at the end of the archive. */
async function headerOf(bytes: Bytes): Promise<Header | null> {
  const block = await blockOf(bytes)
  if (!isEmptyBlock(block)) return readHeader(block)
  if (!isEmptyBlock(await blockOf(bytes))) throw new BrokenBody('it has an invalid header')
  for (;;) {
    const more = await bytes.some(Infinity)
    if (more === null) return null
    if (!isEmptyBlock(more)) throw new BrokenBody('data follows its end')
  }
}

async function blockOf(bytes: Bytes): Promise<Uint8Array> {
  const block = await bytes.take(BLOCK)
  if (block === null) throw new BrokenBody('it is truncated')
  return block
}

async function readNote(bytes: Bytes, { type, size }: Header): Promise<Extension> {
  if (size > MAX_TAR_NOTE_BYTES)
    throw new BrokenBody(`it has a header of more than ${MAX_TAR_NOTE_BYTES} bytes`)
  const note = size === 0 ? EMPTY : await bytes.take(size)
  if (note === null) throw new BrokenBody('it is truncated')
  await bytes.skip(paddingOf(size))
  if (type === 'L') return { name: textOf(note) }
  return type === 'K' ? { link: textOf(note) } : readExtension(note)
}

/** Yields the entry, then skips what is left of it. */
async function* entryOf(
  bytes: Bytes,
  header: Header,
  extension: Extension,
): AsyncGenerator<ArchiveEntry> {
  const { type, executable } = header
  const { link, mtime, size: declaredSize, sparse, ...named } = { ...header, ...extension }
  const name = extension.sparseName ?? named.name
  const size = type === '5' || Object.hasOwn(BODILESS, type) ? 0 : declaredSize
  if (type === SPARSE && header.continues) while (mapContinues(await blockOf(bytes)));
  const content = bytes.part(size)
  const kind = sparse ? { other: WITH_HOLES } : type === LINK ? { link } : kindOf(type, name, size)
  yield { name, kind, size, mtime, executable, content }
  await bytes.skip(content.left() + paddingOf(size))
}

function kindOf(type: string, name: ArchiveText, size: number): ArchiveEntry['kind'] {
  const isSlashed = showText(name).endsWith('/')
  // The oldest format has no type for folders: a slash ends their name.
  if (FOLDERS.includes(type) || (FILES.includes(type) && size === 0 && isSlashed)) return 'folder'
  if (FILES.includes(type)) return isSlashed ? { other: 'folder with content' } : 'file'
  if (type === SPARSE) return { other: WITH_HOLES }
  return { other: BODILESS[type] ?? `member of the unknown type ${JSON.stringify(type)}` }
}

const paddingOf = (size: number) => -size & (BLOCK - 1)

const FORMATS: readonly (readonly [format: string, signature: string])[] = [
  ['a part of a split zip archive', 'PK\x07\x08'],
  ['xz data', '\xfd7zXZ\0'],
  ['bzip2 data', 'BZh'],
  ['Zstandard data', '\x28\xb5\x2f\xfd'],
  ['a 7z archive', '7z\xbc\xaf\x27\x1c'],
  ['a RAR archive', 'Rar!\x1a\x07'],
]

/**
 * Names what begins with these bytes, if it is no tar archive. A tar archive may begin with the signature of another
 * format as well, in the name of its first file.
 */
export function otherFormat(head: Uint8Array): string | null {
  if (isEmptyBlock(head) || isHeader(head)) return null
  const [format = null] = FORMATS.find(([, signature]) => hasBytes(head, 0, signature)) ?? []
  // What has less than a block may be the beginning of any archive.
  return format ?? (head.length < BLOCK ? null : 'no tar or zip archive')
}

/** Whether bytes begin a zip archive: its first entry, or the end of an empty one. */
export const isZip = (head: Uint8Array): boolean =>
  !isHeader(head) && (hasBytes(head, 0, 'PK\x03\x04') || hasBytes(head, 0, 'PK\x05\x06'))
