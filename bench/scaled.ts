/**
 * Workspaces of several sizes, each in a process of its own with an inspector, imported on first use and shared by the
 * rows. Everything goes through the route for imports, in parts: the response to one takes as long as the import.
 *
 * @module
 */

import { freePort } from '../scripts/port.ts'
import { MAX_FILES } from '../worker/limits.ts'
import { openInspector, type Inspector } from './inspector.ts'
import { largeFiles, manyFiles } from './many-files.ts'
import type { Context } from './row.ts'
import { importTar, waitForIndex } from './upload.ts'
import type { Server } from './workerd.ts'

/** A workspace of one size. */
export interface Scaled {
  /** The size by which it is called. */
  readonly files: number
  /** Files of the tree; the largest leaves room for what the rows add. */
  readonly treeFiles: number
  readonly server: Server
  readonly inspector: Inspector
  /** Milliseconds of the import of the small files, and of the indexing of their texts after it. */
  readonly importMs: number
  readonly indexMs: number
  /** Largest heap during the import in bytes. */
  readonly importPeak: number
}

const PART_FILES = 100_000
const LARGE_BYTES = 100_000_000
const LARGE_AT_ONCE = 10

/** Files that the rows add to the largest workspace, which would otherwise be at its limit. */
const ROOM = 15_000

const loaded = new WeakMap<Context, Map<number, Promise<Scaled>>>()

/** Returns the workspace with this many files. */
export function scaled(context: Context, files: number): Promise<Scaled> {
  const known = loaded.get(context) ?? new Map<number, Promise<Scaled>>()
  loaded.set(context, known)
  const one = known.get(files) ?? load(context, files)
  known.set(files, one)
  return one
}

/** Returns the workspaces of all sizes, loaded one after the other, because each import is measured. */
export async function allScaled(context: Context): Promise<Scaled[]> {
  const sizes: Scaled[] = []
  for (const files of context.scale.sizes) sizes.push(await scaled(context, files))
  return sizes
}

async function load(context: Context, files: number): Promise<Scaled> {
  const port = await freePort()
  const address = `--inspector-addr=127.0.0.1:${port}`
  const server = await context.product(`scale-${files}`, [address])
  const inspector = await openInspector(port, () => readStatus(server))
  const start = performance.now()
  const treeFiles = Math.min(files, MAX_FILES - ROOM)
  const importPeak = await inspector.measurePeak(() => importFiles(server, treeFiles))
  const importMs = performance.now() - start
  await waitForIndex(server)
  const indexMs = performance.now() - start - importMs
  if (files === context.scale.sizes.at(-1)) await importLarge(server, context.scale.bytes)
  return { files, treeFiles, server, inspector, importMs, indexMs, importPeak }
}

async function importFiles(server: Server, total: number): Promise<void> {
  for (let start = 0; start < total; start += PART_FILES)
    await importTar(server, manyFiles({ total, start, end: Math.min(total, start + PART_FILES) }))
}

/** Adds large files until the workspace has about as many bytes as it may have. */
async function importLarge(server: Server, bytes: number): Promise<void> {
  const { bytes: small = 0 } = await readStatus(server)
  const count = Math.floor((bytes - small) / LARGE_BYTES)
  for (let start = 0; start < count; start += LARGE_AT_ONCE)
    await importTar(server, largeFiles(start, Math.min(count, start + LARGE_AT_ONCE), LARGE_BYTES))
}

async function readStatus(server: Server): Promise<{ readonly bytes?: number }> {
  const response = await fetch(server.url('/status'))
  const text = await response.text()
  return { bytes: Number(/"bytes":(\d+)/.exec(text)?.[1]) }
}
