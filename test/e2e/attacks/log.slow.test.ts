/**
 * Untrusted input in the log: none. Names, secrets and file names are sent wherever a request
 * has room for them, and stored things are taken away, so that every line of a fault is written, too.
 */

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sendBytes } from '../../support/e2e/attack-socket.ts'
import { removeFolder, temporaryFolder } from '../../support/e2e/folder.ts'
import { Person, SECRET } from '../../support/e2e/person.ts'
import type { Running } from '../../support/e2e/running.ts'
import { startProduct } from '../../support/e2e/server.ts'

/** In each spelling that a name of a workspace, a secret, a header or a path may have. */
const CANARY = 'canary-0123456789abcdef'
const TOKEN = `${CANARY}.${'C4nary_'.repeat(6)}X`

const LARGE = 'x'.repeat(200_000)

function useLogged(variables: Readonly<Record<string, string>>) {
  const data = temporaryFolder()
  let running: Running | undefined
  const current = () => {
    if (!running) throw new Error('The product runs in tests and hooks only')
    return running
  }
  const written = () => current().stdout() + current().complaints()
  beforeAll(async () => {
    running = await startProduct(data, { EDGEWISE_LOG: 'json', ...variables })
  })
  afterAll(async () => {
    expect(await current().stop()).toBe(0)
    removeFolder(data)
  })
  return {
    get url() {
      return current().url
    },
    data,
    written,
    /** Sends a request, and waits for its log entry. */
    async settled() {
      const before = written().split('"event":"request"').length
      await fetch(`${current().url}/healthz`)
      await expect.poll(() => written().split('"event":"request"').length).toBeGreaterThan(before)
    },
  }
}

type Logged = ReturnType<typeof useLogged>

async function expectSilence(server: Logged, words: readonly string[] = ['canary', 'c4nary']) {
  await server.settled()
  for (const line of server.written().split('\n'))
    for (const word of words) expect(line.toLowerCase()).not.toContain(word)
}

const PATHS = [
  `/${CANARY}`,
  `/${CANARY}/mcp`,
  `/w/${CANARY}`,
  `/w/${CANARY}/`,
  `/w/${CANARY}/mcp`,
  `/w/${CANARY}/files/${CANARY}`,
  `/w/${TOKEN}/mcp`,
  `/w/${TOKEN}/files/a`,
  `/w/default/${CANARY}`,
  `/w//${CANARY}/mcp`,
  `/s/${CANARY}`,
  `/s/${CANARY}/mcp`,
  `/s/${TOKEN}`,
  `/s/${TOKEN}/mcp`,
  `/s/${TOKEN}/files/${CANARY}`,
  `/s/${CANARY}.x/mcp`,
  `/S/${TOKEN}/mcp`,
  `//s/${TOKEN}/mcp`,
  `/sessions/${CANARY}`,
  `/files/${CANARY}?token=${TOKEN}`,
  `/audit/${CANARY}?after=${CANARY}`,
  `/import?to=/${CANARY}`,
  `/export?from=/${CANARY}`,
  `/oauth/${CANARY}`,
  `/oauth/token?client_id=${CANARY}`,
  `/.well-known/${CANARY}`,
  `/.well-known/oauth-protected-resource/w/${CANARY}/mcp`,
  `/authorize?client_id=${CANARY}&redirect_uri=http://${CANARY}/`,
  `/authorize?client_id=https://${CANARY}.example/c&redirect_uri=http://${CANARY}/`,
  `/signin?to=/${CANARY}`,
  `/%77/${CANARY}/mcp`,
  `/w/%63${CANARY}/mcp`,
  `/oauth/%2e%2e/w/${TOKEN}/mcp`,
]

const BODIES = [
  ['application/json', `{"${CANARY}"`],
  ['application/json', JSON.stringify({ jsonrpc: '2.0', id: CANARY, method: CANARY })],
  [
    'application/json',
    JSON.stringify({
      jsonrpc: '2.0',
      id: CANARY,
      method: 'tools/call',
      params: { name: CANARY, arguments: { path: CANARY }, _meta: { traceparent: CANARY } },
    }),
  ],
  ['application/json', JSON.stringify({ label: CANARY, scopes: CANARY, client_name: CANARY })],
  ['application/json', JSON.stringify({ redirect_uris: [CANARY], client_name: CANARY })],
  ['application/x-www-form-urlencoded', `secret=${CANARY}&to=/${CANARY}&handle=${CANARY}`],
  [
    'application/x-www-form-urlencoded',
    `grant_type=authorization_code&client_id=${CANARY}&code=${CANARY}&redirect_uri=${CANARY}`,
  ],
  [
    'application/x-www-form-urlencoded',
    `grant_type=refresh_token&client_id=https://${CANARY}.example/c&refresh_token=${CANARY}`,
  ],
  [`${CANARY}/${CANARY}`, CANARY],
] as const

