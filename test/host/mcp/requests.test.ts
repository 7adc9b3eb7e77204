/** Which failures mean that the session is gone, so that the request is repeated in a new one. */

import { ConnectionError, type ConnectionProblem, makeProblem } from '#host/mcp/errors.ts'
import { Reconnecting } from '#host/mcp/reconnect.ts'
import { createRequest } from '#host/mcp/requests.ts'
import type { Session } from '#host/mcp/session.ts'
import { expect, it } from 'vitest'

/** Sends one request over a session that fails, and counts the sessions that were used. */
async function attempt(problem: ConnectionProblem, session: string | null) {
  const sessionWith = (request: Session['request']): Session => ({
    era: 'legacy',
    version: '',
    session,
    server: { name: '', title: '', version: '' },
    instructions: '',
    definition: {},
    request,
    listen: () => Promise.reject(new Error('not used')),
    close: () => Promise.resolve(),
  })
  const first = sessionWith(() => Promise.reject(new ConnectionError(problem)))
  const second = sessionWith(() => Promise.resolve({ done: true }))
  const sessions = new Reconnecting(first, {
    open: () => Promise.resolve(second),
    onOpen() {},
    release() {},
    onChange() {},
  })
  return createRequest(sessions, () => {})('tools/list').catch((error: unknown) => error)
}

it.each([
  ['404', { status: 404, code: -32001 }],
  ['404 without a JSON-RPC error', { status: 404 }],
  ['400 with the code of the SDK', { status: 400, code: -32000 }],
])('%s means that the session has ended, for any message', async (_name, more) => {
  expect(await attempt(makeProblem('protocol', 'x', more), 'id')).toEqual({ done: true })
})

it.each([
  ['400 with another code', 'id', { status: 400, code: -32602 }],
  ['400 without a code', 'id', { status: 400 }],
  ['a JSON-RPC error without a status', 'id', { code: -32000 }],
  ['404 without a session', null, { status: 404 }],
])('%s does not', async (_name, session, more) => {
  const failed = await attempt(makeProblem('protocol', 'No such session', more), session)
  expect(failed).toMatchObject({ problem: { message: 'No such session', ...more } })
})
