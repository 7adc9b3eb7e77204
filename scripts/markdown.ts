/**
 * Generated files that are in git: Markdown tables that are also readable in a terminal, and files
 * formatted as by `npm run format`.
 *
 * @module
 */

import { writeFileSync } from 'node:fs'
import { format } from 'oxfmt'
import options from '../.oxfmtrc.json' with { type: 'json' }

/** Formats a table with aligned columns. A `|` in a cell is escaped. */
export function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [head, ...body].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lines = rows.map((row) => line(widths.map((width, i) => (row[i] ?? '').padEnd(width))))
  lines.splice(1, 0, line(widths.map((width) => '-'.repeat(width))))
  return lines.join('\n')
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Formats a text as the file with this name. */
export async function formatAs(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, options)
  if (errors.length > 0) throw new Error(`Cannot format ${file}: ${errors[0]?.message}`)
  return code
}

/** Formats a text and writes it. */
export async function writeFormatted(file: string, text: string): Promise<void> {
  writeFileSync(file, await formatAs(file, text))
}
