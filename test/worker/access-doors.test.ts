/**
 * What is for the person alone: the HTTP routes beside MCP, for links and for clients that were let in. What
 * is over opens nothing, and the answer is the same whatever a workspace holds.
 */

import { FORWARDED } from '#worker/http.ts'
import { describe, expect, it } from 'vitest'
import { modern, olderEra, sendAs } from './access-asker.ts'
import { tokenOf } from './access-callers.ts'
import { CELLS, HTTP_ROWS } from './access-routes.ts'
import { ownersView, planted, type Workspace } from './access-tree.ts'
import { linkOf } from './attack-link.ts'
import { freshWorkspace } from './client.ts'
import { readEvents } from './sse.ts'

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH']

const tried = async (answer: Response) => [answer.status, await answer.text()]

describe.each(HTTP_ROWS)('%s', (route) => {
  it('is not there for a link', async () => {
    const workspace = await planted(() => true)
    const { client } = await linkOf(workspace)
    const before = await ownersView(workspace)
    for (const method of METHODS) {
      const init = { method, ...(/P/.test(method) && { body: 'x' }) }
      const unknown = `/../../s/unknown.${'x'.repeat(43)}${route}`
      const answer = await tried(await client.fetch(route, init))
      expect(answer).toEqual(await tried(await freshWorkspace().fetch(unknown, init)))
      expect(answer[0]).toBe(401)
    }
    expect(await ownersView(workspace)).toBe(before)
    expect(route).toMatch(FORWARDED)
  })
})

describe('a session that is over', () => {
  const end = async ({ fetch }: Workspace, id: string) =>
    (await fetch(`/sessions/${id}`, { method: 'DELETE' })).body?.cancel()

  it('opens nothing, whatever there is', async () => {
    const workspace = await planted(() => true)
    const { session, send } = await tokenOf(workspace, ['read', 'write'])
    const older = await olderEra(send)
    const child = await linkOf(workspace)
    const grandchild = await linkOf(child.client)
    const stream = readEvents(await modern(send).listen(['file:///docs/open-amber.md']))
    await stream.next()
    await end(workspace, session)
    await end(workspace, child.session)
    expect(await stream.ended()).toBe(true)
    const before = await ownersView(workspace)
    const askers = [modern(send), older, modern(child.client), modern(grandchild.client)]
    for (const asker of askers) {
      const answers = await Promise.all(
        CELLS.map(({ method, params }) => asker.ask(method, params)),
      )
      const distinct = new Set(answers.map((answer) => JSON.stringify(answer)))
      expect(answers[0]?.status).toBe(401)
      expect([...distinct].map((text) => text.replaceAll(/"id":(1|null)/g, ''))).toHaveLength(1)
    }
    expect(await ownersView(workspace)).toBe(before)
  }, 60_000)

  it('is not opened by a token that names another', async () => {
    const workspace = await planted(() => true)
    const session = crypto.randomUUID()
    const scopes = ['read', 'write']
    const send = sendAs(workspace, { kind: 'client', workspace: 'w', session, scopes })
    expect((await modern(send).ask('resources/list', {})).status).toBe(401)
  })
})
