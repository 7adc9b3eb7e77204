/**
 * `upload_file` and `create_folder`: what a person brings from a browser. For views.
 *
 * Bytes come as base64, so a file is as large as one message lets it be. `test/worker/upload-file.test.ts`
 * has the cases.
 *
 * @module
 */

import { defaultRoot } from '#core/config.ts'
import { displayPath } from '#core/path.ts'
import { err, ok } from '#core/result.ts'
import * as z from 'zod'
import { ifVersion, path } from './arguments.ts'
import { checkVersion } from './change.ts'
import { defineChange, writing, writingAt } from './tool.ts'

const VIEWS = { attention: 'review', appOnly: true } as const

export const uploadFile = defineChange({
  ...VIEWS,
  name: 'upload_file',
  title: 'Upload a file',
  description: 'Write a file of any kind and the folders above it. The content is base64.',
  intent: 'Upload {path}',
  destructive: true,
  idempotent: true,
  input: z.strictObject({ path, blob: z.base64(), if_version: ifVersion }),
  output: z.object({ path: z.string(), size: z.int() }),

  touches: ({ path, if_version }) => [writingAt(path, if_version)],

  async plan({ blob, if_version }, [place], { store, config }) {
    if (store.stat(place)?.type === 'folder') return err({ reason: 'is_folder', path: place })
    const checked = checkVersion(store, place, if_version)
    if (!checked.ok) return checked
    const bytes = Uint8Array.from(atob(blob), (char) => char.charCodeAt(0))
    const content = await store.hold(bytes)
    const shown = displayPath(place, defaultRoot(config))
    return ok({
      steps: [{ type: 'put', path: place, content }],
      answer: { text: `Uploaded ${shown}`, structured: { path: shown, size: bytes.length } },
    })
  },
})

export const createFolder = defineChange({
  ...VIEWS,
  name: 'create_folder',
  title: 'Create a folder',
  description: 'Make an empty folder and the folders above it.',
  intent: 'Create the folder {path}',
  idempotent: false,
  input: z.strictObject({ path }),
  output: z.object({ path: z.string() }),

  touches: (input) => [writing(input.path)],

  async plan(_input, [place], { store, config }) {
    if (store.stat(place)) return err({ reason: 'exists', path: place })
    const shown = displayPath(place, defaultRoot(config))
    return ok({
      steps: [{ type: 'folder', path: place }],
      answer: { text: `Created ${shown}`, structured: { path: shown } },
    })
  },
})
