/**
 * `write_file`: writes the whole text or bytes of a file, or adds text before or after its content.
 *
 * @module
 */

import { defaultRoot } from '#core/config.ts'
import { displayPath, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod'
import { fromBase64 } from '../base64.ts'
import { MAX_EDIT_BYTES } from '../limits.ts'
import type { Problem } from '../problem.ts'
import type { FileView } from '../access/file-view.ts'
import type { FileEntry } from '../store/store.ts'
import { encodeText } from '../text.ts'
import { ifVersion, path, wellFormed } from './arguments.ts'
import { checkVersion, loadText } from './change.ts'
import { defineChange, rewriting, writingAt } from './tool.ts'

type Mode = 'overwrite' | 'append' | 'prepend'

/** Plans one write; text is added with the line endings of the file. */
export const writeFile = defineChange({
  name: 'write_file',
  title: 'Write a file',
  description:
    'Write a file and the folders above it. append and prepend keep what is there and put ' +
    'one line break in between where none is. Use if_version to write only over what you have read.',
  intent: 'Write to {path}',
  attention: 'review',
  view: 'review',
  destructive: true,
  idempotent: false,
  priority: 0,
  input: z.strictObject({
    path,
    content: wellFormed.optional().describe('Text'),
    content_base64: z.string().optional().describe('Bytes, in place of content'),
    mode: z.enum(['overwrite', 'append', 'prepend']).default('overwrite'),
    if_version: ifVersion,
  }),
  output: z.object({ path: z.string() }),

  touches: ({ path, mode, if_version }) =>
    mode === 'overwrite' ? [writingAt(path, if_version)] : [rewriting(path)],

  async plan({ mode, if_version, ...given }, [place], { store, config, access }) {
    const content = contentOf(given, mode)
    if (!content.ok) return content
    const entry = store.stat(place)
    if (entry?.type === 'folder') return err({ reason: 'is_folder', path: place })
    const checked = checkVersion(store, place, if_version)
    if (!checked.ok) return checked

    const bytes = await written(store, entry, content.value, mode)
    if (!bytes.ok) return bytes
    const held = await store.hold(bytes.value)
    const shown = displayPath(place, defaultRoot(config))
    return ok({
      steps: [{ type: 'put', path: place, content: held }],
      answer: {
        text: said(shown, mode, entry !== null || !access.canRead(place)),
        structured: { path: shown },
      },
    })
  },
})

interface Given {
  readonly content?: string | undefined
  readonly content_base64?: string | undefined
}

/** Returns the text or the bytes to write. Bytes are always a whole file. */
function contentOf(
  { content, content_base64 }: Given,
  mode: Mode,
): Result<string | Uint8Array, Problem> {
  if (content_base64 === undefined)
    return content === undefined
      ? refuse('MISSING_CONTENT', 'Give content, or content_base64 for bytes')
      : ok(content)
  if (content !== undefined)
    return refuse('INVALID_CONTENT', 'Give either content or content_base64')
  if (mode !== 'overwrite')
    return refuse('INVALID_MODE', 'content_base64 is always the whole file, so leave mode out')
  const bytes = fromBase64(content_base64)
  return bytes ? ok(bytes) : refuse('INVALID_CONTENT_BASE64', 'content_base64 is not valid base64')
}

const refuse = (code: string, detail: string) =>
  err<Problem>({ reason: 'bad_argument', code, detail })

async function written(
  store: FileView,
  entry: FileEntry | null,
  content: string | Uint8Array,
  mode: Mode,
): Promise<Result<Uint8Array, Problem>> {
  if (typeof content !== 'string') return ok(content)
  if (!entry || mode === 'overwrite') return ok(new TextEncoder().encode(content))
  const old = await loadText(store, entry, MAX_EDIT_BYTES)
  if (!old.ok) return old
  const [first, second] = mode === 'append' ? [old.value.text, content] : [content, old.value.text]
  return ok(encodeText(joined(first, second), old.value))
}

function joined(first: string, second: string): string {
  const apart = first === '' || second === '' || first.endsWith('\n') || second.startsWith('\n')
  return apart ? first + second : `${first}\n${second}`
}

function said(path: StorePath | string, mode: Mode, mayExist: boolean): string {
  if (!mayExist) return `Created ${path}`
  return mode === 'overwrite'
    ? `Wrote ${path}`
    : mode === 'append'
      ? `Appended to ${path}`
      : `Prepended to ${path}`
}
