/** Requests of which the body is late: what they learn and do is decided when it is there. */

import { expect, it } from 'vitest'
import { asking, davWith, setting } from '../../support/worker/dav.ts'
import { configure } from '../../support/worker/held-draft.ts'

/** Milliseconds after which a request has been authenticated, and waits for the end of its body. */
const WAIT_MS = 200

/** A body whose end is sent after something has happened. */
function lateBody(text: string, happen: () => Promise<unknown>) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const send = async () => {
    await writer.write(new TextEncoder().encode(text.slice(0, 5)))
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    await happen()
    await writer.write(new TextEncoder().encode(text.slice(5)))
    await writer.close()
  }
  return { body: readable, sent: send() }
}

const LOCK =
  '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>'

const REQUESTS = [
  ['PROPFIND', asking('getetag')],
  ['PROPPATCH', setting('<x:own>1</x:own>')],
  ['LOCK', LOCK],
] as const

it.each(REQUESTS)('%s does nothing after its link has ended', async (method, text) => {
  const { dav, workspace, session } = await davWith({ '/f/a': 'x' })
  const { body, sent } = lateBody(text, () =>
    workspace.fetch(`/sessions/${session}`, { method: 'DELETE' }),
  )
  const answer = await dav.send(method, '/f/a', { headers: { depth: '0' }, body })
  await sent
  // It is 401 where the link had ended before the request was authenticated.
  expect([401, 403]).toContain(answer.status)
  expect(answer.text).not.toContain('getetag')
})

it.each(REQUESTS)('%s reads nothing that was hidden meanwhile', async (method, text) => {
  const { dav, workspace } = await davWith({ '/f/a': 'x' })
  const rules = { roots: [{ path: '/', deny: ['f/**'] }] }
  const { body, sent } = lateBody(text, () => configure(workspace, rules))
  const answer = await dav.send(method, '/f/a', { headers: { depth: '0' }, body })
  await sent
  expect(answer.status).toBe(403)
  expect(answer.text).not.toContain('getetag')
})
