/**
 * The workspace behind the target, if it is on this origin: its path, its features, and
 * the polling of its version.
 *
 * @module
 */

import { computed, effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { readWorkspaceAddress } from '../../mcp/workspace-address.ts'
import { connection, tools, revision } from './connection.ts'
import { sendAct } from '../owner/send-act.ts'
import { target } from './target.ts'

/** The workspace's name; null if the target is not a workspace of this server. */
export const workspace = computed(() => {
  const found = readWorkspaceAddress(target.value.url)
  return found?.origin === location.origin && !found.isLink ? found.name : null
})

/** The path under which `/files`, `/export` and the like are served; empty for the default workspace. */
export const basePath = computed(() =>
  workspace.value === null || workspace.value === 'default' ? '' : `/w/${workspace.value}`,
)

/** The same, and null if the target is not a workspace of this server, whose owner acts here. */
export const ownBase = computed(() => (workspace.value === null ? null : basePath.value))

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
    workspace: workspace.value !== null && connection.value !== null,
    files: has('list_folder') && has('read_file'),
  }
})

const POLL_MS = 12_000

/** Number of mounted pages that poll for changes. */
const watchers = signal(0)

/**
 * Polls the version while a page watches, because an edit of a file causes no list-changed
 * notification.
 */
effect(() => {
  const base = ownBase.value
  if (base === null || watchers.value === 0) return
  let seen: number | null = null
  const poll = async () => {
    if (document.visibilityState !== 'visible') return
    const status = await sendAct(base, 'read_status', {}).catch(() => null)
    if (!status) return
    if (seen !== null && seen !== status.version) revision.value++
    seen = status.version
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
