/**
 * The files of the access matrix: each has a unique name, text and size, so that a
 * response that reveals one of them can be recognized.
 *
 * @module
 */

import { parsePath } from '#core/path.ts'
import { newChangeId } from '#worker/audit/change-note.ts'
import type { Step, Store } from '#worker/store/store.ts'
import type { MatrixFile } from '#worker/tools/lib/checked-facts.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { freshWorkspace } from './client.ts'
import { shareFeedSecret } from './feed-secret.ts'
import { storeOf, stubOf } from './object-life.ts'

export type Workspace = ReturnType<typeof freshWorkspace>

export interface Planted extends MatrixFile {
  readonly size: number
}

const PATHS = [
  '/docs/open-amber.md',
  '/docs/sub-birch/deep-cedar.md',
  '/docs/private-jade/key-cobalt.md',
  '/docs/fixed-denim.md',
  '/vault-kelp/gold-ember.md',
  '/outside-lapis/other-flint.md',
  '/drop-mint/letter-garnet.md',
]

/** Words of folders that a caller may be able to see without reading any file in them. */
export const FOLDER_WORDS = { '/vault-kelp': 'kelp', '/outside-lapis': 'lapis' } as const

export const FILES: readonly Planted[] = PATHS.map((path, index) => ({
  path,
  word: /-(\w+)\.md$/.exec(path)?.[1] ?? '',
  size: 7_013 + 26 * index,
  change: `${index + 1}-000000000000`,
  // Each was written once, in order.
  version: index + 1,
}))

/** A line that can be found and edited, then padding up to the size. */
export const textOf = ({ word, size }: Planted) => `canary-${word}\n`.padEnd(size, '.')

/** The owner's configuration. */
export const OWNER_RULES = {
  roots: [{ path: '/', deny: ['vault-kelp/**'], immutable: ['**/fixed*'] }],
}

/**
 * A workspace with the requested files. For each of the others a version is skipped, so
 * that versions are the same in every workspace.
 */
export async function createTree(isThere: (path: string) => boolean): Promise<Workspace> {
  const workspace = freshWorkspace()
  const stub = stubOf(workspace)
  await runInDurableObject(stub, async (_, state) => {
    const store = storeOf(state)
    store.checkpoints.create('start', { principal: 'gardener', session: null, label: null })
    for (const file of FILES) await plant(store, file, isThere(file.path))
    // A change without visible paths takes the version of the hidden file.
    state.storage.sql.exec('UPDATE changes SET paths = 1 WHERE paths = 0')
    shareFeedSecret(state.storage.sql)
  })
  await evictDurableObject(stub)
  const body = JSON.stringify(OWNER_RULES)
  const answer = await workspace.fetch('/config', { method: 'PUT', body })
  if (!answer.ok) throw new Error(await answer.text())
  await answer.body?.cancel()
  // Another session has delegated a part of the workspace.
  await workspace.text('delegate', { label: 'helper-onyx' })
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec('DELETE FROM changes WHERE tool = ?', LEFT_OUT)
  })
  return workspace
}

const LEFT_OUT = 'nothing'

async function plant(store: Store, file: Planted, isThere: boolean): Promise<void> {
  const { path, change } = file
  const content = await store.hold(new TextEncoder().encode(textOf(file)))
  const steps: Step[] = isThere ? [{ type: 'put', path: parsePath(path), content }] : []
  const actor = { principal: 'gardener', session: 'elsewhere', label: null }
  const tool = isThere ? 'write_file' : LEFT_OUT
  const note = { tool, intent: `Write to ${path}`, actor, decision: [] }
  const id = isThere ? change : newChangeId(store.totals.version + 1)
  const applied = store.apply({ basis: store.totals.version, steps, note: { ...note, id } })
  if (!applied.ok) throw new Error(applied.error.reason)
}

/** The owner's view of all files, to compare before and after. */
export async function ownersView({ fetch }: Workspace): Promise<string> {
  const archive = new Uint8Array(await (await fetch('/export')).arrayBuffer())
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', archive))
  const { files, bytes } = await (await fetch('/status')).json<Record<string, number>>()
  return JSON.stringify([[...digest], files, bytes])
}
