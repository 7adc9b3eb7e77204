/** A call that is planned again when its draft is approved: what restricted its request still restricts it. */

import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import {
  legacyEra,
  modern,
  succeeded,
  type AccessClient,
} from '../../support/worker/access-client.ts'
import { linkOf, type Workspace } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { wholeOf } from '../../support/worker/result-codes.ts'

const HIDDEN = { roots: [{ path: '/', deny: ['docs/private/**'] }] }
const IMMUTABLE = { roots: [{ path: '/', immutable: ['docs/keep/**'] }] }

async function underReview(): Promise<Workspace> {
  const workspace = freshWorkspace()
  await workspace.put('/docs/a.md', 'one\n')
  await workspace.put('/docs/private/canary.md', 'canary text\n')
  await ownerOf(workspace).demand('review')
  return workspace
}

const call = (agent: AccessClient, name: string, args: object, meta: object = {}) =>
  agent.ask('tools/call', { name, arguments: { ...args } }, meta)

/** Proposes an edit and a copy of its folder, and changes the file, so that both are planned again. */
async function copyAfterEdit(agent: AccessClient, workspace: Workspace, meta: object = {}) {
  const edits = [{ find: 'one', replace: 'two' }]
  for (const [name, args] of [
    ['edit_file', { path: '/docs/a.md', edits }],
    ['copy_file', { from: '/docs', to: '/out' }],
  ] as const) {
    const answer = await call(agent, name, args, meta)
    expect(succeeded(answer), wholeOf(answer)).toBe(true)
  }
  await workspace.put('/docs/a.md', 'zero\none\n')
}

const isThere = async ({ fetch }: Workspace, path: string) => {
  const answer = await fetch(`/files${path}`)
  await answer.body?.cancel()
  return answer.status === 200
}

describe.each(['without a session', 'of a link', 'of the legacy era'])('a request %s', (kind) => {
  const agentOf = async (workspace: Workspace) =>
    kind === 'of a link'
      ? modern((await linkOf(workspace, {})).client)
      : kind === 'without a session'
        ? modern(workspace)
        : legacyEra(workspace)

  it.each([{ policy: HIDDEN }, { denied_scopes: ['read:file:/docs/private'] }])(
    'copies nothing that it did not see, with %j',
    async (meta) => {
      const workspace = await underReview()
      await copyAfterEdit(await agentOf(workspace), workspace, meta)
      await ownerOf(workspace).decide('approve')
      expect(await isThere(workspace, '/out/a.md')).toBe(true)
      expect(await isThere(workspace, '/out/private/canary.md')).toBe(false)
    },
  )

  it('deletes nothing that its policy protects', async () => {
    const workspace = await underReview()
    const agent = await agentOf(workspace)
    await call(agent, 'delete_file', { path: '/docs' }, { policy: IMMUTABLE })
    await workspace.put('/docs/keep/new.md', 'new')
    await expect(ownerOf(workspace).decide('approve')).rejects.toThrow('DRAFT_CONFLICT')
    expect(await isThere(workspace, '/docs/keep/new.md')).toBe(true)
  })
})

describe.each([
  ['modern', modern],
  ['legacy', legacyEra],
] as const)('a client of the %s era with a configuration', (_, begin) => {
  it('copies nothing that it did not see', async () => {
    const workspace = await underReview()
    await copyAfterEdit(await begin(workspace, HIDDEN), workspace)
    await ownerOf(workspace).decide('approve')
    expect(await isThere(workspace, '/out/a.md')).toBe(true)
    expect(await isThere(workspace, '/out/private/canary.md')).toBe(false)
  })
})

describe('the draft of a link below a restricted one', () => {
  it.each([true, false])('copies nothing that it did not see; ended: %s', async (isEnded) => {
    const workspace = await underReview()
    const parent = await linkOf(workspace, { policy: HIDDEN })
    const { client, session } = await linkOf(parent.client, { label: 'child' })
    await copyAfterEdit(modern(client), workspace)
    if (isEnded) await workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })
    const decided = ownerOf(workspace).decide('approve')
    if (isEnded) await expect(decided).rejects.toThrow('DRAFT_CONFLICT')
    else await decided
    expect(await isThere(workspace, '/out/private/canary.md')).toBe(false)
  })

  it('is planned again after the link has ended, if nothing restricted it', async () => {
    const workspace = await underReview()
    const { client, session } = await linkOf(workspace, {})
    await copyAfterEdit(modern(client), workspace)
    await workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })
    await ownerOf(workspace).decide('approve')
    expect(await isThere(workspace, '/out/a.md')).toBe(true)
  })
})
