/**
 * How code for workerd is bundled: the options of esbuild, and one entry with its imports as one module.
 *
 * @module
 */

import { build, type BuildOptions } from 'esbuild'
import { renameSync } from 'node:fs'
import {
  keepLateModules,
  removeAttestations,
  removeValidator,
  replaceTables,
  writeResults,
} from './bundle-plugins.ts'
import { ROOT } from './settings.ts'

/** The options of every bundle. */
export const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  minify: true,
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*', 'node:*'],
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.html': 'text', '.txt': 'text' },
  legalComments: 'none',
  // V8 keeps text in twice the memory, and parses it more slowly, if a single character of it is beyond Latin-1.
  charset: 'ascii',
  plugins: [removeValidator, removeAttestations, replaceTables, writeResults, keepLateModules],
  logLevel: 'warning',
} as const satisfies BuildOptions

/** Bundles an entry and its imports into one module for workerd; esbuild prints the errors. */
export async function bundle(entry: string, outfile: string): Promise<void> {
  // Written under another name and renamed, because another start may be reading the previous file.
  const fresh = `${outfile}.${process.pid}`
  await build({ ...OPTIONS, entryPoints: [entry], outfile: fresh }).catch(() => {
    throw new Error(`Cannot bundle ${entry}`)
  })
  renameSync(fresh, outfile)
}
