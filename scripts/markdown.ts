/**
 * Markdown tables that are also readable in a terminal.
 *
 * @module
 */

/** Formats a table with aligned columns. A `|` in a cell is escaped. */
export function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [head, ...body].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lines = rows.map((row) => line(widths.map((width, i) => (row[i] ?? '').padEnd(width))))
  lines.splice(1, 0, line(widths.map((width) => '-'.repeat(width))))
  return lines.join('\n')
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
