import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  addMessage,
  buildModelInput,
  clearConversation,
  conversation,
  conversationWith,
  MAX_CONTEXTS,
  MAX_MESSAGES,
  MAX_MESSAGES_AT_ONCE,
  MAX_UPDATE_LENGTH,
  setContext,
} from '#host/console/conversation/conversation.ts'

const SERVER = 'https://one.example/mcp'
const clock = { server: SERVER, app: 'Clock' }
const text = (value: string) => ({ type: 'text', text: value })
const say = (value: string) => addMessage(clock, { role: 'user', content: [text(value)] })

beforeEach(() => (conversation.value = { messages: [], pending: [] }))
afterEach(() => void vi.useRealTimers())

it('hands the last context of each app over once, before the next message', () => {
  expect(setContext(clock, { content: [text('old')] })).toBe(true)
  setContext(clock, { content: [text('new')], structuredContent: { turn: 2 } })
  setContext({ ...clock, app: 'Map' }, { content: [text('here')] })
  expect(say('What time is it?')).toBe(true)
  say('And now?')
  expect(buildModelInput(conversationWith(SERVER))).toEqual([
    {
      role: 'user',
      content: [
        text('new'),
        text('Data of the app "Clock": {"turn":2}'),
        text('here'),
        text('What time is it?'),
      ],
    },
    { role: 'user', content: [text('And now?')] },
  ])
})

it('shows a context that no message has taken along as the next turn', () => {
  setContext(clock, { content: [text('waits')] })
  expect(buildModelInput(conversationWith(SERVER))).toEqual([
    { role: 'user', content: [text('waits')] },
  ])
  setContext(clock, {})
  expect(buildModelInput(conversationWith(SERVER))).toEqual([])
})

it('keeps the servers apart', () => {
  const other = { ...clock, server: 'https://two.example/mcp' }
  setContext(other, { content: [text('secret of two')] })
  say('to one')
  expect(JSON.stringify(conversationWith(SERVER))).not.toContain('secret of two')
  clearConversation(SERVER)
  expect(conversationWith(SERVER)).toEqual({ messages: [], pending: [] })
  expect(conversationWith(other.server).pending).toHaveLength(1)
})

it('takes a few messages of a server at once, and more later: MAX_MESSAGES_AT_ONCE', () => {
  vi.useFakeTimers()
  for (let index = 0; index < MAX_MESSAGES_AT_ONCE; index++)
    expect(addMessage({ ...clock, app: `Clock ${index}` }, { content: [text('x')] })).toBe(true)
  expect(say('one more')).toBe(false)
  expect(addMessage({ ...clock, server: 'https://two.example/mcp' }, {})).toBe(true)
  vi.advanceTimersByTime(10_000)
  expect(say('later')).toBe(true)
  expect(conversation.value.messages).toHaveLength(MAX_MESSAGES_AT_ONCE + 2)
})

it('is bounded: MAX_MESSAGES, MAX_CONTEXTS, MAX_UPDATE_LENGTH', () => {
  vi.useFakeTimers()
  for (let index = 0; index <= MAX_MESSAGES; index++) {
    vi.advanceTimersByTime(1_000)
    say(String(index))
  }
  vi.advanceTimersByTime(10_000)
  expect(conversation.value.messages).toHaveLength(MAX_MESSAGES)
  for (let index = 0; index <= MAX_CONTEXTS; index++)
    setContext({ ...clock, app: String(index) }, { content: [text('x')] })
  expect(conversation.value.pending).toHaveLength(MAX_CONTEXTS)
  const around = JSON.stringify([text('')]).length
  expect(say('x'.repeat(MAX_UPDATE_LENGTH - around))).toBe(true)
  expect(say('x'.repeat(MAX_UPDATE_LENGTH - around + 1))).toBe(false)
  expect(setContext(clock, { content: [text('x'.repeat(MAX_UPDATE_LENGTH))] })).toBe(false)
})
