/**
 * Bundles the Worker as wrangler does, and checks its size.
 *
 * `npm run build` writes `dist/worker/index.js` and `dist/sizes.json`, and fails when something
 * exceeds its limit. `npm start` and `npm run bench` call {@link build}, so that all three run the
 * same bytes.
 *
 * @module
 */

import { build as esbuild } from 'esbuild'
import { globSync, renameSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { buildArtefacts } from './artefacts.ts'
import { keepLateModules, replaceTables, removeValidator, writeResults } from './bundle-plugins.ts'
import { inProject, ROOT } from './settings.ts'
import { isOver, kilobytes, measure, SIZES_FILE, writeSizes, type Size } from './sizes.ts'

/** The built Worker. */
export const WORKER_FILE = inProject('dist/worker/index.js')

/** A module that the Worker imports on first use. */
interface LateModule {
  readonly entry: string
  readonly file: string
  readonly name: string
  /** Limit in bytes, gzipped. */
  readonly limit: number
}

/** The modules that are built separately. */
export const LATE_MODULES: readonly LateModule[] = [
  {
    entry: 'worker/auth/owner-gate.ts',
    file: inProject('dist/worker/owner-gate.js'),
    name: 'Sign-in, loaded late',
    limit: 60_000,
  },
  {
    entry: 'worker/mcp/sdk.ts',
    file: inProject('dist/worker/sdk.js'),
    name: 'MCP SDK, loaded late',
    limit: 90_000,
  },
  {
    entry: 'worker/search/pattern.ts',
    file: inProject('dist/worker/pattern.js'),
    name: 'Regular expressions, loaded late',
    limit: 50_000,
  },
  {
    entry: 'worker/passkeys/verify.ts',
    file: inProject('dist/worker/verify.js'),
    name: 'Passkeys, loaded late',
    // The library has a parser for each format of an attestation, with its certificates.
    limit: 92_000,
  },
]

/** The modules of the built Worker, by the names under which they import each other. */
export const WORKER_MODULES: Readonly<Record<string, string>> = Object.fromEntries(
  [WORKER_FILE, ...LATE_MODULES.map(({ file }) => file)].map((file) => [basename(file), file]),
)

/** Bundles an entry and its imports into one module for workerd; esbuild prints the errors. */
export async function bundle(entry: string, outfile: string): Promise<void> {
  // Written under another name and renamed, because another start may be reading the previous file.
  const fresh = `${outfile}.${process.pid}`
  const bundling = esbuild({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: fresh,
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.html': 'text', '.txt': 'text' },
    legalComments: 'none',
    charset: 'utf8',
    plugins: [removeValidator, replaceTables, writeResults, keepLateModules],
    logLevel: 'warning',
  })
  await bundling.catch(() => {
    throw new Error(`Cannot bundle ${entry}`)
  })
  renameSync(fresh, outfile)
}

/** Builds the Worker and the browser artefacts; returns their sizes. */
export async function build(): Promise<Size[]> {
  await bundle('worker/index.ts', WORKER_FILE)
  for (const { entry, file } of LATE_MODULES) await bundle(entry, file)
  const worker = measure(WORKER_FILE, { name: 'Worker', of: 'gzip', limit: 185_000 })
  const late = LATE_MODULES.map(({ file, name, limit }) =>
    measure(file, { name, of: 'gzip', limit }),
  )
  const sizes = [worker, ...late, ...(await buildArtefacts())]
  writeSizes(sizes)
  return sizes
}

/** Builds, unless the last build is newer than all of its sources. */
export async function buildIfOld(): Promise<void> {
  const built = statSync(SIZES_FILE, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const files = globSync(SOURCES, { cwd: ROOT })
  if (files.some((file) => statSync(inProject(file)).mtimeMs >= built)) await build()
}

const SOURCES = ['{core,worker,polyfill,host,views,scripts}/**/*.*', 'package-lock.json']

function printSize(size: Size): void {
  const limit = `limit ${kilobytes(size.limit)} ${size.of}`
  const measured = `${kilobytes(size.raw)} raw, ${kilobytes(size.gzip)} gzip`
  console.log(`${size.name}  ${measured} (${limit})  ${size.file}`)
}

if (import.meta.main) {
  const sizes = await build()
  // `wrangler dev` builds before it serves, and should print errors only.
  if (!process.argv.includes('--quiet')) for (const size of sizes) printSize(size)
  const over = sizes.filter(isOver)
  for (const { name, of } of over) console.error(`Too large: ${name} exceeds its ${of} limit`)
  if (over.length > 0) process.exitCode = 1
}
