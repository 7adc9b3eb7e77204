/**
 * Link leakage by the server's own responses: the URL of a link begins with the host name of the request that
 * created it, and with no other; and no response repeats a possible secret.
 */

import { SELF } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import {
  beginSession,
  everythingOf,
  legacyMessage,
  type Workspace,
} from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'

const DELEGATE = { name: 'delegate', arguments: { label: 'x' } }

const nameOf = ({ base }: Workspace) => base.slice(base.lastIndexOf('/') + 1)

/** The URL of a link in a response. */
const linkIn = (text: string) => /[^"\\ ]*\.[\w-]{43}\/mcp/.exec(text)?.[0]

const expectOwn = (text: string, workspace: Workspace) =>
  expect(linkIn(text)).toMatch(`http://localhost/s/${nameOf(workspace)}.`)

/** Sends a concurrent request with another host name of this server. */
const disturb = (workspace: Workspace) =>
  SELF.fetch(`http://127.0.0.1/w/${nameOf(workspace)}/sessions`).then((answer) => answer.text())

describe('the host of a link', () => {
  it.each([
    ['plain', 'delegate'],
    ['encoded', `=?base64?${btoa('delegate')}?=`],
  ])('is that of the request if the tool is named as %s', async (_, name) => {
    const workspace = freshWorkspace()
    const reply = await workspace.send('tools/call', DELEGATE, { headers: { 'mcp-name': name } })
    expectOwn(JSON.stringify(reply), workspace)
  })

  it.each([{}, { 'mcp-method': 'ping' }, { 'mcp-method': 'tools/call', 'mcp-name': 'read_file' }])(
    'is that of the request in the legacy era, with headers %j',
    async (headers) => {
      const workspace = freshWorkspace()
      const answer = await workspace.fetch('/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: DELEGATE }),
      })
      expectOwn(await answer.text(), workspace)
    },
  )

  it('is that of the session, despite concurrent requests with another host', async () => {
    const workspace = freshWorkspace()
    const session = await beginSession(workspace)
    await disturb(workspace)
    const call = { method: 'tools/call', params: DELEGATE }
    expectOwn(await (await legacyMessage(workspace, call, session)).text(), workspace)
  })

  it('is that of the request with a client configuration', async () => {
    const workspace = freshWorkspace()
    await disturb(workspace)
    const capabilities = { experimental: { configuration: { find_limit: 5 } } }
    const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities }
    expectOwn(JSON.stringify(await workspace.send('tools/call', DELEGATE, { meta })), workspace)
  })
})

describe('an invalid link', () => {
  const SECRET = 'S3cret-'.repeat(7).slice(0, 43)
  const ask = (path: string, init: RequestInit = {}) =>
    everythingOf(SELF.fetch(`http://localhost/s/${path}`, init))

  it.each([
    `guess.${SECRET}`,
    `guess.${SECRET}/`,
    `guess.${SECRET}/files/a`,
    `guess.${SECRET}/mcp/`,
    `guess.${SECRET}x/mcp`,
    `guess.${SECRET.slice(1)}/mcp`,
    `GUESS.${SECRET}/mcp`,
    `${SECRET}/mcp`,
    `.${SECRET}/mcp`,
    `guess:${SECRET}/mcp`,
    `guess.${SECRET}%20/mcp`,
    `..%2f${SECRET}/mcp`,
    '/mcp',
    '',
  ])('gets the same response as an unknown one: %s', async (path) => {
    for (const init of [{}, { method: 'POST', body: '{}' }, { method: 'DELETE' }]) {
      const answer = await ask(path, init)
      expect(answer).toEqual(await ask(`guess.${'A'.repeat(43)}/mcp`, init))
      expect(answer.status).toBe(401)
      expect(JSON.stringify(answer)).not.toContain('cret')
    }
  })
})
