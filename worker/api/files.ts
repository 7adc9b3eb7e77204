/**
 * `/files/{path}`: one file over HTTP, for people, scripts and the console.
 *
 * The entity tag is the file's version, so `If-Match` has the meaning of a tool's `if_version`. File content
 * is untrusted: a media type that a browser could execute is replaced, and every response is sandboxed, so no
 * file can act as a page of this origin.
 *
 * @module
 */

import { isWithin, nameOf, resolvePath, ROOT, type StorePath } from '#core/path.ts'
import { quoteValue } from '#core/quote.ts'
import type { Applied } from '../access/apply.ts'
import type { FileContext } from '../access/file-context.ts'
import type { CallerWorkspace, ReadStore } from '../access/workspace.ts'
import { FOLDER_PAGE } from '../limits.ts'
import { toHex } from '../encoding/bytes.ts'
import type { Problem } from '../errors/problem.ts'
import { notAllowed, problem, refuse } from '../errors/respond.ts'
import { headersOf, tagOf } from '../file-headers.ts'
import { listsTag } from '../http.ts'
import type { ByteRange, Content, Entry, FileEntry, Step } from '../store/store.ts'
import { readType } from '../access/shown-type.ts'
import { refuseQuery } from './feed-query.ts'
import { byteRange } from './range.ts'
import { receiveBody, refuseEncoding, refusePart } from './receive.ts'
import { serveTree } from './tree.ts'

/** Serves GET, HEAD, PUT and DELETE of a path. */
export async function serveFile(
  request: Request,
  path: StorePath,
  context: FileContext,
): Promise<Response> {
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return get(request, path, context.workspace)
    case 'PUT':
      return put(request, path, context)
    case 'DELETE':
      return remove(request, path, context)
    default:
      return notAllowed('GET, HEAD, PUT, DELETE')
  }
}

async function get(
  request: Request,
  path: StorePath,
  workspace: CallerWorkspace,
): Promise<Response> {
  const { store } = workspace
  const entry = store.stat(path)
  if (!entry) return problem({ reason: 'not_found', path })
  if (entry.type === 'folder') return serveFolder(request, path, workspace)

  if (!isMatched(request, entry)) return refusePreconditionFailed(entry)
  return serveContent(request, entry, { store, tag: tagOf(entry) })
}

/** What the content of a file is served from, and the entity tag that it has on the route. */
export interface ServedContent {
  readonly store: ReadStore
  readonly tag: string
}

/** Serves the content of a file, or a range of it. */
export async function serveContent(
  request: Request,
  entry: FileEntry,
  { store, tag }: ServedContent,
): Promise<Response> {
  const headers = headersOf(entry, await readType(store, entry))
  headers.set('etag', tag)
  if (listsTag(request.headers.get('if-none-match') ?? '', tag))
    return new Response(null, { status: 304, headers })
  const range = byteRange(request, entry, tag)
  if (range === 'unsatisfiable') {
    return new Response(null, {
      status: 416,
      headers: { 'content-range': `bytes */${entry.size}` },
    })
  }
  const length = range ? range.length : entry.size
  headers.set('content-length', String(length))
  if (range)
    headers.set('content-range', `bytes ${range.offset}-${range.offset + length - 1}/${entry.size}`)
  const body = request.method === 'HEAD' ? null : await bodyOf(store, entry, range)
  return new Response(body, { status: range ? 206 : 200, headers })
}

/** Refuses another version than the named one: the parts of two versions, joined, are the content of neither. */
function refusePreconditionFailed({ version }: FileEntry): Response {
  const message = `Cannot read the file: it is at version ${version} now. Read the whole of it again.`
  return Response.json({ code: 'VERSION_CONFLICT', message, version }, { status: 412 })
}

async function bodyOf(
  store: ReadStore,
  entry: FileEntry,
  range: ByteRange | null,
): Promise<BodyInit> {
  return range ? store.stream(entry, range) : store.stream(entry)
}

async function put(request: Request, path: StorePath, context: FileContext): Promise<Response> {
  const { workspace, actor, limits, decision } = context
  if (path === ROOT) return problem({ reason: 'is_folder', path })
  const executable = readExecutable(request)
  if (executable instanceof Response) return executable
  const { store } = workspace
  const basis = workspace.version()
  const before = store.stat(path)
  const refused = refuseEncoding(request) ?? refusePart(request) ?? precondition(request, before)
  if (refused) return refused

  const content = await receiveBody(request, store, { limits })
  if (content instanceof Response) return content
  const steps: Step[] = [{ type: 'put', path, content, ...executable }]
  const note = { tool: 'PUT', intent: `Upload ${quoteValue(path)}`, actor, decision }
  const conditional = request.headers.has('if-match') || request.headers.has('if-none-match')
  const made = conditional ? basis : workspace.version()
  const applied = workspace.apply({ basis: made, steps, note, isUnconditional: !conditional })
  if (!applied.ok) return refuseChange(applied.error, context)
  const waits = describeWaiting(applied.value, { path, size: content.size }, context)
  return waits ?? describePut(applied.value, { path, content, isNew: !before })
}

