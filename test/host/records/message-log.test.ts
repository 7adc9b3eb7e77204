/** The message log: pairs, bounds, filters, redaction. */

import { redact } from '#host/records/redact.ts'
import { MessageLog } from '#host/records/message-log.ts'
import fc from '../../support/core/random.ts'
import { describe, expect, it, vi } from 'vitest'

const SECRET = 'QWERTYUIOPASDFGHJKLZXCVBNMqwertyuiopasdfghj'
const request = (id: number, method = 'tools/call', params: object = { name: 'echo' }) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const response = (id: number, result: object = {}) => ({ jsonrpc: '2.0', id, result })

it('pairs a request with its response and measures the time between', () => {
  const log = new MessageLog()
  log.add({ at: 1_000, direction: 'sent', message: request(1) })
  log.add({ at: 1_100, direction: 'sent', message: request(2) })
  log.add({ at: 1_500, direction: 'received', message: response(1, { isError: true }) })
  expect(log.entries()).toMatchObject([
    {
      id: 1,
      kind: 'request',
      method: 'tools/call',
      about: 'echo',
      duration: 500,
      pair: 3,
      isError: true,
    },
    { id: 2, kind: 'request', duration: null, pair: null },
    { id: 3, kind: 'response', method: 'tools/call', about: 'echo', duration: 500, pair: 1 },
  ])
})

it('distinguishes equal ids of both directions', () => {
  const log = new MessageLog()
  log.add({ at: 1, direction: 'sent', message: request(1) })
  log.add({ at: 2, direction: 'received', message: request(1, 'elicitation/create') })
  log.add({ at: 3, direction: 'sent', message: response(1) })
  expect(log.entry(3)).toMatchObject({ method: 'elicitation/create', pair: 2 })
  expect(log.entry(1)).toMatchObject({ pair: null })
})

it('drops the oldest entries, by count and by bytes', () => {
  const few = new MessageLog({ entries: 3 })
  for (let id = 1; id <= 5; id++) few.add({ at: id, direction: 'sent', message: request(id) })
  expect(few.entries().map(({ id }) => id)).toEqual([3, 4, 5])
  expect(few.dropped).toBe(2)
  const small = new MessageLog({ bytes: 1_000 })
  for (let id = 1; id <= 20; id++) small.add({ at: id, direction: 'sent', message: request(id) })
  expect(small.bytes).toBeLessThanOrEqual(1_000)
  expect(small.size).toBeGreaterThan(5)
})

it('keeps only the beginning of a large message', () => {
  const log = new MessageLog()
  log.add({ at: 1, direction: 'received', message: response(1, { text: 'x'.repeat(2_000_000) }) })
  expect(log.bytes).toBeLessThan(20_000)
  expect(log.entries()[0]?.message).toMatchObject({ cut: expect.any(Number) })
})

it('filters', () => {
  const log = new MessageLog()
  log.add({ at: 1, direction: 'sent', message: request(1, 'tools/list', {}) })
  log.add({ at: 2, direction: 'received', message: response(1, { tools: [{ name: 'Echo' }] }) })
  log.add({ at: 3, direction: 'sent', message: request(2) })
  log.add({ at: 4, direction: 'received', message: { http: { status: 500, text: 'broken' } } })
  const ids = (filter: object) => log.entries(filter).map(({ id }) => id)
  expect(ids({ text: ' ECHO ' })).toEqual([2, 3])
  expect(ids({ method: 'tools/list' })).toEqual([1, 2])
  expect(ids({ direction: 'received' })).toEqual([2, 4])
  expect(ids({ errorsOnly: true })).toEqual([4])
  expect(log.methods()).toEqual(['tools/call', 'tools/list'])
})

it('notifies once for several changes of a task', async () => {
  const log = new MessageLog()
  const listener = vi.fn()
  const off = log.onChange(listener)
  for (let id = 0; id < 10; id++) log.add({ at: id, direction: 'sent', message: request(id) })
  await Promise.resolve()
  expect(listener).toHaveBeenCalledTimes(1)
  off()
  log.clear()
  await Promise.resolve()
  expect(listener).toHaveBeenCalledTimes(1)
  expect(log.size).toBe(0)
})

it('exports lines that can be read back', () => {
  const log = new MessageLog()
  log.add({ at: 0, direction: 'sent', message: request(1) })
  log.add({ at: 5, direction: 'received', message: response(1, { a: 'x\ny' }) })
  const lines = log
    .exportLines()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    { time: '1970-01-01T00:00:00.000Z', direction: 'sent', method: 'tools/call', duration_ms: 5 },
    { direction: 'received', message: { result: { a: 'x\ny' } } },
  ])
})

describe('secrets', () => {
  it.each([
    ['a session link', { url: `https://h/s/default.${SECRET}/mcp` }],
    ['a link in a text', { content: [{ text: `Use http://localhost:1/s/a-b.${SECRET}/mcp now` }] }],
    ['a header', { headers: { Authorization: `Bearer ${SECRET}` } }],
    ['a token in a text', `curl -H "authorization: bearer ${SECRET}"`],
    ['a token', { access_token: SECRET, refresh_token: SECRET }],
    ['a password', { deep: [{ password: SECRET }] }],
    ['a cookie', { 'Set-Cookie': SECRET }],
  ])('%s is redacted', (_name, value) => {
    const log = new MessageLog()
    log.add({
      at: 1,
      direction: 'sent',
      message: { jsonrpc: '2.0', id: 1, method: 'x', params: { value } },
    })
    expect(JSON.stringify(log.entries())).not.toContain(SECRET)
    expect(log.exportLines()).not.toContain(SECRET)
    expect(log.entries({ text: SECRET })).toEqual([])
  })

  it('are not found in other values', () => {
    const plain = {
      path: '/s/short',
      token: 'next',
      secrets: ['a'],
      progressToken: 3,
      text: 'Bearer of news',
    }
    expect(redact(plain)).toEqual(plain)
  })
})

it('accepts any message', () => {
  fc.assert(
    fc.property(fc.array(fc.anything()), (messages) => {
      const log = new MessageLog()
      for (const message of messages) log.add({ at: 1, direction: 'received', message })
      expect(log.size).toBe(messages.length)
      log.exportLines()
    }),
    { numRuns: 300 },
  )
})
