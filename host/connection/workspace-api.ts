/**
 * What this server offers a person beside MCP: configuration, sessions, archives. A typed client for
 * `worker/transfer/routes.ts`, which reads every answer at the door and throws nothing.
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

export interface ApiProblem {
  readonly code: string
  readonly message: string
  readonly status: number | null
}

export interface NewLink {
  readonly label: string
  readonly policy?: JsonRecord
  readonly scopes?: readonly string[]
  readonly ttl_seconds?: number
}

export interface ImportOptions {
  /** The folder to put it in; the root unless told. */
  readonly to?: string
  readonly signal?: AbortSignal
  /** Bytes that were sent, and all of them where that is known. */
  readonly onProgress?: (sent: number, total: number | null) => void
}

type Answer<T> = Promise<Result<T, ApiProblem>>

export interface WorkspaceApi {
  status(): Answer<WorkspaceStatus>
  config(): Answer<JsonRecord>
  setConfig(config: JsonRecord): Answer<JsonRecord>
  sessions(): Answer<readonly SessionRow[]>
  /** The URL is shown once; nobody can ask for it again. */
  makeSession(link: NewLink): Answer<SessionRow & { readonly url: string }>
  revokeSession(id: string): Answer<null>
  /** A report with an `error` is an answer: what it counts was done. */
  importTar(
    archive: Blob | ReadableStream<Uint8Array<ArrayBuffer>>,
    options?: ImportOptions,
  ): Answer<ImportReport>
  exportUrl(from?: string): string
}

export interface WorkspaceApiOptions {
  /** Where the server is; this page's own origin unless told. */
  readonly base?: string
  /** The workspace; the default one unless told. */
  readonly workspace?: string
  readonly fetch?: typeof fetch
}

const TIMEOUT_MS = 30_000

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
      // A browser sends a stream only where it can hear an answer meanwhile; a blob it always sends.
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

/** The body as JSON; undefined when it is none. The response can be read once more. */
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
