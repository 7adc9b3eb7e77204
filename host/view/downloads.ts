/**
 * Downloads of an app (`ui/download-file`): checked, given a safe name, and saved after the user
 * agrees.
 *
 * An app's frame cannot download by itself. A linked resource is read from the app's own server,
 * never fetched from its address.
 *
 * @module
 */

import { isRecord, isString, type JsonRecord } from '#core/json.ts'
import { decodePercent } from '#core/percent.ts'
import { confirm } from './confirm.ts'
import { make } from './dom.ts'
import { invalid, refused } from './errors.ts'
import { askPage } from './events.ts'
import { label, recordIn, replaceHidden } from './json.ts'
import { MAX_DOWNLOADS, MAX_URI } from './limits.ts'
import { bytesOf } from './resource.ts'
import { askServer } from './tools.ts'
import type { DownloadFile, ViewHost } from './types.ts'

/**
 * Handles `ui/download-file`. The page may take over by answering `mcp-download`; otherwise the
 * user is asked and the files are saved.
 *
 * @returns The result for the app; `isError` if the download is declined.
 * @throws {ViewError} If the files are invalid; errors of reading them are passed on.
 */
export async function download(
  view: ViewHost,
  { contents }: JsonRecord,
  signal: AbortSignal,
): Promise<unknown> {
  const files = readFiles(contents)
  const names = files.map(({ name }) => name).join(', ')
  const answer = await askPage(view, 'mcp-download', { files }, signal)
  if (answer) return {}
  if (answer === false || !(await confirm(view, 'Save', names, signal))) return { isError: true }
  for (const file of files) save(file.name, await bytesFor(view, file, signal))
  return {}
}

function readFiles(contents: unknown): DownloadFile[] {
  if (Array.isArray(contents) && contents.length > 0 && contents.length <= MAX_DOWNLOADS)
    return contents.map(readFile)
  throw invalid('files')
}

function readFile(item: unknown): DownloadFile {
  const linked = isRecord(item) && item['type'] === 'resource_link'
  const { uri, mimeType, text, blob } = linked ? item : recordIn(item, 'resource')
  if (!isString(uri) || !(linked || isString(text) || isString(blob)))
    throw refused('Invalid content')
  return {
    name: fileName(uri),
    mimeType: label(mimeType) ?? '',
    ...(linked ? { uri } : isString(text) ? { text } : { blob: String(blob) }),
  }
}

/**
 * Derives a file name from the last segment of a URI. Characters that could change the folder, hide
 * the extension or split the name are replaced; an empty name becomes `download`.
 */
export function fileName(uri: string): string {
  const last = /([^/?#]*)\/*(?:$|[?#])/.exec(uri.slice(0, MAX_URI))?.[1] ?? ''
  return (
    replaceHidden(decodePercent(last))
      .replace(/^\.+|[<>:"/\\|?*]/g, '_')
      .slice(-120) || 'download'
  )
}

async function bytesFor(
  view: ViewHost,
  { uri, ...file }: DownloadFile,
  signal: AbortSignal,
): Promise<BlobPart> {
  const { text, blob } = uri === undefined ? file : await contentOf(view, uri, signal)
  return isString(text) ? text : bytesOf(String(blob))
}

async function contentOf(view: ViewHost, uri: string, signal: AbortSignal): Promise<JsonRecord> {
  const { contents } = await askServer(view, signal, (server, options) =>
    server.readResource(uri, options),
  )
  return contents.find(isRecord) ?? {}
}

/** Saves without the media type that the app declares, so the browser does not open the file as a page. */
function save(name: string, bytes: BlobPart): void {
  const href = URL.createObjectURL(new Blob([bytes]))
  make('a', { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
