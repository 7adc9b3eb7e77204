/** Anthropic's Messages API. @module */

import type { Dialect, Reply } from './model-apis.ts'
import { fromBlocks, member } from './model-input.ts'
import { array, events, names } from './wire.ts'

export const anthropic: Dialect = {
  path: /\/messages$/,
  tools: (body) => names(member(body, 'tools')),
  handed(body, id) {
    const blocks = array(member(body, 'messages')).flatMap((message) =>
      array(member(message, 'content')),
    )
    const result = blocks.find((block) => member(block, 'tool_use_id') === id)
    if (result === undefined) return undefined
    const failed = member(result, 'is_error') === true
    return { readings: [fromBlocks(member(result, 'content') ?? '')], failed }
  },
  streams: (body) => member(body, 'stream') === true,
  whole: (reply) => JSON.stringify({ ...message(reply), content: [block(reply)] }),
  stream: (reply) =>
    events([
      ['message_start', { message: { ...message(reply), content: [], stop_reason: null } }],
      ['content_block_start', { index: 0, content_block: emptied(reply) }],
      ['content_block_delta', { index: 0, delta: delta(reply) }],
      ['content_block_stop', { index: 0 }],
      ['message_delta', { delta: { stop_reason: stop(reply) }, usage: USAGE }],
      ['message_stop', {}],
    ]),
}

const USAGE = { input_tokens: 1, output_tokens: 1 }

const stop = (reply: Reply) => (reply === 'done' ? 'end_turn' : 'tool_use')

const message = (reply: Reply) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  stop_reason: stop(reply),
  stop_sequence: null,
  usage: USAGE,
})

const block = (reply: Reply) =>
  reply === 'done'
    ? { type: 'text', text: reply }
    : { type: 'tool_use', id: reply.id, name: reply.name, input: reply.args }

const emptied = (reply: Reply) =>
  reply === 'done' ? { type: 'text', text: '' } : { ...block(reply), input: {} }

const delta = (reply: Reply) =>
  reply === 'done'
    ? { type: 'text_delta', text: reply }
    : { type: 'input_json_delta', partial_json: JSON.stringify(reply.args) }
