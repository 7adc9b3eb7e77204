/**
 * Export of rows as CSV: as a download by the host, else as text to copy.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { Dialog } from '../dialog.tsx'
import type { Dashboard } from '../dashboard.ts'
import { formatField } from '../data/csv.ts'
import { cellText, type Table } from '../data/rows.ts'
import { MAX_SHOWN_EXPORT } from '../limits.ts'
import { runSliced } from '../slices.ts'

interface ExportProps {
  readonly dashboard: Dashboard
  readonly table: Table
  readonly title: string
  /** The selected rows, else all that are shown; null while they are sorted. */
  readonly rows: readonly number[] | Uint32Array | null
}

/** Renders the button that exports rows. */
export function ExportButton({ dashboard, table, title, rows }: ExportProps) {
  const [text, setText] = useState<string | null>(null)
  const run = async () => {
    if (!rows) return
    const csv = (await runSliced(formatRows(table, rows))) ?? ''
    const name = `${title.replaceAll(/[^\p{L}\p{N}]+/gu, '-') || 'data'}.csv`
    const uri = `file:///${encodeURIComponent(name)}`
    const resource = { uri, mimeType: 'text/csv', text: csv }
    const { bridge } = dashboard
    const offered =
      bridge.host.capabilities.downloadFile !== undefined &&
      (await bridge.downloadFile([{ type: 'resource', resource }]))
    if (offered) dashboard.notify({ kind: 'done', text: `Exported ${name}` })
    else setText(csv.slice(0, MAX_SHOWN_EXPORT))
  }
  return (
    <>
      <button disabled={!rows || rows.length === 0} onClick={run}>
        Export
      </button>
      {text !== null && (
        <Dialog label="Exported rows" onClose={() => setText(null)}>
          <p class="hint">This host does not offer downloads. Copy the text instead.</p>
          <textarea readOnly rows={10} aria-label="Rows as CSV" value={text} />
        </Dialog>
      )}
    </>
  )
}

/** Formats rows as CSV with a header, pausing between rows. */
function* formatRows(table: Table, rows: readonly number[] | Uint32Array): Generator<void, string> {
  const line = (cells: readonly string[]) => cells.map((cell) => formatField(cell, ',')).join(',')
  const lines = [line(table.columns.map(({ label }) => label))]
  for (const [index, row] of rows.entries()) {
    if (index % 256 === 0) yield
    lines.push(line(table.columns.map((_, column) => cellText(table.cell(row, column)))))
  }
  return `${lines.join('\r\n')}\r\n`
}
