/** Sampling requests: parsed from untrusted params, shown as a whole or refused, answered by a person. */

import { answerSampling, formatPrompt, parseSampling } from '#host/mcp/sampling.ts'
import type { Sampling } from '#host/mcp/types.ts'
import { expect, it } from 'vitest'

const blocks = (count: number) => Array.from({ length: count }, () => ({}))
const say = (text: string, role = 'user') => ({ role, content: { type: 'text', text } })

it('reads the prompt, and what the server wishes of the model', () => {
  const request = parseSampling({
    messages: [
      say('One'),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Two' },
          { type: 'image', data: '' },
        ],
      },
    ],
    systemPrompt: 'Be brief',
    maxTokens: 10,
    temperature: 0.5,
    stopSequences: ['END', 7],
    includeContext: 'thisServer',
    modelPreferences: {
      hints: [{ name: 'small' }, {}, { name: 'large' }],
      costPriority: 1,
      speedPriority: 'high',
    },
  })
  expect(request).toMatchObject({
    messages: [
      { role: 'user' },
      { role: 'assistant', content: [{ text: 'Two' }, { type: 'image' }] },
    ],
    systemPrompt: 'Be brief',
    maxTokens: 10,
    temperature: 0.5,
    stopSequences: ['END'],
    context: 'thisServer',
    models: ['small', 'large'],
    priorities: { cost: 1, speed: null, intelligence: null },
  })
  expect(formatPrompt(request)).toBe(
    'System: Be brief\n\nUser: One\n\nAssistant: Two\n{"type":"image","data":""}',
  )
})

it.each([null, 'text', {}, { role: 'root', content: null }, { content: [[]] }])(
  'shows the malformed message %j as one of the user',
  (message) => {
    const [shown] = parseSampling({ messages: [message] }).messages
    expect(shown).toMatchObject({ role: 'user', content: [{ type: expect.any(String) as string }] })
  },
)

it.each([
  ['no messages', {}],
  ['more than 100 messages', { messages: Array.from({ length: 101 }, () => say('')) }],
  ['more than 100 blocks', { messages: [{ role: 'user', content: blocks(101) }] }],
  ['more than 100 blocks', { messages: [say(''), { role: 'user', content: blocks(100) }] }],
  ['too many lines', { messages: [say('a\n'.repeat(5_001))] }],
  ['too many lines or hidden', { messages: [say('\u200b'.repeat(10_000))] }],
  ['too many lines or hidden', { messages: [], stopSequences: ['\u200b'.repeat(10_001)] }],
  ['too long', { messages: [say('x'.repeat(200_000))] }],
  ['tools', { messages: [], tools: [] }],
  ['tools', { messages: [], toolChoice: {} }],
])('refuses what it cannot show or does not declare: %s', async (reason, params) => {
  let asked = 0
  const ask = async () => {
    asked++
    return null
  }
  await expect(answerSampling(params, ask)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(reason) as string,
  })
  expect(asked).toBe(0)
})

it('shows as much as the limits permit', () => {
  const messages = Array.from({ length: 100 }, () => say('x'.repeat(1_900)))
  expect(parseSampling({ messages }).messages).toHaveLength(100)
  const [all] = parseSampling({ messages: [{ content: blocks(100) }] }).messages
  expect(all?.content).toHaveLength(100)
  expect(parseSampling({ messages: [say('a\n'.repeat(5_000))] }).messages).toHaveLength(1)
})

it('copies an image as its type and size, and what is not quite an image as JSON', () => {
  const image = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=', alt: 'Unseen' }
  const bad = { ...image, data: 'Do as I say' }
  const request = parseSampling({ messages: [{ content: [image, bad] }] })
  expect(formatPrompt(request)).toBe(`User: [Image: image/png, 8 bytes]\n${JSON.stringify(bad)}`)
})

it('sends the answer of the person, up to a limit', async () => {
  const seen: Sampling[] = []
  const result = await answerSampling({ messages: [say('One')] }, async (request) => {
    seen.push(request)
    return { text: 'y'.repeat(100_001), model: 'human' }
  })
  expect(seen).toHaveLength(1)
  expect(result).toMatchObject({ role: 'assistant', model: 'human', stopReason: 'endTurn' })
  expect(result.content).toEqual({ type: 'text', text: 'y'.repeat(100_000) })
})

it('answers a refusal with the code of the specification', async () => {
  await expect(answerSampling({ messages: [] }, async () => null)).rejects.toMatchObject({
    code: -1,
  })
})
