/**
 * Sampling: a server, or an app, requests what a model would say. The client has no model, so a person
 * answers, and a request that a person could not read as a whole is refused.
 *
 * Both eras and apps send the same params. `test/host/mcp/sampling.test.ts` has the cases,
 * `test/pages/console/sampling.slow.test.ts` drives it against real servers.
 *
 * @module
 */

import { cutEnd } from '#core/cut-middle.ts'
import { ProtocolError, type CreateMessageResult } from '@modelcontextprotocol/client'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { visiblePieces } from '#core/visible.ts'
import { listOf, numberOf, textOf } from './parse.ts'
import type { ContentBlock, Sampling, SamplingAnswer, SamplingMessage } from './types.ts'

/** Most messages of a request. */
export const MAX_MESSAGES = 100
/** Most content blocks of all messages. */
export const MAX_BLOCKS = 100
/** Most pieces between line breaks and hidden characters, which are shown one by one. */
export const MAX_PIECES = 10_000
/** Longest request, in UTF-16 code units of JSON. */
export const MAX_REQUEST_LENGTH = 200_000
/** Longest answer, in UTF-16 code units. */
export const MAX_ANSWER_LENGTH = 100_000
/** Most model names and stop sequences that are shown. */
const MAX_NAMES = 20

/** The code that the specification gives for a refusal by the user. */
const REJECTED = -1
const INVALID_PARAMS = -32602

/**
 * Answers a `sampling/createMessage` request.
 *
 * @param ask Asks a person; null refuses.
 * @throws {ProtocolError} -32602 if the request cannot be shown as a whole or has tools, which are not
 *   declared; -1 if the person refuses.
 */
export async function answerSampling(
  params: JsonRecord,
  ask: (request: Sampling) => Promise<SamplingAnswer | null>,
): Promise<CreateMessageResult> {
  const answer = await ask(parseSampling(params))
  if (!answer) throw new ProtocolError(REJECTED, 'User rejected sampling request')
  return {
    role: 'assistant',
    content: { type: 'text', text: cutEnd(answer.text, MAX_ANSWER_LENGTH) },
    model: answer.model,
    stopReason: 'endTurn',
  }
}

/**
 * Parses the params of a request, which are untrusted input.
 *
 * @throws {ProtocolError} -32602 if it is too large, has tools or no messages.
 */
export function parseSampling(params: JsonRecord): Sampling {
  const { messages, systemPrompt, modelPreferences, tools, toolChoice } = params
  if (tools !== undefined || toolChoice !== undefined) throw invalid('tools are not supported')
  if (!Array.isArray(messages)) throw invalid('it has no messages')
  if (messages.length > MAX_MESSAGES) throw invalid(`it has more than ${MAX_MESSAGES} messages`)
  if (JSON.stringify(params).length > MAX_REQUEST_LENGTH) throw invalid('it is too long')
  if (messages.flatMap(blocksOf).length > MAX_BLOCKS)
    throw invalid(`it has more than ${MAX_BLOCKS} blocks`)
  const wanted = recordOf(modelPreferences)
  const request: Sampling = {
    systemPrompt: textOf(systemPrompt),
    messages: messages.map(parseMessage),
    maxTokens: numberOf(params['maxTokens']),
    temperature: numberOf(params['temperature']),
    stopSequences: textsOf(params['stopSequences']),
    context: textOf(params['includeContext']) || 'none',
    models: textsOf(listOf(wanted['hints']).map((hint) => recordOf(hint)['name'])),
    priorities: {
      cost: numberOf(wanted['costPriority']),
      speed: numberOf(wanted['speedPriority']),
      intelligence: numberOf(wanted['intelligencePriority']),
    },
  }
  if (countPieces(request) > MAX_PIECES) throw invalid('it has too many lines or hidden characters')
  return request
}

const countPieces = (request: Sampling) =>
  [formatPrompt(request), ...request.models, ...request.stopSequences].flatMap(visiblePieces).length

const invalid = (reason: string) =>
  new ProtocolError(INVALID_PARAMS, `Cannot show the sampling request: ${reason}.`)

/** Content is one block, or a list since revision 2025-11-25. */
function blocksOf(message: unknown): readonly unknown[] {
  const { content } = recordOf(message)
  return Array.isArray(content) ? content : [content]
}

const parseMessage = (message: unknown): SamplingMessage => ({
  role: recordOf(message)['role'] === 'assistant' ? 'assistant' : 'user',
  content: blocksOf(message).map(parseBlock),
})

const parseBlock = (block: unknown): ContentBlock => ({
  ...recordOf(block),
  type: isRecord(block) ? textOf(block['type']) : '',
})

const textsOf = (value: unknown): string[] =>
  listOf(value)
    .filter((each) => typeof each === 'string')
    .slice(0, MAX_NAMES)

/** Formats the prompt as text, to be given to a model by hand: what the dialog shows, and nothing else. */
export function formatPrompt({ systemPrompt, messages }: Sampling): string {
  const system = systemPrompt === '' ? [] : [`System: ${systemPrompt}`]
  const turns = messages.map(({ role, content }) => {
    const text = content.map(formatBlock).join('\n')
    return `${role === 'assistant' ? 'Assistant' : 'User'}: ${text}`
  })
  return [...system, ...turns].join('\n\n')
}

/** Formats a block as it is shown and copied: text, the type and size of an image, otherwise JSON. */
export function formatBlock(block: ContentBlock): string {
  const { type, text, data, mimeType } = block
  if (type === 'text' && typeof text === 'string') return text
  if (!isImage(block)) return JSON.stringify(block)
  return `[Image: ${textOf(mimeType)}, ${sizeOf(textOf(data))} bytes]`
}

const IMAGE = /^image\/(png|jpeg|gif|webp|avif)$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Whether a block can be shown as an image. */
export const isImage = ({ type, data, mimeType }: ContentBlock): boolean =>
  type === 'image' && IMAGE.test(textOf(mimeType)) && BASE64.test(textOf(data))

const sizeOf = (base64: string) => Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
