/**
 * Limits that several principals share: one of them fills the limit, through as many sessions as it likes, and the rows
 * of another stay. `test/limits.test.ts` names the tests of those that are not here.
 */

import { MAX_SESSION_CHECKPOINTS, MAX_SESSIONS } from '#worker/limits.ts'
import type { ThreadHead } from '#worker/access/comment.ts'
import { MAX_WORKSPACE_REPLIES } from '#worker/comments/limits.ts'
import { createAudit } from '#worker/audit/audit.ts'
import { createDecisions } from '#worker/drafts/decisions.ts'
import { createDrafts, type Drafts } from '#worker/drafts/drafts.ts'
import {
  MAX_DRAFTS,
  MAX_LEFT_OUT_RUNS,
  MAX_NOTIFIED,
  MAX_WORKSPACE_DECISIONS,
  MAX_WORKSPACE_DRAFTS,
  MAX_WORKSPACE_WAITING_ANSWERS,
} from '#worker/drafts/limits.ts'
import { createLeftOut } from '#worker/drafts/left-out.ts'
import { createNotified } from '#worker/drafts/notified.ts'
import { createWaitingCalls } from '#worker/drafts/waiting-calls.ts'
import { createLeases } from '#worker/leases/leases.ts'
import { MAX_LEASES, MAX_WORKSPACE_LEASES } from '#worker/leases/limits.ts'
import { createChallenges } from '#worker/passkeys/challenges.ts'
import { MAX_CHALLENGES } from '#worker/passkeys/limits.ts'
import {
  MAX_LISTED_ALLOWED,
  MAX_REQUESTS,
  MAX_WORKSPACE_DECIDED_REQUESTS,
  MAX_WORKSPACE_REQUESTS,
} from '#worker/requests/limits.ts'
import { createRequests } from '#worker/requests/requests.ts'
import { createSessions } from '#worker/sessions/sessions.ts'
import { createSearch } from '#worker/search/search.ts'
import { callerOf, callerWithoutSession } from '#worker/access/caller.ts'
import { STORE_LIMITS } from '#worker/store/limits.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { MAX_NOTICES } from '#worker/outbox/limits.ts'
import { createOutbox } from '#worker/outbox/outbox.ts'
import { DEFAULT_CONFIG } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it, onTestFinished, vi } from 'vitest'
import { linkOf, ownerLinkOf } from '../support/worker/attack-link.ts'
import { freshWorkspace } from '../support/worker/client.ts'
import { agentOf, openTestComments, threadOn } from '../support/worker/comments.ts'
import { newStub, storeOf, stubOf } from '../support/worker/object-life.ts'
import { TESTER } from '../support/worker/store-contract.ts'

/** Who adds a row: the principal, whose share it uses, and one of its many sessions. */
interface Adder {
  readonly budget: string
  readonly session: string
}

/** Rows that share a limit. */
interface Rows {
  readonly add: (adder: Adder) => void
  /** Whether the row that this session added is there. */
  readonly has: (adder: Adder) => boolean
}

interface Case {
  readonly most: number
  /** Rows that one principal may have at most; without it, as many as there are. */
  readonly each?: number
  readonly open: (state: DurableObjectState, store: ReturnType<typeof storeOf>) => Rows
}

const NOTHING = () => {}

const ownerOf = ({ budget, session }: Adder) => ({
  ...{ key: session, principal: 'owner', session: null, label: null, budget },
})

const countOf = (sql: SqlStorage, query: string, ...values: (string | number)[]) =>
  sql.exec(query, ...values).toArray().length

function openDrafts(storage: DurableObjectStorage, store: ReturnType<typeof storeOf>): Drafts {
  const accessOf = () => callerWithoutSession('test', DEFAULT_CONFIG).access
  return createDrafts({
    ...{ sql: storage.sql, store, search: createSearch(storage, store), tools: TOOLS },
    ...{ accessOf, accessOfCall: accessOf, changed: NOTHING, decided: NOTHING },
    ...{ isPasskeyMissing: () => false, moved: NOTHING, notified: NOTHING, proposed: NOTHING },
    seen: NOTHING,
    ...{ sessions: createSessions(storage.sql), hasStream: () => false },
  })
}

const openRequests = (sql: SqlStorage) =>
  createRequests({
    ...{ sql, sessions: createSessions(sql), openRoots: () => true },
    ...{ allowed: NOTHING, listed: NOTHING, decided: NOTHING },
  })

/** Lists a request; returns its id. */
function request(requests: ReturnType<typeof openRequests>, adder: Adder): string {
  const call = { tool: 'read_file', intent: 'Read', digest: '', scopes: ['read'], paths: [] }
  return requests.list(ownerOf(adder), call)?.request.id ?? ''
}

const openAudit = ({ storage }: DurableObjectState, outcome: 'applied' | 'refused'): Rows => {
  const few = { applied: 40, notes: 100, batch: 1, allNotes: 40, batchAll: 5 }
  const audit = createAudit(storage, few)
  return {
    add: ({ budget, session }) => {
      const actor = { principal: 'owner', session, label: null, budget }
      const note = { id: '', tool: 'test', intent: 'Test', actor, decision: [], digest: '' }
      audit.record({ ...note, at: 0, outcome, version: null, paths: [] })
    },
    has: ({ session }) =>
      audit.find({ limit: 1_000 }).some(({ actor }) => actor.session === session),
  }
}

