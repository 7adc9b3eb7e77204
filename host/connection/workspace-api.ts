/**
 * A typed client for this server's HTTP API: configuration, sessions and archives
 * (`worker/transfer/routes.ts`).
 *
 * Every response is parsed at the boundary, and failures are results, not exceptions.
 *
 * @module
 */

import { isRecord, type JsonRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { CONSOLE_HEADER } from './address.ts'
import { problemOf } from './problem.ts'
import { textOf } from './read.ts'
import { upload } from './upload.ts'
import {
  madeOf,
  recordOrNull,
  reportOf,
  sessionsOf,
  statusOf,
  type ImportReport,
  type SessionRow,
  type WorkspaceStatus,
} from './workspace-read.ts'

export type { ImportReport, SessionRow, WorkspaceStatus } from './workspace-read.ts'

/** A failure; `code` is the server's, or the kind of a `ConnectionProblem` in capitals. */
export interface ApiProblem {
  readonly code: string
  readonly message: string
  /** Null if the server was not reached. */
  readonly status: number | null
}

/** A session link to create. */
export interface NewLink {
  readonly label: string
  readonly policy?: JsonRecord
  readonly scopes?: readonly string[]
  /** Lifetime in seconds; the server's default without it. */
  readonly ttl_seconds?: number
}

/** Options of an import. */
export interface ImportOptions {
  /** The folder to unpack into; the root by default. */
  readonly to?: string
  readonly signal?: AbortSignal
  /** Receives bytes sent, and the total or null if unknown. */
  readonly onProgress?: (sent: number, total: number | null) => void
}

type Answer<T> = Promise<Result<T, ApiProblem>>

/** The HTTP API of one workspace. */
export interface WorkspaceApi {
  status(): Answer<WorkspaceStatus>
  config(): Answer<JsonRecord>
  /** Replaces the configuration. */
  setConfig(config: JsonRecord): Answer<JsonRecord>
  sessions(): Answer<readonly SessionRow[]>
  /** Creates a session link. Its URL cannot be read again later. */
  makeSession(link: NewLink): Answer<SessionRow & { readonly url: string }>
  revokeSession(id: string): Answer<null>
  /** Imports a tar archive. A report with an `error` is a success here: what it counts was imported. */
  importTar(
    archive: Blob | ReadableStream<Uint8Array<ArrayBuffer>>,
    options?: ImportOptions,
  ): Answer<ImportReport>
  /** The URL at which the browser downloads a folder as a tar archive. */
  exportUrl(from?: string): string
}

/** Options of {@link createWorkspaceApi}. */
export interface WorkspaceApiOptions {
  /** Origin of the server; this page's own by default. */
  readonly base?: string
  /** Name of the workspace; `default` by default. */
  readonly workspace?: string
  readonly fetch?: typeof fetch
}

const TIMEOUT_MS = 30_000

/** Creates a client for one workspace. */
export function createWorkspaceApi(options: WorkspaceApiOptions = {}): WorkspaceApi {
  const { base = location.origin, workspace = 'default', fetch: send = fetch } = options
  const root = workspace === 'default' ? '' : `/w/${encodeURIComponent(workspace)}`
  const urlOf = (path: string) => new URL(root + path, base).href

  async function ask<T>(
    method: string,
    path: string,
    read: (body: unknown) => T | null,
    body?: unknown,
  ): Answer<T> {
    const changes = method !== 'GET'
    const init = {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { ...(changes && CONSOLE_HEADER), ...(body !== undefined && JSON_BODY) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    try {
      return await answerOf(await send(urlOf(path), init), read)
    } catch (error) {
      return err(notReached(error))
    }
  }

  async function importTar(
    archive: Blob | ReadableStream<Uint8Array<ArrayBuffer>>,
    { to = '/', signal, onProgress = () => {} }: ImportOptions = {},
  ): Answer<ImportReport> {
    try {
      // Not every browser can stream a request body; every browser can send a blob.
      const blob = archive instanceof Blob ? archive : await new Response(archive).blob()
      const url = urlOf(`/import?to=${encodeURIComponent(to)}`)
      const response = await upload(url, blob, CONSOLE_HEADER, onProgress, signal)
      const report = reportOf(await bodyOf(response))
      return report ? ok(report) : err(await refusalOf(response))
    } catch (error) {
      return err(notReached(error))
    }
  }

  return {
    status: () => ask('GET', '/status', statusOf),
    config: () => ask('GET', '/config', recordOrNull),
    setConfig: (config) => ask('PUT', '/config', recordOrNull, config),
    sessions: () => ask('GET', '/sessions', sessionsOf),
    makeSession: (link) => ask('POST', '/sessions', madeOf, link),
    revokeSession: async (id) => {
      const gone = await ask('DELETE', `/sessions/${encodeURIComponent(id)}`, () => 'gone')
      return gone.ok ? ok(null) : gone
    },
    importTar,
    exportUrl: (from = '/') => urlOf(`/export?from=${encodeURIComponent(from)}`),
  }
}

const JSON_BODY = { 'content-type': 'application/json' } as const

async function answerOf<T>(
  response: Response,
  read: (body: unknown) => T | null,
): Promise<Result<T, ApiProblem>> {
  if (!response.ok) return err(await refusalOf(response))
  const value = read(await bodyOf(response))
  return value === null ? err(UNREADABLE(response.status)) : ok(value)
}

/**
 * Parses the body as JSON, undefined if it is not JSON. Reads a clone, so the response can be read
 * again.
 */
async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.clone().json()
  } catch {
    return undefined
  }
}

async function refusalOf(response: Response): Promise<ApiProblem> {
  const { status } = response
  const body = await bodyOf(response)
  if (!isRecord(body) || textOf(body['message']) === '') return UNREADABLE(status)
  return { code: textOf(body['code']) || 'ERROR', message: textOf(body['message']), status }
}

const UNREADABLE = (status: number): ApiProblem => ({
  code: 'UNREADABLE',
  message: `The server answered HTTP ${status} and nothing that can be read`,
  status,
})

function notReached(error: unknown): ApiProblem {
  const { kind, message, advice } = problemOf(error)
  return { code: kind.toUpperCase(), message: `${message} ${advice}`.trim(), status: null }
}
