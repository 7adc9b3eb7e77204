/**
 * `import_file` of the running product and hostile servers on this machine: redirects, slow and endless bodies, wrong
 * lengths and bombs. Nothing of them is written, and the next import works.
 */

import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFiles } from '../../support/e2e/files.ts'
import { ask } from '../../support/e2e/raw-http.ts'
import { useServer } from '../../support/e2e/server.ts'

const server = useServer({ EDGEWISE_IMPORT_HOSTS: 'localhost' })
const { read, get } = createFiles(server)

const MIB = 1024 * 1024

/** What the hostile server answers, by path. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/good': (response) => void response.end('good'),
  '/other-host': (response) =>
    void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  '/ipv6': (response) =>
    void response.writeHead(302, { location: `http://[::1]:${port}/good` }).end(),
  '/file': (response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/loop': (response) => void response.writeHead(302, { location: '/loop' }).end(),
  '/credentials': (response) =>
    void response.writeHead(302, { location: `http://me:pw@localhost:${port}/good` }).end(),
  '/endless': (response) => void writeEndlessly(response),
  '/too-long': (response) => {
    response.writeHead(200, { 'content-length': String(2 ** 40) })
    void writeEndlessly(response)
  },
  '/short': (response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('short', () => response.destroy())
  },
  '/bomb': (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.end(gzipSync(Buffer.alloc(50 * MIB)))
  },
  '/silent': () => {},
  '/slow': (response) => {
    response.writeHead(200, { 'content-length': '1000000' })
    const timer = setInterval(() => response.write('x'), 500)
    response.on('close', () => clearInterval(timer))
  },
}

async function writeEndlessly(response: ServerResponse): Promise<void> {
  let isOpen = true
  response.on('close', () => (isOpen = false))
  while (isOpen) {
    if (!response.write(Buffer.alloc(MIB)))
      await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
}

let port = 0

const hostile = createServer(({ url }, response) => {
  const answer = ANSWERS[url ?? '']
  if (answer) answer(response)
  else response.writeHead(404).end()
})

beforeAll(async () => {
  hostile.listen(0, 'localhost')
  await once(hostile, 'listening')
  const address = hostile.address()
  port = typeof address === 'object' && address ? address.port : 0
})

afterAll(() => {
  hostile.closeAllConnections()
  hostile.close()
})

async function send(method: string, params: object): Promise<string> {
  const response = await ask(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return response.text()
}

const importFrom = (url: string, path: string) =>
  send('tools/call', { name: 'import_file', arguments: { file: { download_url: url }, path } })

const at = (path: string) => `http://localhost:${port}${path}`

it('imports from a listed host', async () => {
  expect(await importFrom(at('/good'), '/in/good')).toContain('Imported 4 bytes')
  expect(await read('/in/good')).toBe('good')
})

it('is listed, and listed the same after a restart', async () => {
  const before = await send('tools/list', {})
  expect(before).toContain('"openai/fileParams":["file"]')
  await server.restart()
  expect(await send('tools/list', {})).toBe(before)
})

describe('a hostile server', () => {
  it.each([
    ['/other-host', 'INVALID_FILE'],
    ['/ipv6', 'INVALID_FILE'],
    ['/file', 'INVALID_FILE'],
    ['/credentials', 'INVALID_FILE'],
    ['/loop', 'redirects'],
    ['/endless', 'does not say the length'],
    ['/too-long', 'FILE_TOO_LARGE'],
    ['/short', 'FETCH_FAILED'],
    ['/bomb', 'FETCH_FAILED'],
    ['/none', 'it answers 404'],
  ])('with %s writes nothing', async (path, expected) => {
    const answer = await importFrom(at(path), `/in${path}`)
    expect(answer).toContain(expected)
    expect(answer).not.toContain('pw@')
    expect((await get(`/in${path}`)).status).toBe(404)
    expect(await importFrom(at('/good'), '/in/good')).toContain('Imported 4 bytes')
  })

  it('that is silent or slow is left after a minute', async () => {
    const answers = await Promise.all(
      ['/silent', '/slow'].map((path) => importFrom(at(path), `/in${path}`)),
    )
    for (const answer of answers) expect(answer).toContain('it took more than 60 s')
    expect((await get('/in/slow')).status).toBe(404)
  })
})
