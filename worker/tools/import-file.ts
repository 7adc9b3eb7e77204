/**
 * `import_file`: writes a file that it fetches from a host that the owner has listed, such as an attachment of a
 * conversation. It is a tool only where a host is listed.
 *
 * It fetches once, at the call, also at one that asks for a preview. What came is stored like an upload: a draft of it has
 * these bytes, and is never planned again. `test/worker/tools/import-file.test.ts` has the cases,
 * `test/e2e/attacks/import.slow.test.ts` hostile servers.
 *
 * @module
 */

import { defaultRoot } from '#core/config.ts'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { displayPath } from '#core/path.ts'
import { err, ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { toHex } from '../encoding/bytes.ts'
import { limitsOf } from '../store/limits.ts'
import { path } from './lib/arguments.ts'
import { defineChange, writing, type ChangeTool } from './lib/tool.ts'

/** Fetches one file, and plans its write. */
export const importFile: ChangeTool = defineChange({
  name: 'import_file',
  title: 'Import a file',
  description:
    'Write a file that the user has attached to the conversation, or of a URL of a host that the owner has listed. ' +
    'The server fetches it once, so its bytes never pass through you.',
  intent: 'Import {file.download_url} to {path}',
  approval: 'review',
  view: 'review',
  destructive: true,
  idempotent: false,
  openWorld: true,
  plansOnce: true,
  fileParams: ['file'],
  input: () =>
    z.strictObject({
      file: z.object({
        download_url: z.string().check(z.minLength(1), z.maxLength(MAX_URL_LENGTH)),
        file_id: z.optional(z.string()),
        mime_type: z.optional(z.string()),
        file_name: z.optional(z.string()),
      }),
      path,
    }),
  output: () =>
    z.object({
      path: z.string(),
      host: z.string(),
      bytes: z.int(),
      sha256: z.string(),
    }),
  prepare: (args) => (isRecord(args) ? withObject(args) : args),
  shownArguments: (args) => ({
    ...args,
    file: { download_url: hostIn(recordOf(args['file'])['download_url']) },
  }),

  touches: ({ path }) => [writing(path)],

  async plan({ file, path: sent }, [place], { store, config, access, budget, signal }) {
    if (store.stat(place)?.type === 'folder') return err({ reason: 'is_folder', path: place })
    if (sent.endsWith('/')) return err({ reason: 'bad_path', text: sent, detail: FOLDER })
    const { fetchFile } = await import('../archive/fetch-file.ts')
    const { fileBytes } = limitsOf(access.owner)
    const hosts = access.owner.import_hosts
    const fetched = await fetchFile(file.download_url, { hosts, fileBytes, store, budget, signal })
    if (!fetched.ok) return fetched
    const { content, host } = fetched.value
    const shown = displayPath(place, defaultRoot(config))
    const [bytes, sha256] = [content.size, toHex(content.hash)]
    return ok({
      steps: [{ type: 'put', path: place, content }],
      answer: {
        text: `Imported ${bytes} bytes from ${host} to ${shown}`,
        structured: { path: shown, host, bytes, sha256 },
      },
    })
  },
})

/** Longest URL in characters; those that storage services sign have some hundreds. */
const MAX_URL_LENGTH = 4096

const FOLDER = 'it ends in a slash, as that of a folder. Add the name of the file'

/** Takes a URL alone as the object that ChatGPT makes of an attachment. */
function withObject(args: JsonRecord): JsonRecord {
  const { file } = args
  return typeof file === 'string' && !file.trimStart().startsWith('{')
    ? { ...args, file: { download_url: file } }
    : args
}

/** Names the host of a URL alone: the rest can be a secret. */
const hostIn = (url: unknown): string => URL.parse(String(url))?.host || 'an invalid URL'
