/**
 * One workspace: a shell that gives the store, the search and the MCP endpoint their identity.
 *
 * Everything that lasts is in SQLite and R2, so the object may be evicted at any moment. The one
 * alarm serves all that happens later: indexing, then the sweep.
 *
 * @module
 */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { resolvePath, ROOT } from '#core/path.ts'
import { DurableObject } from 'cloudflare:workers'
import { baseArea } from './area.ts'
import { call, type Caller, type Surroundings } from './call.ts'
import type { Env } from './env.ts'
import { createEndpoint } from './mcp/endpoint.ts'
import { plainError, plainResult, type PlainRequest } from './mcp/plain.ts'
import { createResources } from './mcp/resources.ts'
import { createServer } from './mcp/server.ts'
import { createSearch } from './search/search.ts'
import { createR2Objects, createSqliteObjects } from './store/objects.ts'
import { createSqliteStore } from './store/sqlite.ts'
import type { Change, Step } from './store/store.ts'
import { TOOLS } from './tools/index.ts'
import { exportTar } from './transfer/export.ts'
import { problem, refuse, serveFile } from './transfer/files.ts'
import { importTar } from './transfer/import.ts'

/** Until identity arrives, the one who is called local: the front lets nobody else in. */
const LOCAL: Caller = { principal: 'local' }

/** Milliseconds after a change at which its text is indexed, so that a burst is one batch. */
const INDEX_SOON_MS = 200

export class Workspace extends DurableObject<Env> {
  readonly #around: Surroundings
  readonly #endpoint: ReturnType<typeof createEndpoint>
  /** When the alarm will ring, as far as this life of the object knows. */
  #wake: number | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const objects = env.FILES
      ? createR2Objects(env.FILES, ctx.id.toString())
      : createSqliteObjects(ctx.storage.sql)
    const store = createSqliteStore(ctx.storage, objects, (time) => void this.#wakeAt(time))
    const search = createSearch(ctx.storage, store)
    const area = baseArea(DEFAULT_CONFIG)
    const resources = createResources(store, area)
    const changed = (change: Change, steps: readonly Step[]) => this.#changed(change, steps)
    this.#around = { tools: TOOLS, store, search, area, changed }
    this.#endpoint = createEndpoint(ctx, {
      build: (subscriptions) =>
        createServer({
          around: this.#around,
          resources,
          caller: LOCAL,
          ...(subscriptions && { subscriptions }),
        }),
      quick: (request) => this.#quick(request),
    })
  }

  override fetch(request: Request): Response | Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/mcp') return this.#endpoint.fetch(request)
    if (pathname === '/stream') return this.#endpoint.stream(request)
    if (pathname === '/status') return this.#status()
    if (pathname === '/files' || pathname.startsWith('/files/'))
      return this.#file(request, pathname.slice('/files'.length) || '/')
    if (pathname === '/import') return this.#import(request, searchParams.get('to') ?? '/')
    if (pathname === '/export') return this.#export(searchParams.get('from') ?? '/')
    return refuse(404, 'NOT_FOUND', `There is nothing at ${pathname}`)
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    this.#endpoint.streams.receive(socket, message)
  }

  override webSocketClose(socket: WebSocket): void {
    this.#endpoint.streams.closed(socket)
  }

  override webSocketError(socket: WebSocket): void {
    this.#endpoint.streams.closed(socket)
  }

  override async alarm(): Promise<void> {
    this.#wake = null
    const more = await this.#around.search.fill()
    const due = await this.#around.store.sweep(Date.now())
    if (more) await this.#wakeAt(Date.now())
    else if (due !== null) await this.#wakeAt(due)
  }

  /** A plain call, on the same road as every other. */
  async #quick({ id, params, meta }: PlainRequest): Promise<Response> {
    const { name, arguments: args } = params
    const request = { name: String(name), args, meta, caller: LOCAL }
    const outcome = await call(request, this.#around)
    if (outcome.ok) return plainResult(id, outcome.value)
    return plainError(id, outcome.error.code, outcome.error.message)
  }

  #changed(change: Change, steps: readonly Step[]): void {
    this.#endpoint.streams.publish(change, steps)
    void this.#wakeAt(Date.now() + INDEX_SOON_MS)
  }

  /** Sets the alarm, unless it is known to be set for earlier. */
  async #wakeAt(time: number): Promise<void> {
    if (this.#wake !== null && this.#wake <= time) return
    this.#wake = time
    const set = await this.ctx.storage.getAlarm()
    if (set === null || set > time) await this.ctx.storage.setAlarm(time)
  }

  #status(): Response {
    const { store, search } = this.#around
    return Response.json({ ...store.totals, unindexed: search.unindexed() })
  }

  #file(request: Request, encoded: string): Response | Promise<Response> {
    const path = resolvePath(decoded(encoded))
    if (!path.ok) return problem({ reason: 'bad_path', text: encoded, detail: path.error })
    const { store, changed } = this.#around
    return serveFile(request, path.value, { store, changed, actor: LOCAL.principal })
  }

  async #import(request: Request, to: string): Promise<Response> {
    const into = resolvePath(to)
    if (!into.ok) return problem({ reason: 'bad_path', text: to, detail: into.error })
    if (request.method !== 'POST' || !request.body) {
      return refuse(405, 'METHOD_NOT_ALLOWED', 'POST a tar or tar.gz archive', { allow: 'POST' })
    }
    const { store, changed } = this.#around
    const report = await importTar(request.body, into.value, LOCAL.principal, store, changed)
    return Response.json(report, { status: report.error === undefined ? 200 : 422 })
  }

  #export(from: string): Response {
    const folder = resolvePath(from)
    if (!folder.ok) return problem({ reason: 'bad_path', text: from, detail: folder.error })
    if (this.#around.store.stat(folder.value)?.type !== 'folder') {
      return problem({ reason: 'not_found', path: folder.value })
    }
    const name =
      folder.value === ROOT ? 'workspace' : folder.value.slice(folder.value.lastIndexOf('/') + 1)
    return new Response(exportTar(this.#around.store, folder.value), {
      headers: {
        'content-type': 'application/x-tar',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}.tar`,
        'x-content-type-options': 'nosniff',
      },
    })
  }
}

/** Percent-decodes a path; what cannot be decoded stays, and is refused or not found as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
