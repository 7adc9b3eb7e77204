/**
 * Access requests as the server lists them, parsed at the boundary. Tool, intent, label, paths and scopes come from an
 * agent: they are untrusted input. `test/host/console/access-requests.test.tsx` covers it.
 *
 * @module
 */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'

/** How a request can be allowed. */
export type AllowedFor = 'call' | 'session' | 'rules'

/** An entry that the rules lack. */
export interface NewRoot {
  readonly path: string
  readonly immutable?: readonly string[]
}

/** A call beyond the access of its caller. */
export interface RequestedCall {
  readonly id: string
  readonly actor: string
  readonly principal: string
  readonly session: string | null
  readonly label: string | null
  readonly client: string | null
  readonly tool: string
  readonly intent: string
  readonly scopes: readonly string[]
  /** The files and folders that its arguments name. */
  readonly paths: readonly string[]
}

/** A call that waits for the owner. Times are in milliseconds since 1970. */
export interface AccessRequestRow extends RequestedCall {
  readonly opened: number
  readonly can: readonly AllowedFor[]
  /** What the rules would have to contain; empty where they permit the call. */
  readonly roots: readonly NewRoot[]
}

/** A call that was allowed and not made yet. */
export interface AllowedCallRow extends RequestedCall {
  /** When it can no longer be made, in milliseconds since 1970. */
  readonly until: number
}

/** What waits for the owner, and what was allowed. */
export interface RequestLists {
  readonly waiting: readonly AccessRequestRow[]
  readonly allowed: readonly AllowedCallRow[]
}

/** Parses the response of `GET /requests`, the oldest first. What is invalid is left out. */
export function parseRequests(value: unknown): RequestLists {
  const { requests, allowed } = recordOf(value)
  return {
    waiting: rowsIn(requests).map(parseRow).toReversed(),
    allowed: rowsIn(allowed).map((row) => ({ ...parseCall(row), until: numberIn(row, 'until') })),
  }
}

const rowsIn = (value: unknown): JsonRecord[] =>
  Array.isArray(value) ? value.filter(isRecord).filter(({ id }) => typeof id === 'string') : []

function parseRow(row: JsonRecord): AccessRequestRow {
  const { can, roots } = row
  return {
    ...parseCall(row),
    opened: numberIn(row, 'opened'),
    can: textsIn(can).filter((one) => one === 'call' || one === 'session' || one === 'rules'),
    roots: Array.isArray(roots) ? roots.filter(isRecord).flatMap(parseRoot) : [],
  }
}

function parseCall(row: JsonRecord): RequestedCall {
  const { session, label, client } = row
  const textIn = (name: string) => (typeof row[name] === 'string' ? row[name] : '')
  return {
    ...{ id: textIn('id'), actor: textIn('actor'), principal: textIn('principal') },
    session: typeof session === 'string' ? session : null,
    label: typeof label === 'string' ? label : null,
    client: typeof client === 'string' ? client : null,
    ...{ tool: textIn('tool'), intent: textIn('intent') },
    ...{ scopes: textsIn(row['scopes']), paths: textsIn(row['paths']) },
  }
}

function parseRoot({ path, immutable }: JsonRecord): NewRoot[] {
  if (typeof path !== 'string') return []
  return [{ path, ...(Array.isArray(immutable) && { immutable: textsIn(immutable) }) }]
}

const numberIn = (row: JsonRecord, name: string) => (typeof row[name] === 'number' ? row[name] : 0)

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
