/** Passkeys over HTTP: registering, which decisions need one, losing one, eviction, limits and the audit log. */

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { createAudit } from '#worker/audit/audit.ts'
import { MAX_CHALLENGES, MAX_PASSKEYS, MAX_REMOVAL_SECONDS } from '#worker/passkeys/limits.ts'
import { createPasskeys } from '#worker/passkeys/passkeys.ts'
import { createAuthenticator } from '../../support/e2e/authenticator.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import {
  approve,
  approveWith,
  showDraft,
  withHeldChanges,
} from '../../support/worker/held-change.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import {
  auditOf,
  configure,
  idOf,
  registerPasskey,
  sendAsPage,
  sendProof,
  sendWithPasskey,
  type Workspace,
} from '../../support/worker/passkeys.ts'
import {
  allowOnly,
  decideRequest,
  FROM_OWN_PAGE,
  listRequests,
} from '../../support/worker/requests.ts'

const list = async ({ fetch }: Pick<Workspace, 'fetch'>) =>
  recordOf(await (await fetch('/passkeys')).json())

const fileOf = async ({ fetch }: Pick<Workspace, 'fetch'>, path: string) => {
  const response = await fetch(`/files${path}`)
  const text = await response.text()
  return response.status === 200 ? text : null
}

describe('registering', () => {
  it('lists the passkey, and records it in the audit log', async () => {
    const workspace = freshWorkspace()
    expect(await list(workspace)).toEqual({
      passkeys: [],
      rule: 'confirm',
      host: 'localhost',
      needs_secret: false,
      removal_seconds: MAX_REMOVAL_SECONDS,
    })
    await registerPasskey(workspace, 'Phone')
    expect(await list(workspace)).toMatchObject({
      passkeys: [{ label: 'Phone', host: 'localhost', used: null, removal: null }],
    })
    const id = await idOf(workspace, 'Phone')
    expect(await auditOf(workspace, 'register_passkey')).toMatchObject([
      {
        outcome: 'applied',
        decision: [{ kind: 'owner' }, { kind: 'passkey', id, label: 'Phone' }],
      },
    ])
  })

  it('a second one needs the first', async () => {
    const workspace = freshWorkspace()
    const first = await registerPasskey(workspace, 'Phone')
    const alone = await sendAsPage(workspace, '/passkeys/begin')
    expect(alone).toMatchObject({ status: 403, body: { code: 'PASSKEY_REQUIRED' } })
    await registerPasskey(workspace, 'Key', first)
    expect(await list(workspace)).toMatchObject({
      passkeys: [{ label: 'Phone' }, { label: 'Key' }],
    })
  })

  it('survives an eviction between question and answer', async () => {
    const workspace = freshWorkspace()
    const authenticator = await createAuthenticator()
    const begun = await sendAsPage(workspace, '/passkeys/begin')
    await evictDurableObject(stubOf(workspace))
    const response = await authenticator.create(begun.body)
    const done = await sendAsPage(workspace, '/passkeys', { body: { label: 'Phone', response } })
    expect(done.status).toBe(200)
  })

  it('is refused beyond the limit, and renaming works', async () => {
    const workspace = freshWorkspace()
    const first = await registerPasskey(workspace, 'Phone')
    for (let count = 1; count < MAX_PASSKEYS; count++)
      await registerPasskey(workspace, `Key ${count}`, first)
    const beyond = await sendWithPasskey(workspace, '/passkeys/begin', {}, first)
    expect(beyond).toMatchObject({ status: 409, body: { code: 'TOO_MANY_PASSKEYS' } })
    const id = await idOf(workspace, 'Phone')
    const renamed = await sendAsPage(workspace, `/passkeys/${id}/rename`, {
      body: { label: 'Tablet' },
    })
    expect(renamed.status).toBe(200)
    expect(await idOf(workspace, 'Tablet')).toBe(id)
  })
})

it('a passkey that was removed since it was used proves nothing', async () => {
  const workspace = freshWorkspace()
  await registerPasskey(workspace, 'Phone')
  const id = await idOf(workspace, 'Phone')
  const isMissing = (used: string) =>
    runInDurableObject(stubOf(workspace), (_, { storage }) =>
      createPasskeys({
        sql: storage.sql,
        audit: createAudit(storage),
        workspace: 'default',
        rule: () => 'confirm',
        wakeAt: () => {},
      }).isMissing('confirm', { kind: 'passkey', id: used, label: 'Phone' }),
    )
  expect(await isMissing(id)).toBe(false)
  expect(await isMissing('removed')).toBe(true)
})

