/**
 * What the operator can see of the work: a record for each request that the front answers, and one for
 * each tool call, as JSON lines in the log, as data points of Workers Analytics Engine, or both.
 *
 * Records hold ids, names and figures, and never a path, an argument, a query or a secret, so they may go
 * wherever logs go. Where nobody has asked for them nothing is made, not even an id. The proof is
 * `test/worker/observe.test.ts` and `test/e2e/log.test.ts`.
 *
 * @module
 */

import type { Env } from '../env.ts'

/** What all records of one request have in common. */
export interface Trail {
  /** Made by the front for each request; the caller finds it in `X-Request-Id`. */
  readonly request: string
  /** The trace id of W3C Trace Context that the request came with, so that it can be joined to others. */
  readonly trace: string | null
}

export interface RequestRecord extends Trail {
  readonly event: 'request'
  readonly method: string
  /** Which route it was, with nothing of the caller's in it: `/files/…`, `/s/…/mcp`. */
  readonly route: string
  /** The workspace that it was let into, or `…` where it came to none. */
  readonly workspace: string
  readonly status: number
  /** Milliseconds until the answer began. */
  readonly ms: number
}

export interface CallRecord extends Trail {
  readonly event: 'call'
  readonly workspace: string
  readonly principal: string
  /** The id of the session, which opens nothing. */
  readonly session: string | null
  readonly tool: string
  readonly outcome: 'read' | 'applied' | 'previewed' | 'failed' | 'rejected' | 'broken'
  /** The code of a failure. */
  readonly code: string | null
  /** The id of the change that was applied or previewed. */
  readonly change: string | null
  readonly ms: number
}

export type Observed = RequestRecord | CallRecord

export type Observer = (record: Observed) => void

/** Whoever wants to know, or null. */
export function observerOf({ EDGEWISE_LOG, EDGEWISE_METRICS }: Env): Observer | null {
  if (EDGEWISE_LOG !== 'json' && !EDGEWISE_METRICS) return null
  return (record) => {
    if (EDGEWISE_LOG === 'json') console.log(JSON.stringify(record))
    EDGEWISE_METRICS?.writeDataPoint(dataPointOf(record))
  }
}

/** Blobs: event, what, how, code. Doubles: milliseconds, status. The workspace is the index. */
function dataPointOf(record: Observed): AnalyticsEngineDataPoint {
  const { event, workspace, ms } = record
  const [what, how, code, status] =
    event === 'request'
      ? [record.route, record.method, null, record.status]
      : [record.tool, record.outcome, record.code, 0]
  return { indexes: [workspace], blobs: [event, what, how, code], doubles: [ms, status] }
}
