/** The message of a push notification, as it is read on a device. */

import { isConsoleUrl, openRequest, readPushMessage } from '#core/owner/push-message.ts'
import { expect, it } from 'vitest'

const MESSAGE = {
  tag: 'notes',
  title: '3 changes wait for you',
  body: 'From “Writer”',
  url: '/?at=/w/notes/mcp#/waiting/1a2b',
  waiting: 3,
  badge: 5,
}

it('reads what the server writes', () => {
  expect(readPushMessage(JSON.stringify(MESSAGE))).toEqual(MESSAGE)
  expect(readPushMessage(JSON.stringify({ ...MESSAGE, body: '' }))).toMatchObject({ body: '' })
})

const INVALID_PARTS = [
  { tag: '' },
  { tag: 'x'.repeat(65) },
  { title: '' },
  { title: 'x'.repeat(201) },
  { title: 1 },
  { body: 'x'.repeat(1_001) },
  { body: null },
  { url: 'https://evil.example/' },
  { waiting: -1 },
  { waiting: 1.5 },
  { waiting: '3' },
  { badge: 2 ** 60 },
  // What is undefined is not written.
  ...Object.keys(MESSAGE).map((name) => ({ [name]: undefined })),
]

it.each(['hello', '', '[]', 'null', '"text"'])('reads no message from %j', (json) => {
  expect(readPushMessage(json)).toBeNull()
})

it.each(INVALID_PARTS)('reads no message with %o', (part) => {
  expect(readPushMessage(JSON.stringify({ ...MESSAGE, ...part }))).toBeNull()
})

it.each(['/', '/#/waiting', '/?at=/w/a/mcp', '/?at=%2Fw%2Fa%2Fmcp#/waiting/1/2?x=y'])(
  '%s is an address of the console',
  (url) => expect(isConsoleUrl(url)).toBe(true),
)

it.each([
  '',
  '//evil.example',
  '/\\evil.example',
  '/signout',
  '/s/secret/mcp',
  'https://evil.example/',
  'javascript:alert(1)',
  ' /',
  '/#a b',
  '/#\n',
  '/?\u202E',
  `/#${'x'.repeat(2_048)}`,
])('%j is none', (url) => expect(isConsoleUrl(url)).toBe(false))

it('reads a request of the service worker strictly', () => {
  expect(openRequest({ type: 'edgewise-open', url: '/#/waiting' })).toBeDefined()
  expect(openRequest({ type: 'edgewise-open', url: '//evil.example' })).toBeUndefined()
  expect(openRequest({ type: 'open', url: '/' })).toBeUndefined()
})
