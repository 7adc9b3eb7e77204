/**
 * Checks an `app.json` that is not written yet, and writes the files of a new app.
 *
 * The server checks it with the readers that an approval uses, and fills the page of templates with it.
 * `test/pages/console/new-app.slow.test.ts` covers it.
 *
 * @module
 */

import type { SettingProblem } from '#core/apps/templates.ts'
import type { StarterFile } from '#core/apps/starters.ts'
import { CONSOLE_HEADER } from '../../mcp/console-header.ts'
import { fetchOwn, readRefusal } from '../connect/http.ts'
import { sendAct } from '../owner/send-act.ts'
import { AnswerError } from '../ui/errors.ts'

/** The page of an app without problems. */
export interface CheckedPage {
  /** The HTML of the page of templates with the settings of the app. */
  readonly page: string
  readonly title: string
  /** Paths and patterns of the files that it shows. */
  readonly data: readonly string[]
}

/** What the server says about an `app.json`. */
export interface Check {
  /** Whether there is an app of this name already. */
  readonly isTaken: boolean
  readonly problems: readonly SettingProblem[]
  /** Null if there are problems. */
  readonly checked: CheckedPage | null
}

/**
 * Checks an `app.json`.
 *
 * @param base The URL of the workspace, without a slash at its end.
 * @throws {AnswerError} If the server refuses or the response is not JSON.
 */
export async function checkApp(
  base: string,
  { name, text }: { readonly name: string; readonly text: string },
  signal: AbortSignal,
): Promise<Check> {
  const { taken, problems, page, title, data } = await sendAct(base, 'preview_app', {
    segments: { app: name },
    body: { manifest: text },
    signal,
  })
  const isWhole = page !== undefined && title !== undefined && data !== undefined
  return { isTaken: taken, problems, checked: isWhole ? { page, title, data } : null }
}

/**
 * Writes the files of a new app, `app.json` last, so that an app is never without its data. A file that
 * exists is never replaced.
 *
 * @param base The URL of the workspace, without a slash at its end.
 * @throws {Error} If a file exists, or cannot be written.
 */
export async function writeApp(base: string, files: readonly StarterFile[]): Promise<void> {
  for (const { path, text } of files) {
    const url = `${base}/files${path.split('/').map(encodeURIComponent).join('/')}`
    const headers = { 'if-none-match': '*', ...CONSOLE_HEADER }
    const answer = await fetchOwn(url, { method: 'PUT', headers, body: text })
    if (answer.status === 412 && (await hasText(url, text, path))) continue
    if (answer.status === 412) throw new AnswerError(describeExisting(path), 412)
    if (!answer.ok) throw await readRefusal(answer)
  }
}

const isManifest = (path: string) => path.startsWith('/.apps/')

const describeExisting = (path: string) =>
  `${path} exists already. Choose another name${isManifest(path) ? '' : ', or show that file'}`

/** Whether an earlier attempt wrote a sample. A manifest that exists is another app. */
async function hasText(url: string, text: string, path: string): Promise<boolean> {
  if (isManifest(path)) return false
  const answer = await fetchOwn(url)
  return answer.ok && (await answer.text()) === text
}