function propose(drafts: Drafts, store: ReturnType<typeof storeOf>, adder: Adder): void {
  const path = parsePath(`/${adder.session.replace('/', '-')}`)
  const proposed = drafts.propose(ownerOf(adder), {
    ...{ basis: store.workspaceVersion, steps: [{ type: 'folder', path }], limits: STORE_LIMITS },
    note: { tool: 'create_folder', intent: 'Create', actor: TESTER, decision: [] },
    ...{ call: null, level: 'review' },
  })
  expect(proposed).toMatchObject({ ok: true })
}

const CASES: Readonly<Record<string, Case>> = {
  MAX_AUDIT: { most: 45, open: (state) => openAudit(state, 'applied') },
  MAX_AUDIT_NOTES_ALL: { most: 45, open: (state) => openAudit(state, 'refused') },
  MAX_SESSION_CHECKPOINTS: {
    most: MAX_SESSION_CHECKPOINTS,
    open: (_, { checkpoints }) => ({
      add: ({ budget, session }) =>
        void checkpoints.create(session, { ...TESTER, session, budget }),
      has: ({ session }) => checkpoints.list().some(({ name }) => name === session),
    }),
  },
  MAX_WORKSPACE_DRAFTS: {
    most: MAX_WORKSPACE_DRAFTS,
    each: MAX_DRAFTS,
    open: ({ storage }, store) => {
      const drafts = openDrafts(storage, store)
      return {
        add: (adder) => propose(drafts, store, adder),
        has: ({ session }) => drafts.of(session) !== null,
      }
    },
  },
  MAX_WORKSPACE_DECISIONS: {
    most: MAX_WORKSPACE_DECISIONS,
    open: ({ storage: { sql } }) => {
      const decisions = createDecisions(sql)
      const decision = { draft: 'd', outcome: 'expired', approver: '', note: '', at: 0 } as const
      return {
        add: (adder) =>
          decisions.add(ownerOf(adder), { ...decision, changes: 1, paths: [], ids: [] }),
        has: ({ session }) => decisions.of(session).length > 0,
      }
    },
  },
  MAX_WORKSPACE_WAITING_ANSWERS: {
    most: MAX_WORKSPACE_WAITING_ANSWERS,
    open: ({ storage: { sql } }) => {
      const calls = createWaitingCalls(sql)
      const call = { draft: 'd', digest: '', answer: '{}', isLegacy: true }
      return {
        add: ({ budget, session }) =>
          calls.add({ ...call, change: session, owner: session }, budget),
        has: ({ session }) => calls.find(session, session) !== null,
      }
    },
  },
  MAX_WORKSPACE_REPLIES: {
    most: MAX_WORKSPACE_REPLIES,
    open: ({ storage }) => {
      const comments = openTestComments(storage)
      const replies = new Map<string, ThreadHead>()
      return {
        add: ({ budget, session }) => {
          // Each has a thread of its own, because the replies of one are shared as well.
          const id = crypto.randomUUID()
          const thread = { ...threadOn('/a'), id, at: 0, resolved: null, closed: null }
          comments.reply(thread, session, agentOf(budget, session))
          replies.set(session, thread)
        },
        has: ({ session }) => {
          const thread = replies.get(session)
          return thread !== undefined && comments.withComments(thread).comments.length > 0
        },
      }
    },
  },
  MAX_NOTIFIED: {
    most: MAX_NOTIFIED,
    open: ({ storage: { sql } }) => {
      const notified = createNotified(sql, { listChanges: () => [] })
      const versions = new Map<string, number>()
      return {
        add: ({ budget, session }) => {
          versions.set(session, versions.size + 1)
          notified.add(versions.size, budget)
        },
        has: ({ session }) =>
          countOf(sql, 'SELECT 1 FROM notified WHERE version = ?', versions.get(session) ?? 0) > 0,
      }
    },
  },
  MAX_LEFT_OUT_RUNS: {
    most: MAX_LEFT_OUT_RUNS,
    open: ({ storage: { sql } }) => {
      const leftOut = createLeftOut(sql)
      return {
        add: ({ budget, session }) =>
          leftOut.add(parsePath(`/${session}`), { taken: [['a']], kept: [] }, budget),
        has: ({ session }) => leftOut.has(parsePath(`/${session}`)),
      }
    },
  },
  MAX_WORKSPACE_REQUESTS: {
    most: MAX_WORKSPACE_REQUESTS,
    each: MAX_REQUESTS,
    open: ({ storage: { sql } }) => {
      const requests = openRequests(sql)
      return {
        add: (adder) => void request(requests, adder),
        has: ({ session }) => requests.of(session).length > 0,
      }
    },
  },
  MAX_WORKSPACE_DECIDED_REQUESTS: {
    most: MAX_WORKSPACE_DECIDED_REQUESTS,
    open: ({ storage: { sql } }) => {
      const requests = openRequests(sql)
      return {
        add: (adder) => void requests.refuse(request(requests, adder), ''),
        has: ({ session }) => requests.of(session).length > 0,
      }
    },
  },
  MAX_LISTED_ALLOWED: {
    most: MAX_LISTED_ALLOWED,
    open: ({ storage: { sql } }) => {
      const requests = openRequests(sql)
      return {
        add: (adder) => void requests.allow(request(requests, adder), 'call'),
        has: ({ session }) => requests.allowedCalls().some(({ owner }) => owner.key === session),
      }
    },
  },
  MAX_NOTICES: {
    most: MAX_NOTICES,
    open: ({ storage: { sql } }) => {
      const settings = { url: 'https://example.com/', key: new Uint8Array(32) }
      const outbox = createOutbox(sql, { settings, wakeAt: NOTHING })
      return {
        add: ({ budget, session }) =>
          outbox.notify({
            ...{ type: 'draft.waiting', workspace: 'w', draft: session, url: '', budget },
          }),
        has: ({ session }) => countOf(sql, 'SELECT 1 FROM notices WHERE draft = ?', session) > 0,
      }
    },
  },
  MAX_WORKSPACE_LEASES: {
    most: MAX_WORKSPACE_LEASES,
    each: MAX_LEASES,
    open: ({ storage }) => {
      const sessions = { lastSeen: () => 0 }
      const leases = createLeases({ storage, sessions, wakeAt: NOTHING })
      return {
        add: ({ budget, session }) =>
          void leases.take({
            ...{ kind: 'lease', note: '', seconds: 60 },
            holder: { ...ownerOf({ budget, session }), client: null },
            paths: [{ path: parsePath(`/${session}`), isDeep: false }],
          }),
        has: ({ session }) => leases.of(session).length > 0,
      }
    },
  },
  // Only the owner is asked, so the acts share it.
  MAX_CHALLENGES: {
    most: MAX_CHALLENGES,
    open: ({ storage: { sql } }) => {
      const challenges = createChallenges(sql, 'w')
      const made = new Map<string, string>()
      return {
        add: ({ budget, session }) => void made.set(session, challenges.issue([budget], 0)),
        has: ({ session }) =>
          countOf(
            sql,
            'SELECT 1 FROM passkey_challenges WHERE challenge = ?',
            made.get(session) ?? '',
          ) > 0,
      }
    },
  },
  // Clients that did not sign in are one principal, and differ by the names that they claim.
  MAX_SESSIONS: {
    most: MAX_SESSIONS,
    open: ({ storage: { sql } }) => {
      const sessions = createSessions(sql)
      const ids = new Map<string, string>()
      const session = { parent: null, config: null, policy: null, scopes: null, inherited: null }
      const local = { ...session, principal: 'local', budget: 'local', expires: null }
      return {
        add: ({ budget, session: id }) =>
          void ids.set(id, sessions.make({ ...local, label: budget, initialize: {} }, null).id),
        has: ({ session: id }) => sessions.find(ids.get(id) ?? '') !== null,
      }
    },
  },
}

