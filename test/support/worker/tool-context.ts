/**
 * A context for calls, for tests that need their own configuration: the code path of a call
 * over a real store, without the protocol.
 *
 * @module
 */

import { DEFAULT_CONFIG, readConfig, type Config } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import { ok } from '#core/result.ts'
import { ownerAccess } from '#worker/access/access.ts'
import type { Refused } from '#worker/access/metadata.ts'
import type { CallerWorkspace } from '#worker/access/workspace.ts'
import { createChanges } from '#worker/changes/changes.ts'
import { call } from '#worker/call/call.ts'
import type { CallServices } from '#worker/call/context.ts'
import type { Outcome } from '#worker/tools/lib/tool-result.ts'
import type { ConnectionsParts } from '#worker/drafts/connections.ts'
import type { Drafts } from '#worker/drafts/drafts.ts'
import { callerWithoutSession, withConfiguration, type Caller } from '#worker/access/caller.ts'
import { createSearch } from '#worker/search/search.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore, type SqliteStore } from '#worker/store/open/sqlite.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createTestOpener, type Beside } from './opener.ts'
import { act, put, textOf } from './store-contract.ts'

export type Reply = { refused: Refused } | { refused?: undefined; outcome: Outcome }

export interface TestContext {
  readonly services: CallServices
  readonly caller: Caller
  readonly store: SqliteStore
  readonly drafts: Drafts
  /** The workspace of the owner, without rules. */
  readonly owner: CallerWorkspace
  readonly call: (name: string, args: unknown, meta?: Record<string, unknown>) => Promise<Reply>
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>
  readonly text: (path: string) => Promise<string | null>
}

const noLinks = (): never => {
  throw new Error('This context makes no links')
}

/** Runs a test under an owner's configuration and, optionally, a client's. */
export function withToolContext<T>(
  config: unknown,
  work: (context: TestContext) => Promise<T>,
  clientConfig?: unknown,
): Promise<T> {
  const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId())
  return runInDurableObject(stub, (_, { storage }) =>
    work(openToolContext(storage, config, clientConfig)),
  )
}

/** Opens the context of a test over the storage of an object. */
export function openToolContext(
  storage: DurableObjectStorage,
  config: unknown,
  clientConfig?: unknown,
  connections?: ConnectionsParts,
  openBeside: (store: SqliteStore) => Beside = () => ({}),
): TestContext {
  const store = createSqliteStore(storage, createSqliteObjects(storage.sql))
  const owned = ownedBy(config)
  const search = createSearch(storage, store)
  const { sql } = storage
  const beside = openBeside(store)
  const { openFor, drafts } = createTestOpener(sql, store, search, owned, connections, beside)
  const services: CallServices = {
    tools: TOOLS,
    openFor,
    audit: store.audit,
    changes: createChanges(sql, () => {}),
    takeNews: drafts.takeNews,
    linksFor: () => ({ createCheckpoint: noLinks, delegate: noLinks, transfer: noLinks }),
  }
  const free = callerWithoutSession('test', owned)
  const configured = clientConfig === undefined ? ok(free) : withConfiguration(free, clientConfig)
  if (!configured.ok) throw new Error(configured.error)
  const caller = { ...configured.value, showsApps: true }
  return {
    services,
    caller,
    store,
    drafts,
    owner: openFor(ownerAccess(owned), null),
    async call(name, args, meta) {
      const answer = await call({ name, args, meta, caller }, services)
      return answer.ok ? { outcome: answer.value } : { refused: answer.error }
    },
    async write(files) {
      for (const [path, text] of Object.entries(files)) {
        if (path.endsWith('/')) act(store, { type: 'folder', path: parsePath(path.slice(0, -1)) })
        else await put(store, path, text)
      }
    },
    text: (path) => textOf(store, path),
  }
}

/** The same where roots come from the client, as in the reference: what is outside them can be granted. */
export function withClientRoots<T>(
  { roots, ...config }: Readonly<Record<string, unknown>>,
  work: (context: TestContext) => Promise<T>,
): Promise<T> {
  return config['allow_escape'] === true
    ? withToolContext({ ...config, roots }, work)
    : withToolContext(config, work, { roots })
}

function ownedBy(config: unknown): Config {
  const read = readConfig(config, DEFAULT_CONFIG)
  if (!read.ok) throw new Error(read.error[0].message)
  return read.value
}
