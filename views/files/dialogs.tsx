/**
 * Dialogs: name input, preview of a change, uploads.
 *
 * They are native modal dialogs, which trap the focus and close with Escape.
 *
 * @module
 */

import { quoteName } from '#core/quote.ts'
import { visible } from '#core/visible.ts'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Draft } from './changes.ts'
import { SafePath, SafeSentence } from '../safe-path.tsx'
import { pluralize } from '../safe-text.tsx'
import { ChangedFilesView } from './diff-view.tsx'
import type { Files } from './files.ts'
import { formatSize } from './format.ts'
import type { ChangeResult } from './client.ts'
import type { Decision, NameConflict } from './uploads.ts'

interface ModalProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly buttons: ComponentChildren
}

function Modal({ title, onClose, children, buttons }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  return (
    <dialog ref={ref} aria-label={visible(title)} onCancel={cancel}>
      <h2>
        <SafeSentence text={title} />
      </h2>
      <div class="scroll">{children}</div>
      <div class="bar end">{buttons}</div>
    </dialog>
  )
}

const Main = ({
  verb,
  ...rest
}: {
  verb: string
  onClick: () => unknown
  'aria-disabled'?: boolean
}) => (
  <button class="primary" {...rest}>
    {verb}
  </button>
)

/** A request for a name or path. */
export interface NameQuestion {
  readonly title: string
  /** The initial text of the field. */
  readonly value: string
  readonly onAnswer: (text: string) => void
}

/**
 * Creates a key handler for Enter. Hosts often sandbox frames without form submission, so a form
 * would not submit.
 */
export const onEnter = (act: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter') return
  // Otherwise the key would also press the element that receives the focus next.
  event.preventDefault()
  act()
}

/** Renders a dialog with a field for a name or path. */
export function NameDialog({ question, onClose }: { question: NameQuestion; onClose: () => void }) {
  const { title, value, onAnswer } = question
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const name = value.lastIndexOf('/') + 1
    const dot = value.lastIndexOf('.')
    field.current?.setSelectionRange(name, dot > name ? dot : value.length)
  }, [])
  const submit = () => {
    const text = field.current?.value.trim()
    if (text) onAnswer(text)
  }
  const buttons = (
    <>
      <button onClick={onClose}>Cancel</button>
      <Main verb="Continue" onClick={submit} />
    </>
  )
  return (
    <Modal {...{ title, onClose, buttons }}>
      <input
        ref={field}
        class="field"
        aria-label="Path"
        defaultValue={value}
        spellcheck={false}
        autofocus
        onKeyDown={onEnter(submit)}
      />
    </Modal>
  )
}

/** Shows the preview of a change, and applies or cancels it. */
export function ChangeDialog({ files, draft }: { files: Files; draft: Draft }) {
  const { changes } = files
  const { proposal, stage, preview, error } = draft
  const cancel = () => changes.cancel()
  const buttons = (
    <>
      <button onClick={cancel}>Cancel</button>
      {stage === 'failed' ? (
        <Main verb="Preview again" onClick={() => changes.previewAgain()} />
      ) : (
        <Main
          verb={proposal.verb}
          aria-disabled={stage !== 'shown'}
          onClick={() => changes.apply()}
        />
      )}
    </>
  )
  return (
    <Modal title={proposal.title} onClose={cancel} buttons={buttons}>
      <div role="status">
        {stage === 'planning' && <p class="hint">Preparing the preview…</p>}
        {stage === 'failed' && <p class="danger">{error}</p>}
        {(stage === 'shown' || stage === 'applying') && <PreviewBody preview={preview} />}
      </div>
    </Modal>
  )
}

function PreviewBody({ preview }: { preview: ChangeResult | null }) {
  if (!preview)
    return (
      <p>
        This host supports no previews. The change is applied without a preview; you can undo it.
      </p>
    )
  const { intent, stats, files } = preview.change
  return (
    <>
      <strong>
        <SafeSentence text={intent} />
      </strong>
      <p class="hint">
        {pluralize(stats.files, 'file')}, <span class="insert">+{stats.added}</span>{' '}
        <span class="delete">−{stats.removed}</span>
      </p>
      <ChangedFilesView files={files} named={files.length > 1} />
    </>
  )
}

/** Most uploads that are listed by name. */
const MAX_NAMED = 50

/** Shows files before, during and after their upload. */
export function UploadDialog({ files }: { files: Files }) {
  const { uploads } = files
  const { phase, folder, conflict, files: list } = uploads.state
  if (conflict) return <ConflictDialog conflict={conflict} />
  const close = () => uploads.close()
  const size = list.reduce((sum, { file }) => sum + file.size, 0)
  const finished = list.filter((each) => !/ing$/.test(each.state)).length
  const buttons = (
    <>
      <button onClick={close}>
        {phase === 'sending' ? 'Stop' : phase === 'ended' ? 'Close' : 'Cancel'}
      </button>
      {phase === 'confirming' && <Main verb="Upload" onClick={() => uploads.start()} />}
    </>
  )
  return (
    <Modal
      title={`Upload ${pluralize(list.length, 'file')} to ${quoteName(folder)}`}
      onClose={close}
      buttons={buttons}
    >
      {list.slice(0, MAX_NAMED).map(({ file, state: at, error }) => (
        <div class="upload">
          <span class="name">
            <SafePath text={file.name} />
          </span>
          <span class={error ? 'danger' : 'hint'}>
            {error || (at === 'waiting' ? formatSize(file.size) : at)}
          </span>
        </div>
      ))}
      <p class="hint">
        {list.length > MAX_NAMED && `and ${list.length - MAX_NAMED} more, `}
        {formatSize(size)} in total. Existing files are replaced only after confirmation.
      </p>
      {phase === 'sending' && <progress max={list.length} value={finished} aria-label="Uploaded" />}
    </Modal>
  )
}

function ConflictDialog({ conflict }: { conflict: NameConflict }) {
  const [forAll, setForAll] = useState(false)
  const decide = (decision: Decision) => () => conflict.decide(decision, forAll)
  const buttons = (
    <>
      <label>
        <input type="checkbox" checked={forAll} onChange={() => setForAll(!forAll)} /> For all files
      </label>
      <button onClick={decide('skip')}>Skip</button>
      <button onClick={decide('both')}>Keep both</button>
      <Main verb="Replace" onClick={decide('replace')} />
    </>
  )
  return (
    <Modal
      title={`${quoteName(conflict.name)} already exists`}
      onClose={decide('skip')}
      buttons={buttons}
    >
      {conflict.preview && <PreviewBody preview={conflict.preview} />}
    </Modal>
  )
}
