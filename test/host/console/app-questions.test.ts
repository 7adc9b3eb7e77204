/** Questions of an app: a few wait or are refused, and further ones are refused without a dialog. */

import { afterEach, expect, it } from 'vitest'
import { createAppQuestions } from '#host/console/questions/app-questions.ts'
import { askForAnswer, askServerQuestion, queue } from '#host/console/questions/queue.ts'
import { parseSampling } from '#host/mcp/sampling.ts'

const QUESTION = parseSampling({ messages: [] })
const FORM = { mode: 'form', message: '', schema: null, url: null, app: null } as const
const ANSWER = { text: 'Yes', model: 'human' }
const { signal } = new AbortController()

/** Answers the question that is shown; null refuses. */
function answerFirst(answer: typeof ANSWER | null): void {
  const [one] = queue.value
  if (one?.kind === 'sampling') one.answer(answer)
}

afterEach(() => {
  for (const one of queue.value) if (one.kind === 'sampling') one.answer(null)
  queue.value = []
})

function startApp() {
  const app = createAppQuestions()
  const ask = (until = signal) =>
    app.ask({
      ask: (inner) => askForAnswer(QUESTION, 'a.example', inner, 'Writer'),
      no: null,
      isRefusal: (answer) => answer === null,
      signal: until,
    })
  const refuse = async () => {
    const asked = ask()
    answerFirst(null)
    expect(await asked).toBe(null)
  }
  return { ...app, ask, refuse }
}

it('shows no dialog after three refusals in a row, until a reload', async () => {
  const app = startApp()
  for (let count = 0; count < 3; count++) await app.refuse()
  expect(await app.ask()).toBe(null)
  app.reset()
  const asked = app.ask()
  expect(queue.value).toHaveLength(1)
  answerFirst(ANSWER)
  expect(await asked).toBe(ANSWER)
})

it('forgets refusals with an answer', async () => {
  const app = startApp()
  for (let count = 0; count < 2; count++) await app.refuse()
  const asked = app.ask()
  answerFirst(ANSWER)
  await asked
  for (let count = 0; count < 2; count++) await app.refuse()
  void app.ask()
  expect(queue.value).toHaveLength(1)
})

it('counts what waits, and what the app withdraws', async () => {
  const app = startApp()
  const controller = new AbortController()
  const asked = [1, 2, 3].map(() => app.ask(controller.signal))
  expect(await app.ask()).toBe(null)
  expect(queue.value).toHaveLength(3)
  controller.abort()
  expect(await Promise.all(asked)).toEqual([null, null, null])
  expect(await app.ask()).toBe(null)
  expect(queue.value).toEqual([])
})

it('lets one server have three questions in the queue, and leaves room for others', async () => {
  void askForAnswer(QUESTION, 'a.example', signal)
  void askForAnswer(QUESTION, 'a.example', signal)
  void askServerQuestion(FORM, 'a.example', signal)
  expect(await askForAnswer(QUESTION, 'a.example', signal)).toBe(null)
  expect(await askServerQuestion(FORM, 'a.example', signal)).toEqual({ action: 'cancel' })
  void askForAnswer(QUESTION, 'b.example', signal)
  void askForAnswer(QUESTION, 'a.example', signal, 'Writer')
  expect(queue.value).toHaveLength(5)
})
