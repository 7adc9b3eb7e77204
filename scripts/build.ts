/**
 * Bundles the Worker the way wrangler does, and holds it to its size.
 *
 * `npm run build` writes `dist/worker/index.js` and `dist/sizes.json` and fails when something is
 * over its limit. `npm start` and `npm run bench` call {@link build}, so that all three run the
 * same bytes.
 *
 * @module
 */

import { build as esbuild } from 'esbuild'
import { globSync, renameSync, statSync } from 'node:fs'
import { buildArtefacts } from './artefacts.ts'
import { signInApart, withoutTables, withoutValidator } from './diet.ts'
import { inProject, ROOT } from './settings.ts'
import { isOver, kilobytes, measure, SIZES_FILE, writeSizes, type Size } from './sizes.ts'

export const WORKER_FILE = inProject('dist/worker/index.js')

/** What signing in needs, which the Worker loads only where there is an owner. */
export const SIGN_IN_FILE = inProject('dist/worker/admission.js')

/** One module for workerd out of an entry and all that it imports. What is wrong is printed. */
export async function bundle(entry: string, outfile: string): Promise<void> {
  // Renamed when it is whole: another start may be reading the one before.
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
    plugins: [withoutValidator, withoutTables, signInApart],
    logLevel: 'warning',
  })
  await bundling.catch(() => {
    throw new Error(`Cannot bundle ${entry}`)
  })
  renameSync(fresh, outfile)
}

/** Builds everything and answers how large it came out. */
export async function build(): Promise<Size[]> {
  await bundle('worker/index.ts', WORKER_FILE)
  await bundle('worker/auth/admission.ts', SIGN_IN_FILE)
  const worker = measure(WORKER_FILE, { name: 'Worker', of: 'gzip', limit: 200_000 })
  const signIn = measure(SIGN_IN_FILE, { name: 'Sign-in, loaded late', of: 'gzip', limit: 60_000 })
  const sizes = [worker, signIn, ...(await buildArtefacts())]
  writeSizes(sizes)
  return sizes
}

/** Builds, unless what was built last is newer than all that it was built from. */
export async function buildIfOld(): Promise<void> {
  const built = statSync(SIZES_FILE, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const files = globSync(SOURCES, { cwd: ROOT })
  if (files.some((file) => statSync(inProject(file)).mtimeMs >= built)) await build()
}

const SOURCES = ['{core,worker,polyfill,host,views,scripts}/**/*.*', 'package-lock.json']

function report(size: Size): void {
  const limit = `limit ${kilobytes(size.limit)} ${size.of}`
  const measured = `${kilobytes(size.raw)} raw, ${kilobytes(size.gzip)} gzip`
  console.log(`${size.name}  ${measured} (${limit})  ${size.file}`)
}

if (import.meta.main) {
  const sizes = await build()
  for (const size of sizes) report(size)
  const over = sizes.filter(isOver)
  for (const { name, of } of over) console.error(`${name} is over its limit (${of})`)
  if (over.length > 0) process.exitCode = 1
}
