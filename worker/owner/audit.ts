/**
 * `/status`: the size of the workspace. `/audit`: the audit log as JSON, filtered by path, principal, session, outcome and time, or as a whole in
 * JSON Lines; `/audit/check` verifies its hash chain. A page of this origin adds the calls that its user
 * denied, which never reach a tool.
 *
 * `test/worker/owner/audit.test.ts` has the cases of a denial.
 *
 * @module
 */

import { resolvePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import type { Audit, AuditQuery, ChainedEntry, Dropped, AuditOutcome } from '../audit/audit.ts'
import { refuse } from '../errors/respond.ts'
import { defineOwnerAct, defineOwnerActWith, type Asked, type OwnerAct } from './act.ts'
import * as fields from './fields.ts'

const OUTCOMES: readonly AuditOutcome[] = [
  'applied',
  'proposed',
  'previewed',
  'refused',
  'downloaded',
]

/** Entries of one page, if the request names no number. */
const DEFAULT_PAGE = 100
/** Maximum number of entries of one page. */
const MAX_PAGE = 1_000

/** Maximum number of scopes of a denied call that are noted. */
const MAX_DENIED_SCOPES = 50

/** A call that the user of the console denied. */
const Denial = z.strictObject({
  tool: z.string().check(z.minLength(1), z.maxLength(200)),
  intent: fields.text,
  scopes: z._default(fields.listOf(fields.text, MAX_DENIED_SCOPES), []),
})

/** Reads and checks the log, and adds a denial. */
export const AUDIT_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('read_status', ({ answer }, { totals }) => answer(totals())),
  defineOwnerAct('read_audit', (asked, { audit }) =>
    asked.request.headers.get('accept')?.includes('application/x-ndjson')
      ? streamLines(audit)
      : readPage(asked, audit),
  ),
  defineOwnerAct('check_audit', ({ answer }, { audit }) => answer(audit.check())),
  defineOwnerActWith('note_denial', { input: Denial, run: noteDenial }),
]

/** `next` is the sequence number before which the next page begins. */
function readPage({ query: params, answer }: Asked<'read_audit'>, audit: Audit): Response {
  const query = readQuery(params)
  if (!query.ok) return refuse(400, 'INVALID_QUERY', query.error)
  const { limit } = query.value
  const found = audit.find({ ...query.value, limit: limit + 1 })
  const entries = found.slice(0, limit).map(toJson)
  const next = found.length > limit ? (entries.at(-1)?.seq ?? null) : null
  return answer({ entries, next }, { headers: { 'cache-control': 'no-store' } })
}

function noteDenial({
  input,
  note,
  answer,
}: Asked<'note_denial', z.infer<typeof Denial>>): Response {
  const { tool, intent } = input
  const decision = [{ kind: 'refused', code: 'DENIED_BY_PERSON' }, { kind: 'owner' }] as const
  note({ tool, intent, decision, outcome: 'refused', request: input })
  return answer(null)
}

function readQuery(params: URLSearchParams): Result<AuditQuery, string> {
  const path = params.has('path') ? resolvePath(params.get('path') ?? '') : null
  if (path && !path.ok) return err(`Cannot filter by path: ${path.error}`)
  const outcome = OUTCOMES.find((one) => one === params.get('outcome'))
  if (params.has('outcome') && !outcome)
    return err(`Cannot filter by outcome: it must be one of ${OUTCOMES.join(', ')}`)
  const [since, until] = [readTime(params, 'since'), readTime(params, 'until')]
  if (Number.isNaN(since) || Number.isNaN(until))
    return err('Cannot filter by time: since and until must be dates.')
  const before = params.has('before') ? Number(params.get('before')) : undefined
  if (before !== undefined && !Number.isSafeInteger(before))
    return err('Cannot page: before must be an integer.')
  return ok({
    limit: readLimit(params),
    before,
    since,
    until,
    outcome,
    path: path?.value,
    actor: params.get('actor') ?? undefined,
    principal: params.get('principal') ?? undefined,
    session: params.get('session') ?? undefined,
  })
}

function readLimit(params: URLSearchParams): number {
  const wanted = Math.trunc(Number(params.get('limit'))) || DEFAULT_PAGE
  return Math.min(Math.max(wanted, 1), MAX_PAGE)
}

function readTime(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name)
  return text === null ? undefined : Date.parse(text)
}

function streamLines(audit: Audit): Response {
  const pages = audit.all()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = pages.next()
      if (done) return controller.close()
      const text = value.map((entry) => `${JSON.stringify(toLine(entry))}\n`).join('')
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
const toJson = (entry: ChainedEntry) => ({ ...entry, at: new Date(entry.at).toISOString() })

const toLine = (entry: ChainedEntry | Dropped) => ('dropped' in entry ? entry : toJson(entry))
