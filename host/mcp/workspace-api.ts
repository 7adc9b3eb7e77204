/**
 * A typed client for this server's HTTP API: configuration, sessions, checkpoints and
 * archives
 * (`worker/api/routes.ts`).
 *
 * Every response is parsed at the boundary, and failures are results, not exceptions.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { CONSOLE_HEADER } from './address.ts'
import { problemOf } from './errors.ts'
import { textOf } from './parse.ts'
import {
  parseCheckpoint,
  parseCheckpoints,
  parseNewSession,
  recordOrNull,
  parseReport,
  parseSessions,
  parseStatus,
  type CheckpointRow,
  type ImportReport,
  type SessionList,
  type SessionRow,
  type WorkspaceStatus,
} from './workspace-parse.ts'

export type {
  CheckpointRow,
  ImportReport,
  SessionList,
  SessionRow,
  WorkspaceStatus,
} from './workspace-parse.ts'

/** A failure; `code` is the server's, or the kind of a `ConnectionProblem` in capitals. */
export interface ApiProblem {
  readonly code: string
  readonly message: string
  /** Null if the server was not reached. */
  readonly status: number | null
  /** The invalid fields of a configuration; absent if the problem is another one. */
  readonly fields?: readonly FieldProblem[]
}

/** What is wrong with one field. */
export interface FieldProblem {
  readonly message: string
  /** JSON Pointer, such as `/roots/0/path`; empty for the whole document. */
  readonly pointer: string
}

/** The configuration, and the entity tag that names this state of it. */
export interface TaggedConfig {
  readonly config: JsonRecord
  readonly tag: string
}

/** A session link to create. */
export interface NewLink {
  readonly label: string
  readonly policy?: JsonRecord
  readonly scopes?: readonly string[]
  /** Lifetime in seconds; the server's default without it. */
  readonly ttl_seconds?: number
}

/** A call that the user denied. */
export interface DeniedCall {
  readonly tool: string
  /** The sentence that the user was shown. */
  readonly intent: string
  /** The scopes that were denied; empty if the call itself was. */
  readonly scopes: readonly string[]
}

/** Options of an import. */
export interface ImportOptions {
  /** The folder to unpack into; the root by default. */
  readonly to?: string
  readonly signal?: AbortSignal
  /** Receives bytes sent, and the total or null if unknown. */
  readonly onProgress?: (sent: number, total: number | null) => void
}

type ApiResult<T> = Promise<Result<T, ApiProblem>>

