/**
 * A workspace on the inside, for tests that need a configuration of their own: the road of a call
 * over a real store, without the protocol.
 *
 * @module
 */

import { DEFAULT_CONFIG, readConfig } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import type { Area } from '#worker/area.ts'
import { createChanges } from '#worker/changes/changes.ts'
import { call, type Outcome, type Surroundings } from '#worker/call.ts'
import { freeCaller } from '#worker/sessions/caller.ts'
import type { Refused } from '#worker/terms.ts'
import { createSearch } from '#worker/search/search.ts'
import { createSqliteObjects } from '#worker/store/objects.ts'
import { createSqliteStore } from '#worker/store/sqlite.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { act, put, textOf } from './store-contract.ts'

export type Reply = { refused: Refused } | { refused?: undefined; outcome: Outcome }

export interface InnerDesk {
  readonly around: Surroundings
  readonly area: Area
  readonly call: (name: string, args: unknown, meta?: Record<string, unknown>) => Promise<Reply>
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>
  readonly text: (path: string) => Promise<string | null>
}

export function withDesk<T>(config: unknown, work: (desk: InnerDesk) => Promise<T>): Promise<T> {
  const stub = env.WORKSPACE.get(env.WORKSPACE.newUniqueId())
  return runInDurableObject(stub, async (_, { storage }) => {
    const store = createSqliteStore(storage, createSqliteObjects(storage.sql))
    const read = readConfig(config, DEFAULT_CONFIG)
    if (!read.ok) throw new Error(read.error)
    const around: Surroundings = {
      tools: TOOLS,
      store,
      search: createSearch(storage, store),
      changes: createChanges(storage.sql, store),
      officeOf: () => {
        throw new Error('nobody delegates here')
      },
      changed: () => {},
    }
    const caller = freeCaller('test', read.value)
    return work({
      around,
      area: caller.area,
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
