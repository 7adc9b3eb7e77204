/** Attacks on passkeys: answers that are replayed, forged, or meant for another decision. */

import { runInDurableObject, SELF } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import {
  MAX_CHALLENGE_SECONDS,
  MAX_PASSKEY_ANSWER_LENGTH,
  MAX_PASSKEY_LABEL_LENGTH,
} from '#worker/passkeys/limits.ts'
import { createAuthenticator, type Forgery } from '../../support/e2e/authenticator.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import {
  approve,
  approveForged,
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
  type Workspace,
} from '../../support/worker/passkeys.ts'
import { FROM_OWN_PAGE } from '../../support/worker/requests.ts'

const REFUSED = { status: 403, body: { code: 'PASSKEY_REFUSED' } }

async function expectNothingWritten({ fetch }: Pick<Workspace, 'fetch'>, ...paths: string[]) {
  for (const path of paths) {
    const response = await fetch(`/files${path}`)
    await response.text()
    expect(response.status).toBe(404)
  }
}

describe('an answer', () => {
  const FORGERIES: readonly (readonly [string, Forgery])[] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://localhost:8080' }],
    ['for another host name', { host: 'evil.example' }],
    ['without user verification', { isVerified: false }],
    ['without user presence', { isPresent: false, isVerified: false }],
    ['of a frame in a page of another site', { crossOrigin: true }],
    ['to a registration', { type: 'webauthn.create' }],
    ['to a challenge of its own', { challenge: 'AAAA' }],
  ]

  it.each(FORGERIES)('%s is refused', async (_, forgery) => {
    const held = await withHeldChanges()
    expect(await approveForged(held, forgery)).toMatchObject(REFUSED)
    await expectNothingWritten(held.workspace, '/a')
    expect(await auditOf(held.workspace, 'use_passkey')).toMatchObject([
      { outcome: 'refused', decision: [{ kind: 'refused', code: 'PASSKEY_REFUSED' }] },
    ])
  })

  it('of a key that is not registered is refused, under its own name and under that of another', async () => {
    const held = await withHeldChanges()
    const stranger = await createAuthenticator()
    expect(await approveForged(held, {}, stranger)).toMatchObject(REFUSED)
    const borrowed = { id: held.authenticator.id }
    expect(await approveForged(held, borrowed, stranger)).toMatchObject(REFUSED)
    await expectNothingWritten(held.workspace, '/a')
  })

  it('with a counter that does not grow is refused: the authenticator was cloned', async () => {
    const held = await withHeldChanges(['/a', '/b'])
    const { workspace, authenticator, draft } = held
    const [first] = draft.changes
    const asked = await approve(workspace, draft, [String(first)])
    const answer = await authenticator.get(asked.body['passkey'], { counter: 7 })
    expect(await approveWith(workspace, draft, answer, [String(first)])).toMatchObject({
      status: 200,
    })
    const rest = await showDraft(workspace)
    expect(await approveForged({ ...held, draft: rest }, { counter: 7 })).toMatchObject(REFUSED)
    await expectNothingWritten(workspace, '/b')
  })

  it('is good for one use', async () => {
    const { workspace, authenticator, draft } = await withHeldChanges()
    const { body } = await approve(workspace, draft)
    const answer = await authenticator.get(body['passkey'])
    const both = await Promise.all([
      approveWith(workspace, draft, answer),
      approveWith(workspace, draft, answer),
    ])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    await workspace.call('write_file', { path: '/b', content: 'new' })
    expect(await approveWith(workspace, await showDraft(workspace), answer)).toMatchObject(REFUSED)
    await expectNothingWritten(workspace, '/b')
  })

  it('of an authenticator without a counter is good for one use, too', async () => {
    const { workspace, authenticator } = await withHeldChanges()
    const looser = { method: 'PUT', body: { approval: 'none' } }
    const asked = await sendAsPage(workspace, '/config', looser)
    const answer = await authenticator.get(asked.body['passkey'], { counter: 0 })
    expect(await sendProof(workspace, '/config', looser, answer)).toMatchObject({ status: 200 })
    expect(await configure(workspace, { approval: 'confirm' })).toMatchObject({ status: 200 })
    expect(await sendProof(workspace, '/config', looser, answer)).toMatchObject(REFUSED)
    expect(await (await workspace.fetch('/config')).json()).toMatchObject({ approval: 'confirm' })
  })

  it('is void after a while', async () => {
    const { workspace, authenticator, draft } = await withHeldChanges()
    const { body } = await approve(workspace, draft)
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      const past = MAX_CHALLENGE_SECONDS * 1000
      storage.sql.exec('UPDATE passkey_challenges SET expires = expires - ?', past)
    })
    const answer = await authenticator.get(body['passkey'])
    expect(await approveWith(workspace, draft, answer)).toMatchObject(REFUSED)
    await expectNothingWritten(workspace, '/a')
  })

  it.each(['', 'null', '{}', 'x', JSON.stringify({ id: 'x'.repeat(MAX_PASSKEY_ANSWER_LENGTH) })])(
    'that is malformed is refused',
    async (text) => {
      const { workspace, draft } = await withHeldChanges()
      const headers = { 'x-edgewise-passkey': text }
      const body = { revision: draft.revision }
      const sent = await sendAsPage(workspace, `${draft.path}/approve`, { body, headers })
      expect(sent).toMatchObject(REFUSED)
    },
  )
})

