/** Coming back: when it is tried, how often, and when it is given up. */

import { ConnectionError, makeProblem } from '#host/connection/problem.ts'
import { createReconnecting } from '#host/connection/reconnect.ts'
import type { ConnectionState, ProblemKind } from '#host/connection/types.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const gone = makeProblem('unreachable', 'gone')

type Reply = `line ${number}` | ProblemKind

function setUp(replies: Reply[] = []) {
  const opened: { at: number; line: string }[] = []
  const released: string[] = []
  const states: ConnectionState[] = []
  const begun = Date.now()
  const tries: number[] = []
  const lines = createReconnecting<string>('first', {
    async open() {
      tries.push(Date.now() - begun)
      const reply = replies.shift() ?? 'unreachable'
      if (isLine(reply)) return reply
      throw new ConnectionError(makeProblem(reply, reply))
    },
    opened: (line) => void opened.push({ at: Date.now() - begun, line }),
    release: (line) => void released.push(line),
    changed: (state) => void states.push(state),
  })
  return { lines, opened, released, states, tries }
}

const isLine = (reply: Reply): reply is `line ${number}` => reply.startsWith('line')

it('tries after 1, 2, 4 and at most 30 seconds, for as long as it takes', async () => {
  const { lines, tries, states } = setUp()
  lines.lost('first', gone)
  await vi.advanceTimersByTimeAsync(125_000)
  expect(tries).toEqual([1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000, 121_000])
  expect(states.at(-1)).toMatchObject({ name: 'reconnecting', attempts: 8 })
  lines.close()
})

it('uses the new one, and forgets the old', async () => {
  const { lines, opened, released, states } = setUp(['unreachable', 'line 2'])
  lines.lost('first', gone)
  lines.lost('first', gone)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await lines.current()).toBe('line 2')
  expect({ opened, released }).toMatchObject({
    opened: [{ at: 3_000, line: 'line 2' }],
    released: ['first'],
  })
  lines.lost('first', gone)
  expect(lines.state).toEqual({ name: 'open' })
  expect(states.map(({ name }) => name)).toEqual(['reconnecting', 'reconnecting', 'open'])
})

it('begins again at one second after it was back', async () => {
  const { lines, tries } = setUp(['unreachable', 'line 2', 'line 3'])
  lines.lost('first', gone)
  await vi.advanceTimersByTimeAsync(3_000)
  lines.lost('line 2', gone)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(tries).toEqual([1_000, 3_000, 4_000])
})

it('tries at once for whoever needs it', async () => {
  const { lines, tries } = setUp(['line 2'])
  lines.lost('first', gone)
  await expect(lines.current()).resolves.toBe('line 2')
  expect(tries).toEqual([0])
})

it('tells whoever needs it what is wrong, and goes on trying', async () => {
  const { lines, tries } = setUp(['server', 'line 2'])
  lines.lost('first', gone)
  await expect(lines.current()).rejects.toMatchObject({ problem: { kind: 'server' } })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(tries).toHaveLength(2)
  await expect(lines.current()).resolves.toBe('line 2')
})

it.each(['not-found', 'unauthorized', 'forbidden', 'not-mcp', 'configuration'] as const)(
  'gives up when it is %s',
  async (kind) => {
    const { lines, tries } = setUp([kind, 'line 2'])
    lines.lost('first', gone)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(tries).toHaveLength(1)
    expect(lines.state).toMatchObject({ name: 'closed', problem: { kind } })
    await expect(lines.current()).rejects.toMatchObject({ problem: { kind } })
  },
)

it('ends when it is closed, also in the middle of trying', async () => {
  const { lines, released, opened } = setUp(['line 2'])
  lines.lost('first', gone)
  const waiting = lines.current()
  lines.close()
  await expect(waiting).rejects.toMatchObject({ problem: { kind: 'closed' } })
  await vi.advanceTimersByTimeAsync(100_000)
  expect(opened).toEqual([])
  expect(released.filter((line) => line === 'first')).toHaveLength(1)
  lines.close()
  expect(lines.state).toEqual({ name: 'closed', problem: null })
})