describe('approving', () => {
  it('a change at confirm needs a passkey, which is recorded', async () => {
    const { workspace, authenticator, draft } = await withHeldChanges()
    const asked = await approve(workspace, draft)
    expect(asked).toMatchObject({
      status: 403,
      body: {
        code: 'PASSKEY_REQUIRED',
        passkey: {
          rpId: 'localhost',
          userVerification: 'required',
          allowCredentials: [{ id: authenticator.id, transports: ['internal'] }],
        },
      },
    })
    expect(await fileOf(workspace, '/a')).toBeNull()
    await evictDurableObject(stubOf(workspace))
    const answer = await authenticator.get(asked.body['passkey'])
    expect(await approveWith(workspace, draft, answer)).toMatchObject({ status: 200 })
    expect(await fileOf(workspace, '/a')).toBe('new')
    const id = await idOf(workspace, 'Phone')
    const [entry] = await auditOf(workspace, 'write_file')
    expect(entry).toMatchObject({
      outcome: 'applied',
      decision: [{ kind: 'approval' }, { kind: 'passkey', id, label: 'Phone' }, {}],
    })
    expect(await auditOf(workspace, 'approve_draft')).toMatchObject([
      { decision: [{ kind: 'owner' }, { kind: 'passkey', id, label: 'Phone' }] },
    ])
    const { passkeys } = await list(workspace)
    expect(passkeys).toMatchObject([{ used: expect.any(Number) }])
  })

  it('needs none to turn down, at review, or while none is registered', async () => {
    const { workspace, draft } = await withHeldChanges()
    const down = { body: { revision: draft.revision } }
    expect(await sendAsPage(workspace, `${draft.path}/turn-down`, down)).toMatchObject({
      status: 200,
    })
    const review = await withHeldChanges(['/a'], { approval: 'review' })
    expect(await approve(review.workspace, review.draft)).toMatchObject({ status: 200 })
    const none = freshWorkspace()
    await configure(none, { approval: 'confirm', passkey: 'all' })
    await none.call('write_file', { path: '/a', content: 'new' })
    expect(await approve(none, await showDraft(none))).toMatchObject({ status: 200 })
  })

  it.each([
    ['all', 'review', 403],
    ['all', 'confirm', 403],
    ['confirm', 'review', 200],
    ['none', 'confirm', 200],
  ])('under the rule %s at %s answers %d', async (passkey, approval, status) => {
    const { workspace, draft } = await withHeldChanges(['/a'], { passkey, approval })
    expect(await approve(workspace, draft)).toMatchObject({ status })
  })
})

const OPEN = { roots: [{ path: '/docs' }] }

/** A workspace with a passkey and an access request that waits. */
async function withRequest(passkey: string) {
  const workspace = freshWorkspace()
  await configure(workspace, { ...OPEN, passkey })
  await workspace.call('read_file', { path: '/other/a' })
  const authenticator = await registerPasskey(workspace)
  const [request] = await listRequests(workspace)
  return { workspace, authenticator, path: `/requests/${request?.id}/allow` }
}

describe('an access request', () => {
  it('is allowed with a passkey under the rule all', async () => {
    const { workspace, authenticator, path } = await withRequest('all')
    const body = { for: 'call' }
    const alone = await sendAsPage(workspace, path, { body })
    expect(alone).toMatchObject({ status: 403, body: { code: 'PASSKEY_REQUIRED' } })
    const done = await sendWithPasskey(workspace, path, { body }, authenticator)
    expect(done).toMatchObject({ status: 200 })
    const [entry] = await auditOf(workspace, 'allow_access')
    expect(entry).toMatchObject({ decision: [{ kind: 'owner' }, { kind: 'passkey' }] })
  })

  it('is allowed without one under the rule confirm, and always refused without', async () => {
    await allowOnly((await withRequest('confirm')).workspace, 'call')
    const { workspace, path } = await withRequest('all')
    const refused = await decideRequest(
      workspace,
      path.slice('/requests/'.length).replace('allow', 'refuse'),
      { note: '' },
    )
    expect(refused.status).toBe(200)
  })
})