describe('an answer for one decision is refused for', () => {
  it('another selection, and for everything', async () => {
    const { workspace, authenticator, draft } = await withHeldChanges(['/a', '/b'])
    const [first = '', second = ''] = draft.changes
    const question = async () => (await approve(workspace, draft, [first])).body['passkey']
    const answer = await authenticator.get(await question())
    expect(await approveWith(workspace, draft, answer, [second])).toMatchObject(REFUSED)
    const other = await authenticator.get(await question())
    expect(await approveWith(workspace, draft, other)).toMatchObject(REFUSED)
    await expectNothingWritten(workspace, '/a', '/b')
  })

  it('another revision of the draft', async () => {
    const { workspace, authenticator, draft } = await withHeldChanges()
    const { body } = await approve(workspace, draft)
    await workspace.call('write_file', { path: '/a', content: 'other' })
    const answer = await authenticator.get(body['passkey'])
    const later = await showDraft(workspace)
    expect(later.revision).not.toBe(draft.revision)
    expect(await approveWith(workspace, later, answer)).toMatchObject(REFUSED)
    await expectNothingWritten(workspace, '/a')
  })

  it('another workspace with the same passkey', async () => {
    const one = await withHeldChanges()
    const other = await withHeldChanges()
    await copyPasskey(one.workspace, other.workspace)
    const { body } = await approve(one.workspace, one.draft)
    const answer = await one.authenticator.get(body['passkey'])
    expect(await approveWith(other.workspace, other.draft, answer)).toMatchObject(REFUSED)
    await expectNothingWritten(other.workspace, '/a')
  })

  it('the rules, or a passkey', async () => {
    const { workspace, authenticator, draft } = await withHeldChanges()
    const question = async () => (await approve(workspace, draft)).body['passkey']
    const looser = { method: 'PUT', body: { approval: 'none' } }
    const answer = await authenticator.get(await question())
    expect(await sendProof(workspace, '/config', looser, answer)).toMatchObject(REFUSED)
    const second = await authenticator.get(await question())
    expect(await sendProof(workspace, '/passkeys/begin', {}, second)).toMatchObject(REFUSED)
    const path = `/passkeys/${await idOf(workspace, 'Phone')}`
    const third = await authenticator.get(await question())
    expect(await sendProof(workspace, path, { method: 'DELETE' }, third)).toMatchObject(REFUSED)
  })

  it('other rules than those that were shown', async () => {
    const { workspace, authenticator } = await withHeldChanges()
    const asked = await configure(workspace, { approval: 'review' })
    const answer = await authenticator.get(asked.body['passkey'])
    const other = { method: 'PUT', body: { approval: 'none' } }
    expect(await sendProof(workspace, '/config', other, answer)).toMatchObject(REFUSED)
  })
})

