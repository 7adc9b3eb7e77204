/**
 * The log record of a tool call. An asynchronous context carries the request that a call belongs to, also
 * through the SDK.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import type { Result } from '#core/result.ts'
import { CHANGE_META, DRAFT_META, ERROR_META } from '#core/wire.ts'
import type { CallRequest } from './context.ts'
import type { Outcome } from '../tools/lib/tool-result.ts'
import type { Refused } from '../access/metadata.ts'
import type { CallRecord, Observer } from '../observe/observer.ts'
import { currentIds, runWithRequest, traceOf, idsOf } from '../observe/request.ts'

type Done = Result<Outcome, Refused>

/** Records the calls of one workspace. */
export type Watch = ReturnType<typeof createWatch>

/** Creates the recorder of a workspace's calls. `tools` are the names that a record may have. */
export function createWatch(
  observer: Observer,
  workspace: string,
  tools: Pick<ReadonlySet<string>, 'has'>,
) {
  /** Runs work on behalf of a request, so that calls in it are recorded with that request. */
  const within = <T>(request: Request, work: () => T): T => runWithRequest(idsOf(request), work)

  /** Runs a call and records its outcome, also when it throws. */
  async function call(asked: CallRequest, run: () => Promise<Done>): Promise<Done> {
    const started = performance.now()
    let done: Done | null = null
    try {
      return (done = await run())
    } finally {
      const { request, trace } = currentIds() ?? { request: '', trace: null }
      const { principal, session } = asked.caller
      observer({
        event: 'call',
        request,
        trace: traceOf(asked.meta?.['traceparent']) ?? trace,
        workspace,
        principal,
        session: session?.id ?? null,
        // A name that is no tool's is untrusted input, which records must not contain.
        tool: tools.has(asked.name) ? asked.name : '',
        ...summarize(done),
        ms: performance.now() - started,
      })
    }
  }

  return { within, call }
}

type Summary = Pick<CallRecord, 'outcome' | 'code' | 'change'>

function summarize(done: Done | null): Summary {
  if (!done) return { outcome: 'broken', code: null, change: null }
  if (!done.ok) return { outcome: 'rejected', code: String(done.error.code), change: null }
  const { isError, _meta: meta } = done.value
  if (isError) {
    const { code } = recordOf(meta?.[ERROR_META])
    return { outcome: 'failed', code: String(code), change: null }
  }
  const change = meta?.[CHANGE_META]
  if (!isRecord(change)) return { outcome: 'read', code: null, change: null }
  return { outcome: outcomeOfChange(change, meta), code: null, change: String(change['id']) }
}

/** The draft is named only where the change has joined one. */
function outcomeOfChange(change: JsonRecord, meta: Outcome['_meta'] = {}): CallRecord['outcome'] {
  if (change['applied'] === true) return 'applied'
  return DRAFT_META in meta ? 'proposed' : 'previewed'
}
