/**
 * Writes generated files that are in git, formatted as by `npm run format`.
 *
 * @module
 */

import { writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'

/** Formats a text as the file with this name. */
export async function formatted(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file })
}

/** Formats a text and writes it. */
export async function writeFormatted(file: string, text: string): Promise<void> {
  writeFileSync(file, await formatted(file, text))
}
