/**
 * A file that is not text: the text that the server finds in a document, such as a PDF, or that there is none. It cannot
 * be edited, because what would be saved is not the document. `test/host/console/files/place.test.tsx` has the cases.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { recordOf } from '#core/json.ts'
import { numberOf, textOf } from '../../mcp/parse.ts'
import { openConnection } from '../connect/connection.ts'
import { callReadOnly } from '../tools/calls.ts'
import { ToolError } from '../ui/errors.ts'
import { formatNumber } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, Note, Waiting } from '../ui/parts.tsx'
import { SourceLines } from './source-lines.tsx'

interface Props {
  readonly path: StorePath
  readonly version: number
}

/** Lines of a document that are shown. */
const MAX_LINES = 1_000

/** Shows the text of a document, or why there is none. */
export function DocumentText({ path, version }: Props) {
  const { value, error, reload } = useLoad((signal) => readText(path, signal), [path, version])
  if (error) return <Fault what="Cannot read the file" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the text…</Waiting>
  if (value.text === null)
    return <Note>This file cannot be shown or edited here: {value.reason} Download it.</Note>
  return (
    <>
      <Note>
        This is the text of the document, which cannot be edited here. Download it to change it.
        {value.total > value.count && ` The first ${formatNumber(value.count)} lines are shown.`}
      </Note>
      <SourceLines path="/text.txt" text={value.text} />
    </>
  )
}

interface Read {
  readonly text: string | null
  readonly reason: string
  readonly count: number
  readonly total: number
}

async function readText(path: StorePath, signal: AbortSignal): Promise<Read> {
  try {
    const args = { path, limit: MAX_LINES }
    const result = await callReadOnly(openConnection(), 'read_file', args, signal)
    const { content, count, total } = recordOf(result.structuredContent)
    const text = typeof content === 'string' ? content : null
    return {
      ...{ text, reason: 'it is not text.' },
      ...{ count: numberOf(count) ?? 0, total: numberOf(total) ?? 0 },
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const isDocument = error.code?.startsWith('DOCUMENT_') === true
    return {
      text: null,
      reason: isDocument ? textOf(error.message) : 'it is not text.',
      count: 0,
      total: 0,
    }
  }
}
