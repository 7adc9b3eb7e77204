/**
 * The two kinds of trees to search, on disk for ripgrep and fd, and as a tar stream for Edgewise.
 * Both are generated from a seed and kept in `dist/bench/`, so that only the first run generates
 * them.
 *
 * @module
 */

import {
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { packTar } from 'modern-tar/fs'
import { below, pick, seeded } from './random.ts'
import { createSourceText } from './source-text.ts'
import { OUT } from './workerd.ts'

/** The target of a rare search, contained in one file of {@link NEEDLE_EVERY}. */
export const NEEDLE = 'needleInHaystack'
const NEEDLE_EVERY = 1_500

/** Files in one folder of a tree of paths, half of them `.ts` files. */
const FOLDER_FILES = 500

const MEAN_BYTES = 10_000
const EXTENSIONS = ['ts', 'ts', 'ts', 'md', 'json', 'py']

interface Entry {
  readonly path: string
  readonly text: string
}

/** Creates a tree of text files of about 10 kB and returns its folder. */
export const sourceTree = (files: number) => onDisk(`source-${files}`, sourceEntries(files))

/**
 * Creates a tree of tiny files in folders of 500, one of them named `rare`, and returns its folder.
 */
export const pathTree = (files: number) => onDisk(`paths-${files}`, pathEntries(files))

/** Returns the paths of {@link pathTree}. */
export const pathsOf = (files: number) => [...pathEntries(files)].map(({ path }) => path)

/** Packs a folder into a tar stream. */
export function archive(folder: string): ReadableStream {
  return Readable.toWeb(packTar(folder))
}

/** Packs a folder into a file beside it, unless a run before did, and returns its name. */
export async function archiveFile(folder: string): Promise<string> {
  const file = `${folder}.tar`
  if (existsSync(file)) return file
  await pipeline(packTar(folder), createWriteStream(`${file}.part`))
  renameSync(`${file}.part`, file)
  return file
}

/** Returns the paths and contents of the files of {@link sourceTree}. */
export const sourcesOf = (files: number) =>
  [...sourceEntries(files)].map(({ path, text }) => [`/${path}`, text] as const)

function onDisk(name: string, entries: Iterable<Entry>): string {
  const folder = `${OUT}/trees/${name}`
  const done = `${folder}.done`
  if (existsSync(done)) return folder
  rmSync(folder, { recursive: true, force: true })
  for (const { path, text } of entries) write(`${folder}/${path}`, text)
  writeFileSync(done, '')
  return folder
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function* sourceEntries(files: number): Generator<Entry> {
  const random = seeded(1)
  const sourceText = createSourceText(2)
  for (let file = 0; file < files; file++) {
    const folder = `package-${Math.floor(file / 100)}/part-${Math.floor(file / 10) % 10}`
    const path = `${folder}/module-${file}.${pick(random, EXTENSIONS)}`
    const text = sourceText(MEAN_BYTES / 5 + below(random, (MEAN_BYTES * 8) / 5))
    yield { path, text: file % NEEDLE_EVERY === 0 ? `${text}const ${NEEDLE} = 1\n` : text }
  }
}

function* pathEntries(files: number): Generator<Entry> {
  for (let file = 0; file < files; file++) {
    const nth = file % FOLDER_FILES
    const folder = `folder-${Math.floor(file / FOLDER_FILES)}/part-${Math.floor(nth / 100)}`
    const name = nth === 0 ? `rare-${file}.md` : `file-${file}.${nth % 2 === 0 ? 'ts' : 'js'}`
    yield { path: `${folder}/${name}`, text: `${file}\n` }
  }
}
