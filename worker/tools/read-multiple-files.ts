/** `read_multiple_files`: reads several text files, each with an equal share of the output. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath, resolvePath, type StorePath } from '#core/path.ts'
import { ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { jsonBytes } from '../encoding/json-bytes.ts'
import { MAX_READ_FILES } from '../limits.ts'
import { findMeantPath } from '../access/spelling.ts'
import { codeOf } from '../errors/problem.ts'
import { shortText } from '../errors/short.ts'
import { path } from './lib/arguments.ts'
import { encodingFact, encodingNote, type TextEncoding } from '../texts/encoding.ts'
import { describeCutLines, documentNote, findFile, readLines, windowOf } from './lib/read-lines.ts'
import type { CutLine, DocumentFacts } from './lib/lines.ts'
import { defineRead, readingEach, type ToolContext } from './lib/tool.ts'

interface FileAnswer {
  path: string
  content?: string
  count?: number
  total?: number
  truncated?: boolean
  cut_lines?: readonly CutLine[]
  version?: number
  code?: string
  meant?: string
  encoding?: TextEncoding
  format?: DocumentFacts['format']
  pages?: number
}

/** Reads files one by one; a file that cannot be read has a code and does not fail the call. */
export const readMultipleFiles = defineRead({
  name: 'read_multiple_files',
  title: 'Read several files',
  description:
    'Read several text files at once. They share the size limit of one result; a file that cannot be ' +
    'read has an error code instead of content.',
  intent: 'Read files [{paths}]',
  approval: 'none',
  input: () =>
    z.strictObject({ paths: z.array(path).check(z.minLength(1), z.maxLength(MAX_READ_FILES)) }),
  output: () =>
    z.object({
      files: z.array(
        z.object({
          path: z.string(),
          content: z.optional(z.string()),
          count: z.optional(z.int()),
          total: z.optional(z.int()),
          truncated: z.optional(z.boolean()),
          cut_lines: z.optional(z.array(z.record(z.string(), z.int()))),
          version: z.optional(z.int()),
          code: z.optional(z.string()),
          meant: z
            .optional(z.string())
            .check(z.describe('A path that exists under a similar spelling')),
          encoding: z.optional(z.string()),
          format: z.optional(z.string()),
          pages: z.optional(z.int()),
        }),
      ),
    }),

  // An invalid path is answered with its code, so only valid ones are authorized.
  touches: ({ paths }) => paths.filter(isPath).map(readingEach),

  async read({ paths }, places, context) {
    const share = context.config.read_max_bytes / paths.length
    const isLong =
      paths.reduce((sum, text) => sum + jsonBytes(text), 0) > (share * paths.length) / 3
    const nameBytes =
      share > 0 && isLong ? Math.max(PATH_BYTES, share - NOTE_BYTES) : WHOLE_PATH_BYTES
    const found = places.values()
    const files: FileAnswer[] = []
    for (const text of paths) {
      const place = isPath(text) ? found.next().value : undefined
      const file = place
        ? await readOne(place, share, context)
        : { path: text, code: 'INVALID_PATH' }
      const meant = file.code === undefined ? null : findMeantPath({ text }, context)
      const path = shortText(file.path, nameBytes)
      files.push({ ...file, path, ...(meant && { meant: shortText(meant, nameBytes) }) })
    }
    return ok({ text: files.map(section).join('\n\n'), structured: { files } })
  },
})

const isPath = (text: string) => resolvePath(text).ok

/** Bytes of JSON of every valid path. */
const WHOLE_PATH_BYTES = 6 * 1024

/** Bytes of JSON that a path has at least, where all of them have no room. The files keep their order. */
const PATH_BYTES = 60

/** Bytes of what is written of each file beside its path and its lines, in the text or as data, with one cut line. */
const NOTE_BYTES = 210

/** Returns the limit (bytes) of the lines of one file. 0 means unlimited, so the smallest limit is 1. */
const lineBytesOf = (share: number, path: string) =>
  share === 0 ? 0 : Math.max(1, Math.floor(share) - NOTE_BYTES - jsonBytes(path))

async function readOne(place: StorePath, share: number, context: ToolContext): Promise<FileAnswer> {
  const { store, config } = context
  const path = displayPath(place, defaultRoot(config))
  const file = findFile(store, place)
  if (!file.ok) return { path, code: codeOf(file.error) }
  const window = windowOf(config, {
    start: 1,
    column: 1,
    limit: 0,
    maxBytes: lineBytesOf(share, path),
  })
  const lines = await readLines(store, file.value, window)
  if (!lines.ok) return { path, code: codeOf(lines.error) }
  const { content, count, total, cut, cutLines, document } = lines.value
  const truncated = cut.length > 0
  const rests = cutLines.length > 0 && { cut_lines: cutLines }
  const { version } = file.value
  const facts = { ...encodingFact(lines.value), ...document }
  return { path, content, count, total, truncated, ...rests, version, ...facts }
}

function section(file: FileAnswer): string {
  const { path, content, count = 0, total = 0, cut_lines = [], version, code, meant } = file
  if (code) return `== ${path}: ${code}${meant ? ` (did you mean ${meant}?)` : ''}`
  const more =
    count < total
      ? `\n(lines 1-${count} of ${total}; continue with read_file, start_line ${count + 1})`
      : ''
  const rests =
    cut_lines.length > 0
      ? `\n(read on in a cut line with read_file, ${describeCutLines(cut_lines)})`
      : ''
  const { format, pages = 1 } = file
  const note =
    (file.encoding ? encodingNote(file.encoding) : '') + documentNote(format && { format, pages })
  return `== ${path} (version ${version}${note})\n${content}${more}${rests}`
}