const HEADERS = {
  'x-request-id': CANARY,
  traceparent: CANARY,
  'user-agent': CANARY,
  authorization: `Bearer ${TOKEN}`,
  'mcp-session-id': CANARY,
  'mcp-method': CANARY,
  'mcp-name': CANARY,
  accept: `text/html, ${CANARY}/x`,
}

async function sendEverything(url: string): Promise<void> {
  const paths = [...PATHS, '/mcp', '/oauth/token', '/oauth/register', '/signin', '/sessions']
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      for (const headers of [{}, HEADERS])
        await (await fetch(url + path, { method, headers, redirect: 'manual' })).text()
    for (const [type, body] of BODIES)
      for (const headers of [{}, HEADERS]) {
        const init = { method: 'POST', redirect: 'manual', body } as const
        const all = { ...headers, 'content-type': type }
        await (await fetch(url + path, { ...init, headers: all })).text()
      }
  }
  for (const start of [
    `GET /${CANARY} HTTP/1.1\r\nHost: ${CANARY}.example`,
    `GET /${CANARY} HTTP/1.1\r\nHost: ${CANARY}@localhost`,
    `GET /${CANARY} HTTP/1.1\r\nHost: localhost:99999`,
    `GET http://${CANARY}/ HTTP/1.1\r\nHost: localhost`,
    `GET ${CANARY} HTTP/1.1\r\nHost: localhost`,
    `GET /%${CANARY}%zz HTTP/1.1\r\nHost: localhost`,
    `${CANARY.toUpperCase()} /${CANARY} HTTP/1.1\r\nHost: localhost`,
    `GET /${CANARY} HTTP/1.1\r\nHost: localhost\r\n${CANARY}`,
    `GET /${CANARY} HTTP/1.1\r\nHost: localhost\r\n${CANARY} : ${CANARY}`,
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${CANARY}`,
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: ${CANARY}`,
    `GET /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://${CANARY}`,
  ])
    await sendBytes(url, `${start}\r\nConnection: close\r\n\r\n`).catch(() => null)
}

describe('with an owner', () => {
  const server = useLogged({ EDGEWISE_OWNER_SECRET: SECRET })
  afterEach(() => expectSilence(server))

  it('an unauthenticated client leaves no secret in the log', () => sendEverything(server.url))

  it('a mistyped address or name of the owner leaves nothing in the log', async () => {
    const owner = new Person()
    await owner.signIn(server.url)
    for (const path of [`/s/${TOKEN}/mcp`, `/s/${CANARY}.x`, `/w/${TOKEN}/mcp`, `/w/${TOKEN}`])
      await (await owner.visit(server.url + path)).text()
    const client = `${server.url}/authorize?response_type=code&redirect_uri=http://localhost:9/c`
    for (const id of [CANARY, `https://${CANARY}.example/c`, `https://${CANARY}.local/c`])
      await (await owner.visit(`${client}&client_id=${encodeURIComponent(id)}`)).text()
  })
})

describe('without an owner', () => {
  const server = useLogged({})

  it('a mistyped value leaves nothing in the log', async () => {
    for (const path of PATHS) {
      // A name that a workspace may have is one that this machine may give it.
      if (new RegExp(`^(/%2e%2e)?/(w|%77)/(%63)?${CANARY}/`).test(path)) continue
      for (const method of ['GET', 'PUT', 'DELETE', 'POST'])
        await (
          await fetch(server.url + path, { method, body: method === 'GET' ? null : '' })
        ).text()
    }
    await expectSilence(server)
  })

  it('an object that is missing leaves neither its key nor the name of its file', async () => {
    const name = `${CANARY}-file.txt`
    for (const at of ['/files/', '/w/other/files/'])
      expect((await fetch(server.url + at + name, { method: 'PUT', body: LARGE })).ok).toBe(true)
    const gone = blobsIn(server.data)
    expect(gone).not.toEqual([])
    for (const file of gone) rmSync(file)
    for (const at of ['/files/', '/w/other/files/'])
      expect((await fetch(server.url + at + name)).status).toBe(500)
    for (const tool of ['read_file', 'edit_file', 'search_files'])
      await call(server.url, tool, name)
    // A stream that fails breaks the connection, before or after the status was sent.
    await fetch(`${server.url}/export`)
      .then((response) => response.text())
      .catch(() => '')
    await expect.poll(() => server.written()).toContain('"event":"fault"')
    await expectSilence(server)
    for (const file of gone) await expectSilence(server, [file.split('/').at(-1) ?? ''])
  })
})

/** The large objects below the folder of a product. */
function blobsIn(data: string): string[] {
  const all = readdirSync(data, { recursive: true, withFileTypes: true })
  return all
    .filter((one) => one.isFile() && /blobs/.test(one.parentPath))
    .map((one) => join(one.parentPath, one.name))
}

async function call(url: string, name: string, path: string): Promise<void> {
  const args = { path, pattern: path, edits: [{ find: 'x', replace: 'y' }] }
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  })
  await answer.text()
}
