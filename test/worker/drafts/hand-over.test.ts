/** Handing a draft over: which connections the owner can choose, and what becomes of the draft. */

import { recordOf } from '#core/json.ts'
import { MAX_RECEIVERS } from '#worker/drafts/limits.ts'
import { expect, it } from 'vitest'
import { ownerLinkOf } from '../../support/worker/attack-link.ts'
import { connect, reviewed } from '../../support/worker/connections.ts'
import { listOf, read } from '../../support/worker/held-draft.ts'
import { FROM_OWN_PAGE } from '../../support/worker/requests.ts'

async function withDraft() {
  const { workspace, owner } = await reviewed({ '/b': 'old' })
  const old = await connect(workspace)
  await old.write('/a', 'proposed')
  const [draft = ''] = await owner.drafts()
  const receivers = async (of = draft) =>
    listOf(recordOf(await read(workspace, `/drafts/${of}`))['receivers'])
  const handOver = async (session: unknown, headers: Record<string, string> = FROM_OWN_PAGE) => {
    const init = { method: 'POST', headers, body: JSON.stringify({ session }) }
    return (await workspace.fetch(`/drafts/${draft}/hand-over`, init)).status
  }
  return { workspace, owner, old, draft, receivers, handOver }
}

it('moves the draft, tells both connections, and is in the audit log', async () => {
  const { workspace, old, draft, receivers, handOver, owner } = await withDraft()
  expect(await receivers()).toEqual([])
  const next = await connect(workspace)
  const [receiver] = await receivers()
  expect(receiver).toMatchObject({ label: 'test' })
  expect(await handOver(receiver?.['session'])).toBe(204)
  expect(await next.read('/a')).toContain('proposed')
  expect(await next.status()).toContain(`Draft ${draft} with 1 change of an earlier connection`)
  expect(await old.read('/a')).not.toContain('proposed')
  expect(await old.status()).toContain('is no longer yours')
  const { entries } = recordOf(await (await workspace.fetch('/audit')).json())
  expect(listOf(entries).find(({ tool }) => tool === 'hand_over_draft')).toMatchObject({
    intent: `Hand draft ${draft} of "test" for local over to "test" for local`,
    decision: [{ kind: 'owner' }],
    paths: ['/a'],
  })
  await owner.decide('approve', { note: 'thanks' })
  expect(await next.read('/b')).toContain('thanks')
})

it('is for connections of the same principal and ceiling alone, without a link and without a draft', async () => {
  const { workspace, receivers, handOver, owner, draft } = await withDraft()
  const { client: link } = await ownerLinkOf(workspace)
  const linked = await connect(link)
  const configuration = { roots: [{ path: '/', deny: ['b'] }] }
  await connect(workspace, { experimental: { configuration } })
  const busy = await connect(workspace)
  await busy.write('/c')
  await (await connect(workspace)).end()
  expect(await receivers()).toEqual([])
  await linked.write('/d')
  const others = (await owner.drafts()).filter((id) => id !== draft)
  for (const id of others) expect(await receivers(id)).toEqual([])
  for (const session of [linked, busy].map(({ headers }) => headers()['mcp-session-id']))
    expect(await handOver(session)).toBe(409)
  expect(await handOver('unknown')).toBe(409)
})

it('is done by a page of the console alone', async () => {
  const { workspace, handOver, receivers } = await withDraft()
  await connect(workspace)
  const [receiver] = await receivers()
  expect(await handOver(receiver?.['session'], {})).toBe(403)
})

it('MAX_RECEIVERS: lists the newest connections', async () => {
  const { workspace, receivers } = await withDraft()
  for (let begun = 0; begun <= MAX_RECEIVERS; begun++) await connect(workspace)
  expect(await receivers()).toHaveLength(MAX_RECEIVERS)
})
