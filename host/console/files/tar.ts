/**
 * Packs local files into a tar archive, which the workspace imports as one change.
 *
 * The archive is a blob of headers and of the files themselves, so the browser reads each file only
 * when it is sent. A name that does not fit a plain header gets a pax header (POSIX.1-2001) before
 * it.
 *
 * @module
 */

/** A file of this device, with its path in the archive. */
export interface LocalFile {
  readonly file: File
  /** The path below the folder that was chosen, or the name. */
  readonly path: string
}

/** Returns files that were chosen, below their folder if a folder was chosen. */
export const localFiles = (files: Iterable<File>): readonly LocalFile[] =>
  Array.from(files, (file) => ({ file, path: file.webkitRelativePath || file.name }))

/** A packed archive and the number of files in it. */
export interface Packed {
  readonly archive: Blob
  readonly files: number
}

/** Most files in one archive; further files are left out. */
export const MAX_FILES = 50_000

const BLOCK = 512

/** Packs files into an archive. */
export function packFiles(files: readonly LocalFile[]): Packed {
  const parts = files.slice(0, MAX_FILES).flatMap(packEntry)
  const end = new Uint8Array(2 * BLOCK)
  return { archive: new Blob([...parts, end]), files: Math.min(files.length, MAX_FILES) }
}

function packEntry({ file, path: name }: LocalFile): BlobPart[] {
  const bytes = new TextEncoder().encode(name)
  const time = Math.floor(file.lastModified / 1000)
  const long = bytes.length > 100 ? packLongName(name) : []
  return [...long, createHeader(bytes, file.size, time, '0'), file, createPadding(file.size)]
}

function packLongName(name: string): BlobPart[] {
  const record = createPaxRecord('path', name)
  const own = new TextEncoder().encode('pax-header')
  return [createHeader(own, record.length, 0, 'x'), record, createPadding(record.length)]
}

/** A pax record starts with its own length, including the digits of the length. */
function createPaxRecord(key: string, value: string): Uint8Array<ArrayBuffer> {
  const rest = new TextEncoder().encode(` ${key}=${value}\n`)
  let length = rest.length + 1
  while (String(length).length + rest.length !== length) {
    length = String(length).length + rest.length
  }
  return new TextEncoder().encode(`${length} ${key}=${value}\n`)
}

function createHeader(
  name: Uint8Array,
  size: number,
  time: number,
  type: string,
): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK)
  block.set(name.subarray(0, 100))
  const write = (at: number, text: string) => block.set(new TextEncoder().encode(text), at)
  write(100, '0000644\0')
  write(108, '0000000\0')
  write(116, '0000000\0')
  write(124, `${size.toString(8).padStart(11, '0')}\0`)
  write(136, `${time.toString(8).padStart(11, '0')}\0`)
  write(148, ' '.repeat(8))
  write(156, type)
  write(257, 'ustar\x0000')
  const sum = block.reduce((total, byte) => total + byte, 0)
  write(148, `${sum.toString(8).padStart(6, '0')}\0 `)
  return block
}

const createPadding = (size: number) => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK)

const ARCHIVE = /\.(tar|tgz|tar\.gz)$/i

/** Whether a file is a tar archive, by its name. */
export const isArchive = ({ name }: Pick<File, 'name'>) => ARCHIVE.test(name)
