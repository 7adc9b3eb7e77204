/**
 * Routes for the owner alone: links get no HTTP route beside MCP and files, signed-in clients none. An expired
 * session opens nothing, and the response is the same whatever the workspace contains.
 */

import { isForwarded } from '#worker/front/routes.ts'
import { describe, expect, it } from 'vitest'
import { modern, legacyEra, sendAs } from '../../support/worker/access-client.ts'
import { tokenOf } from '../../support/worker/access-callers.ts'
import { CELLS } from '../../support/worker/access-routes.ts'
import { ownersView, createTree, type Workspace } from '../../support/worker/access-tree.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { readEvents } from '../../support/worker/event-stream.ts'
import { OWNER_ROUTES } from '../../support/e2e/owner-routes.ts'

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH']

const tried = async (answer: Response) => [answer.status, await answer.text()]

/** What a session link serves as well; `test/worker/api/link-matrix.test.ts` has every kind of link. */
const LINKED = /^\/(?:files|changes)/

describe.each(OWNER_ROUTES.filter((route) => !LINKED.test(route)))('%s', (route) => {
  it('is not found through a link', async () => {
    const workspace = await createTree(() => true)
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
    expect(isForwarded(route)).toBe(true)
  })
})

describe('an ended session', () => {
  const end = async ({ fetch }: Workspace, id: string) =>
    (await fetch(`/sessions/${id}`, { method: 'DELETE' })).body?.cancel()

  it('gets the same refusal whether a path exists or not', async () => {
    const workspace = await createTree(() => true)
    const { session, send } = await tokenOf(workspace, ['read', 'write'])
    const legacy = await legacyEra(send)
    const child = await linkOf(workspace)
    const grandchild = await linkOf(child.client)
    const stream = readEvents(await modern(send).listen(['file:///docs/open-amber.md']))
    await stream.next()
    await end(workspace, session)
    await end(workspace, child.session)
    expect(await stream.ended()).toBe(true)
    const before = await ownersView(workspace)
    const clients = [modern(send), legacy, modern(child.client), modern(grandchild.client)]
    for (const agent of clients) {
      const answers = await Promise.all(
        CELLS.map(({ method, params }) => agent.ask(method, params)),
      )
      const distinct = new Set(answers.map((answer) => JSON.stringify(answer)))
      expect(answers[0]?.status).toBe(401)
      expect([...distinct].map((text) => text.replaceAll(/"id":(1|null)/g, ''))).toHaveLength(1)
    }
    expect(await ownersView(workspace)).toBe(before)
  })

  it('is refused for a token that names another session', async () => {
    const workspace = await createTree(() => true)
    const session = crypto.randomUUID()
    const scopes = ['read', 'write']
    const send = sendAs(workspace, { kind: 'client', workspace: 'w', session, scopes })
    expect((await modern(send).ask('resources/list', {})).status).toBe(401)
  })
})
