/**
 * The law of later rules: what the owner adds to the rules never opens a path to a session that exists.
 *
 * Sessions are made by `delegate`, with policies, scopes and configurations, and are resolved again under the longer
 * rules. A session that a policy restricts may get any entry; for others, a new entry outside all roots is meant to
 * open its folder.
 */

import { DEFAULT_CONFIG, readConfig, type Config } from '#core/config.ts'
import { isLaxer } from '#core/policy.ts'
import { isWithin, parsePath } from '#core/path.ts'
import { resolveAccess, type Access } from '#worker/access/access.ts'
import { NO_METADATA } from '#worker/access/metadata.ts'
import {
  callerOf,
  callerWithoutSession,
  withConfiguration,
  type Caller,
} from '#worker/access/caller.ts'
import { delegate } from '#worker/sessions/delegate.ts'
import type { Session } from '#worker/access/session.ts'
import { createSessions, type Sessions } from '#worker/sessions/sessions.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { given, type RawConfig, type RawPolicy } from '../../support/core/policy-laws.ts'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'
import {
  clientConfig,
  maybe,
  PATHS,
  rawConfig,
  rootWith,
  scopes,
} from '../../support/worker/access-arbitrary.ts'
import { newStub } from '../../support/worker/object-life.ts'

/** A request, by which the next session of a chain is made, or the last one is used. */
interface RawCall {
  readonly configuration: RawConfig | undefined
  readonly policy: RawPolicy | undefined
}
interface RawSession {
  readonly call: RawCall
  readonly policy: RawPolicy | undefined
  readonly scopes: string[] | undefined
}

/** Policies of which some entries count from the default root. */
const policy: fc.Arbitrary<RawPolicy> = fc.record({
  roots: fc.array(
    fc.oneof(
      rootWith({ blocked: fc.boolean() }),
      fc.record({ path: fc.constantFrom('b', 'a', '../b', '.') }),
    ),
    { maxLength: 2 },
  ),
})
const call: fc.Arbitrary<RawCall> = fc.record({
  configuration: maybe(clientConfig),
  policy: maybe(policy),
})
const session: fc.Arbitrary<RawSession> = fc.record({
  call,
  policy: fc.option(policy, { nil: undefined }),
  scopes: maybe(scopes),
})
const added = fc.array(fc.tuple(fc.nat(3), rootWith({ default: fc.boolean() })), {
  minLength: 1,
  maxLength: 3,
})
const history = fc.record({
  owner: rawConfig,
  chain: fc.array(session, { maxLength: 3 }),
  last: call,
  added,
})

const configOf = (raw: RawConfig): Config => given(readConfig(raw, DEFAULT_CONFIG))

/** Adds entries at their places; where no policy restricts, those inside the roots and without another default root. */
function withAdded(
  owner: RawConfig,
  more: readonly (readonly [number, RawConfig['roots'][number]])[],
  isRestricted: boolean,
): RawConfig {
  const { roots: before } = configOf(owner)
  const preset = before.find((root) => root.default)?.path ?? '/'
  const roots = [...owner.roots]
  for (const [at, root] of more) {
    const isInside = before.some(({ path }) => isWithin(parsePath(root.path), path))
    if (isRestricted || isInside) roots.splice(at, 0, root)
  }
  return { ...owner, roots: isRestricted ? roots : [{ path: preset, default: true }, ...roots] }
}

/** Makes a chain of sessions. Null where a part of it is refused. */
async function makeChain(
  sessions: Sessions,
  owner: Config,
  chain: readonly RawSession[],
): Promise<Session[] | null> {
  let above: Session[] = []
  for (const {
    call: { configuration, policy: held },
    policy: own,
    scopes: some,
  } of chain) {
    const caller = callerIn(above, owner, configuration)
    if (!caller) return null
    const metadata = { ...NO_METADATA, policy: held }
    const wish = { label: 'x', ttl_seconds: 60, policy: own, scopes: some }
    const made = await delegate(wish, { caller, metadata }, sessions, owner, 'llm')
    if (!made.ok) return null
    above = sessions.chainOf(made.value.session) ?? []
  }
  return above
}

function callerIn(
  chain: readonly Session[],
  owner: Config,
  configuration: RawConfig | undefined,
): Caller | null {
  const caller =
    chain.length === 0
      ? ({ ok: true, value: callerWithoutSession('p', owner) } as const)
      : callerOf(chain, owner)
  if (!caller.ok || configuration === undefined) return caller.ok ? caller.value : null
  const configured = withConfiguration(caller.value, configuration)
  return configured.ok ? configured.value : null
}

function accessIn(chain: readonly Session[], owner: Config, { configuration, policy }: RawCall) {
  const caller = callerIn(chain, owner, configuration)
  const access = caller && resolveAccess(caller.working, { ...NO_METADATA, policy })
  return access?.ok ? access.value : null
}

function opensNoMore(after: Access, before: Access): void {
  for (const path of PATHS) {
    for (const action of ['read', 'write'] as const)
      if (after.judge(action, path) === 'permitted' && before.judge(action, path) !== 'permitted')
        expect.fail(`${action} ${path} was opened`)
    if (before.isImmutable(path) && !after.isImmutable(path)) expect.fail(`change ${path}`)
    if (isLaxer(after.approvalFor([path]), before.approvalFor([path])))
      expect.fail(`the approval of ${path}`)
  }
  for (const folder of after.folders())
    expect(
      before.judge('read', folder) === 'permitted' || before.judge('write', folder) === 'permitted',
      folder,
    ).toBe(true)
}

it('adding to the rules never opens a path to a session that exists', async () => {
  const compared = { restricted: 0, others: 0 }
  await runInDurableObject(newStub(), async (_, { storage }) => {
    createSqliteStore(storage, createSqliteObjects(storage.sql))
    const sessions = createSessions(storage.sql)
    const law = fc.asyncProperty(history, async ({ owner, chain, last, added: more }) => {
      storage.sql.exec('DELETE FROM sessions')
      const made = await makeChain(sessions, configOf(owner), chain)
      const before = made && accessIn(made, configOf(owner), last)
      if (!made || !before) return
      const isRestricted = chain.some((one) => one.policy ?? one.call.policy)
      const after = accessIn(made, configOf(withAdded(owner, more, isRestricted)), last)
      if (!after) return
      compared[isRestricted ? 'restricted' : 'others']++
      opensNoMore(after, before)
    })
    await fc.assert(law, runs(600))
  })
  expect(compared.restricted).toBeGreaterThan(50)
  expect(compared.others).toBeGreaterThan(50)
})
