/**
 * `/audit`: the audit log as JSON, filtered by path, principal, session, outcome and time, or as a whole in
 * JSON Lines; `/audit/check` verifies its hash chain.
 *
 * @module
 */

import { resolvePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Audit, AuditQuery, ChainedEntry, Dropped, Fate } from '../store/audit.ts'
import { refuse } from './files.ts'

const FATES: readonly Fate[] = ['applied', 'previewed', 'refused', 'downloaded']

/** Entries of one page, by default and at most. */
const PAGE = 100
const MOST = 1_000

/** Serves both routes. `next` is the sequence number before which the next page begins. */
export function serveAudit(request: Request, audit: Audit): Response {
  if (request.method !== 'GET')
    return refuse(405, 'METHOD_NOT_ALLOWED', 'Only GET is possible here', { allow: 'GET' })
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/audit/check') return Response.json(audit.check())
  if (request.headers.get('accept')?.includes('application/x-ndjson')) return lines(audit)
  const query = readQuery(searchParams)
  if (!query.ok) return refuse(400, 'INVALID_QUERY', query.error)
  const { limit } = query.value
  const found = audit.find({ ...query.value, limit: limit + 1 })
  const entries = found.slice(0, limit).map(shown)
  const next = found.length > limit ? (entries.at(-1)?.seq ?? null) : null
  return Response.json({ entries, next }, { headers: { 'cache-control': 'no-store' } })
}

function readQuery(params: URLSearchParams): Result<AuditQuery, string> {
  const path = params.has('path') ? resolvePath(params.get('path') ?? '') : null
  if (path && !path.ok) return err(`path is no path: ${path.error}`)
  const outcome = FATES.find((fate) => fate === params.get('outcome'))
  if (params.has('outcome') && !outcome) return err(`outcome must be one of ${FATES.join(', ')}`)
  const [since, until] = [timeOf(params, 'since'), timeOf(params, 'until')]
  if (Number.isNaN(since) || Number.isNaN(until)) return err('since and until must be dates')
  const limit = Math.min(Math.max(Math.trunc(Number(params.get('limit') ?? PAGE)) || PAGE, 1), MOST)
  const before = params.has('before') ? Number(params.get('before')) : undefined
  if (before !== undefined && !Number.isSafeInteger(before)) return err('before must be a number')
  return ok({
    limit,
    before,
    since,
    until,
    outcome,
    path: path?.value,
    principal: params.get('principal') ?? undefined,
    session: params.get('session') ?? undefined,
  })
}

function timeOf(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name)
  return text === null ? undefined : Date.parse(text)
}

function lines(audit: Audit): Response {
  const pages = audit.all()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pages.next()
      if (done) return controller.close()
      const text = value.map((entry) => `${JSON.stringify(shown(entry))}\n`).join('')
      controller.enqueue(encoder.encode(text))
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="audit.jsonl"',
      'cache-control': 'no-store',
    },
  })
}

/** Keeps the fields in the order in which they were written, so that a reader can verify the hash. */
function shown(entry: ChainedEntry | Dropped) {
  return 'dropped' in entry ? entry : { ...entry, at: new Date(entry.at).toISOString() }
}
