/** The callers of streams: computing them, which each change can take for every stream, takes steps of their principal. */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { JudgingSpent } from '#worker/access/judging.ts'
import { MAX_JUDGING_STEPS } from '#worker/access/limits.ts'
import { createOwnerConfig } from '#worker/access/owner-config.ts'
import { createCallers } from '#worker/sessions/callers.ts'
import { createSessions } from '#worker/sessions/sessions.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { newStub } from '../../support/worker/object-life.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const configOf = (session: number) => ({
  roots: [
    { path: '/', deny: Array.from({ length: 95 }, (_, at) => `**/{*a${session}*b,*c*d${at}*}`) },
  ],
})

it('a principal with many sessions has streams left out, and no other one has', () =>
  runInDurableObject(newStub(), (_, { storage }) => {
    createSqliteStore(storage, createSqliteObjects(storage.sql))
    const sessions = createSessions(storage.sql)
    const settings = { sql: storage.sql, deployed: DEFAULT_CONFIG, changed: () => {} }
    const callers = createCallers(sessions, createOwnerConfig(settings))
    const none = { parent: null, policy: null, scopes: null, inherited: null }
    const make = (budget: string, config: object) =>
      sessions.make(
        { ...none, config, budget, initialize: {}, expires: null, principal: 'p', label: 'l' },
        null,
      ).id
    const listen = (session: string) => callers.accessOf({ session, token: null })
    const all = Array.from({ length: 200 }, (_unused, at) => make('many', configOf(at)))
    const other = make('other', configOf(0))
    expect(() => all.forEach(listen)).toThrow(JudgingSpent)
    expect(listen(other)?.canRead(DEFAULT_CONFIG.roots[0].path)).toBe(true)
    vi.advanceTimersByTime(MAX_JUDGING_STEPS)
    expect(listen(all[0] ?? '')).not.toBeNull()
  }))
