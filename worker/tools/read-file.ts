/** `read_file`: reads numbered lines of a text file, an image, or bytes as base64. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath, nameOf } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import { toBase64 } from '../encoding/base64.ts'
import { jsonBytes } from '../encoding/json-bytes.ts'
import { MAX_IMAGE_BYTES } from '../limits.ts'
import type { Problem } from '../errors/problem.ts'
import type { FileEntry } from '../store/store.ts'
import { encodingFact, encodingNote } from '../texts/encoding.ts'
import { readType, shownType } from '../access/shown-type.ts'
import { path } from './lib/arguments.ts'
import { binaryProblem } from './lib/files.ts'
import { textFormat } from '../texts/sniff.ts'
import type { LineWindow, TextLines } from './lib/lines.ts'
import { readBytes } from './lib/read-bytes.ts'
import {
  describeCutLines,
  documentNote,
  findFile,
  readDocument,
  readLines,
  windowOf,
} from './lib/read-lines.ts'
import { defineRead, reading, type Answer, type ToolContext } from './lib/tool.ts'

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Reads one file; the kind of content follows from `encoding` and the bytes. */
export const readFile = defineRead({
  name: 'read_file',
  title: 'Read a file',
  description:
    'Read a text file or a document (PDF, Office, EPUB) as numbered lines, from start_line on. Images are ' +
    'returned as images, and any file as bytes with encoding base64. ' +
    'The result has the version for if_version; a cut one says how to continue.',
  intent: 'Read {path} [page {page}] [from line {start_line}] [limit {limit}]',
  approval: 'none',
  input: () =>
    z.strictObject({
      path,
      start_line: z
        ._default(z.int().check(z.minimum(1)), 1)
        .check(z.describe('First line, from 1')),
      column: z
        ._default(z.int().check(z.minimum(1)), 1)
        .check(z.describe('Where that line begins, in UTF-16 units')),
      limit: z
        ._default(z.int().check(z.minimum(0)), 200)
        .check(z.describe('Lines to read; 0 for all')),
      encoding: z._default(z.enum(['text', 'base64']), 'text'),
      page: z
        .optional(z.int().check(z.minimum(1)))
        .check(z.describe('Page, sheet or slide of a document')),
      offset: z
        ._default(z.int().check(z.minimum(0)), 0)
        .check(z.describe('First byte, for base64')),
    }),
  // No `output`: images come without structured content, and clients refuse that where a schema is.

  touches: (input) => [reading(input.path)],

  async read({ encoding, offset, ...part }, [place], context) {
    const misplaced = findMisplaced(encoding, offset, part)
    if (misplaced) return err(misplaced)
    const file = findFile(context.store, place)
    if (!file.ok) return file
    if (encoding === 'base64') {
      const mime = await readType(context.store, file.value)
      const facts = describeFile({ ...file.value, mime }, context)
      return ok(await readBytes(file.value, offset, facts, context))
    }
    const named = IMAGES.includes(file.value.mime) ? await readImage(file.value, context) : null
    if (named) return named

    const page = await readPage(file.value, part, context)
    if (page.ok || page.error.reason !== 'is_binary') return page
    return (await readImage(file.value, context)) ?? describeBinary(file.value, context)
  },
})

/** Where a read begins, and how many lines it has. */
interface Part {
  /** The page of a document that is read. */
  readonly page?: number | undefined
  readonly start_line: number
  readonly column: number
  readonly limit: number
}

/** Finds the place of a read that its encoding does not have: to ignore it would show another part of the file. */
function findMisplaced(
  encoding: 'text' | 'base64',
  offset: number,
  { start_line, column, page }: Part,
): Problem | null {
  if (encoding === 'text')
    return offset === 0
      ? null
      : refusePlace('offset', 'counts bytes, for encoding base64', 'start_line')
  if (page !== undefined) return refusePlace('page', 'is of a text, for encoding text', 'offset')
  if (start_line > 1) return refusePlace('start_line', 'counts lines, for encoding text', 'offset')
  return column === 1 ? null : refusePlace('column', 'is in a line, for encoding text', 'offset')
}

const refusePlace = (name: string, what: string, instead: string): Problem => ({
  reason: 'bad_argument',
  code: `INVALID_${name.toUpperCase()}`,
  detail: `Cannot use ${name}: it ${what}. Use ${instead}`,
})

