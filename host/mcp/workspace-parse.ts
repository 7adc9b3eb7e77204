/** Parses responses of the workspace's HTTP API at the boundary; null if invalid. @module */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { listOf, numberOf, textOf, textsOf } from './parse.ts'

/** The workspace's counters. */
export interface WorkspaceStatus {
  readonly version: number
  readonly files: number
  readonly bytes: number
  /** Texts that are not in the search index yet. */
  readonly unindexed: number
}

const KINDS = ['link', 'transfer', 'grant', 'client'] as const

/** A session as the API lists it. */
export interface SessionRow {
  readonly id: string
  /** The id of the session that delegated it. */
  readonly parent: string | null
  readonly principal: string
  readonly label: string
  readonly kind: (typeof KINDS)[number]
  readonly policy: unknown
  /** Null if it has all scopes of its parent. */
  readonly scopes: readonly string[] | null
  /** Scopes that the owner allowed it on request, beyond all of this. */
  readonly allowed: readonly string[]
  readonly config: unknown
  /** Milliseconds since 1970. */
  readonly created: number
  /** Milliseconds since 1970; null if it does not expire. */
  readonly expires: number | null
  /** The file of a transfer link and how often it was used; null for other kinds of session. */
  readonly transfer: TransferRow | null
}

/** The file that a transfer link gives access to. */
export interface TransferRow {
  readonly path: string
  readonly direction: 'download' | 'upload'
  readonly uses: number
}

/** A named state of the workspace. */
export interface CheckpointRow {
  readonly id: string
  readonly name: string
  /** The workspace version that it names. */
  readonly version: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** Who created it: `text` is for people, `label` the name of the session if there was one. */
  readonly actor: {
    readonly text: string
    readonly principal: string
    readonly session: string | null
    readonly label: string | null
  }
}

/** The result of an import. */
export interface ImportReport {
  readonly files: number
  readonly folders: number
  readonly bytes: number
  readonly skipped: number
  /** Entries that were skipped, with the reason. */
  readonly reasons: readonly { readonly name: string; readonly reason: string }[]
  /** Why it stopped before the end; null if it did not. */
  readonly error: string | null
}

/** Accepts any object. */
export const recordOrNull = (body: unknown) => (isRecord(body) ? body : null)

/** Parses `GET /status`. */
export function parseStatus(body: unknown): WorkspaceStatus | null {
  if (!isRecord(body)) return null
  const [version, files, bytes] = [body['version'], body['files'], body['bytes']].map(numberOf)
  if (typeof version !== 'number' || typeof files !== 'number' || typeof bytes !== 'number')
    return null
  return { version, files, bytes, unindexed: numberOf(body['unindexed']) ?? 0 }
}

/** Sessions, and the number of those that are not listed. */
export interface SessionList {
  readonly sessions: readonly SessionRow[]
  readonly left: number
}

/** The list of a workspace without sessions. */
export const NO_SESSIONS: SessionList = { sessions: [], left: 0 }

function parseSession(row: unknown): SessionRow | null {
  if (!isRecord(row) || textOf(row['id']) === '') return null
  const { parent, scopes } = row
  return {
    id: textOf(row['id']),
    parent: typeof parent === 'string' ? parent : null,
    principal: textOf(row['principal']),
    label: textOf(row['label']),
    kind: KINDS.find((kind) => kind === row['kind']) ?? 'link',
    policy: row['policy'] ?? null,
    scopes: Array.isArray(scopes) ? textsOf(scopes) : null,
    allowed: textsOf(row['allowed']),
    config: row['config'] ?? null,
    created: numberOf(row['created']) ?? 0,
    expires: numberOf(row['expires']),
    transfer: parseTransfer(row),
  }
}

function parseTransfer({ transfer, uses }: JsonRecord): TransferRow | null {
  const { path, direction } = recordOf(transfer)
  if (typeof path !== 'string' || (direction !== 'download' && direction !== 'upload')) return null
  return { path, direction, uses: numberOf(uses) ?? 0 }
}

/** Parses `GET /sessions`; invalid rows are left out. */
export function parseSessions(body: unknown): SessionList | null {
  if (!isRecord(body) || !Array.isArray(body['sessions'])) return null
  const sessions = body['sessions'].map(parseSession).filter((row) => row !== null)
  return { sessions, left: numberOf(body['left']) ?? 0 }
}

/** Parses the response to `POST /sessions`, with the URL of the new session. */
export function parseNewSession(body: unknown): (SessionRow & { url: string }) | null {
  const session = parseSession(body)
  const url = isRecord(body) ? textOf(body['url']) : ''
  return session && url !== '' ? { ...session, url } : null
}

/** Parses a checkpoint, as `POST /checkpoints` returns it. */
export function parseCheckpoint(row: unknown): CheckpointRow | null {
  if (!isRecord(row) || textOf(row['id']) === '') return null
  const at = Date.parse(textOf(row['at']))
  return {
    id: textOf(row['id']),
    name: textOf(row['name']),
    version: numberOf(row['version']) ?? 0,
    at: Number.isNaN(at) ? 0 : at,
    actor: {
      text: textOf(row['actor']),
      principal: textOf(row['principal']),
      session: textOf(row['session']) || null,
      label: textOf(row['label']) || null,
    },
  }
}

/** Parses `GET /checkpoints`; invalid rows are left out. */
export function parseCheckpoints(body: unknown): readonly CheckpointRow[] | null {
  if (!isRecord(body) || !Array.isArray(body['checkpoints'])) return null
  return body['checkpoints'].map(parseCheckpoint).filter((row) => row !== null)
}

/** Parses the response to `POST /import`. */
export function parseReport(body: unknown): ImportReport | null {
  if (!isRecord(body) || numberOf(body['files']) === null) return null
  const count = (name: string) => numberOf(body[name]) ?? 0
  return {
    files: count('files'),
    folders: count('folders'),
    bytes: count('bytes'),
    skipped: count('skipped'),
    reasons: listOf(body['reasons'])
      .filter(isRecord)
      .map(({ name, reason }) => ({ name: textOf(name), reason: textOf(reason) })),
    error: textOf(body['error']) || null,
  }
}
