/**
 * `transfer_link`: creates a link to download or upload one file, so that its bytes never pass through a
 * model. `test/worker/api/transfer-link.test.ts` has the cases.
 *
 * @module
 */

import { displayPath } from '#core/path.ts'
import { defaultRoot } from '#core/config.ts'
import { err, ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { MAX_TRANSFER_SECONDS } from '../limits.ts'
import { path } from './lib/arguments.ts'
import { findFile } from './lib/read-lines.ts'
import { defineAct, reading, writing } from './lib/tool.ts'

const METHODS = { download: 'GET', upload: 'PUT' } as const

/** Creates the link, after a check that the file exists or that the target is no folder. */
export const transferLink = defineAct({
  name: 'transfer_link',
  title: 'Create a transfer link',
  description:
    'Create a URL to download (GET) or upload (PUT, with the bytes as the body) one large file outside ' +
    'of this conversation. It ends after ttl_seconds or with your session.',
  intent: 'Create a link to {direction} {path}, valid for {ttl_seconds|900} seconds',
  outputTemplate: 'The link to {method} {path}, until {expires_at}:\n\n```\n{url}\n```',
  approval: 'confirm',
  // A client that decides by scopes would let each call through without them.
  scopes: ['read:file', 'write:file'],
  destructive: false,
  idempotent: false,
  openWorld: true,
  input: () =>
    z.strictObject({
      path,
      direction: z.enum(['download', 'upload']),
      ttl_seconds: z._default(z.int().check(z.minimum(1), z.maximum(MAX_TRANSFER_SECONDS)), 900),
    }),
  output: () =>
    z.object({
      url: z.string(),
      method: z.enum(['GET', 'PUT']),
      path: z.string(),
      session: z.string(),
      expires_at: z.string(),
    }),

  touches: ({ path, direction }) => [direction === 'download' ? reading(path) : writing(path)],

  async act({ direction, ttl_seconds }, [place], { store, config, transfer }) {
    if (direction === 'download') {
      const file = findFile(store, place)
      if (!file.ok) return file
    } else if (store.stat(place)?.type === 'folder')
      return err({ reason: 'is_folder', path: place })
    const made = await transfer({ path: place, direction, ttl_seconds })
    if (!made.ok) return made
    const { url, session } = made.value
    const method = METHODS[direction]
    const shown = displayPath(place, defaultRoot(config))
    const expires_at = new Date(session.expires ?? 0).toISOString()
    const text = `${method} ${url}\n(to ${direction} ${shown}, until ${expires_at})`
    return ok({ text, structured: { url, method, path: shown, session: session.id, expires_at } })
  },
})
