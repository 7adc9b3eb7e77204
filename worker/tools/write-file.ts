/** `write_file`: a file's whole text, or text put before or after what it has. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod'
import { MAX_EDIT_BYTES } from '../limits.ts'
import type { Problem } from '../problem.ts'
import type { FileView } from '../access/file-view.ts'
import type { FileEntry } from '../store/store.ts'
import { encodeText } from '../text.ts'
import { ifVersion, path, wellFormed } from './arguments.ts'
import { checkVersion, loadText } from './change.ts'
import { defineChange, rewriting, writingAt } from './tool.ts'

type Mode = 'overwrite' | 'append' | 'prepend'

export const writeFile = defineChange({
  name: 'write_file',
  title: 'Write a file',
  description:
    'Write a text file and the folders above it. append and prepend keep what is there and put ' +
    'one line break in between where none is. Use if_version to write only over what you have read.',
  intent: 'Write to {path}',
  attention: 'review',
  view: 'review',
  destructive: true,
  idempotent: false,
  priority: 0,
  input: z.strictObject({
    path,
    content: wellFormed,
    mode: z.enum(['overwrite', 'append', 'prepend']).default('overwrite'),
    if_version: ifVersion,
  }),
  output: z.object({ path: z.string() }),

  touches: ({ path, mode, if_version }) =>
    mode === 'overwrite' ? [writingAt(path, if_version)] : [rewriting(path)],

  async plan({ content, mode, if_version }, [place], { store, config, access }) {
    const entry = store.stat(place)
    if (entry?.type === 'folder') return err({ reason: 'is_folder', path: place })
    const checked = checkVersion(store, place, if_version)
    if (!checked.ok) return checked

    const bytes = await written(store, entry, content, mode)
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

async function written(
  store: FileView,
  entry: FileEntry | null,
  content: string,
  mode: Mode,
): Promise<Result<Uint8Array, Problem>> {
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
