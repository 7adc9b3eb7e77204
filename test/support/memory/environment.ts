/**
 * The bindings of `wrangler.toml` in memory, and the objects behind them.
 *
 * @module
 */

import { readFile } from 'node:fs/promises'
import type { Env } from '#worker/env.ts'
import type { Notifier } from '#worker/notifier-object.ts'
import type { Workspace } from '#worker/workspace.ts'
import { mimeOf } from '#worker/encoding/media-type.ts'
import { createMemoryBucket } from './bucket.ts'
import { createMemoryKvNamespace } from './kv.ts'
import { createMemoryNamespace, type MemoryNamespace } from './objects.ts'

const ASSETS = new URL('../../../dist/assets/', import.meta.url)

/** Serves the built files, as the binding of static assets does. */
async function fetchAsset(input: RequestInfo | URL): Promise<Response> {
  const { pathname } = new URL(input instanceof Request ? input.url : input)
  try {
    const bytes = await readFile(new URL(`.${pathname}`, ASSETS))
    return new Response(bytes, { headers: { 'content-type': mimeOf(pathname, true) } })
  } catch {
    return new Response(null, { status: 404 })
  }
}

// The classes import the bindings, which are made here.
const workspaces: MemoryNamespace<Workspace> = createMemoryNamespace(async (state) => {
  const { Workspace } = await import('#worker/workspace.ts')
  return new Workspace(state, env)
})

/** The methods that workspaces call. */
const NOTIFIER_METHODS = [
  'tell',
  'settings',
  'addDevice',
  'removeDevice',
  'testDevice',
  'setQuietHours',
]

const notifiers: MemoryNamespace<Notifier> = createMemoryNamespace(async (state) => {
  const { Notifier } = await import('#worker/notifier-object.ts')
  return new Notifier(state, env)
}, NOTIFIER_METHODS)

export const env = {
  WORKSPACE: workspaces.namespace,
  NOTIFIER: notifiers.namespace,
  FILES: createMemoryBucket(),
  OAUTH_KV: createMemoryKvNamespace(),
  ASSETS: { fetch: fetchAsset } as Fetcher,
} satisfies Env

export const { objectOf } = workspaces

/** The object behind a stub of the notifier. */
export const notifierObjectOf = notifiers.objectOf
