/**
 * Dialogs: name input, preview of a change, uploads.
 *
 * They are native modal dialogs, which trap the focus and close with Escape.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Draft } from './changes.ts'
import { Visible } from '../review/words.tsx'
import { DiffView } from './diff-view.tsx'
import type { Files } from './files.ts'
import { counted, shownPath, sizeText } from './format.ts'
import type { Outcome } from './server.ts'
import type { Choice, Clash } from './uploads.ts'

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
    <dialog ref={ref} aria-label={title} onCancel={cancel}>
      <h2>
        <Visible text={title} />
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
export interface Question {
  readonly title: string
  /** The initial text of the field. */
  readonly value: string
  readonly answer: (text: string) => void
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

/** Asks for a name or path. */
export function NameDialog({ question, onClose }: { question: Question; onClose: () => void }) {
  const { title, value, answer } = question
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const name = value.lastIndexOf('/') + 1
    const dot = value.lastIndexOf('.')
    field.current?.setSelectionRange(name, dot > name ? dot : value.length)
  }, [])
  const submit = () => {
    const text = field.current?.value.trim()
    if (text) answer(text)
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
  const { cancel, again, apply } = files.changes
  const { proposal, stage, outcome, problem } = draft
  const buttons = (
    <>
      <button onClick={cancel}>Cancel</button>
      {stage === 'failed' ? (
        <Main verb="Preview again" onClick={again} />
      ) : (
        <Main verb={proposal.verb} aria-disabled={stage !== 'shown'} onClick={apply} />
      )}
    </>
  )
  return (
    <Modal title={proposal.title} onClose={cancel} buttons={buttons}>
      <div role="status">
        {stage === 'planning' && <Skeletal />}
        {stage === 'failed' && <p class="danger">{problem}</p>}
        {(stage === 'shown' || stage === 'applying') && <Planned outcome={outcome} />}
      </div>
    </Modal>
  )
}

const Skeletal = () => <p class="hint">Looking at what would change…</p>

function Planned({ outcome }: { outcome: Outcome | null }) {
  if (!outcome)
    return <p>This host cannot show it beforehand. It is done at once, and can be undone.</p>
  const { intent, stats, hunks } = outcome.change
  return (
    <>
      <strong>
        <Visible text={intent} />
      </strong>
      <p class="hint">
        {counted(stats.files, 'file')}, <span class="insert">+{stats.added}</span>{' '}
        <span class="delete">−{stats.removed}</span>
      </p>
      <DiffView hunks={hunks} />
    </>
  )
}

/** Most uploads that are listed by name. */
const NAMED = 50

/** Shows files before, during and after their upload. */
export function UploadDialog({ files }: { files: Files }) {
  const { close, start, state } = files.uploads
  const { phase, folder, clash, list } = state
  if (clash) return <ClashDialog clash={clash} />
  const size = list.reduce((sum, { file }) => sum + file.size, 0)
  const ended = list.filter((each) => !/ing$/.test(each.state)).length
  const buttons = (
    <>
      <button onClick={close}>
        {phase === 'sending' ? 'Stop' : phase === 'ended' ? 'Close' : 'Cancel'}
      </button>
      {phase === 'asking' && <Main verb="Upload" onClick={start} />}
    </>
  )
  return (
    <Modal
      title={`Upload ${counted(list.length, 'file')} to ${shownPath(folder)}`}
      onClose={close}
      buttons={buttons}
    >
      {list.slice(0, NAMED).map(({ file, state: at, error }) => (
        <div class="upload">
          <span class="name">{file.name}</span>
          <span class={error ? 'danger' : 'hint'}>
            {error || (at === 'waiting' ? sizeText(file.size) : at)}
          </span>
        </div>
      ))}
      <p class="hint">
        {list.length > NAMED && `and ${list.length - NAMED} more, `}
        {sizeText(size)} altogether. What is there already is not replaced unasked.
      </p>
      {phase === 'sending' && <progress max={list.length} value={ended} aria-label="Uploaded" />}
    </Modal>
  )
}

function ClashDialog({ clash }: { clash: Clash }) {
  const [all, setAll] = useState(false)
  const choose = (choice: Choice) => () => clash.answer(choice, all)
  const buttons = (
    <>
      <label>
        <input type="checkbox" checked={all} onChange={() => setAll(!all)} /> For all
      </label>
      <button onClick={choose('skip')}>Skip</button>
      <button onClick={choose('both')}>Keep both</button>
      <Main verb="Replace" onClick={choose('replace')} />
    </>
  )
  return (
    <Modal title={`${clash.name} is there already`} onClose={choose('skip')} buttons={buttons}>
      {clash.outcome && <Planned outcome={clash.outcome} />}
    </Modal>
  )
}
