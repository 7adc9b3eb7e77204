/**
 * Refused bodies are read before the response, because a response during an upload can break the connection, so that
 * the sender never learns the reason.
 */

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
    const config = JSON.stringify({ max_file_bytes: 1_000_000 })
    await (await fetch('/config', { method: 'PUT', headers: JSON_TYPE, body: config })).text()
    const { stream, pulled } = repeat(PIECE, Infinity)
    const response = await fetch('/files/a', { method: 'PUT', body: stream })
    expect(response.status).toBe(411)
    await response.text()
    expect(pulled()).toBeLessThan(PIECES)
  }))
