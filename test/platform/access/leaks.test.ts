/** Regressions: disclosures of paths and contents that a caller may not read. */

import { packTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { modern, legacyEra, sendAs } from '../../support/worker/access-client.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { codeOfReply, wholeOf } from '../../support/worker/result-codes.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import { readEvents } from '../../support/worker/event-stream.ts'

type Workspace = ReturnType<typeof freshWorkspace>

async function workspaceWith(config: object, files: Readonly<Record<string, string>>) {
  const workspace = freshWorkspace()
  for (const [path, text] of Object.entries(files)) await workspace.put(path, text)
  await configure(workspace, config)
  return workspace
}

async function configure({ fetch }: Workspace, config: object): Promise<void> {
  const answer = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status, await answer.text()).toBe(200)
}

const policyOf = (deny: string) => ({ policy: { roots: [{ path: '/', deny: [deny] }] } })

describe('one configured root that is not the top', () => {
  const FILES = { '/in/a': 'inside', '/out/b': 'canary' }
  const only = { roots: [{ path: '/in' }] }

  it('hides what is outside from resources, completion and history', async () => {
    const { send, call } = await workspaceWith(only, FILES)
    const ref = { type: 'ref/resource', uri: 'file:///{+path}' }
    const argument = { name: 'path', value: 'out/' }
    const answers = [
      await send('resources/list'),
      await send('completion/complete', { ref, argument }),
      await call('list_changes'),
    ]
    for (const answer of answers) expect(wholeOf(answer)).not.toMatch(/out\/b|canary/)
    expect(wholeOf(answers[0])).toContain('in/a')
    expect((await send('resources/read', { uri: 'file:///out/b' })).error).toBeDefined()
    expect(codeOfReply(await call('file_history', { path: '/out/b' }))).toBe('PATH_OUTSIDE_ROOT')
  })

  it('keeps undo_change from writing outside, and its review from showing it', async () => {
    const workspace = freshWorkspace()
    const { result } = await workspace.call('write_file', { path: '/out/b', content: 'canary' })
    const { id } = JSON.parse(wholeOf(result?._meta['dev.edgewise/change']))
    await configure(workspace, only)
    expect(codeOfReply(await workspace.call('undo_change', { id }))).toBeDefined()
    expect(await workspace.raw('/out/b')).toHaveLength(6)
    for (const form of ['', '.diff', '.json']) {
      const read = await workspace.send('resources/read', { uri: `ui://write_file/${id}${form}` })
      expect(wholeOf(read)).not.toMatch(/out\/b|canary/)
    }
  })

  it('sends no notification about files outside', async () => {
    const workspace = await workspaceWith(only, FILES)
    const uris = ['file:///out/b', 'file:///in/a']
    const events = readEvents(await modern(workspace).listen(uris))
    expect(wholeOf(await events.next())).not.toContain('out/b')
    await workspace.put('/out/b', 'more')
    await workspace.put('/out/new', 'more')
    await workspace.put('/in/a', 'more')
    expect(wholeOf(await events.next())).toContain('file:///in/a')
    await events.cancel()
  })
})

it('does not say that a hidden file is in the way of a path', async () => {
  const workspace = await workspaceWith({}, { '/vault/notes': 'canary' })
  const { client } = await linkOf(workspace, { scopes: ['write:file:/vault/notes/in'] })
  const reply = await client.call('write_file', { path: '/vault/notes/in/a', content: 'x' })
  expect(codeOfReply(reply)).toBe('PATH_BLOCKED')
  expect(wholeOf(reply)).toContain('Cannot use /vault/notes/in/a: access is denied')
})

