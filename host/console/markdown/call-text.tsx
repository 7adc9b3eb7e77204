/**
 * What a server writes for a person about a call and its result: `inputTemplate` and `outputTemplate` of
 * the tool, and `_meta.displayMessage` of the result. All of it is the server's claim.
 *
 * @module
 */

import { own } from '#core/json.ts'
import { textOf } from '../../mcp/parse.ts'
import { changeOf } from '../../mcp/tool-facts.ts'
import type { CallToolResult, Tool } from '../../mcp/types.ts'
import { Markdown } from './markdown.tsx'
import { fillMarkdown, markdownTemplateOf, toMarkdown } from './template.ts'

/** Shows what a tool writes about a call; nothing without an `inputTemplate`. */
export const CallText = ({ tool, args }: { readonly tool: Tool; readonly args: unknown }) => (
  <Filled template={markdownTemplateOf(tool, 'inputTemplate')} args={args} id="input-text" />
)

interface ResultProps {
  readonly tool: Tool
  readonly result: CallToolResult
}

/** Shows what a server writes about a result; nothing if it failed or writes nothing. */
export function ResultText({ tool, result }: ResultProps) {
  if (result.isError) return null
  const message = textOf(own(result.meta, 'displayMessage'))
  // The page has the sentence of a change as its heading.
  const isShown = message !== '' && message !== changeOf(result)?.intent
  const template = markdownTemplateOf(tool, 'outputTemplate')
  return (
    <>
      {isShown && (
        <div data-testid="display-message">
          <Markdown source={toMarkdown(message)} />
        </div>
      )}
      <Filled template={template} args={result.structuredContent} id="output-text" />
    </>
  )
}

interface FilledProps {
  readonly template: string | null
  readonly args: unknown
  readonly id: string
}

function Filled({ template, args, id }: FilledProps) {
  const source = template === null ? null : fillMarkdown(template, args)
  if (source === null || source.text.trim() === '') return null
  return (
    <div data-testid={id}>
      <Markdown source={source} />
    </div>
  )
}
