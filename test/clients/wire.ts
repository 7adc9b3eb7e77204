/** Small pieces that the model APIs share. @module */

import { member } from './model-input.ts'

export const array = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const names = (tools: unknown): string[] =>
  array(tools).flatMap((tool) => {
    const name = member(tool, 'name')
    return typeof name === 'string' ? [name] : []
  })

/** Server-sent events; with a name, the data says it too, as Anthropic's and OpenAI's do. */
export const events = (all: readonly (readonly [string | undefined, object])[]): string =>
  all
    .map(([type, data], sequence_number) =>
      type === undefined
        ? `data: ${JSON.stringify(data)}\n\n`
        : `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...data })}\n\n`,
    )
    .join('')
