/** News of a decision in an answer that waited: its client may have given up, so the next answer repeats it, once. */

import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'
import { decideRequest, listRequests } from '../../support/worker/requests.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'

const ASKS = {
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
}

const WRITE = { path: 'a', content: 'one' }
const NOTE = 'Well done.'
const WAIT = { wait_seconds: 20 }

/** Waits until a call that was sent before waits. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 500))

async function workspaceAt(level: 'review' | 'confirm') {
  const workspace = freshWorkspace()
  const owner = ownerOf(workspace)
  await owner.demand(level)
  /** Decides while a call waits. */
  const decideSoon = async (what: 'approve' | 'turn-down' = 'approve') => {
    await soon()
    await owner.decide(what, { note: NOTE })
  }
  return { workspace, owner, decideSoon }
}

const textOf = (answer: unknown) => JSON.stringify(answer)

/** Calls twice more: the first answer repeats the news, the second does not. */
async function expectOnceMore(call: () => Promise<unknown>) {
  expect(textOf(await call())).toContain(NOTE)
  expect(textOf(await call())).not.toContain(NOTE)
}

describe.each([
  ['our own path', {}],
  ["the SDK's path", { progressToken: 1 }],
])('a client of the modern era, on %s', (_, meta) => {
  it('gets the news of a draft_status that waited once more', async () => {
    const { workspace, decideSoon } = await workspaceAt('review')
    await workspace.call('write_file', WRITE, meta)
    const params = { name: 'draft_status', arguments: WAIT }
    const [waited] = await Promise.all([
      workspace.send('tools/call', params, { meta }),
      decideSoon(),
    ])
    expect(textOf(waited)).toContain(NOTE)
    await expectOnceMore(() => workspace.call('list_roots'))
  })

  it('gets the news of a call that waited once more, and its answer whenever it calls again', async () => {
    const { workspace, decideSoon } = await workspaceAt('confirm')
    const write = (more = {}) =>
      workspace.send(
        'tools/call',
        { name: 'write_file', arguments: WRITE, ...more },
        { meta: { ...ASKS, ...meta } },
      )
    const { result } = await write()
    const requestState = result?.['requestState']
    const [waited] = await Promise.all([write({ requestState }), decideSoon()])
    expect(textOf(waited)).toContain(NOTE)
    await expectOnceMore(() => workspace.call('list_roots'))
    expect((await write({ requestState })).result).toMatchObject({
      structuredContent: { version: 2 },
    })
  })

  it('gets the decision on an access request once more', async () => {
    const { workspace } = await workspaceAt('review')
    const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
    await client.call('read_file', { path: '/secret' }, meta)
    const params = { name: 'draft_status', arguments: WAIT }
    const refuse = async () => {
      await soon()
      const [request] = await listRequests(workspace)
      await decideRequest(workspace, `${request?.id}/refuse`, { note: NOTE })
    }
    const [waited] = await Promise.all([client.send('tools/call', params, { meta }), refuse()])
    expect(textOf(waited)).toContain(NOTE)
    await expectOnceMore(() => client.call('list_roots'))
  })
})

it('a draft_status does not wait while a decision is to be reported', async () => {
  const { workspace, owner } = await workspaceAt('review')
  await workspace.call('write_file', WRITE)
  await workspace.call('write_file', { path: 'b', content: 'two' })
  const [draft = ''] = await owner.drafts()
  const [first] = (await owner.show(draft)).changes
  await owner.decide('approve', { note: NOTE, changes: [first?.id ?? ''] })
  const began = Date.now()
  expect(textOf(await workspace.call('draft_status', WAIT))).toContain(NOTE)
  expect(Date.now() - began).toBeLessThan(WAIT.wait_seconds * 500)
})

describe('a session of the legacy era', () => {
  async function session(level: 'review' | 'confirm') {
    const made = await workspaceAt(level)
    const client = legacyClient(made.workspace, { elicitation: { url: {} } })
    await client.begin()
    return { ...made, ...client, write: () => client.call('write_file', WRITE) }
  }

  it('gets the news of a draft_status that waited once more', async () => {
    const { write, call, decideSoon } = await session('review')
    await write()
    const [waited] = await Promise.all([call('draft_status', WAIT), decideSoon()])
    expect(textOf(waited)).toContain(NOTE)
    await expectOnceMore(() => call('list_roots', {}))
  })

  it.each(['approve', 'turn-down'] as const)(
    'gets the answer of a call that waited when it repeats the call, and proposes nothing again: %s',
    async (what) => {
      const { owner, write, decideSoon } = await session('confirm')
      expect(textOf(await write())).toContain('-32042')
      const [waited] = await Promise.all([write(), decideSoon(what)])
      expect(textOf(waited)).toContain(NOTE)
      expect(textOf(waited)).not.toContain('This call repeats')
      const repeated = textOf(await write())
      expect(repeated).toContain(NOTE)
      const says =
        what === 'approve' ? 'its change was not applied again' : 'nothing was proposed again'
      expect(repeated).toContain(says)
      expect(await owner.drafts()).toEqual([])
      expect(textOf(await write())).toContain('-32042')
    },
  )

  it('makes a new call after another answer repeated the decision', async () => {
    const { write, call, decideSoon } = await session('confirm')
    await write()
    await Promise.all([write(), decideSoon()])
    expect(textOf(await call('list_roots', {}))).toContain(NOTE)
    expect(textOf(await write())).toContain('-32042')
  })
})
