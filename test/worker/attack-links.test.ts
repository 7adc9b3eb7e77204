/**
 * Link leakage by the server's own words: a link begins with the name under which whoever asked for it
 * knows this server, and with no other; and no answer repeats what may be the secret of one.
 */

import { SELF } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { beginSession, everythingOf, older, type Workspace } from './attack-link.ts'
import { freshWorkspace } from './client.ts'

const DELEGATE = { name: 'delegate', arguments: { label: 'x' } }

const nameOf = ({ base }: Workspace) => base.slice(base.lastIndexOf('/') + 1)

/** The URL of a link in whatever an answer says. */
const linkIn = (text: string) => /[^"\\ ]*\.[\w-]{43}\/mcp/.exec(text)?.[0]

const expectOwn = (text: string, workspace: Workspace) =>
  expect(linkIn(text)).toMatch(`http://localhost/s/${nameOf(workspace)}.`)

/** Somebody else asks under another name of this server. */
const disturb = (workspace: Workspace) =>
  SELF.fetch(`http://127.0.0.1/w/${nameOf(workspace)}/sessions`).then((answer) => answer.text())

describe('where a link leads', () => {
  it.each([
    ['plain', 'delegate'],
    ['encoded', `=?base64?${btoa('delegate')}?=`],
  ])('is told to whoever names the tool %s', async (_, name) => {
    const workspace = freshWorkspace()
    const reply = await workspace.send('tools/call', DELEGATE, { headers: { 'mcp-name': name } })
    expectOwn(JSON.stringify(reply), workspace)
  })

  it.each([{}, { 'mcp-method': 'ping' }, { 'mcp-method': 'tools/call', 'mcp-name': 'read_file' }])(
    'is told in the older era, with headers %j',
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

  it('is told in a session, whoever asks in between under another name', async () => {
    const workspace = freshWorkspace()
    const session = await beginSession(workspace)
    await disturb(workspace)
    const call = { method: 'tools/call', params: DELEGATE }
    expectOwn(await (await older(workspace, call, session)).text(), workspace)
  })

  it('is told with a configuration that the call brings along', async () => {
    const workspace = freshWorkspace()
    await disturb(workspace)
    const capabilities = { experimental: { configuration: { find_limit: 5 } } }
    const meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities }
    expectOwn(JSON.stringify(await workspace.send('tools/call', DELEGATE, { meta })), workspace)
  })
})

describe('what is no link', () => {
  const SECRET = 'S3cret-'.repeat(7).slice(0, 43)
  const ask = (path: string, init: RequestInit = {}) =>
    everythingOf(SELF.fetch(`http://localhost/s/${path}`, init))

  it.each([
    `nobody.${SECRET}`,
    `nobody.${SECRET}/`,
    `nobody.${SECRET}/files/a`,
    `nobody.${SECRET}/mcp/`,
    `nobody.${SECRET}x/mcp`,
    `nobody.${SECRET.slice(1)}/mcp`,
    `NOBODY.${SECRET}/mcp`,
    `${SECRET}/mcp`,
    `.${SECRET}/mcp`,
    `nobody:${SECRET}/mcp`,
    `nobody.${SECRET}%20/mcp`,
    `..%2f${SECRET}/mcp`,
    '/mcp',
    '',
  ])('is answered as a link that never was: %s', async (path) => {
    for (const init of [{}, { method: 'POST', body: '{}' }, { method: 'DELETE' }]) {
      const answer = await ask(path, init)
      expect(answer).toEqual(await ask(`nobody.${'A'.repeat(43)}/mcp`, init))
      expect(answer.status).toBe(401)
      expect(JSON.stringify(answer)).not.toContain('cret')
    }
  })
})