/** The header that says whether the owner of a file may execute it, as permissions and git have it. */
const EXECUTABLE_HEADER = 'x-edgewise-executable'

/** Parses whether a file is executable. Without the header it stays as it is. */
function readExecutable({ headers }: Request): { readonly executable?: boolean } | Response {
  const text = headers.get(EXECUTABLE_HEADER)
  if (text === null) return {}
  if (text === 'true' || text === 'false') return { executable: text === 'true' }
  const message = 'Invalid X-Edgewise-Executable. Send true or false, or leave it out.'
  return refuse(400, 'INVALID_EXECUTABLE', message)
}

function refuseChange(error: Problem, { refused }: FileContext): Response {
  refused?.(error)
  return problem(error)
}

/** A change that waits for the owner is accepted, and nothing is changed yet: it has no version to name. */
function describeWaiting(
  { draft, id }: Applied,
  facts: object,
  context: FileContext,
): Response | null {
  if (!draft) return null
  const more = context.describeWaiting?.(draft, id)
  return Response.json({ ...facts, waits: true, ...more }, { status: 202 })
}

interface Stored {
  readonly path: StorePath
  readonly content: Content
  readonly isNew: boolean
}

function describePut({ version }: Applied, { path, content, isNew }: Stored): Response {
  const { size, hash } = content
  const headers = { etag: `"${version}"` }
  const body = { path, version, size, hash: toHex(hash) }
  return Response.json(body, { status: isNew ? 201 : 200, headers })
}

async function remove(request: Request, path: StorePath, context: FileContext): Promise<Response> {
  const { workspace, actor, decision } = context
  if (path === ROOT) return problem({ reason: 'root_denied', action: 'delete' })
  const entry = workspace.store.stat(path)
  // Only the store knows whether something exists that the caller may not read.
  if (!entry && workspace.access.canRead(path)) return problem({ reason: 'not_found', path })
  const refused = precondition(request, entry)
  if (refused) return refused
  const steps: Step[] = [{ type: 'remove', path }]
  const note = { tool: 'DELETE', intent: `Delete ${quoteValue(path)}`, actor, decision }
  const applied = workspace.apply({ basis: workspace.version(), steps, note })
  if (!applied.ok) return refuseChange(applied.error, context)
  return describeWaiting(applied.value, { path }, context) ?? new Response(null, { status: 204 })
}

/** Lists a folder, or everything below it. */
function serveFolder(request: Request, path: StorePath, workspace: CallerWorkspace): Response {
  const query = new URL(request.url).searchParams
  const recursive = query.get('recursive') ?? 'false'
  if (recursive === 'true') return serveTree(query, path, workspace)
  if (recursive !== 'false') return refuseQuery('recursive', 'true or false')
  return folderPage(query, path, workspace.store)
}

/** Lists one page of a folder as JSON; `next` is the name after which the next page begins. */
function folderPage(query: URLSearchParams, path: StorePath, store: ReadStore): Response {
  const limit = Math.min(
    Math.max(Math.trunc(Number(query.get('limit') ?? 200)) || 200, 1),
    FOLDER_PAGE,
  )
  const after = query.get('after')
  const from = after === null ? null : resolvePath(after, path)
  if (from && (!from.ok || !isWithin(from.value, path)))
    return refuse(
      400,
      'INVALID_AFTER',
      'Cannot page: after must be the name of a child of this folder.',
    )
  const page = store.list(path, { limit: limit + 1, ...(from && { after: from.value }) })
  const entries = page.slice(0, limit).map(describeEntry)
  const next = page.length > limit ? (entries.at(-1)?.name ?? null) : null
  return Response.json({ path, entries, next }, { headers: { 'cache-control': 'no-store' } })
}

function describeEntry(entry: Entry) {
  const { type, path, version, mtime } = entry
  const facts = { name: nameOf(path), type, version, mtime }
  if (entry.type === 'folder') return facts
  const { size, mime, executable } = entry
  return { ...facts, size, mime, ...(executable && { executable }) }
}

function precondition(request: Request, entry: Entry | null): Response | null {
  const none = request.headers.get('if-none-match')
  if (isMatched(request, entry) && (none === null || !namesEntry(none, entry))) return null
  const version = entry?.version ?? 0
  const now = version === 0 ? 'does not exist' : `is at version ${version}`
  return Response.json(
    {
      code: 'VERSION_CONFLICT',
      message: `Cannot change the file: it ${now}. Nothing was changed. Read it again, then repeat the change.`,
      version,
    },
    { status: 412 },
  )
}

function isMatched({ headers }: Request, entry: Entry | null): boolean {
  const match = headers.get('if-match')
  return match === null || namesEntry(match, entry)
}

const namesEntry = (header: string, entry: Entry | null) =>
  entry !== null && listsTag(header, tagOf(entry))
