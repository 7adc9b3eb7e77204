/** Where a copy comes from: a mark of the workspace, and one of what its reader may read. */

import { evictDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { stubOf } from '../../support/worker/object-life.ts'

type Workspace = ReturnType<typeof freshWorkspace>

interface Marks {
  readonly workspace: string
  readonly access: string
}

async function marksOf({ fetch }: Pick<Workspace, 'fetch'>, path = '/changes'): Promise<Marks> {
  const { workspace, access } = await (await fetch(path)).json<Marks>()
  expect(workspace).toMatch(/^[\w-]{22}$/)
  expect(access).toMatch(/^[\w-]{22}$/)
  return { workspace, access }
}

const setRules = async (workspace: Workspace, config: unknown) => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(config)
  expect((await workspace.fetch('/config', { method: 'PUT', headers, body })).ok).toBe(true)
}

const READING = { scopes: ['read:file:/in'] }

describe('the mark of a workspace', () => {
  it('is that of the feed, of a listing and of a link', async () => {
    const workspace = freshWorkspace()
    const marks = await marksOf(workspace)
    expect(await marksOf(workspace, '/files/?recursive=true')).toEqual(marks)
    const { client } = await linkOf(workspace)
    expect((await marksOf(client)).workspace).toBe(marks.workspace)
  })

  it('stays after an eviction, and no other workspace has it', async () => {
    const workspace = freshWorkspace()
    const marks = await marksOf(workspace)
    await evictDurableObject(stubOf(workspace))
    expect(await marksOf(workspace)).toEqual(marks)
    expect((await marksOf(freshWorkspace())).workspace).not.toBe(marks.workspace)
  })
})

describe('the mark of an access', () => {
  it('stays for the owner, whatever the rules are', async () => {
    const workspace = freshWorkspace()
    const marks = await marksOf(workspace)
    await setRules(workspace, { roots: [{ path: '/in', deny: ['*.key'] }] })
    expect(await marksOf(workspace)).toEqual(marks)
  })

  it('is another one for a link that may read less', async () => {
    const workspace = freshWorkspace()
    const all = await marksOf((await linkOf(workspace)).client)
    const some = await marksOf((await linkOf(workspace, READING)).client)
    expect(some.access).not.toBe(all.access)
    expect((await marksOf((await linkOf(workspace, READING)).client)).access).toBe(some.access)
  })

  it.each([
    ['a root', { roots: [{ path: '/in' }] }],
    ['a pattern', { roots: [{ path: '/', deny: ['in/*.key'] }] }],
    ['a list', { roots: [{ path: '/', allow: ['in/**'] }] }],
  ])('changes with %s of the rules, and comes back with the old ones', async (_, rules) => {
    const workspace = freshWorkspace()
    await workspace.put('/in/a', 'one')
    const { client } = await linkOf(workspace, READING)
    const before = await marksOf(client)
    await setRules(workspace, rules)
    const { access } = await marksOf(client)
    expect(access).not.toBe(before.access)
    expect((await marksOf(client, '/files/in?recursive=true')).access).toBe(access)
    await setRules(workspace, {})
    expect(await marksOf(client)).toEqual(before)
  })

  it('stays where only changes are restricted', async () => {
    const workspace = freshWorkspace()
    const { client } = await linkOf(workspace, READING)
    const before = await marksOf(client)
    await setRules(workspace, { approval: 'review', roots: [{ path: '/', immutable: ['**'] }] })
    expect(await marksOf(client)).toEqual(before)
  })
})
