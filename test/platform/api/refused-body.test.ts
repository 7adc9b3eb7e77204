/**
 * Refused bodies are read before the response, because a response during an upload can break the connection, so that
 * the sender never learns the reason.
 */

import { MAX_FILE_BYTES, MAX_MESSAGE_BYTES } from '#worker/limits.ts'
import { expect, it } from 'vitest'
import { withFaults } from '../../support/worker/faulty-storage.ts'
import { repeat } from '../../support/worker/raw-tar.ts'

const PIECE = new Uint8Array(64 * 1024)
const PIECES = 100

/** Sends a body that is larger than any message of JSON. Returns the status, and how much of the body was read. */
function sendLarge(method: string, path: string, headers: HeadersInit = {}) {
  return withFaults(async ({ fetch }) => {
    const { stream, pulled } = repeat(PIECE, PIECES)
    const response = await fetch(path, { method, headers, body: stream })
    await response.text()
    return { status: response.status, isRead: pulled() > PIECES }
  })
}

const LENGTH = { 'content-length': String(PIECE.length * PIECES) }
const JSON_TYPE = { 'content-type': 'application/json' }
const LINK = `/s/default.${'x'.repeat(43)}/file`

it.each([
  ['a file to an invalid path', 'PUT', '/files/a%00b', LENGTH, 400],
  ['a file of unknown length', 'PUT', '/files/a', {}, 411],
  ['a file by another method', 'POST', '/files/a', LENGTH, 405],
  ['a file with a link that has ended', 'PUT', LINK, LENGTH, 401],
  ['a file with an invalid link', 'PUT', '/s/invalid/file', LENGTH, 401],
  [
    'a message of another origin',
    'POST',
    '/mcp',
    { ...LENGTH, origin: 'http://other.example' },
    403,
  ],
  ['a message to an invalid workspace', 'POST', '/w/UPPER/mcp', LENGTH, 404],
  ['a decision from elsewhere', 'POST', '/drafts/none/approve', LENGTH, 403],
  ['a body to an unknown route', 'POST', '/nothing', LENGTH, 404],
  ['a message that is too large', 'POST', '/mcp', LENGTH, 413],
  ['a message of unknown length that is too large', 'POST', '/mcp', {}, 413],
  ['rules that are too large', 'PUT', '/config', { ...LENGTH, ...JSON_TYPE }, 400],
  ['an archive to an invalid path', 'POST', '/import?to=a%00b', {}, 400],
  ['an archive by another method', 'PUT', '/import', {}, 405],
])('%s is read to its end', async (_, method, path, headers, status) =>
  expect(await sendLarge(method, path, headers)).toEqual({ status, isRead: true }),
)

it('a body of unknown length is read no further than a file may be long', () =>
  withFaults(async ({ fetch }) => {
    const { stream, pulled } = repeat(PIECE, Infinity)
    const response = await fetch('/files/a', { method: 'PUT', body: stream })
    expect(response.status).toBe(411)
    await response.text()
    expect(pulled()).toBeLessThan(MAX_FILE_BYTES / PIECE.length + PIECES)
  }))

it.each([
  ['first', { jsonrpc: '2.0', id: 'first' }, {}, 'first'],
  ['last', { method: 'tools/call' }, { jsonrpc: '2.0', id: 7 }, 7],
  ['nowhere', { method: 'tools/call' }, {}, null],
])('a message whose id is %s is refused with that id', (_, before, after, id) =>
  withFaults(async ({ fetch }) => {
    const params = { arguments: { content: 'x'.repeat(MAX_MESSAGE_BYTES), id: 'inner' } }
    const body = JSON.stringify({ ...before, params, ...after })
    for (const headers of [{}, { 'content-length': String(body.length) }]) {
      const streamed = new Blob([body]).stream()
      const response = await fetch('/mcp', { method: 'POST', headers, body: streamed })
      expect(response.status).toBe(413)
      const message = expect.stringContaining('call transfer_link with direction "upload"')
      expect(await response.json()).toMatchObject({ id, error: { code: -32000, message } })
    }
  }),
)
