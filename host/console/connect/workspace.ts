/**
 * The workspace behind the target, if it is on this origin: its API, its features, and
 * the polling of its version.
 *
 * @module
 */

import { computed, effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Result } from '#core/result.ts'
import { readWorkspaceAddress } from '../../mcp/workspace-address.ts'
import { createWorkspaceApi, type ApiProblem, type WorkspaceApi } from '../../mcp/workspace-api.ts'
import { connection, tools, revision } from './connection.ts'
import { fetchWithPasskey } from '../passkeys/fetch-with-passkey.ts'
import { noteStatus } from './http.ts'
import { target } from './target.ts'

/** The workspace's name; null if the target is not a workspace of this server. */
export const workspace = computed(() => {
  const found = readWorkspaceAddress(target.value.url)
  return found?.origin === location.origin && !found.isLink ? found.name : null
})

/** The workspace's HTTP API; null if the target is not a workspace of this server. */
export const api = computed<WorkspaceApi | null>(() => {
  const name = workspace.value
  if (name === null) return null
  return createWorkspaceApi({ fetch: fetchWithPasskey, workspace: name })
})

/** The path under which `/files`, `/export` and the like are served; empty for the default workspace. */
export const basePath = computed(() =>
  workspace.value === null || workspace.value === 'default' ? '' : `/w/${workspace.value}`,
)

/** Features of the server that pages depend on. */
export interface Features {
  readonly changes: boolean
  readonly undo: boolean
  /** Whether it is a workspace of this server, which has an HTTP API. */
  readonly workspace: boolean
  readonly files: boolean
}

/** The features of the connected server. */
export const features = computed((): Features => {
  const has = (name: string) => tools.value.some((tool) => tool.name === name)
  return {
    changes: has('list_changes'),
    undo: has('undo_change'),
    workspace: api.value !== null && connection.value !== null,
    files: has('list_folder') && has('read_file'),
  }
})

/**
 * Returns the value of an API result, or throws its problem.
 *
 * @throws {ApiProblem} A plain object with code and message, or an `Error` if the result is
 *   malformed.
 */
export async function unwrap<T>(answer: Promise<Result<T, ApiProblem>>): Promise<T> {
  const { ok, ...result } = await answer
  if (ok && 'value' in result) return result.value
  if (!('error' in result)) throw new Error('The workspace returned no result')
  // An upload does not pass through `fetchHere`, so its 401 is noted here.
  if (result.error.status === 401) noteStatus(401)
  throw result.error
}

const POLL_MS = 12_000

/** Number of mounted pages that poll for changes. */
const watchers = signal(0)

/**
 * Polls the version while a page watches, because an edit of a file causes no list-changed
 * notification.
 */
effect(() => {
  const from = api.value
  if (from === null || watchers.value === 0) return
  let seen: number | null = null
  const poll = async () => {
    if (document.visibilityState !== 'visible') return
    const status = await from.status()
    if (!status.ok) return
    if (seen !== null && seen !== status.value.version) revision.value++
    seen = status.value.version
  }
  const timer = setInterval(() => void poll(), POLL_MS)
  void poll()
  return () => clearInterval(timer)
})

/** Polls the workspace for changes while the component is mounted. */
export function usePolling(): void {
  useEffect(() => {
    watchers.value++
    return () => void watchers.value--
  }, [])
}
