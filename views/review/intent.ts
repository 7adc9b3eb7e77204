/**
 * The sentence of a call before there is a result: what its arguments say so far.
 *
 * @module
 */

import { renderIntent, type Part } from '#core/intent/render.ts'
import { parseIntent } from '#core/intent/template.ts'
import { recordOf, type JsonRecord } from '#core/json.ts'
import { TOOL_META } from '#core/wire.ts'
import type { HostContext } from '../bridge.ts'

/** Words of the tool's author, and what the call brought in. */
export type Sentence = readonly Part[]

/** By the tool's template; else its title or its name, where the host tells of the tool at all. */
export function intentOf({ toolInfo }: HostContext, args: JsonRecord): Sentence {
  const tool = recordOf(toolInfo?.tool)
  const annotations = recordOf(tool['annotations'])
  const template =
    recordOf(recordOf(tool['_meta'])[TOOL_META])['intentTemplate'] ?? annotations['intentTemplate']
  const parts = typeof template === 'string' ? rendered(template, args) : null
  if (parts) return parts
  const title = [tool['title'], annotations['title'], tool['name']].find(isText)
  return title === undefined ? [] : [{ type: 'text', text: title }]
}

function rendered(template: string, args: JsonRecord): Sentence | null {
  try {
    return renderIntent(parseIntent(template), args).parts
  } catch (error) {
    // A template over the limits of the grammar. Then the title has to do.
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
