/**
 * `fetch` of the research profile: reads the text of one file or document, in the shape of ChatGPT's research and company
 * knowledge: `{ id, title, text, url, metadata }`.
 *
 * A long text comes in parts: `metadata.next_id` is the id of the next one. `test/worker/research/fetch.test.ts` has the
 * cases.
 *
 * @module
 */

import { nameOf } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import type { Problem } from '../errors/problem.ts'
import type { FileEntry } from '../store/store.ts'
import { MAX_NAME_LENGTH } from '../limits.ts'
import { wellFormed } from '../tools/lib/arguments.ts'
import type { TextLines } from '../tools/lib/lines.ts'
import { findFile, readLines } from '../tools/lib/read-lines.ts'
import { defineRead, reading, type Answer, type ToolContext } from '../tools/lib/tool.ts'
import { fileUrl } from '../waiting-url.ts'
import { idOf, readId, type Place } from './document-id.ts'

/** Reads one document by the id of a result. */
export const fetchDocument = defineRead({
  name: 'fetch',
  title: 'Fetch',
  description:
    'Read the text of one result of search by its id. A long text comes in parts: metadata.next_id is the next one.',
  intent: 'Read {id}',
  approval: 'none',
  exactResult: true,
  input: () =>
    z.strictObject({
      id: wellFormed.check(
        z.maxLength(MAX_NAME_LENGTH),
        z.refine((id) => readId(id) !== null, 'it is no id of a result of search'),
        z.describe('An id of search'),
      ),
    }),
  output: () =>
    z.object({
      id: z.string(),
      title: z.string(),
      text: z.string(),
      url: z.string(),
      metadata: z.record(z.string(), z.string()),
    }),

  touches: ({ id }) => [reading(readId(id)?.path ?? id)],

  async read({ id }, [path], context) {
    const { place } = readId(id) ?? { place: START }
    const file = findFile(context.store, path)
    if (!file.ok) return file
    return readPart(file.value, { id, place }, context)
  },
})

const START: Place = { line: 1, column: 1 }

async function readPart(
  file: FileEntry,
  { id, place }: { readonly id: string; readonly place: Place },
  context: ToolContext,
): Promise<Result<Answer, Problem>> {
  const { line: start, column } = place
  const maxBytes = context.config.read_max_bytes
  const window = { start, column, limit: 0, maxBytes, maxLineBytes: 0 }
  const lines = await readLines(context.store, file, window)
  if (!lines.ok) return lines
  const { path } = file
  if (lines.value.count === 0 && place !== START && start > 1) return err(noSuchPart(id))
  const structured = {
    id,
    title: nameOf(path),
    text: withoutNumbers(lines.value.content),
    url: fileUrl(context.base, path),
    metadata: factsOf(file, lines.value, start),
  }
  return ok({ text: JSON.stringify(structured), structured })
}

const noSuchPart = (id: string): Problem => ({
  reason: 'bad_argument',
  code: 'INVALID_ID',
  detail: `Cannot read ${JSON.stringify(id)}: the text has no such line now. Fetch the id of the search result again`,
})

/** Removes the numbers that come before lines. They are needed to edit, and disturb a quotation. */
const withoutNumbers = (content: string): string =>
  content === ''
    ? ''
    : content
        .split('\n')
        .map((line) => line.slice(line.indexOf(': ') + 2))
        .join('\n')

/** What else is known of a document. All values are text, as hosts expect them. */
function factsOf({ path, version, mime, size, mtime }: FileEntry, lines: TextLines, start: number) {
  const { count, total, cutLines, document } = lines
  const [cut] = cutLines
  const next = cut
    ? { line: cut.start_line, column: cut.column }
    : { line: start + count, column: 1 }
  const hasMore = cut !== undefined || next.line <= total
  return {
    path,
    version: String(version),
    mime,
    bytes: String(size),
    modified: new Date(mtime).toISOString(),
    lines: String(total),
    ...(document && { format: document.format, pages: String(document.pages) }),
    ...(hasMore && { next_id: idOf(path, next) }),
  }
}
