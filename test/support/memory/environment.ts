/**
 * The bindings of `wrangler.toml` in memory, and the objects behind them.
 *
 * @module
 */

import { readFile } from 'node:fs/promises'
import type { Env } from '#worker/env.ts'
import { mimeOf } from '#worker/encoding/media-type.ts'
import { createMemoryBucket } from './bucket.ts'
import { createMemoryKvNamespace } from './kv.ts'
import { createMemoryNamespace } from './objects.ts'

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

const { namespace, objectOf } = createMemoryNamespace(async (state) => {
  // The class imports the bindings, which are made here.
  const { Workspace } = await import('#worker/workspace.ts')
  return new Workspace(state, env)
})

export const env = {
  WORKSPACE: namespace,
  FILES: createMemoryBucket(),
  OAUTH_KV: createMemoryKvNamespace(),
  ASSETS: { fetch: fetchAsset } as Fetcher,
} satisfies Env

export { objectOf }