/** Reads lines. A table of them takes more bytes than they do, so they are read again in less room until it fits. */
async function readPage(
  file: FileEntry,
  { page, start_line, column, limit }: Part,
  context: ToolContext,
): Promise<Result<Answer, Problem>> {
  const { read_max_bytes: most } = context.config
  const table = context.highlight ? (await import('./lib/highlight.ts')).tableOfLines : null
  for (let room = most; ;) {
    let start = start_line
    const window = windowOf(context.config, { start, column, limit, maxBytes: room })
    const onOne = (pages: readonly number[]) => {
      const shown = page === undefined ? window : onPage(window, page, pages)
      start = shown.start
      return shown
    }
    const found =
      page === undefined
        ? null
        : await readDocument(context.store, file, onOne, textFormat(file.path))
    // Text that is no document has one page.
    const isDocument = found && (found.ok || found.error.reason !== 'is_binary')
    const lines = isDocument ? found : await readLines(context.store, file, window)
    if (!lines.ok) return lines
    const pages = lines.value.document?.pages ?? 1
    if (page !== undefined && page > pages) return err(noPage(file, page, pages))
    const { content } = lines.value
    const shown = table?.(content, nameOf(file.path)) ?? content
    const bytes = table && most > 0 ? jsonBytes(content) + jsonBytes(shown) : 0
    if (bytes <= 2 * most || room === 1)
      return ok(answer(file, lines.value, { start, column, shown }, context))
    room = Math.max(1, Math.floor((room * 1.9 * most) / bytes))
  }
}

/** Returns the part of a window that is on a page. Lines are counted in the whole document. */
function onPage(window: LineWindow, page: number, pages: readonly number[]): LineWindow {
  const first = pages[page - 1] ?? 1
  const start = Math.max(window.start, first)
  const left = (pages[page] ?? Infinity) - start
  const limit = Math.max(1, Math.min(window.limit || Infinity, left))
  return { ...window, start, limit: limit === Infinity ? 0 : limit }
}

const noPage = ({ path }: FileEntry, page: number, pages: number): Problem => ({
  reason: 'bad_argument',
  code: 'INVALID_PAGE',
  detail: `Cannot read page ${page} of ${path}: it has ${pages === 1 ? 'one page' : `${pages} pages`}. Use a page up to ${pages}`,
})

/** The place that was asked for, and the lines as data. */
interface ShownPage {
  readonly start: number
  readonly column: number
  readonly shown: string
}

function answer(
  file: FileEntry,
  lines: TextLines,
  { start, column, shown }: ShownPage,
  context: ToolContext,
): Answer {
  const { content, count, total, cut, cutLines } = lines
  const code =
    count === 0 ? 'EMPTY_RANGE' : cut.includes('long_lines') ? 'TRUNCATED_LONG_LINES' : null
  const structured = {
    ...describeFile(file, context),
    content: shown,
    count,
    total,
    start_line: start,
    ...(column > 1 && { column }),
    truncated: cut.length > 0,
    truncated_reason: cut,
    ...(count > 0 && start + count <= total && { next_start_line: start + count }),
    ...(cutLines.length > 0 && { cut_lines: cutLines }),
    ...(code && { code }),
    ...encodingFact(lines),
    ...lines.document,
  }
  return {
    text: `${content}${content && '\n'}(${noteOf(file, lines, { start, column })})`,
    structured,
  }
}

/** Writes what a model needs beside the lines: the version, and where to continue. */
function noteOf(
  { version, executable }: FileEntry,
  { content, count, total, cutLines, encoding, document }: TextLines,
  { start, column }: Pick<ShownPage, 'start' | 'column'>,
): string {
  const at = `version ${version}${executable ? ', executable' : ''}${encodingNote(encoding)}${documentNote(document)}`
  if (total === 0) return `${at}; empty file`
  if (count === 0) return `${at}; no lines from line ${start} on: the file has ${total} lines`
  const next = start + count
  const isBehind = column > 1 && content.split('\n', 1)[0] === `${start}: `
  return [
    at,
    ...(isBehind ? [`line ${start} has nothing from column ${column} on`] : []),
    ...(next > total
      ? []
      : [`lines ${start}-${next - 1} of ${total}, continue with start_line ${next}`]),
    ...(cutLines.length > 0 ? [`read on in a cut line with ${describeCutLines(cutLines)}`] : []),
  ].join('; ')
}

/**
 * Reads content that is an image by its bytes, whatever its name is; null for other content. Hosts that prefer
 * structured content drop an image beside it, so an image has none.
 */
async function readImage(
  file: FileEntry,
  context: ToolContext,
): Promise<Result<Answer, Problem> | null> {
  const { path, size, version } = file
  if (size > MAX_IMAGE_BYTES)
    return IMAGES.includes(file.mime)
      ? err({ reason: 'too_large', path, size, limit: MAX_IMAGE_BYTES })
      : null
  const bytes = await context.store.bytes(file)
  const mime = shownType(file, bytes)
  if (!IMAGES.includes(mime)) return null
  const text = `${describeFile(file, context).path}: ${mime}, ${size} bytes (version ${version})`
  return ok({
    text,
    blocks: [
      { type: 'text', text },
      { type: 'image', data: toBase64(bytes), mimeType: mime },
    ],
  })
}

/** Refuses content that is neither text nor an image with what it is, and what its name says it would be. */
async function describeBinary(file: FileEntry, { store }: ToolContext) {
  return err(binaryProblem({ ...file, mime: await readType(store, file) }, file.mime))
}

function describeFile(
  { path, version, size, mime, executable }: FileEntry,
  { config }: Pick<ToolContext, 'config'>,
) {
  const shown = displayPath(path, defaultRoot(config))
  return { path: shown, version, size, mime, ...(executable && { executable }) }
}
