/**
 * Apps from files as the server lists them, parsed at the boundary. Everything in a manifest was written by an agent
 * or a person: it is untrusted input. `test/host/console/app-approvals.test.tsx` covers it.
 *
 * @module
 */

import { isRecord, recordOf } from '#core/json.ts'

/** A file of an app, and what has happened to it since the last decision. */
export interface AppFileRow {
  readonly path: string
  readonly size: number
  readonly change: 'added' | 'changed' | 'deleted' | null
  /** Whether its content cannot be shown as text, so that approving it takes a yes of its own. */
  readonly unseen: boolean
}

/** What an app asks for. */
export interface AppRequest {
  readonly title: string
  readonly description: string
  readonly template: string | null
  /** The tool whose results it shows; empty for an app with a tool of its own. */
  readonly forTool: string
  readonly data: readonly string[]
  readonly write: readonly string[]
  /** Origins that its page may reach. */
  readonly origins: readonly string[]
  readonly permissions: readonly string[]
  /** The dedicated origin that it asks its host for; empty for none. */
  readonly domain: string
}

/** An app that waits for the owner, or that was decided. */
export interface AppRow {
  readonly name: string
  readonly revision: string
  readonly state: 'waiting' | 'approved' | 'turned_down' | 'invalid'
  /** Null if its `app.json` has problems. */
  readonly request: AppRequest | null
  readonly problems: readonly { readonly pointer: string; readonly message: string }[]
  readonly files: readonly AppFileRow[]
  /** Whether an earlier state of it was approved. */
  readonly wasApproved: boolean
}

const STATES = ['waiting', 'approved', 'turned_down', 'invalid'] as const
const CHANGES = ['added', 'changed', 'deleted'] as const

/** Parses the response of `GET /apps`. What is invalid is left out. */
export function parseApps(value: unknown): AppRow[] {
  const { apps } = recordOf(value)
  return Array.isArray(apps) ? apps.flatMap(parseRow) : []
}

/** Returns how many folders `GET /apps` has left out. */
export function parseLeft(value: unknown): number {
  const { left } = recordOf(value)
  return typeof left === 'number' ? left : 0
}

function parseRow(value: unknown): AppRow[] {
  if (!isRecord(value)) return []
  const { name, revision, manifest, problems, files, decided } = value
  const state = STATES.find((one) => one === value['state'])
  if (typeof name !== 'string' || typeof revision !== 'string' || !state) return []
  return [
    {
      ...{ name, revision, state },
      request: isRecord(manifest) ? parseManifest(manifest) : null,
      problems: rowsOf(problems).map((row) => ({
        pointer: textOf(row['pointer']),
        message: textOf(row['message']),
      })),
      files: rowsOf(files).map((row) => ({
        path: textOf(row['path']),
        size: typeof row['size'] === 'number' ? row['size'] : 0,
        change: CHANGES.find((one) => one === row['change']) ?? null,
        unseen: row['unseen'] === true,
      })),
      wasApproved: recordOf(decided)['state'] === 'approved',
    },
  ]
}

function parseManifest(manifest: Record<string, unknown>): AppRequest {
  const { title, description, template, data, write, csp, permissions, domain, forTool } = manifest
  return {
    title: textOf(title),
    description: textOf(description),
    template: typeof template === 'string' ? template : null,
    forTool: textOf(forTool),
    data: textsOf(data),
    write: textsOf(write),
    origins: [...new Set(Object.values(recordOf(csp)).flatMap(textsOf))],
    permissions: textsOf(permissions),
    domain: textOf(domain),
  }
}

const rowsOf = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : [])
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const textsOf = (value: unknown) => (Array.isArray(value) ? value.map(textOf).filter(Boolean) : [])
