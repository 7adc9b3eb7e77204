/** What the workspace answers beside MCP, read at the door; null is what cannot be read. @module */

import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { listOf, numberOf, textOf, textsOf } from './read.ts'

export interface WorkspaceStatus {
  readonly version: number
  readonly files: number
  readonly bytes: number
  /** Texts that the search index has not met yet. */
  readonly unindexed: number
}

const KINDS = ['link', 'transfer', 'grant', 'client'] as const

export interface SessionRow {
  readonly id: string
  readonly parent: string | null
  readonly principal: string
  readonly label: string
  readonly kind: (typeof KINDS)[number]
  readonly policy: unknown
  /** Null is "whatever its parent may touch". */
  readonly scopes: readonly string[] | null
  readonly config: unknown
  /** Milliseconds since 1970. */
  readonly created: number
  readonly expires: number | null
  /** The one file that a transfer link is for, and how often it was used; null for any other session. */
  readonly transfer: TransferRow | null
}

export interface TransferRow {
  readonly path: string
  readonly direction: 'download' | 'upload'
  readonly uses: number
}

export interface ImportReport {
  readonly files: number
  readonly folders: number
  readonly bytes: number
  readonly skipped: number
  readonly reasons: readonly { readonly name: string; readonly reason: string }[]
  /** Why it stopped before the end; null when it did not. */
  readonly error: string | null
}

export const recordOrNull = (body: unknown) => (isRecord(body) ? body : null)

export function statusOf(body: unknown): WorkspaceStatus | null {
  if (!isRecord(body)) return null
  const [version, files, bytes] = [body['version'], body['files'], body['bytes']].map(numberOf)
  if (typeof version !== 'number' || typeof files !== 'number' || typeof bytes !== 'number')
    return null
  return { version, files, bytes, unindexed: numberOf(body['unindexed']) ?? 0 }
}

function sessionOf(row: unknown): SessionRow | null {
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
    config: row['config'] ?? null,
    created: numberOf(row['created']) ?? 0,
    expires: numberOf(row['expires']),
    transfer: transferOf(row),
  }
}

function transferOf({ transfer, uses }: JsonRecord): TransferRow | null {
  const { path, direction } = recordOf(transfer)
  if (typeof path !== 'string' || (direction !== 'download' && direction !== 'upload')) return null
  return { path, direction, uses: numberOf(uses) ?? 0 }
}

export function sessionsOf(body: unknown): readonly SessionRow[] | null {
  if (!isRecord(body) || !Array.isArray(body['sessions'])) return null
  return body['sessions'].map(sessionOf).filter((row) => row !== null)
}

export function madeOf(body: unknown): (SessionRow & { url: string }) | null {
  const session = sessionOf(body)
  const url = isRecord(body) ? textOf(body['url']) : ''
  return session && url !== '' ? { ...session, url } : null
}

export function reportOf(body: unknown): ImportReport | null {
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
