/** `read_file`: reads numbered lines of a text file, an image, or bytes as base64. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod'
import { toBase64 } from '../base64.ts'
import { MAX_IMAGE_BYTES } from '../limits.ts'
import type { Problem } from '../problem.ts'
import type { FileEntry } from '../store/store.ts'
import { path } from './arguments.ts'
import { tableOfLines } from './highlight.ts'
import type { Lines } from './lines.ts'
import { readBytes } from './read-bytes.ts'
import { findFile, readLines, windowOf } from './read.ts'
import { defineRead, reading, type Answer, type Desk } from './tool.ts'

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Reads one file; the kind of content follows from `encoding` and the media type. */
export const readFile = defineRead({
  name: 'read_file',
  title: 'Read a file',
  description:
    'Read a text file as numbered lines, from start_line on. Images come as images, and any file ' +
    'as bytes with encoding base64. ' +
    'The result names the version, for if_version, and how to go on when it was cut.',
  intent: 'Read {path} [from line {start_line}] [limit {limit}]',
  attention: 'none',
  input: z.strictObject({
    path,
    start_line: z.int().min(1).default(1).describe('The first line, from 1'),
    limit: z.int().min(0).default(200).describe('Lines to read; 0 for all'),
    encoding: z.enum(['text', 'base64']).default('text'),
    offset: z.int().min(0).default(0).describe('The first byte, with base64'),
  }),
  // No `output`: images come without structured content, and clients refuse that where a schema is.

  touches: (input) => [reading(input.path)],

  async read({ start_line, limit, encoding, offset }, [place], desk) {
    const file = findFile(desk.store, place)
    if (!file.ok) return file
    if (encoding === 'base64')
      return ok(await readBytes(file.value, offset, facts(file.value, desk), desk))
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
    content: desk.highlight ? tableOfLines(content) : content,
    count,
    total,
    start_line: start,
    truncated: cut.length > 0,
    truncated_reason: cut,
    ...(count > 0 && start + count <= total && { next_start_line: start + count }),
    ...(code && { code }),
  }
  return { text: `${content}${content && '\n'}(${noteOf(file, lines, start)})`, structured }
}

/** Writes what a model needs beside the lines: the version, and where to continue. */
function noteOf({ version }: FileEntry, { count, total }: Lines, start: number): string {
  const at = `version ${version}`
  if (total === 0) return `${at}; empty file`
  if (count === 0) return `${at}; nothing from line ${start} on, the file has ${total} lines`
  const next = start + count
  if (next > total) return at
  return `${at}; lines ${start}-${next - 1} of ${total}, go on with start_line ${next}`
}

/** Hosts that prefer structured content drop an image beside it, so an image has none. */
async function readImage(file: FileEntry, desk: Desk): Promise<Result<Answer, Problem>> {
  const { path, size, mime, version } = file
  if (size > MAX_IMAGE_BYTES)
    return err({ reason: 'too_large', path, size, limit: MAX_IMAGE_BYTES })
  const text = `${facts(file, desk).path}: ${mime}, ${size} bytes (version ${version})`
  const data = toBase64(await desk.store.bytes(file))
  return ok({
    text,
    blocks: [
      { type: 'text', text },
      { type: 'image', data, mimeType: mime },
    ],
  })
}

function facts({ path, version, size, mime }: FileEntry, { config }: Pick<Desk, 'config'>) {
  return { path: displayPath(path, defaultRoot(config)), version, size, mime }
}
