/**
 * The combined diff of one file of a draft, drawn by the review app, as Activity draws a change whose page cannot
 * be read.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { CHANGE_META } from '#core/wire.ts'
import { REVIEW_APP, REVIEW_MODES } from '../activity/review.tsx'
import { View } from '../apps/view.tsx'
import { api, basePath, unwrap } from '../connect/workspace.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, Waiting } from '../ui/parts.tsx'
import { readDifference } from './drafts-api.ts'

interface Props {
  readonly id: string
  readonly path: string
  /** The revision that is shown. */
  readonly revision: string
  /** Called if the draft is at another revision by now. */
  readonly onOther: () => void
}

/** Loads and shows the diff. */
export function FileDiff({ id, path, revision, onOther }: Props) {
  const base = basePath.value
  const { value, error, reload } = useLoad(
    async (signal) => {
      const from = api.peek()
      // Read before the diff: unchanged lines are then shown only if the file is still as it was.
      const version = from ? (await unwrap(from.status())).version : 0
      const { file, ...read } = await readDifference(base, id, path, signal)
      if (read.revision !== revision && !signal.aborted) onOther()
      return toResult(`${id} ${path}`, path, version, recordOf(file))
    },
    [base, id, path, revision],
  )
  if (error) return <Fault what="Cannot read the diff" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the diff…</Waiting>
  return <View uri={REVIEW_APP} name="Changed lines" result={value} modes={REVIEW_MODES} />
}

/** Builds a result with the change of one file, as the review app reads it. */
export function toResult(id: string, intent: string, basis: number, file: JsonRecord): JsonRecord {
  const change = { id, tool: 'draft', intent, applied: false, basis, files: [file] }
  return { content: [], _meta: { [CHANGE_META]: change } }
}
