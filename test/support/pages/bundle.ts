/** Scripts for pages of tests, bundled into one text. @module */

import { build, type BuildOptions } from 'esbuild'
import { ROOT } from '../../../scripts/settings.ts'

/** Options for entries that are named by their path in the project, and may have JSX. */
export const VIEW: BuildOptions = {
  absWorkingDir: ROOT,
  jsx: 'automatic',
  jsxImportSource: 'preact',
}

/** Bundles an entry with all that it imports; esbuild prints the errors. */
export async function bundleText(entry: string, options: BuildOptions = {}): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    target: 'es2024',
    charset: 'utf8',
    logLevel: 'warning',
    ...options,
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}
