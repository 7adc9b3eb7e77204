/** Google's generateContent API. @module */

import type { Dialect, Reply } from './model-apis.ts'
import { fromBlocks, member } from './model-input.ts'
import { array, events, names } from './wire.ts'

export const gemini: Dialect = {
  path: /:(streamG|g)enerateContent$/,
  tools: (body) =>
    array(member(body, 'tools')).flatMap((tool) => names(member(tool, 'functionDeclarations'))),
  handed(body) {
    const parts = array(
      array(member(body, 'contents')).at(-1) &&
        member(array(member(body, 'contents')).at(-1), 'parts'),
    )
    const response = parts.find((part) => member(part, 'functionResponse') !== undefined)
    if (response === undefined) return undefined
    const readings = parts.flatMap((part) => images(part))
    const text = JSON.stringify(member(member(response, 'functionResponse'), 'response'))
    return { readings: [{ ...fromBlocks(text), images: readings }] }
  },
  streams: (_, path) => path.includes('stream'),
  whole: (reply) => JSON.stringify(candidates(reply)),
  stream: (reply) => events([[undefined, candidates(reply)]]),
}

/** Images stand beside the response, or inside it. */
function images(part: unknown): string[] {
  const inner = array(member(member(part, 'functionResponse'), 'parts'))
  return [part, ...inner].flatMap((place) => {
    const data = member(member(place, 'inlineData'), 'data')
    return typeof data === 'string' ? [data] : []
  })
}

const candidates = (reply: Reply) => ({
  candidates: [
    { index: 0, finishReason: 'STOP', content: { role: 'model', parts: [part(reply)] } },
  ],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
})

const part = (reply: Reply) =>
  reply === 'done' ? { text: reply } : { functionCall: { name: reply.name, args: reply.args } }
