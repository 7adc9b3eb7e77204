/** Giving, listing and ending trust as the owner: what is checked, and what the audit log keeps. */

import { describe, expect, it } from 'vitest'
import { auditOf, sendAsPage } from '../../support/worker/passkeys.ts'
import { connect } from '../../support/worker/connections.ts'
import { sendDecision } from '../../support/worker/requests.ts'
import {
  endTrust,
  giveDetails,
  keyOf,
  listTrust,
  detailsOf,
  trust,
  waitsToWrite,
  withConnection,
} from '../../support/worker/trust.ts'

const show = (workspace: Parameters<typeof sendAsPage>[0], body: unknown) =>
  sendAsPage(workspace, '/trust/preview', { body })

const CHANGED = { status: 409, body: { code: 'TRUST_CHANGED' } }

describe('what is shown', () => {
  it('has the names of the session as claims, and one form', async () => {
    const { workspace, connection } = await withConnection()
    const details = detailsOf(keyOf(connection), {
      folder: '/f/./x/..',
      tools: ['write_file', 'edit_file', 'write_file'],
      kinds: ['rewrite', 'deletion'],
    })
    expect(await show(workspace, details)).toMatchObject({
      status: 200,
      body: {
        label: 'helper',
        client: 'test',
        folder: '/f',
        tools: ['edit_file', 'write_file'],
        kinds: ['deletion', 'rewrite'],
      },
    })
  })

  it.each([
    [{ folder: 'f' }, 400],
    [{ folder: '/\u0000' }, 400],
    [{ tools: ['PUT'] }, 400],
    [{ tools: ['read_file'] }, 400],
    [{ kinds: ['all'] }, 400],
    [{ until: 0 }, 409],
    [{ until: Date.now() + 25 * 60 * 60 * 1000 }, 409],
    [{ session: 'unknown' }, 409],
    [{ digest: 'x' }, 400],
  ])('refuses %j', async (more, status) => {
    const { workspace, connection } = await withConnection()
    expect((await show(workspace, detailsOf(keyOf(connection), more))).status).toBe(status)
  })
})

describe('giving', () => {
  it.each([
    { folder: '/' },
    { tools: ['write_file', 'delete_file'] },
    { kinds: ['deletion'] },
    { until: Date.now() + 2 * 60 * 60 * 1000 },
  ])('refuses what was not shown: %j', async (more) => {
    const { workspace, connection } = await withConnection()
    const details = detailsOf(keyOf(connection))
    const { body } = await show(workspace, details)
    const forged = { ...details, ...more, digest: body['digest'] }
    expect(await sendAsPage(workspace, '/trust', { body: forged })).toMatchObject(CHANGED)
    expect(await listTrust(workspace)).toEqual([])
  })

  it('refuses a digest that was used before, also after the end of its trust', async () => {
    const { workspace, connection } = await withConnection()
    const details = detailsOf(keyOf(connection))
    const { body } = await show(workspace, details)
    const request = { body: { ...details, digest: body['digest'] } }
    expect((await sendAsPage(workspace, '/trust', request)).status).toBe(201)
    expect(await sendAsPage(workspace, '/trust', request)).toMatchObject(CHANGED)
    const [{ id } = {}] = await listTrust(workspace)
    expect(await endTrust(workspace, String(id))).toBe(204)
    expect(await sendAsPage(workspace, '/trust', request)).toMatchObject(CHANGED)
    expect(await waitsToWrite(connection, '/f/a')).toBe(true)
  })

  it('refuses the digest of another session with the same name', async () => {
    const { workspace, connection, link } = await withConnection()
    const other = await connect(link)
    const details = detailsOf(keyOf(connection))
    const { body } = await show(workspace, details)
    const forged = { ...details, session: keyOf(other), digest: body['digest'] }
    expect(await sendAsPage(workspace, '/trust', { body: forged })).toMatchObject(CHANGED)
  })

  it('and ending are for pages of this origin alone', async () => {
    const { workspace, connection } = await withConnection()
    const details = detailsOf(keyOf(connection))
    const { body } = await show(workspace, details)
    const request = { ...details, digest: body['digest'] }
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    for (const headers of [{}, elsewhere])
      expect((await sendDecision(workspace, '/trust', request, headers)).status).toBe(403)
    expect(await listTrust(workspace)).toEqual([])
    const id = await trust(workspace, connection)
    const refused = await workspace.fetch(`/trust/${id}`, { method: 'DELETE' })
    expect(refused.status).toBe(403)
    expect(await listTrust(workspace)).toHaveLength(1)
  })

  it('is in the audit log with its details', async () => {
    const { workspace, connection } = await withConnection()
    const until = Date.now() + 60_000
    const given = await giveDetails(
      workspace,
      detailsOf(keyOf(connection), { until, kinds: ['deletion', 'app'] }),
    )
    expect(given.status).toBe(201)
    expect(await auditOf(workspace, 'give_trust')).toMatchObject([
      {
        actor: { principal: 'local' },
        intent:
          'Let changes by write_file in /f, with deletions, apps, skills and instructions for agents of the session of ' +
          `"helper" (client "test") pass until ${new Date(until).toISOString()}`,
        decision: [{ kind: 'owner' }, { kind: 'trust', until }],
      },
    ])
  })
})
