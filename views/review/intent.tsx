/**
 * Intent of a call before its result, rendered from the arguments so far.
 *
 * @module
 */

import { renderIntent, type Part } from '#core/intent/render.ts'
import { parseIntent } from '#core/intent/template.ts'
import { recordOf, type JsonRecord } from '#core/json.ts'
import { TOOL_META } from '#core/wire.ts'
import type { HostContext } from '../bridge.ts'
import { ShortPath } from '../safe-path.tsx'
import { ShortText } from '../safe-text.tsx'

/** The parts of an intent: text of the tool's author and values from the call. */
export type Sentence = readonly Part[]

/**
 * Renders the tool's intent template; without one, returns its title or name, if the host sends the
 * tool.
 */
export function renderSentence({ toolInfo }: HostContext, args: JsonRecord): Sentence {
  const tool = recordOf(toolInfo?.tool)
  const annotations = recordOf(tool['annotations'])
  const template =
    recordOf(recordOf(tool['_meta'])[TOOL_META])['intentTemplate'] ?? annotations['intentTemplate']
  const parts = typeof template === 'string' ? renderTemplate(template, args) : null
  if (parts) return parts
  const title = [tool['title'], annotations['title'], tool['name']].find(isNonEmpty)
  return title === undefined ? [] : [{ type: 'text', text: title }]
}

/** Renders an intent as elements, with its values marked. */
export function Intent({ sentence }: { readonly sentence: Sentence }) {
  return sentence.map((part) =>
    part.type === 'text' ? (
      <ShortText text={part.text} />
    ) : (
      <span class={part.type}>
        <ShortPath text={part.text} />
      </span>
    ),
  )
}

function renderTemplate(template: string, args: JsonRecord): Sentence | null {
  try {
    return renderIntent(parseIntent(template), args).parts
  } catch (error) {
    // A template that exceeds the limits of the grammar; the title is used instead.
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const isNonEmpty = (value: unknown): value is string => typeof value === 'string' && value !== ''
