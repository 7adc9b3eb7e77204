/**
 * The product and the peers with the same tree of source files: how long loading takes, and the processes that hold
 * it afterwards.
 *
 * The product gets a tar stream on its import route, a peer batches of a hundred files, and `tar` unpacks the same
 * archive onto the disk. Each round loads into an empty workspace, the last one into the default workspace.
 *
 * @module
 */

import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { once } from './load.ts'
import { interleave } from './median.ts'
import { checkPeer, checkProduct, startPeers, type PeerServer } from './peers.ts'
import { run } from './program.ts'
import type { Context } from './row.ts'
import { archiveFile, sourcesOf, sourceTree } from './tree.ts'
import { importTar, inWorkspace, waitForIndex } from './upload.ts'
import { modernAt, toolCall } from './wire.ts'
import { OUT, type Server } from './workerd.ts'

/** Files of one request to a peer. */
const BATCH = 100

/** A file: path and content. */
type Source = readonly [path: string, text: string]

/** The loaded processes. */
export interface Loaded {
  readonly product: Server
  readonly shell: PeerServer
  readonly computer: PeerServer
  readonly files: readonly Source[]
  /** Milliseconds of loading: medians of the rounds. */
  readonly times: Readonly<Record<'edgewise' | 'shell' | 'computer' | 'tar', number>>
}

const loaded = new WeakMap<Context, Promise<Loaded>>()

/** Loads the tree into all of them, on first use. */
export function loadAll(context: Context): Promise<Loaded> {
  const known = loaded.get(context) ?? load(context)
  loaded.set(context, known)
  return known
}

async function load(context: Context): Promise<Loaded> {
  const { treeFiles } = context.scale
  // Loading the tree takes long enough for a few rounds to do.
  const rounds = Math.min(context.scale.rounds, 3)
  const product = await context.product('loaded')
  const { shell, computer } = await startPeers(context, 'loaded')
  const files = sourcesOf(treeFiles)
  const archive = await archiveFile(sourceTree(treeFiles))
  const batches = batchesOf(files)
  const times = await interleave(rounds, {
    edgewise: inTurns(rounds, (name) => importOnce(product, name, { archive, files })),
    shell: inTurns(rounds, (name) => writeAll(shell, name ?? 'default', batches)),
    computer: inTurns(rounds, (name) => writeAll(computer, name ?? 'default', batches)),
    tar: () => unpack(archive),
  })
  for (const [path, text] of [files[0], files[files.length >> 1], files.at(-1)].flatMap(present)) {
    await checkProduct(product, path, text)
    for (const peer of [shell, computer]) await checkPeer(peer, path, text)
  }
  return { product, shell, computer, files, times }
}

const present = (file: Source | undefined) => (file ? [file] : [])

/** Names the workspace of each round, and none in the last one. */
function inTurns(rounds: number, sample: (name: string | null) => Promise<number>) {
  let round = 0
  return () => sample(round++ === rounds ? null : `round-${round}`)
}

async function importOnce(
  server: Server,
  name: string | null,
  { archive, files }: Pick<Loaded, 'files'> & { readonly archive: string },
): Promise<number> {
  const workspace = name === null ? server : inWorkspace(server, name)
  const start = performance.now()
  await importTar(workspace, Readable.toWeb(createReadStream(archive)))
  const elapsed = performance.now() - start
  if (name !== null) await deleteAll(server, name, files)
  // Otherwise the index would be made while the next contender is measured.
  await waitForIndex(workspace)
  return elapsed
}

/** Deletes the files, which the index then passes over: making it takes longer than the import. */
async function deleteAll({ port }: Server, name: string, files: readonly Source[]): Promise<void> {
  const wire = modernAt(`/w/${name}/mcp`)
  const folders = new Set(files.map(([path]) => path.split('/')[1]))
  for (const folder of folders) {
    const request = toolCall(wire, 'delete_file', { path: `/${folder}` })
    await once({ name: 'delete_file', port, marker: '"files":', request: () => request })
  }
}

function batchesOf(files: readonly Source[]): string[] {
  const count = Math.ceil(files.length / BATCH)
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify(files.slice(index * BATCH, (index + 1) * BATCH)),
  )
}

async function writeAll({ server, title }: PeerServer, name: string, batches: readonly string[]) {
  const start = performance.now()
  for (const body of batches) {
    const response = await fetch(server.url(`/${name}`), { method: 'PUT', body })
    const text = await response.text()
    if (!text.startsWith('wrote ')) throw new Error(`${title} answered ${text.slice(0, 400)}`)
  }
  return performance.now() - start
}

/** Unpacks with `tar` and waits until the files are on the disk. */
async function unpack(archive: string): Promise<number> {
  const folder = `${OUT}/unpacked`
  mkdirSync(folder, { recursive: true })
  const script = 'tar -x -f "$0" -C "$1" && sync -f "$1"'
  const { milliseconds } = await run('sh', ['-c', script, archive, folder])
  rmSync(folder, { recursive: true, force: true })
  return milliseconds
}