/** The HTTP API of one workspace. */
export interface WorkspaceApi {
  status(): ApiResult<WorkspaceStatus>
  config(): ApiResult<TaggedConfig>
  /** The fields that flags of the server set, which restrict the configuration. */
  flags(): ApiResult<JsonRecord>
  /** Replaces the configuration; with a tag only while it is the one with this tag, and otherwise with status 412. */
  setConfig(config: JsonRecord, tag?: string): ApiResult<JsonRecord>
  /** The sessions, links and sign-ins first; the server lists a limited number of them. */
  sessions(): ApiResult<SessionList>
  /** Creates a session link. Its URL cannot be read again later. */
  makeSession(link: NewLink): ApiResult<SessionRow & { readonly url: string }>
  revokeSession(id: string): ApiResult<null>
  /** Takes back a scope that the owner allowed a session. */
  takeBackScope(id: string, scope: string): ApiResult<null>
  /** All checkpoints, newest first. */
  checkpoints(): ApiResult<readonly CheckpointRow[]>
  /** Names the current state of the workspace. */
  createCheckpoint(name: string): ApiResult<CheckpointRow>
  deleteCheckpoint(id: string): ApiResult<null>
  /** Records in the audit log that the user denied a call. */
  noteDenial(denied: DeniedCall): ApiResult<null>
  /** Imports a tar archive. A report with an `error` is a success here: what it counts was imported. */
  importTar(
    archive: Blob | ReadableStream<Uint8Array<ArrayBuffer>>,
    options?: ImportOptions,
  ): ApiResult<ImportReport>
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

/** Reads the body of a response; null if it is not the expected one. */
type Read<T> = (body: unknown, headers: Headers) => T | null

function readConfig(body: unknown, headers: Headers): TaggedConfig | null {
  const [config, tag] = [recordOrNull(body), headers.get('etag')]
  return config && tag !== null ? { config, tag } : null
}

/** Creates a client for one workspace. */
export function createWorkspaceApi(options: WorkspaceApiOptions = {}): WorkspaceApi {
  const { base = location.origin, workspace = 'default', fetch: send = fetch } = options
  const root = workspace === 'default' ? '' : `/w/${encodeURIComponent(workspace)}`
  const urlOf = (path: string) => new URL(root + path, base).href

  async function request<T>(
    method: string,
    path: string,
    read: Read<T>,
    body?: unknown,
    condition?: Readonly<Record<string, string>>,
  ): ApiResult<T> {
    const changes = method !== 'GET'
    const type = body !== undefined && JSON_BODY
    const init = {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { ...(changes && CONSOLE_HEADER), ...type, ...condition },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    try {
      return await readResponse(await send(urlOf(path), init), read)
    } catch (error) {
      return err(describeFailure(error))
    }
  }

  /** Sends a request whose response has no body. */
  async function act(method: string, path: string, body?: unknown): ApiResult<null> {
    const done = await request(method, path, () => 'done', body)
    return done.ok ? ok(null) : done
  }

  return {
    status: () => request('GET', '/status', parseStatus),
    config: () => request('GET', '/config', readConfig),
    flags: () => request('GET', '/config/flags', recordOrNull),
    setConfig: (config, tag) =>
      request('PUT', '/config', recordOrNull, config, tag === undefined ? {} : { 'if-match': tag }),
    sessions: () => request('GET', '/sessions', parseSessions),
    makeSession: (link) => request('POST', '/sessions', parseNewSession, link),
    revokeSession: (id) => act('DELETE', `/sessions/${encodeURIComponent(id)}`),
    takeBackScope: (id, scope) => act('DELETE', allowedPath(id, scope)),
    checkpoints: () => request('GET', '/checkpoints', parseCheckpoints),
    createCheckpoint: (name) => request('POST', '/checkpoints', parseCheckpoint, { name }),
    deleteCheckpoint: (id) => act('DELETE', `/checkpoints/${encodeURIComponent(id)}`),
    noteDenial: (denied) => act('POST', '/audit', denied),
    importTar: (archive, options = {}) => sendTar(urlOf('/import'), archive, options),
    exportUrl: (from = '/') => urlOf(`/export?from=${encodeURIComponent(from)}`),
  }
}

async function sendTar(
  address: string,
  archive: Blob | ReadableStream<Uint8Array<ArrayBuffer>>,
  { to = '/', signal, onProgress = () => {} }: ImportOptions,
): ApiResult<ImportReport> {
  try {
    // Not every browser can stream a request body; every browser can send a blob.
    const blob = archive instanceof Blob ? archive : await new Response(archive).blob()
    const url = `${address}?to=${encodeURIComponent(to)}`
    const response = await upload(url, blob, CONSOLE_HEADER, onProgress, signal)
    const report = parseReport(await readBody(response))
    return report ? ok(report) : err(await readRefusal(response))
  } catch (error) {
    return err(describeFailure(error))
  }
}

const allowedPath = (id: string, scope: string) =>
  `/sessions/${encodeURIComponent(id)}/allowed?scope=${encodeURIComponent(scope)}`

const JSON_BODY = { 'content-type': 'application/json' } as const

async function readResponse<T>(response: Response, read: Read<T>): Promise<Result<T, ApiProblem>> {
  if (!response.ok) return err(await readRefusal(response))
  const value = read(await readBody(response), response.headers)
  return value === null ? err(unreadable(response.status)) : ok(value)
}

/**
 * Parses the body as JSON, undefined if it is not JSON. Reads a clone, so the response can be read
 * again.
 */
async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.clone().json()
  } catch {
    return undefined
  }
}

async function readRefusal(response: Response): Promise<ApiProblem> {
  const { status } = response
  const body = await readBody(response)
  if (!isRecord(body) || textOf(body['message']) === '') return unreadable(status)
  const { code, message, problems } = body
  const fields = Array.isArray(problems) ? problems.map(readFieldProblem) : []
  return {
    code: textOf(code) || 'ERROR',
    message: textOf(message),
    status,
    ...(fields.length > 0 && { fields }),
  }
}

function readFieldProblem(value: unknown): FieldProblem {
  const { message, pointer } = recordOf(value)
  return { message: textOf(message), pointer: textOf(pointer) }
}

const unreadable = (status: number): ApiProblem => ({
  code: 'UNREADABLE',
  message: `The server returned HTTP ${status} without a readable body`,
  status,
})

function describeFailure(error: unknown): ApiProblem {
  const { kind, message, advice } = problemOf(error)
  return { code: kind.toUpperCase(), message: `${message} ${advice}`.trim(), status: null }
}

/**
 * Sends a POST with a body and reports progress, which `fetch` cannot do.
 *
 * @param onProgress Receives bytes sent, and the total or null if unknown.
 * @param signal Stops the upload.
 * @returns The response, of any status; its headers are not kept.
 * @throws {TypeError} If the server cannot be reached.
 * @throws {DOMException} `AbortError` if the signal is aborted.
 */
function upload(
  url: string,
  body: Blob,
  headers: Readonly<Record<string, string>>,
  onProgress: (sent: number, total: number | null) => void,
  signal?: AbortSignal,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  request.open('POST', url)
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  const stop = () => request.abort()
  const failed = () => reject(new TypeError('Failed to fetch'))
  request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
    onProgress(loaded, lengthComputable ? total : null)
  request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
  request.onerror = failed
  request.onabort = () => reject(new DOMException('The upload was cancelled', 'AbortError'))
  request.onloadend = () => signal?.removeEventListener('abort', stop)
  if (signal?.aborted) request.abort()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) reject(new DOMException('The upload was cancelled', 'AbortError'))
  else request.send(body)
  return promise
}
