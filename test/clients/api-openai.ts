/** OpenAI's two APIs: chat completions and responses. @module */

import type { Dialect, Reply } from './model-apis.ts'
import { fromBlocks, member, threw, type ModelInput } from './model-input.ts'
import { array, events, names } from './wire.ts'

const result = (content: unknown): ModelInput => ({ readings: [fromBlocks(content ?? '')] })

const asks = (body: unknown) => member(body, 'stream') === true

export const chat: Dialect = {
  path: /\/chat\/completions$/,
  tools: (body) => names(array(member(body, 'tools')).map((tool) => member(tool, 'function'))),
  handed(body, id) {
    const messages = array(member(body, 'messages'))
    const at = messages.findIndex((message) => member(message, 'tool_call_id') === id)
    if (at < 0) return undefined
    if (array(member(messages[at], 'content')).some((part) => member(part, 'type') !== 'text'))
      return threw('the API refuses it: a tool message of chat completions takes text alone')
    // So some clients let a message of the user follow.
    const contents = messages.slice(at).flatMap((message) => member(message, 'content') ?? [])
    return result(contents.map(asBlock))
  },
  streams: asks,
  whole: (reply) =>
    JSON.stringify({ ...completion, choices: [{ ...choice(reply), message: spoken(reply) }] }),
  stream: (reply) =>
    events([
      [undefined, { ...piece, choices: [{ index: 0, delta: spoken(reply), finish_reason: null }] }],
      [undefined, { ...piece, choices: [{ ...choice(reply), delta: {} }], usage }],
    ]) + 'data: [DONE]\n\n',
}

const asBlock = (content: unknown) =>
  typeof content === 'string' ? { type: 'text', text: content } : content

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const completion = { id: 'c1', object: 'chat.completion', created: 1, model: 'scripted', usage }
const piece = { ...completion, object: 'chat.completion.chunk', usage: null }

const choice = (reply: Reply) => ({
  index: 0,
  finish_reason: reply === 'done' ? 'stop' : 'tool_calls',
})

function spoken(reply: Reply) {
  if (reply === 'done') return { role: 'assistant', content: reply }
  const { id, name, args } = reply
  const call = {
    index: 0,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }
  return { role: 'assistant', content: null, tool_calls: [call] }
}

export const responses: Dialect = {
  path: /\/responses$/,
  tools: (body) =>
    array(member(body, 'tools')).flatMap((tool) => {
      if (member(tool, 'type') !== 'namespace') return names([tool])
      const namespace = String(member(tool, 'name'))
      return names(member(tool, 'tools')).map((name) => `${namespace} ${name}`)
    }),
  handed(body, id) {
    const items = array(member(body, 'input'))
    const output = items.find(
      (item) =>
        member(item, 'call_id') === id && String(member(item, 'type')).endsWith('_call_output'),
    )
    return output === undefined ? undefined : result(member(output, 'output'))
  },
  streams: asks,
  whole: (reply) => JSON.stringify(response('completed', [item(reply)])),
  stream: (reply) =>
    events([
      ['response.created', { response: response('in_progress', []) }],
      ['response.output_item.added', { output_index: 0, item: item(reply) }],
      ['response.output_item.done', { output_index: 0, item: item(reply) }],
      ['response.completed', { response: response('completed', [item(reply)]) }],
    ]),
}

const response = (status: string, output: unknown[]) => ({
  id: `resp_${output.length}`,
  object: 'response',
  created_at: 1,
  model: 'scripted',
  status,
  output,
  error: null,
  incomplete_details: null,
  usage: {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  },
})

function item(reply: Reply) {
  if (reply === 'done') {
    const content = [{ type: 'output_text', text: reply, annotations: [] }]
    return { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }
  }
  const { id, args } = reply
  const [name, namespace] = reply.name.split(' ').toReversed()
  const call = {
    call_id: id,
    name,
    ...(namespace && { namespace }),
    arguments: JSON.stringify(args),
  }
  return { id: 'fc_1', type: 'function_call', status: 'completed', ...call }
}