describe('history', () => {
  it('hides a change whose hidden part was dropped by retention', async () => {
    const files = { '/docs/a': 'one', '/secret/b': 'one' }
    const workspace = await workspaceWith({ history_versions: 1 }, files)
    const archive = await packTar([
      { header: { name: 'docs/a', size: 3 }, body: 'two' },
      { header: { name: 'secret/b', size: 3 }, body: 'two' },
    ])
    await (await workspace.fetch('/import', { method: 'POST', body: archive })).text()
    await workspace.put('/secret/b', 'three')
    const all = await workspace.call('list_changes')
    expect(wholeOf(all)).toContain('Import')
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    expect(wholeOf(await client.call('list_changes'))).not.toContain('Import')
  })

  it.each([{}, { scopes: ['read'] }, policyOf('x')])(
    'hides delegations of other sessions from a link with %j',
    async (wish) => {
      const workspace = await workspaceWith({}, { '/a': 'one' })
      const [one, other] = [await linkOf(workspace, wish), await linkOf(workspace)]
      await linkOf(other.client, { label: 'helper-canary' })
      await linkOf(one.client, { label: 'helper-own' })
      const listed = wholeOf(await one.client.call('list_changes'))
      expect(listed).toContain('helper-own')
      expect(listed).not.toContain('helper-canary')
      expect(wholeOf(await workspace.call('list_changes'))).toContain('helper-canary')
    },
  )

  it('shows delegations to the owner under any rules', async () => {
    const workspace = await workspaceWith({ roots: [{ path: '/', deny: ['x'] }] }, {})
    const { client } = await linkOf(workspace)
    await linkOf(client, { label: 'helper-canary' })
    expect(wholeOf(await workspace.call('list_changes'))).toContain('helper-canary')
  })

  it.each([{ scopes: ['read:file:/docs'] }, policyOf('secret/**')])(
    'does not name the hidden source of a copy to %j',
    async (access) => {
      const workspace = await workspaceWith({}, { '/secret/canary.md': 'one', '/docs/a': 'x' })
      const args = { from: '/secret/canary.md', to: '/docs/copied' }
      const { result } = await workspace.call('copy_file', args)
      const { id } = Object(result?._meta['dev.edgewise/change'])
      const { client } = await linkOf(workspace, access)
      const answers = [
        await client.call('file_history', { path: '/docs/copied' }),
        await client.call('list_changes', { path: '/docs' }),
        await client.call('list_changes'),
        ...(await Promise.all(
          ['', '.diff', '.json'].map((form) =>
            client.send('resources/read', { uri: `ui://copy_file/${id}${form}` }),
          ),
        )),
      ]
      expect(wholeOf(answers)).toContain('Copy a file or a folder')
      expect(wholeOf(answers)).not.toContain('canary')
      expect(wholeOf(await workspace.call('list_changes'))).toContain('Copy /secret/canary.md')
    },
  )

  it('names the source of a copy to the session that made it', async () => {
    const workspace = await workspaceWith({}, { '/docs/a': 'x', '/secret/b': 'y' })
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs', 'write:file:/docs'] })
    await client.call('copy_file', { from: '/docs/a', to: '/docs/b' })
    expect(wholeOf(await client.call('list_changes'))).toContain('Copy /docs/a to /docs/b')
  })

  it('does not name it any more once the owner has denied it', async () => {
    const workspace = await workspaceWith({}, { '/docs/hidden name.txt': 'x', '/docs/a': 'y' })
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs', 'write:file:/docs'] })
    const idOfCopy = async (from: string, to: string) => {
      const { result } = await client.call('copy_file', { from, to })
      return String(Object(result?._meta['dev.edgewise/change'])['id'])
    }
    const id = await idOfCopy('/docs/hidden name.txt', '/docs/copied')
    await idOfCopy('/docs/a', '/docs/b')
    const readAll = async () =>
      wholeOf([
        await client.call('list_changes'),
        await client.call('file_history', { path: '/docs/copied' }),
        ...(await Promise.all(
          ['', '.diff', '.json'].map((form) =>
            client.send('resources/read', { uri: `ui://copy_file/${id}${form}` }),
          ),
        )),
      ])
    expect(await readAll()).toContain('hidden name')
    const roots = [{ path: '/', deny: ['docs/hidden*'] }]
    const set = await workspace.fetch('/config', {
      method: 'PUT',
      body: JSON.stringify({ roots }),
    })
    expect(set.status, await set.text()).toBe(200)
    const after = await readAll()
    expect(after).not.toContain('hidden name')
    expect(after).toContain('Copy a file or a folder')
    expect(after).toContain('Copy /docs/a to /docs/b')
  })

  it('does not name the hidden source of a move', async () => {
    const workspace = await workspaceWith({}, { '/secret/canary': 'one', '/docs/a': '' })
    await workspace.text('move_file', { from: '/secret/canary', to: '/docs/moved' })
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    const history = await client.call('file_history', { path: '/docs/moved' })
    expect(wholeOf(history)).toContain('/docs/moved')
    expect(wholeOf(history)).not.toMatch(/canary|secret/)
  })
})

