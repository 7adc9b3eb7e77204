/**
 * Request and call records for the operator: one for each request that the front answers, and one for each
 * tool call, as JSON lines in the log, as data points of Workers Analytics Engine, or both.
 *
 * Records contain ids, names and figures, and never a path, an argument, a query or a secret, so they may be
 * sent anywhere. When neither output is enabled nothing is created, not even an id. The proof is
 * `test/worker/observe/observe.test.ts` and `test/e2e/log.test.ts`.
 *
 * @module
 */

import type { Env } from '../env.ts'

/** The fields that all records of one request share. */
export interface RequestIds {
  /** The id that the front creates for each request and returns in `X-Request-Id`. */
  readonly request: string
  /** The trace id of W3C Trace Context in the request, which joins records of several services. */
  readonly trace: string | null
}

/** The record of one HTTP request. */
export interface RequestRecord extends RequestIds {
  readonly event: 'request'
  readonly method: string
  /** The template of the route, without any value of the caller: `/files/…`, `/s/…/mcp`. */
  readonly route: string
  /** The workspace that served the request, or `…` when none did. */
  readonly workspace: string
  readonly status: number
  /** Milliseconds until the response began. */
  readonly ms: number
}

/** The record of one tool call. */
export interface CallRecord extends RequestIds {
  readonly event: 'call'
  readonly workspace: string
  readonly principal: string
  /** The id of the session, which is no secret. */
  readonly session: string | null
  readonly tool: string
  /** `proposed` is a change that waits, `failed` a tool error, `rejected` a JSON-RPC error, `broken` an exception. */
  readonly outcome: 'read' | 'applied' | 'proposed' | 'previewed' | 'failed' | 'rejected' | 'broken'
  /** The code of a failure. */
  readonly code: string | null
  /** The id of the change that was applied, proposed or previewed. */
  readonly change: string | null
  readonly ms: number
}

/** Any record. */
export type Observed = RequestRecord | CallRecord

/** Receives every record. */
export type Observer = (record: Observed) => void

/** Creates the observer that the environment enables; null when none is enabled. */
export function observerOf({ EDGEWISE_LOG, EDGEWISE_METRICS }: Env): Observer | null {
  if (EDGEWISE_LOG !== 'json' && !EDGEWISE_METRICS) return null
  return (record) => {
    if (EDGEWISE_LOG === 'json') console.log(JSON.stringify(record))
    EDGEWISE_METRICS?.writeDataPoint(dataPointOf(record))
  }
}

/**
 * Blobs: event, route or tool, method or outcome, code. Doubles: milliseconds, status. The index is the
 * workspace.
 */
function dataPointOf(record: Observed): AnalyticsEngineDataPoint {
  const { event, workspace, ms } = record
  const [what, how, code, status] =
    event === 'request'
      ? [record.route, record.method, null, record.status]
      : [record.tool, record.outcome, record.code, 0]
  return { indexes: [workspace], blobs: [event, what, how, code], doubles: [ms, status] }
}