/** Copies the passkey rows of a workspace, which no route does. */
async function copyPasskey(from: Pick<Workspace, 'base'>, to: Pick<Workspace, 'base'>) {
  const rows = await runInDurableObject(stubOf(from), (_, { storage }) =>
    storage.sql.exec('SELECT * FROM passkeys').toArray(),
  )
  await runInDurableObject(stubOf(to), (_, { storage }) => {
    for (const row of rows) {
      const names = Object.keys(row)
      storage.sql.exec(
        `INSERT INTO passkeys (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        ...names.map((name) => (name === 'id' ? 'copied' : (row[name] ?? null))),
      )
    }
  })
}

describe('a passkey', () => {
  it('cannot be registered without user verification, or for another origin', async () => {
    const workspace = freshWorkspace()
    for (const forgery of [{ isVerified: false }, { origin: 'https://evil.example' }]) {
      const authenticator = await createAuthenticator()
      const { body } = await sendAsPage(workspace, '/passkeys/begin')
      const response = await authenticator.create(body, forgery)
      const done = await sendAsPage(workspace, '/passkeys', { body: { label: 'Mine', response } })
      expect(done).toMatchObject(REFUSED)
    }
  })

  it('cannot be added by a question from before the first one was', async () => {
    const workspace = freshWorkspace()
    const early = await sendAsPage(workspace, '/passkeys/begin')
    await registerPasskey(workspace)
    const authenticator = await createAuthenticator()
    const response = await authenticator.create(early.body)
    const done = await sendAsPage(workspace, '/passkeys', { body: { label: 'Mine', response } })
    expect(done).toMatchObject(REFUSED)
  })

  it('cannot be the first one twice', async () => {
    const workspace = freshWorkspace()
    const both = await Promise.all(
      ['One', 'Two'].map(async (label) => {
        const { body } = await sendAsPage(workspace, '/passkeys/begin')
        const response = await (await createAuthenticator()).create(body)
        return { label, response }
      }),
    )
    const done = await Promise.all(both.map((body) => sendAsPage(workspace, '/passkeys', { body })))
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('is asked for at another host name of this server, too', async () => {
    const { workspace, draft } = await withHeldChanges()
    const url = `${workspace.base}${draft.path}/approve`.replace('localhost', '127.0.0.1')
    const own = { origin: 'http://127.0.0.1', 'content-type': 'application/json' }
    const headers = { ...FROM_OWN_PAGE, ...own }
    const body = JSON.stringify({ revision: draft.revision })
    const response = await SELF.fetch(url, { method: 'POST', headers, body })
    expect(await response.json()).toMatchObject({ code: 'PASSKEY_ELSEWHERE' })
    await expectNothingWritten(workspace, '/a')
  })

  it('cannot be changed from another origin', async () => {
    const { workspace } = await withHeldChanges()
    const id = await idOf(workspace, 'Phone')
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    for (const path of ['', '/begin', `/${id}/rename`, `/${id}/removal`]) {
      const sent = await sendAsPage(workspace, `/passkeys${path}`, { body: {}, headers })
      expect(sent.status).toBe(403)
    }
  })

  it('has a name of a bounded length', async () => {
    const { workspace } = await withHeldChanges()
    const path = `/passkeys/${await idOf(workspace, 'Phone')}/rename`
    const label = 'x'.repeat(MAX_PASSKEY_LABEL_LENGTH)
    expect((await sendAsPage(workspace, path, { body: { label } })).status).toBe(200)
    expect((await sendAsPage(workspace, path, { body: { label: `${label}x` } })).status).toBe(400)
  })
})
