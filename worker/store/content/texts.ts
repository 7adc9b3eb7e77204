/**
 * The texts of documents, as far as every workspace needs them: what extracts and keeps them (`documents.ts`) is loaded
 * with the first document. `test/worker/texts/kept.test.ts` tests both.
 *
 * @module
 */

import type { ReadonlyBytes } from '../../encoding/bytes.ts'
import { readMeta, writeMeta } from '../../database/schema.ts'
import { tablesOf } from '../../database/table-groups.ts'
import type { DocumentFormat, Extracted } from '../../texts/document.ts'
import type { DocumentFile, DocumentParts, Documents } from './documents.ts'
import type { Content } from '../store.ts'

/** Opens the texts of documents. */
export function createTexts(parts: DocumentParts) {
  let opened: Promise<Documents> | null = null
  const open = () =>
    (opened ??= import('./documents.ts').then(({ createDocuments }) => createDocuments(parts)))
  return {
    /** Returns the text of a document; null if the content is none. */
    documentText: async (file: DocumentFile, format: DocumentFormat | null = null) =>
      (await open()).documentText(file, format),
    /** Returns the text of content that no blob may have yet; null if it is no document. */
    heldDocument: async (
      content: Content,
      bytes: () => Promise<ReadonlyBytes>,
    ): Promise<Extracted | null> =>
      content.encoding === 'document' ? (await open()).heldDocument(content, bytes) : null,
    /** Returns the text of a document at once, if it is kept and not empty. */
    keptText: (blob: number): string | null => readKept(parts.storage.sql, blob),
    /** Whether the text of a document is kept, or the reason why it has none. */
    hasDocumentText: (blob: number): boolean => hasText(parts.storage.sql, blob),
  }
}

/** The texts of documents of one workspace. */
export type Texts = ReturnType<typeof createTexts>

/** Ids of the parts of one text, which has fewer: that of its first part is the id of its blob times this. */
export const PARTS = 16

/** A text has its rows only as a whole. */
export function readKept(database: SqlStorage, blob: number): string | null {
  const first = blob * PARTS
  const query = 'SELECT text FROM text_parts WHERE id >= ? AND id < ? ORDER BY id'
  const parts = tablesOf(database, 'texts').exec(query, first, first + PARTS)
  const rows = [...parts.raw<[string]>()]
  return rows.length === 0 ? null : rows.map(([text]) => text).join('')
}

function hasText(database: SqlStorage, blob: number): boolean {
  const query = "SELECT 1 FROM texts WHERE blob = ? AND state <> 'reading'"
  return tablesOf(database, 'texts').exec(query, blob).toArray().length > 0
}

/** Forgets the text of a document. */
export function dropText(database: SqlStorage, blob: number): void {
  const sql = tablesOf(database, 'texts')
  const [row] = sql
    .exec<{ length: number }>('SELECT length FROM texts WHERE blob = ?', blob)
    .toArray()
  if (!row) return
  const first = blob * PARTS
  sql.exec('DELETE FROM text_parts WHERE id >= ? AND id < ?', first, first + PARTS)
  sql.exec('DELETE FROM texts WHERE blob = ?', blob)
  if (row.length > 0)
    writeMeta(database, { kept_text: Math.max(0, readMeta(database, 'kept_text') - row.length) })
}
