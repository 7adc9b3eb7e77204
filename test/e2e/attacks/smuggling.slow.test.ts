/**
 * Request smuggling over the wire: the end of one body is never the beginning of another request, and a
 * path that is spelled in another way leads nowhere else.
 */

import { describe, expect, it } from 'vitest'
import { head, sendBytes } from '../../support/e2e/attack-socket.ts'
import { OF_THE_RUNTIME, useAttacked } from '../../support/e2e/attack-server.ts'

const product = useAttacked(OF_THE_RUNTIME)

const HOST = 'Host: localhost'

/** What must never be taken for a request. It would leave a file behind. */
const SMUGGLED = head('PUT /files/smuggled HTTP/1.1', HOST, 'Content-Length: 1') + 'x'

/** The request that really comes next on the same connection. */
const NEXT = head('GET /healthz HTTP/1.1', HOST, 'Connection: close')

const smuggled = async () => (await fetch(`${product.url}/files/smuggled`)).status === 200

const POST = ['POST /mcp HTTP/1.1', HOST, 'Content-Type: application/json'] as const
const LENGTH = `Content-Length: ${SMUGGLED.length}`

describe('request smuggling by an ambiguous length', () => {
  it.each<[string, string[]]>([
    ['two lengths', ['Content-Length: 0', LENGTH]],
    ['two lengths, the other way round', [LENGTH, 'Content-Length: 0']],
    ['one length twice', [LENGTH, LENGTH]],
    ['a list of lengths', [`Content-Length: 0, ${SMUGGLED.length}`]],
    ['a sign', [`Content-Length: +${SMUGGLED.length}`]],
    ['a length below zero', ['Content-Length: -1']],
    ['a length in base 16', ['Content-Length: 0x5']],
    ['a length beyond all', ['Content-Length: 99999999999999999999999']],
    ['a space before the colon', [`Content-Length : ${SMUGGLED.length}`]],
    ['a line that is folded', ['Content-Length:', ` ${SMUGGLED.length}`]],
    ['an unknown encoding', ['Transfer-Encoding: xchunked']],
    ['two encodings', ['Transfer-Encoding: chunked, identity']],
    ['two lines of encodings', ['Transfer-Encoding: identity', 'Transfer-Encoding: chunked']],
    ['an encoding after a control character', ['Transfer-Encoding: \u000bchunked', LENGTH]],
    ['an encoding that is folded', ['Transfer-Encoding:', ' chunked', LENGTH]],
    ['an encoding with a space before the colon', ['Transfer-Encoding : chunked', LENGTH]],
    ['a NUL in a header', ['X-A: b\0c', LENGTH]],
  ])('%s: refused, and the connection with it', async (_, lines) => {
    const answers = await sendBytes(product.url, head(...POST, ...lines) + SMUGGLED + NEXT)
    expect(answers.map(({ status }) => status)).toEqual([expect.toSatisfy(isRefusal)])
    expect(await smuggled()).toBe(false)
  })

  it.each<[string, string]>([
    ['a size that is no number', 'z\r\nhello\r\n0\r\n\r\n'],
    ['a size below zero', '-5\r\nhello\r\n0\r\n\r\n'],
    ['a size beyond all', 'ffffffffffffffffff5\r\nhello\r\n0\r\n\r\n'],
    ['a size with a line in it', '5;a=\n\r\nhello\r\n0\r\n\r\n'],
    ['an extension', '5;a=b\r\nhello\r\n0\r\n\r\n'],
    ['more than the size says', '1\r\nhello\r\n0\r\n\r\n'],
  ])('chunks, %s: one answer, and the connection ends', async (_, chunks) => {
    const begin = head(...POST, 'Transfer-Encoding: chunked')
    const answers = await sendBytes(product.url, begin + chunks + SMUGGLED + NEXT)
    expect(answers.map(({ status }) => status)).toEqual([expect.toSatisfy(isRefusal)])
    expect(await smuggled()).toBe(false)
  })

  const isRefusal = (status: unknown) => typeof status === 'number' && status >= 400
})

