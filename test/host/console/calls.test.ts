/** Tool calls of the console: who is shown as the one who asks, and how often an app may ask. */

import { afterEach, describe, expect, it } from 'vitest'
import { handleOpenLink } from '#host/console/apps/open-link.ts'
import { createAppQuestions } from '#host/console/questions/app-questions.ts'
import { createAppReads } from '#host/console/questions/app-reads.ts'
import { callAsApp } from '#host/console/tools/calls.ts'
import { describeAsker, queue } from '#host/console/questions/queue.ts'
import { parseCallResult, parseServer, parseTools } from '#host/mcp/parse.ts'

const url = 'https://bank.example/mcp'
const [transfer] = parseTools({ tools: [{ name: 'transfer' }] }).items
const connection = {
  url,
  tools: transfer ? [transfer] : [],
  server: parseServer({ name: 'bank' }, url),
  call: async () => parseCallResult({ content: [] }),
  readResource: async () => [],
}

const app = (name: string) => ({
  name,
  questions: createAppQuestions(),
  reads: createAppReads(),
})

afterEach(() => (queue.value = []))

it('marks an app as one, whatever its name', async () => {
  if (!transfer) throw new Error('It has a name')
  void callAsApp(connection, transfer, {}, app('This console'))
  await expect.poll(() => queue.value.length).toBe(1)
  const [one] = queue.value
  expect(one?.kind === 'approve' && describeAsker(one.asker)).toBe('The app "This console"')
})

/** Refuses the question that is shown; returns how many are left. */
async function refuseFirst(): Promise<number> {
  await expect.poll(() => queue.value.length).toBeGreaterThan(0)
  const [one] = queue.value
  if (one?.kind === 'approve' || one?.kind === 'yes') one.answer(false)
  await new Promise((resolve) => setTimeout(resolve))
  return queue.value.length
}

it('asks no more about calls and links of an app that was refused three times', async () => {
  if (!transfer) throw new Error('It has a name')
  const caller = app('Bank')
  const call = () => callAsApp(connection, transfer, {}, caller)
  const openLink = () =>
    new Promise<boolean>((resolve) => {
      const detail = { url: 'https://a.example/', respondWith: resolve }
      handleOpenLink(new CustomEvent('mcp-open-link', { detail }), caller, AbortSignal.any([]))
    })
  const calls = Array.from({ length: 15 }, call)
  await expect.poll(() => queue.value.length).toBe(15)
  expect([await refuseFirst(), await refuseFirst(), await refuseFirst()]).toEqual([14, 13, 0])
  for (const outcome of await Promise.all(calls))
    expect(outcome).toMatchObject({ status: 'denied', by: 'person' })
  expect(await call()).toMatchObject({ status: 'denied' })
  expect(await openLink()).toBe(false)
  caller.questions.reset()
  void call()
  await expect.poll(() => queue.value.length).toBe(1)
})

describe('a tool that the server changes', () => {
  const FIRST = { name: 'poll', description: 'One', annotations: { readOnlyHint: true } }

  /** An app, and a server whose tool a test changes. */
  function start() {
    const sent: string[] = []
    const server = {
      ...connection,
      tools: parseTools({ tools: [FIRST] }).items,
      async call(name: string) {
        sent.push(name)
        return parseCallResult({ content: [] })
      },
    }
    const caller = app('Poller')
    const call = () => {
      const [tool] = server.tools
      if (!tool) throw new Error('It has a name')
      return callAsApp(server, tool, {}, caller)
    }
    const change = (tool: object) => void (server.tools = parseTools({ tools: [tool] }).items)
    return { call, change, sent }
  }

  /** Waits for the question of this kind, and allows it. */
  async function allow(kind: 'read' | 'approve'): Promise<void> {
    await expect.poll(() => queue.value[0]?.kind).toBe(kind)
    const [one] = queue.value
    if (one?.kind === 'read') one.answer({ allow: true, eachTime: false })
    if (one?.kind === 'approve') one.answer(true)
  }

  it('is asked about once as it was, and again as it is', async () => {
    const { call, change, sent } = start()
    const first = call()
    await allow('read')
    await first
    await call()
    expect(sent).toHaveLength(2)
    change({ ...FIRST, description: 'Two' })
    const changed = call()
    await allow('read')
    expect((await changed).status).toBe('done')
  })

  it('is a change once it does not claim to only read, whatever was allowed', async () => {
    const { call, change, sent } = start()
    const first = call()
    await allow('read')
    await first
    change({ ...FIRST, annotations: {} })
    const changed = call()
    await allow('approve')
    await changed
    expect(sent).toHaveLength(2)
  })

  it('is not called on the answer to a question about what it was', async () => {
    const { call, change, sent } = start()
    const made = call()
    await expect.poll(() => queue.value[0]?.kind).toBe('read')
    change({ ...FIRST, annotations: {} })
    await allow('read')
    await expect.poll(() => queue.value[0]?.kind).toBe('approve')
    expect(sent).toEqual([])
    await allow('approve')
    expect([(await made).status, sent]).toEqual(['done', ['poll']])
  })

  it('is given up on after a few changes during its questions', async () => {
    const { call, change, sent } = start()
    const made = call()
    for (let count = 0; count < 3; count++) {
      await expect.poll(() => queue.value[0]?.kind).toBe('read')
      change({ ...FIRST, description: `Version ${count}` })
      await allow('read')
      await expect.poll(() => queue.value.length).toBe(count < 2 ? 1 : 0)
    }
    expect(await made).toMatchObject({ status: 'gave-up', reason: 'changed' })
    expect(sent).toEqual([])
  })
})
