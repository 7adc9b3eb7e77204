/** The clients that called tools lately: each principal has its share of the list, and only the owner reads it. */

import { describe, expect, it } from 'vitest'
import { MAX_RECENT_CLIENTS_OF_ONE } from '#worker/sessions/limits.ts'
import { ownerLinkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'

const listOf = async (workspace: ReturnType<typeof freshWorkspace>) => {
  const response = await workspace.fetch('/clients')
  return (await response.json<{ clients: { client: string | null; label: string | null }[] }>())
    .clients
}

const INFO = 'io.modelcontextprotocol/clientInfo'

describe('the recent clients', () => {
  it('are none before a tool was called', async () => {
    const workspace = freshWorkspace()
    await workspace.send('tools/list')
    expect(await listOf(workspace)).toEqual([])
  })

  it('have the name that each gives itself, the last one first', async () => {
    const workspace = freshWorkspace()
    const { client, session } = await ownerLinkOf(workspace, { label: 'research' })
    await workspace.call('list_roots', {}, { [INFO]: { name: 'one', version: '1' } })
    await client.call('list_roots', {})
    await workspace.call('list_roots', {}, { [INFO]: { name: 'two', version: '1' } })
    expect(await listOf(workspace)).toMatchObject([
      { client: 'two', label: null, session: null },
      { label: 'research', session },
      { client: 'one', label: null, session: null },
    ])
  })

  it('of one principal push out its own, and none of others', async () => {
    const workspace = freshWorkspace()
    const { client } = await ownerLinkOf(workspace, { label: 'other' })
    await client.call('list_roots', {})
    for (let more = 0; more <= MAX_RECENT_CLIENTS_OF_ONE; more++)
      await workspace.call('list_roots', {}, { [INFO]: { name: `name ${more}`, version: '1' } })
    const listed = await listOf(workspace)
    expect(listed).toHaveLength(MAX_RECENT_CLIENTS_OF_ONE + 1)
    expect(listed.map((one) => one.client)).not.toContain('name 0')
    expect(listed.at(-1)?.label).toBe('other')
  })

  it('are listed for no agent', async () => {
    const workspace = freshWorkspace()
    const { client } = await ownerLinkOf(workspace)
    expect((await client.fetch('/clients')).status).toBe(401)
  })
})
