/** Reconnecting: the delays, the requests that cut them short, and the problems that end it. */

import { ConnectionError, makeProblem, type ProblemKind } from '#host/mcp/errors.ts'
import { Reconnecting } from '#host/mcp/reconnect.ts'
import type { ConnectionState } from '#host/mcp/connection.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const unreachable = makeProblem('unreachable', 'no response')

type Reply = `session ${number}` | ProblemKind

function setUp(replies: Reply[] = []) {
  const opened: { at: number; session: string }[] = []
  const released: string[] = []
  const states: ConnectionState[] = []
  const startedAt = Date.now()
  const tries: number[] = []
  const connection = new Reconnecting<string>('first', {
    async open() {
      tries.push(Date.now() - startedAt)
      const reply = replies.shift() ?? 'unreachable'
      if (isSession(reply)) return reply
      throw new ConnectionError(makeProblem(reply, reply))
    },
    onOpen: (session) => void opened.push({ at: Date.now() - startedAt, session }),
    release: (session) => void released.push(session),
    onChange: (state) => void states.push(state),
  })
  return { connection, opened, released, states, tries }
}

const isSession = (reply: Reply): reply is `session ${number}` => reply.startsWith('session')

it('tries after 1, 2, 4 and at most 30 seconds, without an end', async () => {
  const { connection, tries, states } = setUp()
  connection.reportBroken('first', unreachable)
  await vi.advanceTimersByTimeAsync(125_000)
  expect(tries).toEqual([1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000, 121_000])
  expect(states.at(-1)).toMatchObject({ name: 'reconnecting', attempts: 8 })
  connection.close()
})

it('uses the new session and releases the old one', async () => {
  const { connection, opened, released, states } = setUp(['unreachable', 'session 2'])
  connection.reportBroken('first', unreachable)
  connection.reportBroken('first', unreachable)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await connection.current()).toBe('session 2')
  expect({ opened, released }).toMatchObject({
    opened: [{ at: 3_000, session: 'session 2' }],
    released: ['first'],
  })
  connection.reportBroken('first', unreachable)
  expect(connection.state).toEqual({ name: 'open' })
  expect(states.map(({ name }) => name)).toEqual(['reconnecting', 'reconnecting', 'open'])
})

it('starts at one second again after a success', async () => {
  const { connection, tries } = setUp(['unreachable', 'session 2', 'session 3'])
  connection.reportBroken('first', unreachable)
  await vi.advanceTimersByTimeAsync(3_000)
  connection.reportBroken('session 2', unreachable)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tries).toEqual([1_000, 3_000, 4_000])
})

it('tries at once for a request', async () => {
  const { connection, tries } = setUp(['session 2'])
  connection.reportBroken('first', unreachable)
  await expect(connection.current()).resolves.toBe('session 2')
  expect(tries).toEqual([0])
})

it('rejects the request with the problem, and continues to try', async () => {
  const { connection, tries } = setUp(['server', 'session 2'])
  connection.reportBroken('first', unreachable)
  await expect(connection.current()).rejects.toMatchObject({ problem: { kind: 'server' } })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(tries).toHaveLength(2)
  await expect(connection.current()).resolves.toBe('session 2')
})

it.each(['not-found', 'unauthorized', 'forbidden', 'not-mcp', 'configuration'] as const)(
  'ends on a problem of kind %s',
  async (kind) => {
    const { connection, tries } = setUp([kind, 'session 2'])
    connection.reportBroken('first', unreachable)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(tries).toHaveLength(1)
    expect(connection.state).toMatchObject({ name: 'closed', problem: { kind } })
    await expect(connection.current()).rejects.toMatchObject({ problem: { kind } })
  },
)

it('ends when it is closed, also during an attempt', async () => {
  const { connection, released, opened } = setUp(['session 2'])
  connection.reportBroken('first', unreachable)
  const waiting = connection.current()
  connection.close()
  await expect(waiting).rejects.toMatchObject({ problem: { kind: 'closed' } })
  await vi.advanceTimersByTimeAsync(100_000)
  expect(opened).toEqual([])
  expect(released.filter((session) => session === 'first')).toHaveLength(1)
  connection.close()
  expect(connection.state).toEqual({ name: 'closed', problem: null })
})
