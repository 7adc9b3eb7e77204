/**
 * `write_file`: writes the whole text or bytes of a file, or adds text before or after its content.
 *
 * @module
 */

import { defaultRoot } from '#core/config.ts'
import { isRecord, type JsonRecord } from '#core/json.ts'
import { displayPath, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import { fromAnyBase64 } from '../encoding/base64.ts'
import { MAX_EDIT_BYTES } from '../limits.ts'
import type { Problem } from '../errors/problem.ts'
import type { FileView } from '../access/file-view.ts'
import type { Content, FileEntry } from '../store/store.ts'
import { isTextEncoding } from '../texts/encoding.ts'
import {
  addText,
  addToLarge,
  formOf,
  formOfStream,
  KEPT,
  rewriteText,
  type Kept,
  type Side,
} from '../texts/rewrite.ts'
import { decodeText, encodeText } from '../texts/text.ts'
import type { ReadonlyBytes } from '../encoding/bytes.ts'
import { ifVersion, path, wellFormedText } from './lib/arguments.ts'
import { binaryProblem, checkVersion, loadText } from './lib/files.ts'
import { defineChange, rewriting, writingAt } from './lib/tool.ts'

type Mode = 'overwrite' | Side

/** Plans one write; text has the encoding and the line endings of the file. */
export const writeFile = defineChange({
  name: 'write_file',
  title: 'Write a file',
  description:
    'Write a file and create its parent folders. append and prepend keep the existing text and ' +
    'separate it with a line break. Use if_version to overwrite only the version that you have read.',
  intent: 'Write to {path}',
  approval: 'review',
  view: 'review',
  destructive: true,
  idempotent: false,
  priority: 0,
  input: () =>
    z.strictObject({
      path,
      content: z.optional(wellFormedText(NOT_TEXT)).check(z.describe('Text')),
      content_base64: z.optional(z.string()).check(z.describe('Bytes, instead of content')),
      mode: z._default(z.enum(['overwrite', 'append', 'prepend']), 'overwrite'),
      if_version: ifVersion,
    }),
  output: () => z.object({ path: z.string(), kept: z.optional(z.array(z.enum(KEPT))) }),
  prepare: (args) => (isRecord(args) ? withJson(args) : args),

  touches: ({ path, mode, if_version }) =>
    mode === 'overwrite' ? [writingAt(path, if_version)] : [rewriting(path)],

  async plan({ path: sent, mode, if_version, ...given }, [place], { store, config, access }) {
    const content = contentOf(given, mode)
    if (!content.ok) return content
    const entry = store.stat(place)
    if (entry?.type === 'folder') return err({ reason: 'is_folder', path: place })
    if (!entry && sent.endsWith('/')) return err({ reason: 'bad_path', text: sent, detail: FOLDER })
    const checked = checkVersion(store, place, if_version)
    if (!checked.ok) return checked

    const old = access.canRead(place) ? entry : null
    const planned = await planContent(store, old, content.value, mode)
    if (!planned.ok) return planned
    const { held, kept = [] } = planned.value
    const shown = displayPath(place, defaultRoot(config))
    const text = describeWrite(shown, mode, entry !== null || !access.canRead(place))
    return ok({
      steps: [{ type: 'put', path: place, content: held }],
      answer: {
        text: text + keptNote(kept),
        structured: { path: shown, ...(kept.length > 0 && { kept }) },
      },
    })
  },
})

const FOLDER =
  'it ends in a slash, as that of a folder. Add the name of the file; its folders are created'

const NOT_TEXT =
  'expected text. Give bytes as content_base64; an object or a list is written to a .json file only'

/** Some clients parse JSON in an argument, so the whole content of a JSON file arrives as a value. */
function withJson(args: JsonRecord): JsonRecord {
  const { path, content, mode = 'overwrite' } = args
  const isValue = typeof content === 'object' && content !== null
  if (!isValue || mode !== 'overwrite' || !/\.json$/i.test(String(path))) return args
  return { ...args, content: `${JSON.stringify(content, null, 2)}\n` }
}

interface Given {
  readonly content?: string | undefined
  readonly content_base64?: string | undefined
}

/** Returns the text or the bytes to write. Bytes are always a whole file. */
function contentOf(
  { content, content_base64 }: Given,
  mode: Mode,
): Result<string | ReadonlyBytes, Problem> {
  // A framework that fills in both leaves one of them empty.
  if (content_base64 === undefined || (content_base64 === '' && content !== undefined))
    return content === undefined
      ? refuse(
          'MISSING_CONTENT',
          'Cannot write: content is missing. Give content, or content_base64 for bytes',
        )
      : ok(content)
  if (content)
    return refuse(
      'INVALID_CONTENT',
      'Cannot use content with content_base64: only one can be written. Leave one out',
    )
  if (mode !== 'overwrite')
    return refuse(
      'INVALID_MODE',
      'Cannot use mode with content_base64: bytes replace the whole file. Leave mode out',
    )
  const bytes = fromAnyBase64(content_base64)
  return bytes
    ? ok(bytes)
    : refuse(
        'INVALID_CONTENT_BASE64',
        'Cannot use content_base64: it is not valid base64. Encode the bytes again',
      )
}

const refuse = (code: string, detail: string) =>
  err<Problem>({ reason: 'bad_argument', code, detail })

/** Content to write, and what it keeps of the old text. */
interface Planned {
  readonly held: Content
  readonly kept?: readonly Kept[]
}

async function planContent(
  store: FileView,
  entry: FileEntry | null,
  content: string | ReadonlyBytes,
  mode: Mode,
): Promise<Result<Planned, Problem>> {
  if (typeof content !== 'string') return ok({ held: await store.hold(content) })
  if (!entry) return ok({ held: await store.hold(encodeText({ content })) })
  if (mode !== 'overwrite') return addTo(store, entry, content, mode)
  const { bytes, kept } = rewriteText(content, await oldForm(store, entry))
  return ok({ held: await store.hold(bytes), kept })
}

async function oldForm(store: FileView, file: FileEntry) {
  if (file.size > MAX_EDIT_BYTES) return formOfStream(await store.stream(file))
  const text = decodeText(await store.bytes(file))
  return text && formOf(text)
}

async function addTo(
  store: FileView,
  file: FileEntry,
  sent: string,
  side: Side,
): Promise<Result<Planned, Problem>> {
  const { size } = file
  if (size <= MAX_EDIT_BYTES) {
    const old = await loadText(store, file, MAX_EDIT_BYTES)
    return old.ok ? ok({ held: await store.hold(addText(old.value, sent, side)) }) : old
  }
  const encoding = store.contentOf(file)?.encoding
  if (!isTextEncoding(encoding)) return err(binaryProblem(file))
  const read = (offset: number, length: number) => store.stream(file, { offset, length })
  const added = await addToLarge({ size, encoding, read }, sent, side)
  const held = await store.holdStream(added.stream, added.size)
  return held.ok ? ok({ held: held.value }) : held
}

/** What a text keeps that it was not sent with, in words. */
const KEPT_WORDS: Readonly<Record<Kept, string>> = {
  crlf: 'CRLF line endings',
  bom: 'its byte order mark',
  'utf-16le': 'UTF-16LE',
  'utf-16be': 'UTF-16BE',
}

const keptNote = (kept: readonly Kept[]) =>
  kept.length === 0
    ? ''
    : `. The file keeps ${kept.map((what) => KEPT_WORDS[what]).join(' and ')}; content_base64 writes exact bytes`

function describeWrite(path: StorePath | string, mode: Mode, mayExist: boolean): string {
  if (!mayExist) return `Created ${path}`
  return mode === 'overwrite'
    ? `Wrote ${path}`
    : mode === 'append'
      ? `Appended to ${path}`
      : `Prepended to ${path}`
}
