/**
 * Sends a tar archive to this server, with progress. `test/pages/console/console.test.ts` imports a folder.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'
import { CONSOLE_HEADER } from '../../mcp/console-header.ts'
import { listOf, numberOf, textOf } from '../../mcp/parse.ts'
import { noteStatus, readRefusal } from '../connect/http.ts'
import type { AnswerError } from '../ui/errors.ts'

/** The result of an import. */
export interface ImportReport {
  readonly files: number
  readonly folders: number
  readonly bytes: number
  readonly skipped: number
  /** Entries that were skipped, with the reason. */
  readonly reasons: readonly { readonly name: string; readonly reason: string }[]
  /** Why it stopped before the end, so that only what is counted was imported; null if it did not. */
  readonly error: string | null
}

/** Where an archive is unpacked, and how its progress is followed. */
export interface ArchiveOptions {
  /** The folder to unpack into. */
  readonly to: string
  readonly signal: AbortSignal
  /** Receives the bytes sent. */
  readonly onProgress: (sent: number) => void
}

/**
 * Sends an archive.
 *
 * @param base The path under which the workspace is served.
 * @throws {AnswerError} If the server refuses, and nothing was imported.
 * @throws {TypeError} If the server cannot be reached.
 * @throws {DOMException} `AbortError` if the signal is aborted.
 */
export async function sendArchive(
  base: string,
  archive: Blob,
  options: ArchiveOptions,
): Promise<ImportReport> {
  const response = await upload(`${base}/import`, archive, options)
  noteStatus(response.status)
  const report = parseReport(
    await response
      .clone()
      .json()
      .catch(() => null),
  )
  if (report) return report
  const refusal: AnswerError = await readRefusal(response)
  throw refusal
}

function parseReport(body: unknown): ImportReport | null {
  const { files, folders, bytes, skipped, reasons, error } = recordOf(body)
  if (numberOf(files) === null) return null
  return {
    files: numberOf(files) ?? 0,
    folders: numberOf(folders) ?? 0,
    bytes: numberOf(bytes) ?? 0,
    skipped: numberOf(skipped) ?? 0,
    reasons: listOf(reasons)
      .filter(isRecord)
      .map(({ name, reason }) => ({ name: textOf(name), reason: textOf(reason) })),
    error: textOf(error) || null,
  }
}

/** Sends a POST and reports progress, which `fetch` cannot do. */
function upload(
  address: string,
  body: Blob,
  { to, signal, onProgress }: ArchiveOptions,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  request.open('POST', `${address}?to=${encodeURIComponent(to)}`)
  for (const [name, value] of Object.entries(CONSOLE_HEADER)) request.setRequestHeader(name, value)
  const stop = () => request.abort()
  request.upload.onprogress = ({ loaded }) => onProgress(loaded)
  request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
  request.onerror = () => reject(new TypeError('Failed to fetch'))
  request.onabort = () => reject(new DOMException('The upload was cancelled', 'AbortError'))
  request.onloadend = () => signal.removeEventListener('abort', stop)
  signal.addEventListener('abort', stop)
  if (signal.aborted) reject(new DOMException('The upload was cancelled', 'AbortError'))
  else request.send(body)
  return promise
}
