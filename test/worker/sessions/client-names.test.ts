/** What the owner reads of a legacy session below a link: the label of the link, beside the name of its client. */

import { expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'
import { decideRequest, listRequests } from '../../support/worker/requests.ts'

/** A link, and a client of the older era that uses it and calls itself "test". */
async function linked(wish: Record<string, unknown> = {}) {
  const workspace = freshWorkspace()
  const { client: link, session } = await linkOf(workspace, { label: 'Reviewer', ...wish })
  const client = legacyClient(link)
  await client.begin()
  const json = async (path: string) => recordOf(await (await workspace.fetch(path)).json())
  const audited = async (tool: string) => {
    const { entries } = await json('/audit')
    return (Array.isArray(entries) ? entries : []).map(recordOf).find((one) => one['tool'] === tool)
  }
  return { workspace, owner: ownerOf(workspace), client, link, session, json, audited }
}

const NAMED = { label: 'Reviewer', client: 'test' }
const TEXT = '"Reviewer" (client "test") for local'

it('a draft, and the audit log', async () => {
  const { owner, client, json, audited } = await linked()
  await owner.demand('review')
  await client.call('write_file', { path: '/a', content: 'x' })
  const listed = { ...NAMED, actor: TEXT }
  const { drafts } = await json('/drafts')
  expect(drafts).toMatchObject([listed])
  const [draft = ''] = await owner.drafts()
  expect(await json(`/drafts/${draft}`)).toMatchObject(listed)
  expect(await audited('write_file')).toMatchObject({
    actor: NAMED,
    decision: expect.arrayContaining([{ kind: 'session', label: 'Reviewer' }]),
  })
  for (const actor of ['Reviewer', 'test'])
    expect((await json(`/audit?actor=${actor}`))['entries']).toContainEqual(
      expect.objectContaining({ tool: 'write_file' }),
    )
  await owner.decide('turn-down')
  expect(await audited('turn_down_draft')).toMatchObject({
    intent: `Turn down 1 change of "Reviewer" for local in draft ${draft}`,
  })
})

it('a change in the history', async () => {
  const { workspace, client } = await linked()
  await client.call('write_file', { path: '/a', content: 'x' })
  const { result } = await workspace.call('list_changes', { actor: 'Reviewer' })
  expect(result?.structuredContent).toMatchObject({
    changes: [{ actor: '"Reviewer" for local', label: 'Reviewer' }],
  })
})

it('an access request, and what becomes of it', async () => {
  const { workspace, client, audited, json } = await linked({ scopes: ['read:file:/docs'] })
  await client.call('read_file', { path: '/other/a' })
  const [request] = await listRequests(workspace)
  expect(request).toMatchObject({ ...NAMED, actor: TEXT })
  await decideRequest(workspace, `${request?.id}/allow`, { for: 'session' })
  expect(await audited('allow_access')).toMatchObject({
    intent: expect.stringContaining('Allow "Reviewer" for local '),
  })
  const { sessions } = await json('/sessions')
  const own = (Array.isArray(sessions) ? sessions : [])
    .map(recordOf)
    .find(({ kind }) => kind === 'client')
  expect(own).toMatchObject({ label: 'test' })
  const taken = await workspace.fetch(`/sessions/${String(own?.['id'])}/allowed`, {
    method: 'DELETE',
  })
  expect(taken.status).toBe(204)
  expect(await audited('take_back_access')).toMatchObject({
    intent: expect.stringMatching(/from the session of "Reviewer" \(client "test"\)$/),
  })
})

it('a client without a link has only its own name, in both eras', async () => {
  const workspace = freshWorkspace()
  const owner = ownerOf(workspace)
  await owner.demand('review')
  const client = legacyClient(workspace)
  await client.begin()
  await client.call('write_file', { path: '/a', content: 'x' })
  const { drafts } = recordOf(await (await workspace.fetch('/drafts')).json())
  expect(drafts).toMatchObject([{ label: 'test', client: null, actor: '"test" for local' }])
})

it('a link that a client of the older era hands on has the label that it was given', async () => {
  const { workspace, client, owner } = await linked()
  await owner.demand('review')
  const made = recordOf((await client.call('delegate', { label: 'helper' }))['result'])
  const { url } = recordOf(made['structuredContent'])
  await freshWorkspace(String(url)).text('write_file', { path: '/a', content: 'x' })
  const { drafts } = recordOf(await (await workspace.fetch('/drafts')).json())
  expect(drafts).toMatchObject([{ label: 'helper', client: 'test' }])
})
