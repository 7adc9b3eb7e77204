/**
 * The workspace behind the server, where the server is an Edgewise of this very origin: its status,
 * its rules and its sessions, beside what MCP tells.
 *
 * @module
 */

import { computed, effect, signal } from '@preact/signals'
import type { Result } from '#core/result.ts'
import {
  createWorkspaceApi,
  type ApiProblem,
  type WorkspaceApi,
} from '../../connection/workspace-api.ts'
import { connection, tools, touched } from './link.ts'
import { fetchHere, heard } from './person.ts'
import { target } from './target.ts'

const NAMED = /^\/w\/([a-z0-9][a-z0-9-]{0,62})\/mcp$/

/** The workspace's name; null when the target is none of this server's. */
export const workspace = computed(() => {
  const url = URL.parse(target.value.url)
  if (url?.origin !== location.origin) return null
  if (url.pathname === '/mcp') return 'default'
  return NAMED.exec(url.pathname)?.[1] ?? null
})

export const api = computed<WorkspaceApi | null>(() => {
  const name = workspace.value
  if (name === null) return null
  return createWorkspaceApi({ fetch: fetchHere, workspace: name })
})

/** The address under which people see the files: the beginning of `/files`, `/export` and the like. */
export const base = computed(() =>
  workspace.value === null || workspace.value === 'default' ? '' : `/w/${workspace.value}`,
)

/** What this server can do that pages depend on. */
export const offers = computed(() => {
  const has = (name: string) => tools.value.some((tool) => tool.name === name)
  return {
    changes: has('list_changes'),
    undo: has('undo_change'),
    folders: has('list_folder'),
    workspace: api.value !== null && connection.value !== null,
    files: has('list_folder') && has('read_file'),
  }
})

/** Answers what an API call answered, or throws its problem. */
export async function answered<T>(answer: Promise<Result<T, ApiProblem>>): Promise<T> {
  const { ok, ...result } = await answer
  if (ok && 'value' in result) return result.value
  if (!('error' in result)) throw new Error('The workspace answered nothing')
  // An upload goes by another way than fetch.
  if (result.error.status === 401) heard(401)
  throw result.error
}

const LOOK_MS = 12_000

/** How often somebody else may have changed something that no list tells of. */
export const watching = signal(0)

/** While a page watches, the version is looked at now and then: an edit changes no list. */
effect(() => {
  const from = api.value
  if (from === null || watching.value === 0) return
  let seen: number | null = null
  const look = async () => {
    if (document.visibilityState !== 'visible') return
    const status = await from.status()
    if (!status.ok) return
    if (seen !== null && seen !== status.value.version) touched.value++
    seen = status.value.version
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  void look()
  return () => clearInterval(timer)
})
