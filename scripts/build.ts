/**
 * Builds the Worker and what browsers load, and checks the sizes.
 *
 * `npm run build` writes `dist/worker`, `dist/assets` and `dist/sizes.json`, and fails when something
 * exceeds its limit. `npm start` and `npm run bench` call {@link build}, so that all three run the
 * same bytes.
 *
 * @module
 */

import { globSync, statSync } from 'node:fs'
import { buildArtefacts } from './artefacts.ts'
import { refuseArguments } from './command-line.ts'
import { runScript } from './errors.ts'
import { inProject, ROOT } from './settings.ts'
import { isOver, kilobytes, SIZES_FILE, writeSizes, type Size } from './sizes.ts'
import { buildWorker } from './worker-modules.ts'

/** Builds the Worker and the browser artefacts; returns their sizes. */
export async function build(): Promise<Size[]> {
  const sizes = [...(await buildWorker()), ...(await buildArtefacts())]
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

const OPTIONS = { quiet: { type: 'boolean', default: false } } as const

/** What the command line asks for. */
export async function run(): Promise<void> {
  const { quiet } = refuseArguments('run build', OPTIONS, 'Use npm run build')
  const sizes = await build()
  // wrangler builds again after a change, and should print errors only.
  if (!quiet) for (const size of sizes) printSize(size)
  const over = sizes.filter(isOver)
  for (const { name, of } of over) console.error(`Too large: ${name} exceeds its ${of} limit`)
  if (over.length > 0) process.exitCode = 1
}

if (import.meta.main) await runScript(run)
