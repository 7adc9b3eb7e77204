/** The limits of access requests: at the limit it works, and one beyond it is dropped or refused. */

import { ALLOWED_CALL_SECONDS } from '#worker/access/limits.ts'
import {
  MAX_DECIDED_REQUESTS,
  MAX_LISTED_ALLOWED,
  MAX_REQUESTED_PATHS,
  MAX_REQUESTED_SCOPES,
  MAX_REQUESTS,
  MAX_WORKSPACE_DECIDED_REQUESTS,
  MAX_WORKSPACE_REQUESTS,
} from '#worker/requests/limits.ts'
import { createRequests, type Requests } from '#worker/requests/requests.ts'
import { MAX_ALLOWED_SCOPES } from '#worker/sessions/limits.ts'
import type { Session } from '#worker/access/session.ts'
import { createSessions, type Sessions } from '#worker/sessions/sessions.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, expect, it, vi } from 'vitest'
import { newStub } from '../../support/worker/object-life.ts'

afterEach(() => void vi.useRealTimers())

interface Context {
  readonly sql: SqlStorage
  readonly sessions: Sessions
  readonly requests: Requests
}

const withRequests = (work: (context: Context) => void) =>
  runInDurableObject(newStub(), (_, { storage }) => {
    createSqliteStore(storage, createSqliteObjects(storage.sql))
    const sessions = createSessions(storage.sql)
    const none = () => {}
    const parts = { sql: storage.sql, sessions, allowed: none, listed: none, decided: none }
    const openRoots = () => true
    work({ sql: storage.sql, sessions, requests: createRequests({ ...parts, openRoots }) })
  })

const ownerOf = (name: string, budget = name, session: string | null = null) => ({
  ...{ key: session ?? `principal ${name}`, principal: name, session, label: null, budget },
})

const callOf = (...scopes: string[]) => ({
  ...{ tool: 'read_file', intent: `Read ${scopes.length}`, digest: 'digest', scopes },
  paths: [],
})

const folders = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `read:file:/${at + from}`)

function makeSession(sessions: Sessions): Session {
  const none = { parent: null, config: null, policy: null, scopes: null, inherited: null }
  const made = { ...none, principal: 'p', label: 'l', budget: 'p', initialize: null, expires: null }
  return sessions.make(made, null)
}

const listEach = (requests: Requests, name: string, count: number, from = 0) => {
  for (const scope of folders(count, from)) requests.list(ownerOf(name), callOf(scope))
}

const scopesOf = (requests: Requests, budget: string) =>
  requests.waiting().flatMap(({ owner, scopes }) => (owner.budget === budget ? scopes : []))

it('MAX_REQUESTS wait for one principal, and the oldest is dropped', () =>
  withRequests(({ requests }) => {
    listEach(requests, 'other', 1)
    listEach(requests, 'p', MAX_REQUESTS)
    expect(scopesOf(requests, 'p')).toContain('read:file:/0')
    listEach(requests, 'p', 1, MAX_REQUESTS)
    expect(scopesOf(requests, 'p')).toHaveLength(MAX_REQUESTS)
    expect(scopesOf(requests, 'p')).not.toContain('read:file:/0')
    expect(scopesOf(requests, 'other')).toEqual(['read:file:/0'])
  }))

it('MAX_WORKSPACE_REQUESTS wait, and the principal with the most loses its oldest', () =>
  withRequests(({ requests }) => {
    const others = MAX_WORKSPACE_REQUESTS / MAX_REQUESTS
    for (let at = 1; at < others; at++) listEach(requests, `p${at}`, MAX_REQUESTS - 1)
    listEach(requests, 'most', MAX_REQUESTS)
    listEach(requests, 'rest', others - 1)
    expect(requests.waiting()).toHaveLength(MAX_WORKSPACE_REQUESTS)
    expect(scopesOf(requests, 'most')).toContain('read:file:/0')
    listEach(requests, 'new', 1)
    expect(requests.waiting()).toHaveLength(MAX_WORKSPACE_REQUESTS)
    expect(scopesOf(requests, 'most')).not.toContain('read:file:/0')
    expect(scopesOf(requests, 'new')).toHaveLength(1)
  }))

it('a request names MAX_REQUESTED_SCOPES', () =>
  withRequests(({ requests }) => {
    expect(requests.list(ownerOf('p'), callOf(...folders(MAX_REQUESTED_SCOPES)))).not.toBeNull()
    expect(requests.list(ownerOf('p'), callOf(...folders(MAX_REQUESTED_SCOPES + 1)))).toBeNull()
    expect(requests.waiting()).toHaveLength(1)
  }))

it('the call of a request names MAX_REQUESTED_PATHS', () =>
  withRequests(({ requests }) => {
    const call = callOf('read:file:/a')
    const paths = folders(MAX_REQUESTED_PATHS + 1)
    expect(requests.list(ownerOf('p'), { ...call, paths })).toBeNull()
    expect(requests.list(ownerOf('p'), { ...call, paths: paths.slice(1) })).not.toBeNull()
    expect(requests.waiting()[0]?.paths).toHaveLength(MAX_REQUESTED_PATHS)
  }))

