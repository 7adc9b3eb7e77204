import { describe, expect, it } from 'vitest'
import type { JsonRecord } from '#core/json.ts'
import type { Request } from '#host/mcp/requests.ts'
import { callAsTask } from '#host/mcp/tasks.ts'
import { needsTask } from '#host/mcp/tool-facts.ts'
import type { Progress } from '#host/mcp/types.ts'

const PARAMS = { name: 'research', arguments: { topic: 'x' } }
const RESULT = { content: [{ type: 'text', text: 'done' }] }

/** A server whose task has these states, one for each poll. */
function serverWith(...states: JsonRecord[]) {
  const sent: [method: string, params: JsonRecord][] = []
  const request: Request = async (method, params = {}) => {
    sent.push([method, params])
    const state = { taskId: 't1', pollInterval: 1, ...states.shift() }
    if (method === 'tools/call') return { task: state }
    return method === 'tasks/get' ? state : RESULT
  }
  return { request, sent, methods: () => sent.map(([method]) => method) }
}

describe('a tool', () => {
  it.each([
    [{ execution: { taskSupport: 'required' } }, true],
    [{ execution: { taskSupport: 'optional' } }, false],
    [{ execution: 'required' }, false],
    [{}, false],
  ])('with %j runs as a task only: %s', (raw, expected) => {
    expect(needsTask({ raw })).toBe(expected)
  })
})

describe('a task', () => {
  it('is created, polled, and its result fetched', async () => {
    const { request, sent } = serverWith(
      { status: 'working', statusMessage: 'Reading' },
      { status: 'working', statusMessage: 'Writing' },
      { status: 'completed' },
    )
    const progress: Progress[] = []
    const onProgress = (one: Progress) => progress.push(one)
    expect(await callAsTask(request, PARAMS, { onProgress })).toBe(RESULT)
    expect(sent).toEqual([
      ['tools/call', { ...PARAMS, task: {} }],
      ['tasks/get', { taskId: 't1' }],
      ['tasks/get', { taskId: 't1' }],
      ['tasks/result', { taskId: 't1' }],
    ])
    expect(progress.map(({ message }) => message)).toEqual(['Reading', 'Writing'])
  })

  it('has status messages of a bounded length', async () => {
    const { request } = serverWith({ status: 'working', statusMessage: 'a'.repeat(3_000_000) })
    const lengths: number[] = []
    const onProgress = ({ message }: Progress) => lengths.push(message.length)
    const controller = new AbortController()
    const call = callAsTask(request, PARAMS, { onProgress, signal: controller.signal })
    await expect.poll(() => lengths).toEqual([500])
    controller.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('that needs input is asked for its result at once, with which the questions come', async () => {
    const { request, methods } = serverWith({ status: 'working' }, { status: 'input_required' })
    expect(await callAsTask(request, PARAMS)).toBe(RESULT)
    expect(methods()).toEqual(['tools/call', 'tasks/get', 'tasks/result'])
  })

  it.each(['failed', 'completed'])('that has %s at once has a result', async (status) => {
    const { request, methods } = serverWith({ status })
    expect(await callAsTask(request, PARAMS)).toBe(RESULT)
    expect(methods()).toEqual(['tools/call', 'tasks/result'])
  })

  it('that the server cancels is an error', async () => {
    const { request } = serverWith(
      { status: 'working' },
      { status: 'cancelled', statusMessage: 'Too busy.' },
    )
    await expect(callAsTask(request, PARAMS)).rejects.toThrow(
      'The server cancelled the task. Too busy.',
    )
  })

  it('is cancelled when the call is given up', async () => {
    const { request, methods } = serverWith({ status: 'working', pollInterval: 60_000 })
    const controller = new AbortController()
    const call = callAsTask(request, PARAMS, { signal: controller.signal })
    await expect.poll(methods).toEqual(['tools/call'])
    controller.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(methods()).toEqual(['tools/call', 'tasks/cancel'])
  })
})

it.each([{}, { task: null }, { task: 'x' }, { task: { taskId: '' } }])(
  'a server that answers at once has created no task: %j',
  async (more) => {
    const request: Request = async () => ({ ...RESULT, ...more })
    expect(await callAsTask(request, PARAMS)).toEqual({ ...RESULT, ...more })
  },
)
