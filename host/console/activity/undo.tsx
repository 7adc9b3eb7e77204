/**
 * The dialog that goes back, or deletes: it previews the undo of a change, the return to a checkpoint or the deletion of a
 * file, and applies exactly that preview.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import { quoteName, quoteValue } from '#core/quote.ts'
import type { CheckpointRow } from './checkpoint-list.tsx'
import type { Change } from './changes.ts'
import { tools, revision } from '../connect/connection.ts'
import { linkTo } from '../shell/route.ts'
import { showToast } from '../ui/toasts.tsx'
import { useToolRun, type ToolRun } from '../tools/tool-run.ts'
import { ToolError } from '../ui/errors.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Modal } from '../ui/modal.tsx'
import { Fault, Note, Waiting } from '../ui/parts.tsx'
import { Review } from './review.tsx'
import { Sentence } from '../ui/path.tsx'

interface Request {
  readonly tool: 'undo_change' | 'restore_checkpoint' | 'delete_file'
  readonly args: JsonRecord
  readonly title: string
  /** What it is about. */
  readonly sentence: string
  readonly button: string
  /** The start of the message when it is done. */
  readonly done: string
  /** What is previewed, in the middle of a sentence. */
  readonly noun: string
  /** Called when it is applied. */
  readonly onDone?: (() => void) | undefined
}

const request = signal<Request | null>(null)

/** Opens the dialog for a change or an approval; `sentence` describes it there. */
export function undo({ id }: Pick<Change, 'id'>, sentence: string, onDone?: () => void): void {
  request.value = {
    ...{ tool: 'undo_change', args: { id }, sentence, onDone },
    ...{ title: 'Undo this change?', button: 'Undo the change', done: 'Undone', noun: 'undo' },
  }
}

/** Options of {@link restoreCheckpoint}. */
interface RestoreOptions {
  /** All checkpoints, newest first. */
  readonly among: readonly CheckpointRow[]
  readonly folder?: string
}

/** A file or folder that may be deleted. */
interface Deletable {
  readonly path: string
  readonly type: 'file' | 'folder'
  readonly version: number
}

/** Opens the dialog that deletes a file, or a folder with everything in it. */
export function askToDelete({ path, type, version }: Deletable, onDone: () => void): void {
  request.value = {
    tool: 'delete_file',
    args: { path, ...(type === 'file' && { if_version: version }) },
    sentence: quoteValue(path),
    title: type === 'folder' ? 'Delete this folder and all in it?' : 'Delete this file?',
    ...{ button: 'Delete', done: 'Deleted', noun: 'deletion', onDone },
  }
}

/** Opens the dialog that restores all files, or those of a folder, to a checkpoint. */
export function restoreCheckpoint(
  { id, name }: CheckpointRow,
  { among, folder = '' }: RestoreOptions,
): void {
  // The history has what is sent here. The server takes the newest of a name, so others need the id.
  const isNewest = among.find((one) => one.name === name)?.id === id
  const checkpoint = isNewest && !among.some((one) => one.id === name) ? name : id
  const where = folder === '' ? 'All files' : quoteValue(folder)
  request.value = {
    tool: 'restore_checkpoint',
    args: { checkpoint, ...(folder !== '' && { folder }) },
    sentence: `${where}, as at ${quoteName(name)}`,
    ...{ title: 'Restore this checkpoint?', button: 'Restore', done: 'Restored', noun: 'restore' },
  }
}

/** Shows the dialog while it is open. */
export function Undo() {
  const { value } = request
  return value ? <Dialog key={JSON.stringify(value.args)} {...value} /> : null
}

function Dialog({ tool, args, title, sentence, button, done, noun, onDone }: Request) {
  const { state, preview, apply, cancel } = useToolRun(findTool(tool))
  const close = () => {
    cancel()
    request.value = null
  }
  const isDeletion = tool === 'delete_file'
  useEffect(() => void preview(args, {}), [])
  const applyUndo = async () => {
    const end = await apply(args, {})
    if (end.phase !== 'done' || end.result?.isError) return
    request.value = null
    revision.value++
    if (end.change?.waits)
      return showToast(`Waits for your approval: ${sentence}`, {
        tone: 'info',
        href: linkTo(['waiting']),
        linkText: 'Review and decide',
      })
    onDone?.()
    showToast(`${done}: ${sentence}`, linkAfter(tool, end.change?.id))
  }
  return (
    <Modal
      wide
      title={title}
      intro={<Sentence text={sentence} />}
      onClose={close}
      foot={
        <>
          <button type="button" class="button" data-first onClick={close}>
            Cancel
          </button>
          <DecisionButton
            shown={state.result}
            look={isDeletion ? 'danger' : 'primary'}
            isOff={state.phase !== 'previewed'}
            onDecide={() => void applyUndo()}
          >
            <Icon name={isDeletion ? 'trash' : 'undo'} />{' '}
            {state.phase === 'running' ? 'Working…' : button}
          </DecisionButton>
        </>
      }
    >
      <Preview state={state} noun={noun} onRetry={() => void preview(args, {})} />
    </Modal>
  )
}

/** The link beside the message: to the change, and after a deletion to undo it. */
function linkAfter(tool: Request['tool'], id: string | undefined) {
  if (id === undefined) return {}
  const linkText = tool === 'delete_file' ? 'See or undo it' : 'See the change'
  return { href: linkTo(['activity', tool, id]), linkText }
}

const findTool = (wanted: string) => tools.value.find(({ name }) => name === wanted)

interface PreviewProps {
  readonly state: ToolRun
  readonly noun: string
  readonly onRetry: () => void
}

/** A failed preview changes nothing; after any other failure the change may have been undone. */
const FAILURES = { previewing: 'preview', running: 'confirm' }

/** Shows what would be done, or why that is not known. */
function Preview({ state, noun, onRetry }: PreviewProps) {
  const { phase, change, wasStale, failed, error, result } = state
  const isBusy = phase === 'running' || phase === 'previewing'
  return (
    <>
      {isBusy && !change && <Waiting>Previewing the {noun}…</Waiting>}
      {wasStale && (
        <Note tone="warning" title="The files have just changed.">
          This is a new preview.
        </Note>
      )}
      {failed && (
        <Fault what={`Cannot ${FAILURES[failed]} the ${noun}`} error={error} retry={onRetry} />
      )}
      {result?.isError && <Fault error={new ToolError(result)} />}
      {change?.review && result && (
        <Review
          key={change.id}
          uri={change.review}
          title={`Preview of the ${noun}`}
          result={result}
          isTitled
        />
      )}
    </>
  )
}
