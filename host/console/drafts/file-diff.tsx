/**
 * The diff of one file of a draft or of one change of it, drawn by the review app, as Activity draws a change whose
 * page cannot be read. What cannot be shown as text can be opened.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { CHANGE_META } from '#core/wire.ts'
import { REVIEW_APP, REVIEW_MODES } from '../activity/review.tsx'
import { View } from '../apps/view.tsx'
import { api, basePath, unwrap } from '../connect/workspace.ts'
import { AnswerError } from '../ui/errors.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, Note, Waiting } from '../ui/parts.tsx'
import { addressOfFile, readDifference, type FileOfDraft } from './drafts-api.ts'
import type { ChangedFile } from './drafts-parse.ts'

interface Props {
  readonly id: string
  readonly file: ChangedFile
  /** The list that has it: the revision that is shown, or one change of it. */
  readonly of: FileOfDraft['of']
  /** Called if the file is another one by now. */
  readonly onOther: () => void
}

/** Shows the diff of a file; a folder that is listed has no file. */
export const FileDiff = (props: Props) =>
  props.file.type === 'folder' ? <p class="faint">An empty folder.</p> : <Loaded {...props} />

function Loaded({ id, file, of, onOther }: Props) {
  const base = basePath.value
  const name = [id, file.path, file.digest, ...Object.values(of)].join(' ')
  const { value, error, reload } = useLoad(
    async (signal) => {
      const from = api.peek()
      // Read before the diff: unchanged lines are then shown only if the file is still as it was.
      const version = from ? (await unwrap(from.status())).version : 0
      const read = readDifference(base, id, { file, of }, signal)
      return toResult(name, file.path, version, await noteOther(read, signal, onOther))
    },
    [base, name],
  )
  if (error) return <Fault what="Cannot read the diff" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the diff…</Waiting>
  return (
    <>
      {file.unseen && (
        <Note tone="warning">
          Its lines are not shown: it, or what it replaces, is not text, or too long to be compared.
          Open it before you decide.
        </Note>
      )}
      <View uri={REVIEW_APP} isOfConsole name="Changed lines" result={value} modes={REVIEW_MODES} />
      <p class="row small">
        {file.before !== null && <OpenSide id={id} at={{ file, of }} side="before" />}
        {file.after !== null && <OpenSide id={id} at={{ file, of }} side="after" />}
      </p>
    </>
  )
}

/** Waits for a diff, and calls `onOther` if it is refused because the file is another one. */
async function noteOther<T>(read: Promise<T>, signal: AbortSignal, onOther: () => void) {
  try {
    return await read
  } catch (error) {
    if (error instanceof AnswerError && error.status === 409 && !signal.aborted) onOther()
    throw error
  }
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