describe('subscriptions', () => {
  const FILES = { '/secret/x.txt': 'canary', '/docs/a': 'one' }
  const URIS = ['file:///secret/x.txt', 'file:///secret/x.txt/%', 'file:///docs/a']

  const rules = { roots: [{ path: '/', deny: ['secret/**'] }] }
  const writeAll = async ({ put }: Workspace) => {
    await put('/secret/x.txt', 'more')
    await put('/docs/a', 'more')
  }

  it.each(['modern', 'legacy'])('to an invalid name send no notification (%s era)', async (era) => {
    const workspace = await workspaceWith(rules, FILES)
    const agent = era === 'modern' ? modern(workspace) : await legacyEra(workspace)
    const events = readEvents(await agent.listen(URIS))
    if (era === 'modern') await events.next()
    await writeAll(workspace)
    expect(wholeOf(await events.next())).toContain('file:///docs/a')
    await events.cancel()
  })

  it.each(['modern', 'legacy'])('end when a new rule denies the path (%s era)', async (era) => {
    const workspace = await workspaceWith({}, FILES)
    const agent = era === 'modern' ? modern(workspace) : await legacyEra(workspace)
    const events = readEvents(await agent.listen(URIS))
    if (era === 'modern') await events.next()
    await configure(workspace, rules)
    await writeAll(workspace)
    const messages = [await events.next()]
    // The new rules alter the lists, which comes first.
    while (messages.at(-1)?.['method'] !== 'notifications/resources/updated')
      messages.push(await events.next())
    expect(wholeOf(messages)).toContain('file:///docs/a')
    expect(wholeOf(messages)).not.toContain('secret')
    await events.cancel()
  })

  it.each(['modern', 'legacy'])(
    'of a link with a policy send nothing of a root that was added later (%s era)',
    async (era) => {
      const docs = [{ path: '/docs' }]
      const workspace = await workspaceWith({ roots: docs }, FILES)
      const { client } = await linkOf(workspace, { policy: { roots: docs } })
      const agent = era === 'modern' ? modern(client) : await legacyEra(client)
      const events = readEvents(await agent.listen(URIS))
      if (era === 'modern') await events.next()
      await configure(workspace, { roots: [...docs, { path: '/secret' }] })
      await writeAll(workspace)
      const messages = [await events.next()]
      while (messages.at(-1)?.['method'] !== 'notifications/resources/updated')
        messages.push(await events.next())
      expect(wholeOf(messages)).toContain('file:///docs/a')
      expect(wholeOf(messages)).not.toContain('secret')
      await events.cancel()
    },
  )

  it('follow the configuration of the request', async () => {
    const workspace = await workspaceWith({}, FILES)
    const events = readEvents(await modern(workspace, { roots: [{ path: '/docs' }] }).listen(URIS))
    expect(wholeOf(await events.next())).not.toContain('secret')
    await writeAll(workspace)
    expect(wholeOf(await events.next())).toContain('file:///docs/a')
    await events.cancel()
  })

  it('send nothing to a write-only token', async () => {
    const workspace = await workspaceWith({}, FILES)
    const body = JSON.stringify({ label: 'client', scopes: ['write'] })
    const made = await stubOf(workspace).fetch('https://w/grant', { method: 'POST', body })
    const identity = { kind: 'client', workspace: 'w', session: await made.text() } as const
    const send = sendAs(workspace, { ...identity, scopes: ['write'] })
    const events = readEvents(await modern(send).listen(URIS))
    expect(wholeOf(await events.next())).not.toContain('file:///')
    await writeAll(workspace)
    const ended = await workspace.fetch(`/sessions/${identity.session}`, { method: 'DELETE' })
    expect(ended.status).toBe(204)
    expect(await events.ended()).toBe(true)
  })

  it('below a hidden file send nothing about it', async () => {
    const deny = { roots: [{ path: '/', deny: ['**/*.key'] }] }
    const workspace = await workspaceWith(deny, FILES)
    const uris = ['file:///docs/x.key/below', 'file:///docs/a']
    const events = readEvents(await modern(workspace).listen(uris))
    await events.next()
    await workspace.put('/docs/x.key', 'canary')
    await writeAll(workspace)
    expect(wholeOf(await events.next())).toContain('file:///docs/a')
    await events.cancel()
  })
})

describe('messages', () => {
  it('do not name a root that the caller may not use', async () => {
    const roots = [{ path: '/docs' }, { path: '/canary' }]
    const workspace = await workspaceWith({ roots }, { '/docs/a': '' })
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    const blocked = { policy: { roots: [{ path: '/canary', blocked: true }] } }
    const answers = [
      await client.call('list_roots'),
      await client.call('read_file', { path: '/elsewhere/x' }),
      await workspace.call('list_roots', {}, blocked),
      await workspace.call('read_file', { path: '/elsewhere/x' }, blocked),
    ]
    for (const answer of answers) expect(wholeOf(answer)).not.toContain('canary')
    expect(wholeOf(answers[0])).toContain('/docs')
    expect(wholeOf(answers[2])).toContain('/docs')
  })
})