describe('request smuggling in a body that is not read', () => {
  it.each([
    ['GET /status', 200],
    ['HEAD /status', 200],
    ['OPTIONS /mcp', 204],
    ['PATCH /mcp', 405],
    ['POST /nothing', 404],
    ['POST /s/x/mcp', null],
    ['POST /webmcp.js', 404],
    ['POST /sandbox', 405],
    ['DELETE /files/none', 404],
    ['PUT /config', 415],
    ['POST /sessions', 415],
    ['POST /w/UPPER/mcp', 404],
    ['GET /healthz', 200],
  ])('%s', async (start, status) => {
    const request = head(`${start} HTTP/1.1`, HOST, LENGTH) + SMUGGLED
    const answers = await sendBytes(product.url, request + NEXT)
    if (status !== null) expect(answers[0]?.status).toBe(status)
    const further = answers.slice(1).map(({ body }) => JSON.parse(body))
    for (const body of further) expect(body).toMatchObject({ ok: true })
    expect(further.length).toBeLessThan(2)
    expect(await smuggled()).toBe(false)
  })

  it('of a page that is refused', async () => {
    const request = head(...POST, 'Origin: http://evil.example', LENGTH) + SMUGGLED
    const answers = await sendBytes(product.url, request + NEXT)
    expect(answers[0]?.status).toBe(403)
    expect(answers.length).toBeLessThan(3)
    expect(await smuggled()).toBe(false)
  })
})

describe('headers are read in any spelling', () => {
  it.each([
    ['upper case', ['ORIGIN: http://evil.example']],
    ['after a bare carriage return', ['X-A: b\rOrigin: http://evil.example']],
    ['after a bare line feed', ['X-A: b\nOrigin: http://evil.example']],
    ['twice', ['Origin: http://localhost', 'Origin: http://evil.example']],
    ['with a tab before it', ['Origin:\thttp://evil.example']],
  ])('Origin, %s', async (_, lines) => {
    const [answer] = await sendBytes(
      product.url,
      head('GET /status HTTP/1.1', HOST, ...lines, 'Connection: close'),
    )
    expect(answer?.status).toBe(403)
  })

  it('lengths and encodings, in any case', async () => {
    const call = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })
    const chunk = `${call.length.toString(16)}\r\n${call}\r\n0\r\n\r\n`
    const accept = 'aCCEPT: application/json, text/event-stream'
    const request = head(...POST, accept, 'tRANSFER-eNCODING: ChUnKeD') + chunk
    const [answer, next] = await sendBytes(product.url, request + NEXT)
    expect(answer?.body).toContain('"id":7')
    expect(next?.body).toContain('"ok":true')
  })
})

describe('a path in another spelling', () => {
  it.each([
    '/%6dcp',
    '/mcp%2f',
    '//mcp',
    '/mcp//',
    '/mcp/..;/status',
    '/MCP',
    '/%73tatus',
    '/status%20',
    '/status%00',
    '/w/a%2fb/mcp',
    '/w/a%2f..%2fdefault/status',
    '/w/default%2fstatus',
    '/w//status',
    '/w/default//status',
    '/s/..%2fstatus',
    '/s/..%2f..%2fmcp',
    '/oauth/..%2fstatus',
    '/grant',
    '/attempt',
    '/stream',
    '/w/default/grant',
    '/w/default/stream',
    '/files/..%2f..%2fgrant',
    '/files/%252e%252e/%252e%252e/grant',
    '/sessions/..%2f..%2fgrant',
  ])('%s is not found', async (path) => {
    for (const method of ['GET', 'POST']) {
      const lines = [HOST, 'Content-Length: 0', 'Connection: close']
      const [answer] = await sendBytes(product.url, head(`${method} ${path} HTTP/1.1`, ...lines))
      expect([401, 404, 405]).toContain(answer?.status)
      expect(answer?.body).not.toContain('version')
    }
  })

  it.each(['/x/../status', '/x/%2e%2e/status', '/./status', '/oauth/../status', '/s/%2E./status'])(
    '%s is /status, for the guard and for the routes',
    async (path) => {
      const ask = async (...lines: string[]) =>
        (
          await sendBytes(product.url, head(`GET ${path} HTTP/1.1`, ...lines, 'Connection: close'))
        )[0]
      expect((await ask(HOST))?.body).toContain('"version"')
      expect((await ask(HOST, 'Origin: http://evil.example'))?.status).toBe(403)
      expect((await ask('Host: evil.example'))?.status).toBe(403)
    },
  )
})
