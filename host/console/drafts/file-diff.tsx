/**
 * The diff of one file of a draft or of one change of it, drawn by the review app, as Activity draws a change whose
 * page cannot be read. What cannot be shown as text can be opened.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { CHANGE_META } from '#core/wire.ts'
import { REVIEW_APP, REVIEW_MODES } from '../activity/review.tsx'
import { View } from '../apps/view.tsx'
import { api, basePath, unwrap } from '../connect/workspace.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, Note, Waiting } from '../ui/parts.tsx'
import { addressOfFile, readDifference, type FileOfDraft, type Part } from './drafts-api.ts'
import type { ChangedFile } from './drafts-parse.ts'

interface Props {
  readonly id: string
  readonly file: ChangedFile
  /** A part of the draft; by default all of it. */
  readonly part?: Part
  /** The revision that is shown. */
  readonly revision: string
  /** Called if the draft is at another revision by now. */
  readonly onOther: () => void
}

/** Shows the diff of a file; a folder that is listed has no file. */
export const FileDiff = (props: Props) =>
  props.file.type === 'folder' ? <p class="faint">An empty folder.</p> : <Loaded {...props} />

function Loaded({ id, file, part, revision, onOther }: Props) {
  const { path } = file
  const base = basePath.value
  const { value, error, reload } = useLoad(
    async (signal) => {
      const from = api.peek()
      // Read before the diff: unchanged lines are then shown only if the file is still as it was.
      const version = from ? (await unwrap(from.status())).version : 0
      const read = await readDifference(base, id, { path, part }, signal)
      const isOther = read.revision !== null && read.revision !== revision
      if (isOther && !signal.aborted) onOther()
      return toResult(
        [id, path, part?.change, part?.of].join(' '),
        path,
        version,
        recordOf(read.file),
      )
    },
    [base, id, path, part?.change, part?.of, revision],
  )
  if (error) return <Fault what="Cannot read the diff" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the diff…</Waiting>
  return (
    <>
      {file.unseen && (
        <Note tone="warning">
          This is not text, or too long to be compared. Open it before you decide.
        </Note>
      )}
      <View uri={REVIEW_APP} name="Changed lines" result={value} modes={REVIEW_MODES} />
      <p class="row small">
        {file.before !== null && <OpenSide id={id} at={{ path, part }} side="before" />}
        {file.after !== null && <OpenSide id={id} at={{ path, part }} side="after" />}
      </p>
    </>
  )
}

/** A link to the whole file, which the browser shows as plain text or as a picture. */
const OpenSide = ({ id, at, side }: OpenProps) => (
  <a href={addressOfFile(basePath.value, id, at, side)} target="_blank" rel="noreferrer">
    {side === 'before' ? 'Open the file before' : 'Open the file after'}
  </a>
)

interface OpenProps {
  readonly id: string
  readonly at: FileOfDraft
  readonly side: 'before' | 'after'
}

/** Builds a result with the change of one file, as the review app reads it. */
export function toResult(id: string, intent: string, basis: number, file: JsonRecord): JsonRecord {
  const change = { id, tool: 'draft', intent, applied: false, basis, files: [file] }
  return { content: [], _meta: { [CHANGE_META]: change } }
}
