/**
 * A workspace in which everything waits, its only draft as its page has it, and decisions on it.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { expect } from 'vitest'
import { freshWorkspace } from './client.ts'
import { FROM_OWN_PAGE } from './requests.ts'

export type Workspace = ReturnType<typeof freshWorkspace>

/** A workspace with files, in which everything waits. */
export async function held(
  files: Readonly<Record<string, string>> = {},
  config: object = { approval: 'confirm' },
) {
  const workspace = freshWorkspace()
  for (const [path, body] of Object.entries(files))
    await (await workspace.fetch(`/files${path}`, { method: 'PUT', body })).text()
  await configure(workspace, config)
  return workspace
}

export async function configure({ fetch }: Workspace, config: object): Promise<void> {
  const answer = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status, await answer.text()).toBe(200)
}

export const write = (workspace: Workspace, path: string, content: string) =>
  workspace.call('write_file', { path, content })

export const listOf = (value: unknown) => (Array.isArray(value) ? value.map(recordOf) : [])

export async function read({ fetch }: Workspace, path: string) {
  const answer = await fetch(path)
  return { status: answer.status, ...recordOf(await answer.json()) }
}

/** The only draft, as its page has it. */
export async function show(workspace: Workspace) {
  const { drafts } = recordOf(await (await workspace.fetch('/drafts')).json())
  const id = listOf(drafts)[0]?.['id']
  const path = `/drafts/${String(id)}`
  const shown: unknown = id === undefined ? null : await read(workspace, path)
  const { revision, changes, files } = recordOf(shown)
  return { path, revision, changes: listOf(changes), files: listOf(files) }
}

export type Shown = Awaited<ReturnType<typeof show>>

/** The choice of one group, with the digest that was shown of it. */
export function groupOf({ revision, changes }: Shown, group: number) {
  const last = changes.findLast((one) => one['group'] === group)
  return { revision, groups: [group], digest: last?.['digest'] }
}

export const idOf = ({ changes }: Shown, index: number) => String(changes[index]?.['id'])

export const approve = (workspace: Workspace, shown: Shown, body: object) =>
  decide(workspace, `${shown.path}/approve`, body)

export async function decide({ fetch }: Workspace, route: string, body: object) {
  const init = { method: 'POST', headers: FROM_OWN_PAGE, body: JSON.stringify(body) }
  const answer = await fetch(route, init)
  return { status: answer.status, ...recordOf(await answer.json()) }
}

export async function textOf({ fetch }: Workspace, path: string): Promise<string | null> {
  const answer = await fetch(`/files${path}`)
  const text = await answer.text()
  return answer.ok ? text : null
}