it.each(Object.entries(CASES))('%s: no principal takes the share of another', async (_, one) => {
  const log = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => log.mockRestore())
  const { most, each = Infinity, open } = one
  await runInDurableObject(newStub(), (_object, state) => {
    const { add, has } = open(state, storeOf(state))
    const sessions = (budget: string, count: number) =>
      Array.from({ length: count }, (_none, at) => ({ budget, session: `${budget}/${at}` }))
    const [first, second, third] = sessions('quiet', 3)
    if (!first || !second || !third) throw new Error('Three sessions are needed')
    add(first)
    add(second)
    const busy = sessions('busy', most + 10).map(({ session }, at) => ({
      budget: each === Infinity ? 'busy' : `busy ${Math.floor(at / each)}`,
      session,
    }))
    for (const adder of each === Infinity ? busy : busy.slice(0, most - 2)) add(adder)
    expect(has(first)).toBe(true)
    expect(has(second)).toBe(true)
    add(third)
    for (const adder of [first, second, third]) expect(has(adder)).toBe(true)
    // The limit was reached: the busy one has lost rows.
    expect(busy.every(has)).toBe(false)
  })
})

it('a link uses the share of its maker, also of one without a session, unless the owner made it', async () => {
  const workspace = freshWorkspace()
  const byOwner = await ownerLinkOf(workspace)
  const byCaller = await linkOf(workspace)
  const made = [
    ...[byOwner, byCaller, await linkOf(byOwner.client), await linkOf(byCaller.client)],
    await linkOf((await linkOf(byCaller.client)).client),
  ]
  const budgets = await runInDurableObject(stubOf(workspace), (_object, { storage }) => {
    const sessions = createSessions(storage.sql)
    return made.map(({ session: id }) => {
      const session = sessions.find(id)
      const chain = session && sessions.chainOf(session)
      const caller = callerOf(chain ?? [], DEFAULT_CONFIG)
      return caller.ok ? caller.value.budget : null
    })
  })
  expect(budgets).toEqual([byOwner.session, 'local', byOwner.session, 'local', 'local'])
})
