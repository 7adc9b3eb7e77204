/** What is named of a decision: to the agent, and in the audit log. */

import { describe, expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { decideRequest, listRequests } from '../../support/worker/requests.ts'

async function reviewed() {
  const workspace = freshWorkspace()
  const owner = ownerOf(workspace)
  await owner.demand('review')
  const write = (path: string) => workspace.text('write_file', { path, content: 'x' })
  /** The entries of the audit log with one tool, newest first. */
  const audited = async (tool: string) => {
    const { entries } = recordOf(await (await workspace.fetch('/audit')).json())
    return (Array.isArray(entries) ? entries : [])
      .map(recordOf)
      .filter((one) => one['tool'] === tool)
  }
  return { workspace, owner, write, audited }
}

const newsOf = (reply: Awaited<ReturnType<ReturnType<typeof freshWorkspace>['call']>>) =>
  reply.result?.content.at(-1)?.text

describe('the agent', () => {
  it('gets the paths of a part that was approved, quoted where they are not plain', async () => {
    const { workspace, owner, write } = await reviewed()
    for (const path of ['/a', '/of two, words', '/c']) await write(path)
    const [draft = ''] = await owner.drafts()
    const [first, second] = (await owner.show(draft)).changes
    await owner.decide('approve', { changes: [first?.id ?? ''] })
    await owner.decide('approve', { changes: [second?.id ?? ''] })
    const lines = newsOf(await workspace.call('list_roots'))
    expect(lines).toBe(
      `The user decided on draft ${draft}: 1 change approved (/a).\n` +
        `The user decided on draft ${draft}: 1 change approved ("/of two, words").`,
    )
  })

  it('gets five paths at most, and none that its request may not touch', async () => {
    const { workspace, owner, write } = await reviewed()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await write(`/in/${name}`)
    await owner.decide('turn-down')
    const policy = { roots: [{ path: '/', deny: ['in/a'] }] }
    const lines = newsOf(await workspace.call('draft_status', {}, { policy }))
    expect(lines).toMatch(
      /: 6 changes turned down \(\/in\/b, \/in\/c, \/in\/d, \/in\/e, \/in\/f …\)\.$/,
    )
    const none = { roots: [{ path: '/', deny: ['in/**'] }] }
    const status = await workspace.call('draft_status', {}, { policy: none })
    expect(newsOf(status)).toMatch(/: 6 changes turned down\.$/)
  })
})

describe('the audit log', () => {
  it.each([
    ['approve_draft', 'approve', 'Approve'],
    ['turn_down_draft', 'turn-down', 'Turn down'],
  ] as const)(
    'has the draft, the paths, the note and the reason of %s in one entry',
    async (tool, what, verb) => {
      const { workspace, owner, write, audited } = await reviewed()
      for (const path of ['/a', '/b c']) await write(path)
      const [draft = ''] = await owner.drafts()
      await workspace.text('respond_to_review', { reason: 'Both\u202e are new.' })
      const decided = await owner.decide(what, { note: 'Not "now".' })
      const entries = await audited(tool)
      expect(entries).toHaveLength(1)
      expect(entries[0]).toMatchObject({
        ...{ outcome: 'applied', version: null, id: decided['approval'] ?? '' },
        actor: { principal: 'local' },
        decision: [{ kind: 'owner' }],
        paths: ['/a', '/b c'],
        intent: `${verb} 2 changes of local in draft ${draft}`,
        review: { draft, changes: 2, note: 'Not "now".', reason: 'Both\u202e are new.' },
      })
      expect((await audited('write_file')).map(({ outcome }) => outcome)).toEqual([
        ...(what === 'approve' ? ['applied', 'applied'] : []),
        ...['proposed', 'proposed'],
      ])
    },
  )

  it('names twenty paths of a decision, and how many more there are', async () => {
    const { owner, write, audited } = await reviewed()
    for (let file = 0; file < 25; file++) await write(`/in/${file}`)
    await owner.decide('approve')
    const [entry] = await audited('approve_draft')
    expect(entry?.['paths']).toHaveLength(20)
    expect(entry).toMatchObject({ paths_left_out: 5, review: { changes: 25 } })
  })

  it('has the id by which the whole decision is undone later', async () => {
    const { workspace, owner, write, audited } = await reviewed()
    await workspace.put('/kept', 'before')
    for (const path of ['/kept', '/new']) await write(path)
    await owner.decide('approve')
    await workspace.put('/other', 'since')
    const [entry] = await audited('approve_draft')
    await owner.demand('none')
    const undone = await workspace.call('undo_change', { id: entry?.['id'] })
    expect(undone.result?.structuredContent).toMatchObject({ paths: ['new', 'kept'], count: 2 })
    const found = await workspace.call('find_files', { pattern: '**', glob: true })
    expect(JSON.stringify(found.result?.structuredContent)).not.toContain('new')
    expect(await workspace.text('read_file', { path: '/kept' })).toContain('before')
  })

  it('has the draft and the paths of an approval that was refused as a conflict', async () => {
    const { workspace, owner, audited } = await reviewed()
    await workspace.put('/a', 'one')
    await workspace.text('edit_file', { path: '/a', edits: [{ find: 'one', replace: 'two' }] })
    await workspace.put('/a', 'other')
    const [draft = ''] = await owner.drafts()
    await expect(owner.decide('approve')).rejects.toThrow('DRAFT_CONFLICT')
    const [entry] = await audited('approve_draft')
    expect(entry).toMatchObject({
      paths: ['/a'],
      intent: `Approve 1 change of local in draft ${draft}, in conflict`,
    })
  })

  it('has the note of a refused access request, and its paths', async () => {
    const { workspace, audited } = await reviewed()
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    await client.call('read_file', { path: '/secret/a' })
    const [request] = await listRequests(workspace)
    await decideRequest(workspace, `${request?.id}/refuse`, { note: 'Ask later.' })
    const [entry] = await audited('refuse_access')
    expect(entry).toMatchObject({
      paths: ['/secret/a'],
      intent: 'Refuse "helper" for local read:file:/secret, with the note "Ask later."',
    })
  })
})
