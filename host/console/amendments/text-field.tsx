/**
 * The field in which the owner edits the text that a draft proposes for a file. Escape asks before it discards what was
 * typed; Ctrl Enter saves. What is saved is an amendment: it is decided on the bar, as everything is.
 * `test/host/console/amendments.test.tsx` has the cases.
 *
 * @module
 */

import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { keepEndings, plainEndings } from '#core/diff/keep-endings.ts'
import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { err, ok, type Result } from '#core/result.ts'
import { formatLimit } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Note, Waiting } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { editText, resultOf } from './amendment.ts'
import { MAX_EDITED_BYTES, readProposed, type Uneditable } from './proposed-text.ts'
import { REASONS } from './words.ts'
import { amendmentOf, fieldOf, setAmendment, setField } from './work.ts'

interface Props {
  /** The workspace and the draft. */
  readonly draft: string
  readonly file: ChangedFile
  readonly addressOf: (side: 'before' | 'after') => string
  /** Called if the file is another one by now. */
  readonly onOther: () => void
  /** Called when the field is closed. */
  readonly onClose: () => void
}

/** Reads the texts, and shows the field or why there is none. */
export function TextField(props: Props) {
  const { file, addressOf, onOther, onClose } = props
  const { value } = useLoad(() => readTexts(file, addressOf), [addressOf('after')])
  useEffect(() => {
    if (value?.ok === false && value.error === 'changed') onOther()
  }, [value])
  if (value === null) return <Waiting>Reading the text…</Waiting>
  if (value.ok) return <Opened {...props} {...value.value} />
  return (
    <Note tone="warning" role="alert">
      {REASONS[value.error]}
      <div class="row">
        <button type="button" class="button small" onClick={onClose}>
          Close
        </button>
      </div>
    </Note>
  )
}

/** The text before the draft, and the proposed one. */
interface Texts {
  readonly before: string
  readonly proposed: string
}

async function readTexts(
  file: ChangedFile,
  addressOf: Props['addressOf'],
): Promise<Result<Texts, Uneditable>> {
  if (file.unseen) return err('not_shown')
  if ((file.after ?? 0) > MAX_EDITED_BYTES) return err('too_large')
  const proposed = await readProposed(addressOf('after'))
  if (!proposed.ok) return proposed
  // A moved file has the content that it had.
  if (file.from !== undefined) return ok({ before: proposed.value, proposed: proposed.value })
  if (file.before === null) return ok({ before: '', proposed: proposed.value })
  const before = await readProposed(addressOf('before'))
  return before.ok ? ok({ before: before.value, proposed: proposed.value }) : before
}

/** A byte order mark is kept, and is not in the field, where it could not be seen. */
const markOf = (text: string) => (text.startsWith('\ufeff') ? '\ufeff' : '')

const fieldText = (text: string) => plainEndings(text.slice(markOf(text).length))

/** Holds what is typed, and saves it as the amendment. */
function useTyped({ draft, file, before, proposed, onClose }: Props & Texts) {
  const [isTooLarge, setTooLarge] = useState(false)
  const amendment = amendmentOf(draft, file)
  const start = useMemo(() => (amendment ? resultOf(amendment) : proposed), [amendment])
  const mark = markOf(start)
  const shown = useMemo(() => fieldText(start), [start])
  const typed = fieldOf(draft, file)?.typed ?? null
  const type = (value: string) => {
    setTooLarge(false)
    setField(draft, file, { typed: value === shown ? null : value })
  }
  const save = () => {
    const text = typed === null ? start : mark + keepEndings(start.slice(mark.length), typed)
    if (new Blob([text]).size > MAX_EDITED_BYTES) return setTooLarge(true)
    if (text !== start) setAmendment(draft, file, editText(proposed, before, text))
    onClose()
  }
  return { shown, typed, isTooLarge, type, save }
}

function Opened(props: Props & Texts) {
  const { file, before, onClose } = props
  const id = useId()
  const [isAsking, setAsking] = useState(false)
  const { shown, typed, isTooLarge, type, save } = useTyped(props)
  const area = useCaretAt(() => firstDifference(fieldText(before), shown))
  const keep = () => {
    setAsking(false)
    area.current?.focus()
  }
  const leave = () => (typed === null ? onClose() : isAsking ? keep() : setAsking(true))
  const handleKey = (event: KeyboardEvent) => {
    const isSave = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (event.isComposing || (!isSave && event.key !== 'Escape')) return
    event.preventDefault()
    if (isSave) save()
    else leave()
  }
  return (
    <form
      class="textfield"
      onSubmit={(event) => (event.preventDefault(), save())}
      onKeyDown={handleKey}
    >
      <label for={id}>
        Proposed text of <Path text={file.path} />
      </label>
      <textarea
        {...{ id, wrap: 'off', spellcheck: false, autocapitalize: 'off', autocomplete: 'off' }}
        ref={area}
        class="code"
        rows={rowsOf(shown)}
        value={typed ?? shown}
        aria-describedby={`${id}-help`}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
      {isTooLarge && <p role="alert">The text is larger than {formatLimit(MAX_EDITED_BYTES)}.</p>}
      {isAsking ? (
        <DiscardQuestion onKeep={keep} onDiscard={onClose} />
      ) : (
        <Foot help={`${id}-help`} onCancel={leave} />
      )}
    </form>
  )
}

const Foot = (props: { readonly help: string; readonly onCancel: () => void }) => (
  <div class="row apart">
    <p class="faint small" id={props.help}>
      Nothing is approved yet: you approve what you save with the rest. <kbd>Ctrl</kbd>{' '}
      <kbd>Enter</kbd> saves, <kbd>Esc</kbd> cancels.
    </p>
    <div class="row">
      <button type="button" class="button small" onClick={props.onCancel}>
        Cancel
      </button>
      <button type="submit" class="button small primary">
        Save edits
      </button>
    </div>
  </div>
)

interface DiscardProps {
  readonly onKeep: () => void
  readonly onDiscard: () => void
}

/** Takes the place of the buttons, so that what would be lost stays visible. */
function DiscardQuestion({ onKeep, onDiscard }: DiscardProps) {
  const first = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => first.current?.focus(), [])
  return (
    <div class="row apart">
      <p role="alert">Discard what you typed?</p>
      <div class="row">
        <button ref={first} type="button" class="button small" onClick={onKeep}>
          Keep editing
        </button>
        <button type="button" class="button small danger" onClick={onDiscard}>
          Discard
        </button>
      </div>
    </div>
  )
}

/** Height of a line of the field in CSS pixels (`amendments.css`), and lines above the caret that are shown. */
const LINE_HEIGHT = 20
const LINES_ABOVE = 3

/** Moves the focus to the field as it opens, and the caret to an offset. */
function useCaretAt(find: () => number) {
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const field = area.current
    if (!field) return
    const at = find()
    const line = field.value.slice(0, at).split('\n').length - 1
    field.setSelectionRange(at, at)
    field.focus({ preventScroll: true })
    field.scrollTop = Math.max(0, line - LINES_ABOVE) * LINE_HEIGHT
    field.scrollIntoView({ block: 'nearest' })
  }, [])
  return area
}

/** Returns where the first line begins that differs. */
function firstDifference(before: string, after: string): number {
  let at = 0
  while (at < after.length && before[at] === after[at]) at++
  return at === after.length ? 0 : after.lastIndexOf('\n', at - 1) + 1
}

const MIN_ROWS = 6
const MAX_ROWS = 26

const rowsOf = (text: string) => Math.min(MAX_ROWS, Math.max(MIN_ROWS, text.split('\n').length + 1))
