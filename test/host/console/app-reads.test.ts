/** What an open app may read: each answer of the person, how long it holds, and which calls share a question. */

import { expect, it } from 'vitest'
import { createAppReads, type ReadAnswer, type Reading } from '#host/console/questions/app-reads.ts'

const POLL: Reading = { tool: 'poll', title: 'Poll', definition: '{"v":1}', claim: 'reads' }
const ALLOW: ReadAnswer = { allow: true, eachTime: false }
const DENY: ReadAnswer = { allow: false, eachTime: false }
const ONCE: ReadAnswer = { allow: true, eachTime: true }

/** An app whose questions wait until the test answers the oldest. */
function openApp() {
  const reads = createAppReads()
  const questions: ((answer: ReadAnswer | null) => void)[] = []
  let asked = 0
  const ask = (signal: AbortSignal) =>
    new Promise<ReadAnswer | null>((resolve) => {
      asked++
      questions.push(resolve)
      signal.addEventListener('abort', () => resolve(null))
    })
  const call = (reading: Reading = POLL, signal = new AbortController().signal) =>
    reads.decide(reading, ask, signal)
  const answer = async (given: ReadAnswer | null) => {
    questions.shift()?.(given)
    await new Promise((resolve) => setTimeout(resolve))
  }
  /** Makes a call, and answers its question if it has one. */
  const callAnswered = async (given: ReadAnswer, reading?: Reading) => {
    const before = asked
    const made = call(reading)
    if (asked > before) await answer(given)
    return made
  }
  return { ...reads, call, answer, callAnswered, asked: () => asked }
}

it('asks once for twenty calls, one after the other', async () => {
  const app = openApp()
  for (let count = 0; count < 20; count++) expect(await app.callAnswered(ALLOW)).toBe(true)
  expect(app.asked()).toBe(1)
  expect(app.kept.value).toEqual([{ ...POLL, isAllowed: true }])
})

it.each([
  [ALLOW, true],
  [DENY, false],
])('asks once for twenty calls at the same time, and %o answers all', async (given, expected) => {
  const app = openApp()
  const calls = Array.from({ length: 20 }, () => app.call())
  expect(app.asked()).toBe(1)
  await app.answer(given)
  expect(new Set(await Promise.all(calls))).toEqual(new Set([expected]))
})

it('keeps a No until the person reloads the app, and a Yes beyond it', async () => {
  const app = openApp()
  const other = { ...POLL, tool: 'other' }
  await app.callAnswered(ALLOW, other)
  for (let count = 0; count < 20; count++) expect(await app.callAnswered(DENY)).toBe(false)
  expect(app.asked()).toBe(2)
  app.reset()
  expect(await app.callAnswered(ALLOW)).toBe(true)
  expect(await app.callAnswered(DENY, other)).toBe(true)
  expect(app.asked()).toBe(3)
})

it.each<[string, Partial<Reading>]>([
  ['a definition', { definition: '{"v":2}' }],
  ['a tool', { tool: 'other' }],
  ['a claim', { claim: 'previews' }],
])('asks again about %s that is not the one that was allowed', async (_, changed) => {
  const app = openApp()
  await app.callAnswered(ALLOW)
  expect(await app.callAnswered(DENY, { ...POLL, ...changed })).toBe(false)
  expect(app.asked()).toBe(2)
})

it('keeps one answer for each tool: the definition before is asked again when it comes back', async () => {
  const app = openApp()
  await app.callAnswered(ALLOW)
  await app.callAnswered(ALLOW, { ...POLL, definition: '{"v":2}' })
  expect(app.kept.value).toHaveLength(1)
  await app.callAnswered(ALLOW)
  expect(app.asked()).toBe(3)
})

it('ends what was allowed when another page is loaded, and not when the same page is', async () => {
  const app = openApp()
  app.setPage('one')
  await app.callAnswered(ALLOW)
  app.setPage('one')
  await app.callAnswered(ALLOW)
  expect(app.asked()).toBe(1)
  app.setPage('two')
  await app.callAnswered(ALLOW)
  expect(app.asked()).toBe(2)
})

it('keeps no answer to a question of before a reload', async () => {
  const app = openApp()
  const made = app.call()
  app.reset()
  await app.answer(ALLOW)
  expect(await made).toBe(false)
  expect(app.kept.value).toEqual([])
})

it('asks each time if the person wants it: an answer is for the call that was shown', async () => {
  const app = openApp()
  const calls = Array.from({ length: 3 }, () => app.call())
  await app.answer(ONCE)
  expect(app.asked()).toBe(3)
  await app.answer({ allow: false, eachTime: true })
  await app.answer(ONCE)
  expect(await Promise.all(calls)).toEqual([true, false, true])
  expect(await app.callAnswered(ALLOW)).toBe(true)
  expect(await app.callAnswered(DENY)).toBe(true)
  expect(app.asked()).toBe(4)
})

it('ends what was allowed when the person asks for each question, and keeps what was denied', async () => {
  const app = openApp()
  const other = { ...POLL, tool: 'other' }
  await app.callAnswered(ALLOW)
  await app.callAnswered(DENY, other)
  app.setEachTime(true)
  expect(app.kept.value.map(({ tool }) => tool)).toEqual(['other'])
  await app.callAnswered(ONCE)
  expect(await app.callAnswered(ONCE, other)).toBe(false)
  expect(app.asked()).toBe(3)
})

it('asks again about an answer that the person has forgotten', async () => {
  const app = openApp()
  await app.callAnswered(DENY)
  for (const read of app.kept.value) app.forget(read)
  expect(await app.callAnswered(ALLOW)).toBe(true)
  expect(app.asked()).toBe(2)
})

it('withdraws a question when no call waits for it any more, and keeps nothing', async () => {
  const app = openApp()
  const [first, second] = [new AbortController(), new AbortController()]
  const calls = [app.call(POLL, first.signal), app.call(POLL, second.signal)]
  first.abort()
  expect(await calls[0]).toBe(false)
  const late = app.call()
  second.abort()
  await app.answer(ALLOW)
  expect(await Promise.all([...calls, late])).toEqual([false, false, true])
  expect(app.asked()).toBe(1)

  const last = new AbortController()
  const withdrawn = app.call({ ...POLL, tool: 'other' }, last.signal)
  last.abort()
  expect(await withdrawn).toBe(false)
  await app.answer(null)
  await app.callAnswered(ALLOW, { ...POLL, tool: 'other' })
  expect(app.asked()).toBe(3)
})

it('keeps a bounded number of answers', async () => {
  const app = openApp()
  for (let count = 0; count < 150; count++)
    await app.callAnswered(ALLOW, { ...POLL, tool: `tool-${count}` })
  expect(app.kept.value).toHaveLength(100)
})
