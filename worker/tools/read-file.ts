/** `read_file`: the lines of a text file with their numbers, or an image as an image. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod'
import { toBase64 } from '../base64.ts'
import { MAX_IMAGE_BYTES } from '../limits.ts'
import type { Problem } from '../problem.ts'
import type { FileEntry } from '../store/store.ts'
import { path } from './arguments.ts'
import type { Lines } from './lines.ts'
import { findFile, readLines, windowOf } from './read.ts'
import { defineRead, reading, type Answer, type Desk } from './tool.ts'

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export const readFile = defineRead({
  name: 'read_file',
  title: 'Read a file',
  description:
    'Read a text file as numbered lines, from start_line on. Images come as images. ' +
    'The answer names the version, for if_version, and says how to go on when it was cut.',
  intent: 'Read {path} [from line {start_line}] [limit {limit}]',
  attention: 'none',
  input: z.strictObject({
    path,
    start_line: z.int().min(1).default(1).describe('The first line, from 1'),
    limit: z.int().min(0).default(200).describe('Lines to read; 0 for all'),
  }),
  output: z.object({
    path: z.string(),
    content: z.string(),
    count: z.int(),
    total: z.int(),
    start_line: z.int(),
    truncated: z.boolean(),
    truncated_reason: z.array(z.enum(['line_limit', 'long_lines', 'max_bytes'])),
    code: z.enum(['EMPTY_RANGE', 'TRUNCATED_LONG_LINES']).optional(),
    version: z.int(),
    size: z.int(),
    mime: z.string(),
  }),

  touches: (input) => [reading(input.path)],

  async read({ start_line, limit }, [place], desk) {
    const file = findFile(desk.store, place)
    if (!file.ok) return file
    if (IMAGES.includes(file.value.mime)) return readImage(file.value, desk)

    const window = windowOf(desk.config, start_line, limit, desk.config.read_max_bytes)
    const lines = await readLines(desk.store, file.value, window)
    return lines.ok ? ok(answer(file.value, lines.value, start_line, desk)) : lines
  },
})

function answer(file: FileEntry, lines: Lines, start: number, desk: Desk): Answer {
  const { content, count, total, cut } = lines
  const code =
    count === 0 ? 'EMPTY_RANGE' : cut.includes('long_lines') ? 'TRUNCATED_LONG_LINES' : null
  const structured = {
    ...facts(file, desk),
    content,
    count,
    total,
    start_line: start,
    truncated: cut.length > 0,
    truncated_reason: cut,
    ...(code && { code }),
  }
  return { text: withWayOn(content, start, count, total), structured }
}

function withWayOn(content: string, start: number, count: number, total: number): string {
  if (total === 0) return '(empty file)'
  if (count === 0) return `(nothing from line ${start} on; the file has ${total} lines)`
  const next = start + count
  if (next > total) return content
  return `${content}\n(lines ${start}-${next - 1} of ${total}; go on with start_line ${next})`
}

async function readImage(
  file: FileEntry,
  { store, config }: Desk,
): Promise<Result<Answer, Problem>> {
  const { path, size, mime } = file
  if (size > MAX_IMAGE_BYTES)
    return err({ reason: 'too_large', path, size, limit: MAX_IMAGE_BYTES })
  const text = `${path}: ${mime}, ${size} bytes`
  const data = toBase64(await store.bytes(file))
  const structured = {
    ...facts(file, { config }),
    content: '',
    count: 0,
    total: 0,
    start_line: 1,
    truncated: false,
    truncated_reason: [],
  }
  return ok({
    text,
    structured,
    blocks: [
      { type: 'text', text },
      { type: 'image', data, mimeType: mime },
    ],
  })
}

function facts({ path, version, size, mime }: FileEntry, { config }: Pick<Desk, 'config'>) {
  return { path: displayPath(path, defaultRoot(config)), version, size, mime }
}