it('MAX_LISTED_ALLOWED calls that were allowed are listed', () =>
  withRequests(({ requests }) => {
    for (let at = 0; at <= MAX_LISTED_ALLOWED; at++) {
      const listed = requests.list(ownerOf(`p${at}`), callOf('read:file:/a'))
      requests.allow(listed?.request.id ?? '', 'call')
      // Each look reads all of them.
      if (at > 0 && at < MAX_LISTED_ALLOWED - 2) continue
      expect(requests.allowedCalls()).toHaveLength(Math.min(at + 1, MAX_LISTED_ALLOWED))
    }
  }))

it('MAX_DECIDED_REQUESTS of one caller are kept', () =>
  withRequests(({ requests }) => {
    const owner = ownerOf('p')
    for (const scope of folders(MAX_DECIDED_REQUESTS + 1)) {
      requests.list(owner, callOf(scope))
      requests.refuse(requests.waiting()[0]?.id ?? '', '')
    }
    expect(requests.takeNews(owner.key)).toHaveLength(MAX_DECIDED_REQUESTS)
    expect(requests.takeNews(owner.key)).toEqual([])
    expect(requests.of(owner.key)).toHaveLength(MAX_DECIDED_REQUESTS)
  }))

it('MAX_WORKSPACE_DECIDED_REQUESTS are kept', () =>
  withRequests(({ sql, requests }) => {
    const count = () =>
      sql.exec<{ count: number }>('SELECT count(*) AS count FROM access_requests').one().count
    for (let at = 0; at < MAX_WORKSPACE_DECIDED_REQUESTS; at++) {
      const listed = requests.list(ownerOf(`p${at}`), callOf('read:file:/a'))
      requests.refuse(listed?.request.id ?? '', '')
    }
    expect(count()).toBe(MAX_WORKSPACE_DECIDED_REQUESTS)
    const listed = requests.list(ownerOf('last'), callOf('read:file:/a'))
    requests.refuse(listed?.request.id ?? '', '')
    expect(count()).toBe(MAX_WORKSPACE_DECIDED_REQUESTS)
  }))

it('a session is allowed MAX_ALLOWED_SCOPES beyond its own', () =>
  withRequests(({ requests, sessions }) => {
    const { id } = makeSession(sessions)
    const owner = ownerOf('p', 'p', id)
    for (let from = 0; from < MAX_ALLOWED_SCOPES; from += MAX_REQUESTED_SCOPES) {
      const listed = requests.list(owner, callOf(...folders(MAX_REQUESTED_SCOPES, from)))
      expect(requests.allow(listed?.request.id ?? '', 'session').ok).toBe(true)
    }
    expect(sessions.find(id)?.allowed).toHaveLength(MAX_ALLOWED_SCOPES)
    const listed = requests.list(owner, callOf('read:file:/more'))
    expect(requests.allow(listed?.request.id ?? '', 'session')).toMatchObject({
      error: { reason: 'not_allowable', detail: 'full' },
    })
    expect(sessions.find(id)?.allowed).not.toContain('read:file:/more')
    expect(requests.waiting()).toHaveLength(1)
  }))

it('a call is allowed for ALLOWED_CALL_SECONDS', () =>
  withRequests(({ requests }) => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] })
    const { key } = ownerOf('p')
    const listed = requests.list(ownerOf('p'), callOf('read:file:/a'))
    requests.allow(listed?.request.id ?? '', 'call')
    vi.setSystemTime(1_000_000 + ALLOWED_CALL_SECONDS * 1000 - 1)
    expect(requests.allowedCall(key, 'read_file', 'digest')).not.toBeNull()
    for (const [owner, tool, digest] of [
      ['principal q', 'read_file', 'digest'],
      [key, 'write_file', 'digest'],
      [key, 'read_file', 'other'],
    ] as const)
      expect(requests.allowedCall(owner, tool, digest)).toBeNull()
    vi.setSystemTime(1_000_000 + ALLOWED_CALL_SECONDS * 1000)
    expect(requests.allowedCall(key, 'read_file', 'digest')).toBeNull()
  }))

it('a request expires, and its caller learns of it', () =>
  withRequests(({ requests }) => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] })
    requests.list(ownerOf('p'), callOf('read:file:/a'))
    expect(requests.expire(1_000_999, 1_000)).toBe(1_001_000)
    expect(requests.waiting()).toHaveLength(1)
    expect(requests.expire(1_001_000, 1_000)).toBeNull()
    expect(requests.waiting()).toEqual([])
    expect(requests.takeNews('principal p')).toMatchObject([{ state: 'expired' }])
  }))

it('nothing can be allowed for a session that is over, or where there is none', () =>
  withRequests(({ requests, sessions }) => {
    const { id } = makeSession(sessions)
    const over = requests.list(ownerOf('p', 'p', id), callOf('read:file:/a'))
    sessions.end(id)
    for (const duration of ['call', 'session'] as const)
      expect(requests.allow(over?.request.id ?? '', duration)).toMatchObject({
        error: { reason: 'not_allowable', detail: 'ended' },
      })
    const free = requests.list(ownerOf('p'), callOf('read:file:/a'))
    expect(requests.allow(free?.request.id ?? '', 'session')).toMatchObject({
      error: { reason: 'not_allowable', detail: 'no_session' },
    })
    const transfer = { path: '/a', direction: 'download' } as never
    const parent = makeSession(sessions)
    const link = sessions.make({ ...parent, parent: parent.id, id: 'link', transfer }, null)
    expect(sessions.allow(link.id, ['read'])).toBe(false)
  }))