describe('an access request that is allowed in the rules', () => {
  async function withRules(passkey: string) {
    const held = await withRequest(passkey)
    const [request] = await listRequests(held.workspace)
    const body = { for: 'rules', roots: request?.roots }
    const rules = async () =>
      recordOf(await (await held.workspace.fetch('/config')).json())['roots']
    return { ...held, body, rules }
  }

  it.each(['confirm', 'all'])('needs a passkey under the rule %s', async (passkey) => {
    const { workspace, authenticator, path, body, rules } = await withRules(passkey)
    const alone = await sendAsPage(workspace, path, { body })
    expect(alone).toMatchObject({ status: 403, body: { code: 'PASSKEY_REQUIRED' } })
    expect(await rules()).toHaveLength(1)
    const done = await sendWithPasskey(workspace, path, { body }, authenticator)
    expect(done).toMatchObject({ status: 200 })
    expect(await rules()).toHaveLength(2)
  })

  it('is not allowed by an answer for the call alone', async () => {
    const { workspace, authenticator, path, body, rules } = await withRules('all')
    const asked = await sendAsPage(workspace, path, { body: { for: 'call' } })
    const answer = await authenticator.get(asked.body['passkey'])
    const refused = await sendProof(workspace, path, { body }, answer)
    expect(refused).toMatchObject({ status: 403, body: { code: 'PASSKEY_REFUSED' } })
    expect(await rules()).toHaveLength(1)
  })
})

describe('the rules', () => {
  it('are loosened with a passkey, and tightened without', async () => {
    const { workspace, authenticator } = await withHeldChanges()
    const looser = { method: 'PUT', body: { approval: 'none' } }
    const alone = await sendAsPage(workspace, '/config', looser)
    expect(alone).toMatchObject({ status: 403, body: { code: 'PASSKEY_REQUIRED' } })
    const rule = await configure(workspace, { approval: 'confirm', passkey: 'none' })
    expect(rule).toMatchObject({ status: 403 })
    const stricter = await configure(workspace, { approval: 'confirm', passkey: 'all' })
    expect(stricter).toMatchObject({ status: 200 })
    const done = await sendWithPasskey(workspace, '/config', looser, authenticator)
    expect(done).toMatchObject({ status: 200, body: { approval: 'none' } })
    const [entry] = await auditOf(workspace, 'configure')
    expect(entry).toMatchObject({ decision: [{ kind: 'owner' }, { kind: 'passkey' }] })
  })
})

