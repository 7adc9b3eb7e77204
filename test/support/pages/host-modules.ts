/**
 * Lets a real page use modules of the host: they are bundled as for the console and put into it.
 *
 * @module
 */

import { build } from 'esbuild'
import type { Page } from 'playwright'
import { ROOT } from '../e2e/run.ts'

/** One script out of a file of `test/host`. */
export async function bundleScript(entry: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    write: false,
    logLevel: 'warning',
  })
  return outputFiles[0]?.text ?? ''
}

/** Runs one of the visits that the script has put into the page. */
export async function visit(page: Page, name: string, argument?: unknown): Promise<unknown> {
  const result: unknown = await page.evaluate(
    `visits.${name}(${argument === undefined ? '' : JSON.stringify(argument)})`,
  )
  return result
}
