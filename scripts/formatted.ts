/**
 * Files that a script writes and git keeps, formatted as `npm run format` wants them.
 *
 * @module
 */

import { writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'

export async function formatted(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file })
}

export async function writeFormatted(file: string, text: string): Promise<void> {
  writeFileSync(file, await formatted(file, text))
}
