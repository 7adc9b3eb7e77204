/**
 * A tree of any number of small files as a tar stream, made while it is sent: a million files on disk would cost more
 * time than the measurement.
 *
 * What a query below one folder sees is the same in every size: 500 files in each folder, one file with a rare name, and
 * {@link NEEDLE_FILES} files with a rare word, spread over the whole tree.
 *
 * @module
 */

/** A word in exactly {@link NEEDLE_FILES} files of every tree. */
export const NEEDLE = 'needleInHaystack'

/** Number of files that contain {@link NEEDLE}. */
export const NEEDLE_FILES = 5

/** The name of one file in every tree. */
export const RARE_NAME = 'rarely-named.md'

/** The folder with that file; it has as many files in every tree. */
export const RARE_FOLDER = 'folder-1'

/** Files in each folder of the first level. */
export const FOLDER_FILES = 500

const PART_FILES = 100
const RARE_FILE = FOLDER_FILES + 1
const BLOCK = 512
const CHUNK_BYTES = 1024 * 1024

/** The path of a file by its number. */
export function pathOf(file: number): string {
  const folder = `folder-${Math.floor(file / FOLDER_FILES)}`
  const part = `part-${Math.floor((file % FOLDER_FILES) / PART_FILES)}`
  const name = file === RARE_FILE ? RARE_NAME : `file-${file}.${file % 2 === 0 ? 'ts' : 'js'}`
  return `${folder}/${part}/${name}`
}

/** Consecutive files of a tree. */
export interface Part {
  /** Files in the whole tree. */
  readonly total: number
  readonly start: number
  readonly end: number
}

/** Packs a part of the tree into a tar stream. */
export function manyFiles({ total, start, end }: Part): ReadableStream<Uint8Array> {
  const needleEvery = Math.ceil(total / NEEDLE_FILES)
  return pack(start, end, (file) => ({
    path: pathOf(file),
    content: Buffer.from(textOf(file, file % needleEvery === 0)),
  }))
}

/** Packs one folder of files, small texts by default, into a tar stream. */
export function oneFolder(
  folder: string,
  files: number,
  contentOf: (file: number) => string | Buffer = (file) => `${folder} ${file}\n`,
): ReadableStream<Uint8Array> {
  return pack(0, files, (file) => ({
    path: `${folder}/part-${Math.floor(file / PART_FILES)}/file-${file}.txt`,
    content: Buffer.from(contentOf(file)),
  }))
}

/** Packs empty files, all of them directly in one folder, into a tar stream: there is nothing to index. */
export function flatFolder(folder: string, files: number): ReadableStream<Uint8Array> {
  const content = Buffer.alloc(0)
  return pack(0, files, (file) => ({
    path: `${folder}/file-${String(file).padStart(6, '0')}.txt`,
    content,
  }))
}

/** Packs large binary files of different content into a tar stream. */
export function largeFiles(start: number, end: number, bytes: number): ReadableStream<Uint8Array> {
  const content = Buffer.alloc(bytes)
  for (let at = 0; at + 4 <= bytes; at += 4)
    content.writeUInt32LE(Math.imul(at, 0x9e3779b1) >>> 0, at)
  return pack(start, end, (file) => {
    content.writeUInt32LE(file)
    return { path: `large/file-${file}.bin`, content }
  })
}

function textOf(file: number, hasNeedle: boolean): string {
  const line = `export function compute${file}(question: string) {\n  return question.length + ${file}\n}\n`
  return hasNeedle ? `${line}const ${NEEDLE} = ${file}\n` : line
}

interface Entry {
  readonly path: string
  readonly content: Buffer
}

/** The content of an entry is copied before the next one is made. */
function pack(
  start: number,
  end: number,
  entry: (file: number) => Entry,
): ReadableStream<Uint8Array> {
  let file = start
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const blocks: Buffer[] = []
        let bytes = 0
        for (; file < end && bytes < CHUNK_BYTES; file++) {
          const entryBlocks = blocksOf(entry(file))
          blocks.push(...entryBlocks)
          for (const block of entryBlocks) bytes += block.length
        }
        if (file === end) blocks.push(Buffer.alloc(2 * BLOCK))
        controller.enqueue(Buffer.concat(blocks))
        if (file === end) controller.close()
      },
    },
    { highWaterMark: 1 },
  )
}

function blocksOf({ path, content }: Entry): Buffer[] {
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)
  return [headerOf(path, content.length), content, padding]
}

/** The header of a file in the ustar format. */
function headerOf(path: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.write(path, 0, 100)
  header.write('0000644\0', 100)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('15000000000\0', 136)
  header.write('        0', 148) // the checksum counts as spaces
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
