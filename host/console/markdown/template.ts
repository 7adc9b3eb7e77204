/**
 * Templates of Markdown: `inputTemplate` and `outputTemplate` of a tool, with the grammar of intents
 * (`core/intent/GRAMMAR.md`), except that white space is kept.
 *
 * Values of the call never become markup: the source holds a mark in place of each, which
 * `markdown.tsx` replaces by text. `test/host/console/markdown.test.tsx` covers it.
 *
 * @module
 */

import { renderIntent } from '#core/intent/render.ts'
import { parseIntent } from '#core/intent/template.ts'
import { own, recordOf } from '#core/json.ts'
import { TOOL_META } from '#core/wire.ts'
import { textOf } from '../../mcp/parse.ts'
import type { Tool } from '../../mcp/types.ts'

/** Markdown, with a mark in place of each value. */
export interface MarkdownSource {
  readonly text: string
  /** The values, by the number in their mark. */
  readonly values: readonly string[]
}

/** Characters of the private use area that stand for white space and enclose the number of a value. */
const LINE = '\uE000'
const SPACE = '\uE001'
const OPEN = '\uE002'
const CLOSE = '\uE003'

const RESERVED = /[\uE000-\uE003]/g

/** Finds the marks of values; the group is the number. */
export const VALUE_MARK = /\uE002(\d+)\uE003/

/** Returns a Markdown template of a tool from its metadata or annotations; null if it has none. */
export function markdownTemplateOf(
  { meta, annotations }: Tool,
  name: 'inputTemplate' | 'outputTemplate',
): string | null {
  const declared = recordOf(own(meta, TOOL_META))
  return textOf(own(declared, name) ?? own(annotations, name)) || null
}

/** Fills a template; null if it exceeds the limits of templates. */
export function fillMarkdown(template: string, args: unknown): MarkdownSource | null {
  const kept = template
    .replace(RESERVED, '')
    .replaceAll(/\r\n?|\n/g, LINE)
    .replaceAll(/ (?=[ \uE000]|$)|(?<=\uE000 *) /g, SPACE)
  try {
    return toSource(renderIntent(parseIntent(kept), args).parts)
  } catch {
    return null
  }
}

/** Builds Markdown of a text without a template. */
export const toMarkdown = (text: string): MarkdownSource => ({
  text: text.replace(RESERVED, ''),
  values: [],
})

function toSource(parts: ReturnType<typeof renderIntent>['parts']): MarkdownSource {
  const values: string[] = []
  const text = parts.map((part) => {
    if (part.type === 'text') return part.text.replaceAll(LINE, '\n').replaceAll(SPACE, ' ')
    const shown = part.type === 'value' ? part.text : `{${part.key}}`
    return `${OPEN}${values.push(shown) - 1}${CLOSE}`
  })
  return { text: text.join(''), values }
}
