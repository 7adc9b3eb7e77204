/**
 * Files that an app hands out: named safely, agreed to by a person, and only then written.
 *
 * An app cannot download by itself. What it only links to is read from its own server, never fetched.
 *
 * @module
 */

import { isRecord, type JsonRecord } from '#core/json.ts'
import { confirm } from './confirm.ts'
import { make } from './dom.ts'
import type { McpView } from './element.ts'
import { ask } from './events.ts'
import { isText, label, recordIn } from './json.ts'
import { MAX_DOWNLOADS, MAX_URI } from './limits.ts'
import { bytesOf } from './resource.ts'
import { invalid, refused } from './fault.ts'
import { serve } from './tools.ts'
import type { DownloadFile } from './types.ts'

/** `ui/download-file` as an app asks for it. */
export async function download(
  view: McpView,
  contents: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const files = readFiles(contents)
  const names = files.map(({ name }) => name).join(', ')
  const answer = await ask(view, 'mcp-download', { files }, signal)
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
  if (!isText(uri) || !(linked || isText(text) || isText(blob))) throw refused('Invalid content')
  return {
    name: fileName(uri),
    mimeType: label(mimeType) ?? '',
    ...(linked ? { uri } : isText(text) ? { text } : { blob: String(blob) }),
  }
}

/** The last segment of an address, without what could leave a folder, hide an ending or lead on. */
export function fileName(uri: string): string {
  const last = /([^/?#]*)\/*(?:$|[?#])/.exec(uri.slice(0, MAX_URI))?.[1] ?? ''
  return (
    decoded(last)
      .replace(/^\.+|[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, '_')
      .slice(-120) || 'download'
  )
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

async function bytesFor(
  view: McpView,
  { uri, ...file }: DownloadFile,
  signal: AbortSignal,
): Promise<BlobPart> {
  const { text, blob } = uri === undefined ? file : await contentOf(view, uri, signal)
  return isText(text) ? text : bytesOf(String(blob))
}

async function contentOf(view: McpView, uri: string, signal: AbortSignal): Promise<JsonRecord> {
  const { contents } = await serve(view, signal, (server, options) =>
    server.readResource(uri, options),
  )
  return contents.find(isRecord) ?? {}
}

/** Never with the type that the app names: a file is bytes until the person opens it. */
function save(name: string, bytes: BlobPart): void {
  const href = URL.createObjectURL(new Blob([bytes]))
  make('a', { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
