/** Tool calls of the console: who is shown as the one who asks, and how often an app may ask. */

import { afterEach, expect, it } from 'vitest'
import { handleOpenLink } from '#host/console/apps/open-link.ts'
import { createAppQuestions } from '#host/console/questions/app-questions.ts'
import { callAsApp } from '#host/console/tools/calls.ts'
import { describeAsker, queue } from '#host/console/questions/queue.ts'
import { parseCallResult, parseServer, parseTools } from '#host/mcp/parse.ts'

const url = 'https://bank.example/mcp'
const [transfer] = parseTools({ tools: [{ name: 'transfer' }] }).items
const connection = {
  url,
  server: parseServer({ name: 'bank' }, url),
  call: async () => parseCallResult({ content: [] }),
}

const app = (name: string) => ({ name, questions: createAppQuestions() })

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
