/** The limits of trust, each at its edge. */

import { expect, it, vi } from 'vitest'
import { DEFAULT_CONFIG } from '#core/config.ts'
import { RISKS } from '#core/owner/answers/drafts.ts'
import { parsePath } from '#core/path.ts'
import { ownerAccess } from '#worker/access/access.ts'
import { kindsOf } from '#worker/trust/kinds.ts'
import {
  MAX_SESSION_TRUSTS,
  MAX_TRUST_SECONDS,
  MAX_TRUSTED_BYTES,
  MAX_TRUSTED_ENTRIES,
  MAX_TRUSTED_STEPS,
  MAX_TRUSTS,
} from '#worker/trust/limits.ts'
import { connect } from '../../support/worker/connections.ts'
import {
  giveDetails,
  keyOf,
  listTrust,
  detailsOf,
  trust,
  waits,
  waitsToWrite,
  withConnection,
} from '../../support/worker/trust.ts'

const FULL = { status: 409, body: { code: 'TRUST_FULL' } }

it('MAX_TRUST_SECONDS: trust holds for a day at most', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { workspace, connection } = await withConnection()
  const at = (seconds: number) => ({ until: Date.now() + seconds * 1000 })
  const late = detailsOf(keyOf(connection), at(MAX_TRUST_SECONDS + 1))
  expect(await giveDetails(workspace, late)).toMatchObject({
    status: 409,
    body: { code: 'TRUST_TIME' },
  })
  await trust(workspace, connection, at(MAX_TRUST_SECONDS))
  vi.useRealTimers()
})

it('MAX_SESSION_TRUSTS and MAX_TRUSTS: a connection and a workspace have so many', async () => {
  const { workspace, link, connection } = await withConnection()
  for (let count = 0; count < MAX_SESSION_TRUSTS; count++) await trust(workspace, connection)
  expect(await giveDetails(workspace, detailsOf(keyOf(connection)))).toMatchObject(FULL)
  for (let count = MAX_SESSION_TRUSTS; count < MAX_TRUSTS;) {
    const next = await connect(link)
    for (let own = 0; own < MAX_SESSION_TRUSTS; own++, count++) await trust(workspace, next)
  }
  expect(await giveDetails(workspace, detailsOf(keyOf(await connect(link))))).toMatchObject(FULL)
  expect(await listTrust(workspace)).toHaveLength(MAX_TRUSTS)
})

it('MAX_TRUSTED_STEPS: a change of more steps has all kinds', () => {
  const access = ownerAccess(DEFAULT_CONFIG)
  const store = {
    stat: () => null,
    walk: () => [],
    contentOf: () => null,
    heldNow: () => null,
  }
  const kinds = (count: number) => {
    const steps = Array.from({ length: count }, (_, at) => ({
      type: 'folder' as const,
      path: parsePath(`/${at}`),
    }))
    const question = { session: '', tool: '', access, store, steps, hasLeftOut: () => false }
    return kindsOf(question, []).size
  }
  expect([kinds(MAX_TRUSTED_STEPS), kinds(MAX_TRUSTED_STEPS + 1)]).toEqual([0, RISKS.length])
})

it('MAX_TRUSTED_ENTRIES: a larger folder waits', async () => {
  const { workspace, connection } = await withConnection()
  for (const [folder, files] of [
    ['small', MAX_TRUSTED_ENTRIES - 1],
    ['large', MAX_TRUSTED_ENTRIES],
  ] as const)
    for (let file = 0; file < files; file++) await workspace.put(`/f/${folder}/${file}`, '')
  await trust(workspace, connection, { tools: ['move_file'] })
  expect(await waits(connection, 'move_file', { from: '/f/small', to: '/f/a' })).toBe(false)
  expect(await waits(connection, 'move_file', { from: '/f/large', to: '/f/b' })).toBe(true)
})

it('MAX_TRUSTED_BYTES: more content waits', async () => {
  const { workspace, connection } = await withConnection()
  await trust(workspace, connection)
  expect(await waitsToWrite(connection, '/f/a', 'x'.repeat(MAX_TRUSTED_BYTES))).toBe(false)
  expect(await waitsToWrite(connection, '/f/b', 'x'.repeat(MAX_TRUSTED_BYTES + 1))).toBe(true)
})