describe('a lost passkey', () => {
  it('is removed after a day, at the alarm', async () => {
    const { workspace, draft } = await withHeldChanges()
    const id = await idOf(workspace, 'Phone')
    const asked = await sendAsPage(workspace, `/passkeys/${id}/removal`, { body: {} })
    expect(asked).toMatchObject({
      status: 200,
      body: { passkeys: [{ removal: expect.any(Number) }] },
    })
    expect(await approve(workspace, draft)).toMatchObject({ status: 403 })
    await passTime(workspace, MAX_REMOVAL_SECONDS - 60)
    expect(await list(workspace)).toMatchObject({ passkeys: [{ id }] })
    await passTime(workspace, 60)
    // The alarm may have rung by itself, and still be running.
    const removals = async () => {
      await runDurableObjectAlarm(stubOf(workspace))
      return auditOf(workspace, 'remove_passkey')
    }
    await expect.poll(removals).toMatchObject([{ actor: { principal: 'edgewise' } }])
    expect(await approve(workspace, draft)).toMatchObject({ status: 200 })
  })

  it('is not removed later, or earlier, because its removal is asked for again', async () => {
    const { workspace } = await withHeldChanges()
    const removal = `/passkeys/${await idOf(workspace, 'Phone')}/removal`
    await sendAsPage(workspace, removal, { body: {} })
    await passTime(workspace, 60)
    const before = await list(workspace)
    await sendAsPage(workspace, removal, { body: {} })
    expect(await list(workspace)).toEqual(before)
    expect(await auditOf(workspace, 'remove_passkey_later')).toHaveLength(1)
  })

  it.each([
    ['a program', {}],
    ['a page of another site', { ...FROM_OWN_PAGE, 'sec-fetch-site': 'same-site' }],
  ])('is not removed for %s where there is no secret that proves the owner', async (_, from) => {
    const { workspace } = await withHeldChanges()
    const path = `/passkeys/${await idOf(workspace, 'Phone')}/removal`
    const headers = { ...from, 'content-type': 'application/json' }
    const asked = await workspace.fetch(path, { method: 'POST', headers, body: '{}' })
    expect(asked.status).toBe(403)
    expect(await asked.json()).toMatchObject({ code: 'NOT_FROM_CONSOLE' })
    expect(await list(workspace)).toMatchObject({ passkeys: [{ removal: null }] })
    expect(await auditOf(workspace, 'remove_passkey_later')).toEqual([])
  })

  it('answers no question any more that was asked before its removal', async () => {
    const { workspace, authenticator, draft } = await withHeldChanges()
    await registerPasskey(workspace, 'Key', authenticator)
    const id = await idOf(workspace, 'Phone')
    const asked = await approve(workspace, draft)
    await sendAsPage(workspace, `/passkeys/${id}/removal`, { body: {} })
    await passTime(workspace, MAX_REMOVAL_SECONDS)
    const answer = await authenticator.get(asked.body['passkey'])
    const refused = await sendProof(
      workspace,
      `${draft.path}/approve`,
      { body: { revision: draft.revision } },
      answer,
    )
    expect(refused).toMatchObject({ status: 403, body: { code: 'PASSKEY_REFUSED' } })
    expect(await list(workspace)).toMatchObject({ passkeys: [{ label: 'Key' }] })
  })

  it('is kept by a button, and by every use of a passkey', async () => {
    const { workspace, authenticator, draft } = await withHeldChanges()
    const removal = `/passkeys/${await idOf(workspace, 'Phone')}/removal`
    await sendAsPage(workspace, removal, { body: {} })
    await sendAsPage(workspace, removal, { method: 'DELETE' })
    expect(await list(workspace)).toMatchObject({ passkeys: [{ removal: null }] })
    await sendAsPage(workspace, removal, { body: {} })
    const body = { revision: draft.revision }
    await sendWithPasskey(workspace, `${draft.path}/approve`, { body }, authenticator)
    expect(await list(workspace)).toMatchObject({ passkeys: [{ removal: null }] })
    expect(await auditOf(workspace, 'keep_passkey')).toHaveLength(2)
  })

  it('is removed at once with a passkey', async () => {
    const { workspace, authenticator } = await withHeldChanges()
    const path = `/passkeys/${await idOf(workspace, 'Phone')}`
    const alone = await sendAsPage(workspace, path, { method: 'DELETE' })
    expect(alone).toMatchObject({ status: 403, body: { code: 'PASSKEY_REQUIRED' } })
    const done = await sendWithPasskey(workspace, path, { method: 'DELETE' }, authenticator)
    expect(done).toMatchObject({ status: 200, body: { passkeys: [] } })
  })
})

/** Moves the times of removals back, as if time had passed. */
async function passTime(workspace: Pick<Workspace, 'base'>, seconds: number) {
  await runInDurableObject(stubOf(workspace), (_, { storage }) => {
    storage.sql.exec('UPDATE passkeys SET removal = removal - ?', seconds * 1000)
  })
}

it('keeps a bounded number of challenges, the newest', async () => {
  const { workspace, authenticator, draft } = await withHeldChanges()
  const first = await approve(workspace, draft)
  for (let count = 1; count < MAX_CHALLENGES; count++) await approve(workspace, draft)
  const last = await approve(workspace, draft)
  const count = await runInDurableObject(stubOf(workspace), (_, { storage }) =>
    storage.sql.exec('SELECT count(*) AS count FROM passkey_challenges').one(),
  )
  expect(count).toEqual({ count: MAX_CHALLENGES })
  const late = await authenticator.get(first.body['passkey'])
  expect(await approveWith(workspace, draft, late)).toMatchObject({ status: 403 })
  const answer = await authenticator.get(last.body['passkey'])
  expect(await approveWith(workspace, draft, answer)).toMatchObject({ status: 200 })
})
