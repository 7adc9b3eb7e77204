/**
 * Lets a real page use modules of the host: they are bundled as for the console and put into it.
 *
 * @module
 */

import type { Page } from 'playwright'
import { bundleText, VIEW } from './bundle.ts'

/** One script out of a file of `test/host`. */
export const bundleScript = (entry: string) => bundleText(entry, { ...VIEW, format: 'iife' })

/** Runs one of the visits that the script has put into the page. */
export async function visit(page: Page, name: string, argument?: unknown): Promise<unknown> {
  const result: unknown = await page.evaluate(
    `visits.${name}(${argument === undefined ? '' : JSON.stringify(argument)})`,
  )
  return result
}
