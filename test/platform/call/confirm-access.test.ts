/** The answer of a call that waited names nothing that its request, or the rules, hide by the time it is given. */

import { describe, expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'

const ASKS = {
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
}
const POLICY = { policy: { roots: [{ path: '/', deny: ['**'] }] } }
const DENIED = ['secret', 'secret/**', 'hidden', 'hidden/**']

type Workspace = ReturnType<typeof freshWorkspace>

async function configure(workspace: Workspace, rules: unknown) {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'PUT', headers, body: JSON.stringify(rules) }
  expect((await workspace.fetch('/config', init)).status).toBe(200)
}

const textOf = (value: unknown) => JSON.stringify(value)

/** A workspace in which a folder was moved, and a change has to be confirmed. */
async function movedIn() {
  const workspace = freshWorkspace()
  await workspace.put('/secret/one', '1')
  const { client } = await linkOf(workspace)
  const { result } = await client.call('move_file', { from: '/secret', to: '/hidden' })
  const { version } = recordOf(result?.structuredContent)
  const owner = ownerOf(workspace)
  await owner.demand('confirm')
  return { workspace, client, owner, undo: { name: 'undo_change', arguments: { version } } }
}

describe.each([
  ['our own path', {}],
  ["the SDK's path", { progressToken: 1 }],
])('a client of the modern era, on %s', (_, own) => {
  async function waitingUndo() {
    const moved = await movedIn()
    const call = (more = {}, meta = {}) =>
      moved.client.send(
        'tools/call',
        { ...moved.undo, ...more },
        { meta: { ...ASKS, ...own, ...meta } },
      )
    const { result } = await call()
    return { ...moved, call, requestState: result?.['requestState'] }
  }

  it('gets the sentence and the version alone if its policy hides the paths', async () => {
    const { owner, call, requestState } = await waitingUndo()
    await owner.decide('approve')
    const { result } = await call({ requestState }, POLICY)
    expect(result?.structuredContent).toMatchObject({
      ...{ version: expect.any(Number), id: '', paths: [], count: 0 },
    })
    expect(textOf(result?.content)).toMatch(/Undo version \d+ \(version \d+\)/)
    expect(textOf(result)).not.toMatch(/secret|hidden/)
    expect(textOf((await call({ requestState })).result)).toContain('secret')
  })

  it('gets the same if the owner has denied the paths since', async () => {
    const { workspace, owner, call, requestState } = await waitingUndo()
    await owner.decide('approve')
    await call({ requestState })
    await configure(workspace, { approval: 'confirm', roots: [{ path: '/', deny: DENIED }] })
    expect(textOf((await call({ requestState })).result)).not.toMatch(/secret|hidden/)
  })

  it('is not asked about a path that its policy hides', async () => {
    const { client } = await waitingUndo()
    const write = { name: 'write_file', arguments: { path: '/secret/two', content: 'x' } }
    const send = (more = {}, meta = {}) =>
      client.send('tools/call', { ...write, ...more }, { meta: { ...ASKS, ...own, ...meta } })
    const { result } = await send()
    const requestState = result?.['requestState']
    const declined = { requestState, inputResponses: { decision: { action: 'decline' } } }
    expect(textOf(await send(declined, POLICY))).not.toContain('secret')
  })
})

it('a session that may only write gets its answer whole', async () => {
  const workspace = freshWorkspace()
  const { client } = await linkOf(workspace, { scopes: ['write:file:/drop'] })
  const owner = ownerOf(workspace)
  await owner.demand('confirm')
  const write = { name: 'write_file', arguments: { path: '/drop/a', content: 'x' } }
  const send = (more = {}) => client.send('tools/call', { ...write, ...more }, { meta: ASKS })
  const { result } = await send()
  await owner.decide('approve')
  const again = await send({ requestState: result?.['requestState'] })
  expect(again.result?.structuredContent).toMatchObject({ path: expect.stringContaining('a') })
})

it('a call of the legacy era with other access repeats nothing', async () => {
  const { client, owner, undo } = await movedIn()
  const legacy = legacyClient(client, { elicitation: { url: {} } })
  await legacy.begin()
  const call = (meta = {}) => legacy.request('tools/call', { ...undo, _meta: meta })
  expect(textOf(await call())).toContain('-32042')
  await owner.decide('approve')
  expect(textOf(await call(POLICY))).not.toMatch(/secret|hidden/)
  expect(textOf(await call())).toContain('secret')
})
