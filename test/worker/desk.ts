/**
 * A workspace on the inside, for tests that need a configuration of their own: the road of a call
 * over a real store, without the protocol.
 *
 * @module
 */

import { DEFAULT_CONFIG, readConfig, type Config } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import { ok } from '#core/result.ts'
import { ownerAccess } from '#worker/access/access.ts'
import type { Refused } from '#worker/access/metadata.ts'
import { createOpener, type CallerWorkspace } from '#worker/access/workspace.ts'
import { createChanges } from '#worker/changes/changes.ts'
import { call, type Outcome, type Surroundings } from '#worker/call.ts'
import { freeCaller, withConfiguration, type Caller } from '#worker/sessions/caller.ts'
import { createSearch } from '#worker/search/search.ts'
import { createSqliteObjects } from '#worker/store/objects.ts'
import { createSqliteStore } from '#worker/store/sqlite.ts'
import type { Store } from '#worker/store/store.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { act, put, textOf } from './store-contract.ts'

export type Reply = { refused: Refused } | { refused?: undefined; outcome: Outcome }

export interface InnerDesk {
  readonly around: Surroundings
  readonly caller: Caller
  readonly store: Store
  /** The workspace of the person, who is bound by no rules. */
  readonly owner: CallerWorkspace
  readonly call: (name: string, args: unknown, meta?: Record<string, unknown>) => Promise<Reply>
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>
  readonly text: (path: string) => Promise<string | null>
}

/** Works under an owner's configuration and, where there is one, a client's. */
export function withDesk<T>(
  config: unknown,
  work: (desk: InnerDesk) => Promise<T>,
  clientConfig?: unknown,
): Promise<T> {
  const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId())
  return runInDurableObject(stub, async (_, { storage }) => {
    const store = createSqliteStore(storage, createSqliteObjects(storage.sql))
    const owned = ownedBy(config)
    const openFor = createOpener({
      store,
      search: createSearch(storage, store),
      changed: () => {},
      isCurrent: () => true,
    })
    const around: Surroundings = {
      tools: TOOLS,
      openFor,
      audit: store.audit,
      changes: createChanges(storage.sql),
      linksFor: () => {
        throw new Error('nobody makes links here')
      },
    }
    const free = freeCaller('test', owned)
    const configured = clientConfig === undefined ? ok(free) : withConfiguration(free, clientConfig)
    if (!configured.ok) throw new Error(configured.error)
    const caller = { ...configured.value, showsApps: true }
    return work({
      around,
      caller,
      store,
      owner: openFor(ownerAccess(owned), null),
      async call(name, args, meta) {
        const answer = await call({ name, args, meta, caller }, around)
        return answer.ok ? { outcome: answer.value } : { refused: answer.error }
      },
      async write(files) {
        for (const [path, text] of Object.entries(files)) {
          if (path.endsWith('/')) act(store, { type: 'folder', path: parsePath(path.slice(0, -1)) })
          else await put(store, path, text)
        }
      },
      text: (path) => textOf(store, path),
    })
  })
}

/** The same where roots come from the client, as in the reference: what is outside them can be granted. */
export function withClientRoots<T>(
  { roots, ...config }: Readonly<Record<string, unknown>>,
  work: (desk: InnerDesk) => Promise<T>,
): Promise<T> {
  return config['allow_escape'] === true
    ? withDesk({ ...config, roots }, work)
    : withDesk(config, work, { roots })
}

function ownedBy(config: unknown): Config {
  const read = readConfig(config, DEFAULT_CONFIG)
  if (!read.ok) throw new Error(read.error)
  return read.value
}
