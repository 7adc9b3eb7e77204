/** Who reads a comment: for each kind of caller, which of the comments of a workspace. */

import { describe, expect, it } from 'vitest'
import { errorOf } from '../../support/worker/client.ts'
import { ownerLinkOf } from '../../support/worker/attack-link.ts'
import { configure, held, show, write } from '../../support/worker/held-draft.ts'
import {
  commentOn,
  commentOnDraft,
  readComments,
  sendAct,
  statusComments,
} from '../../support/worker/comments.ts'

/** The text of each comment says where it is. */
const PLACES = ['/docs/a.md', '/other/b.md', '/docs/secret.md'] as const

const RULES = { roots: [{ path: '/', deny: ['/docs/secret.md'], approval: 'review' }] }

/** A workspace with a comment on each file, and on the draft of an agent, on a line and as a whole. */
async function commented() {
  const files = Object.fromEntries(PLACES.map((path) => [path, `quote of ${path}\n`]))
  const workspace = await held(files, {})
  for (const path of PLACES) await commentOn(workspace, path, [1], `on ${path}`)
  await configure(workspace, RULES)
  const { client: drafter } = await ownerLinkOf(workspace)
  await write(drafter, '/docs/a.md', 'quote of a draft\n')
  await commentOnDraft(workspace, 'in the draft', { path: '/docs/a.md', first: 1, last: 1 })
  await commentOnDraft(workspace, 'on the draft')
  return { workspace, drafter }
}

/** Everything that a caller gets of comments, as one text. */
async function everythingOf(client: Awaited<ReturnType<typeof commented>>['workspace']) {
  const listed = await client.send('resources/read', { uri: 'edgewise://comments' })
  const results = [
    await client.call('draft_status', {}),
    await client.call('list_roots', {}),
    await client.call('respond_to_review', { replies: [{ comment: 'x', text: 'y' }] }),
  ]
  return JSON.stringify([listed, results])
}

describe('a caller reads', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['with all scopes', ['read', 'write'], ['/docs/a.md', '/other/b.md']],
    ['read-only', ['read'], ['/docs/a.md', '/other/b.md']],
    ['restricted to a folder', ['read:file:/docs', 'write:file:/docs'], ['/docs/a.md']],
    ['restricted to another folder', ['read:file:/none'], []],
    ['write-only', ['write'], []],
    ['write-only in a folder', ['read:file:/other', 'write:file:/docs'], ['/other/b.md']],
  ])('%s: what is on files that it may read, and nothing else', async (_, scopes, seen) => {
    const { workspace } = await commented()
    const { client } = await ownerLinkOf(workspace, { scopes })
    const { comments, left } = await readComments(client)
    expect(comments.map(({ text }) => String(text)).toSorted()).toEqual(
      seen.map((path) => `on ${path}`),
    )
    expect(left).toBe(0)
    const all = await everythingOf(client)
    for (const path of PLACES)
      expect(all.includes(`quote of ${path}`), path).toBe(seen.includes(path))
    for (const hidden of ['in the draft', 'on the draft', 'quote of a draft', '2 comments'])
      expect(all).not.toContain(hidden)
  })

  it('of its own draft: on lines and as a whole', async () => {
    const { drafter } = await commented()
    expect((await statusComments(drafter)).map(({ text }) => text)).toEqual([
      'on the draft',
      'in the draft',
    ])
  })

  it('of its own draft without the read scope: what is on the draft as a whole alone', async () => {
    const { workspace } = await commented()
    const { client } = await ownerLinkOf(workspace, { scopes: ['write'] })
    await write(client, '/mine.md', 'quote of mine\n')
    const { drafts } = (await (await workspace.fetch('/drafts')).json()) as {
      drafts: { id: string }[]
    }
    const draft = drafts[0]?.id ?? ''
    const on = { path: '/mine.md', first: 1, last: 1 }
    await sendAct(workspace, '/comments', { text: 'on my line', draft, on })
    await sendAct(workspace, '/comments', { text: 'on all of mine', draft })
    const all = await everythingOf(client)
    expect(all).toContain('The user wrote 1 comment on draft')
    expect(all).toContain('on all of mine')
    expect(all).not.toContain('on my line')
    expect(all).not.toContain('quote of mine')
    expect(all).not.toContain('comments_left_out')
  })

  it('less in a request that restricts itself', async () => {
    const { drafter } = await commented()
    const meta = { policy: { roots: [{ path: '/other' }] } }
    const reply = JSON.stringify(await drafter.call('draft_status', {}, meta))
    expect(reply).toContain('on the draft')
    expect(reply).not.toContain('quote of a draft')
    expect(reply).not.toContain('in the draft')
  })
})

describe('a reply', () => {
  it('needs that the caller may read the comment, and stores nothing otherwise', async () => {
    const { workspace, drafter } = await commented()
    const [own] = await statusComments(drafter)
    const { comments } = await readComments(drafter)
    const applied = comments.find(({ text }) => text === 'on /docs/a.md')
    const { client } = await ownerLinkOf(workspace, { scopes: ['read:file:/docs'] })
    const { path } = await show(workspace)
    const send = (ids: readonly unknown[], reason?: string) =>
      client.call('respond_to_review', {
        replies: ids.map((comment) => ({ comment, text: 'Mine.' })),
        ...(reason && { reason }),
      })
    for (const ids of [[own?.['id']], [applied?.['id'], own?.['id']], ['', 'x'.repeat(100)]])
      expect(errorOf((await send(ids)).result)).toMatchObject({ code: 'COMMENT_NOT_FOUND' })
    expect(errorOf((await send([applied?.['id']], 'Why')).result)).toMatchObject({
      code: 'DRAFT_NOT_FOUND',
    })
    expect(JSON.stringify(await readComments(drafter))).not.toContain('Mine.')
    expect((await send([applied?.['id']])).result).not.toMatchObject({ isError: true })
    expect(JSON.stringify(await readComments(drafter))).toContain('Mine.')
    expect(path).toContain('/drafts/')
  })
})
