/**
 * The editor of a text file: what is typed is saved as edits of its lines, at the version that was read.
 * `test/host/console/files/editor.test.tsx` has the cases.
 *
 * @module
 */

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { HIDDEN, visible } from '#core/visible.ts'
import { byHand } from '../ui/by-hand.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { COMMAND_KEY } from '../ui/keys.ts'
import { Fault, Note } from '../ui/parts.tsx'
import { askToConfirm } from '../questions/queue.ts'
import { CodeField, type Place } from './code-field.tsx'
import { ConflictNote } from './conflict.tsx'
import { closeEditing, textOfEditing, typeText, type Editing } from './editing.ts'
import { FindBar } from './find-bar.tsx'
import { useSaving } from './use-saving.ts'

interface Props {
  readonly editing: Editing
  /** The version of the file in the workspace; null if it is not known. */
  readonly current: number | null
  readonly isGone: boolean
  /** Called after the editor was closed. */
  readonly onClosed: () => void
}

/** Prose has long lines, which are broken where it is edited. */
const PROSE = /\.(?:md|markdown|txt|rst|adoc)$/i

/** Shows the editor of an open text. */
export function Editor({ editing, current, isGone, onClosed }: Props) {
  const { path, source, typed } = editing
  const area = useRef<HTMLTextAreaElement>(null)
  const [wraps, setWraps] = useState(PROSE.test(path))
  const [done, setDone] = useState('')
  const [found, setFound] = useState<Place | null>(null)
  const [find, setFind] = useState<string | null>(null)
  const saving = useSaving(path, onClosed)
  const { isSaving, error, conflict, save, compare, endConflict } = saving
  useLayoutEffect(() => {
    area.current?.setSelectionRange(0, 0)
    area.current?.focus({ preventScroll: true })
  }, [])
  const value = textOfEditing(editing)
  const openFind = () => setFind(selectionOf(area.current))
  const close = async () => {
    if (typed !== null && !(await askToDiscard(path))) return area.current?.focus()
    closeEditing(path)
    onClosed()
  }
  const end = (text: string) => {
    setDone(text)
    endConflict()
    area.current?.focus()
  }
  // Versions grow: after a save, the page can be behind the editor for a moment.
  const isBehind = isGone ? source.version > 0 : current !== null && current > source.version
  const isStale = isBehind && conflict === null && !isSaving
  return (
    <section class="editor" aria-label="Editor" data-testid="editor">
      <Bar
        {...{ editing, wraps, done, isSaving, onFind: openFind }}
        onWrap={setWraps}
        onClose={() => void close()}
        onSave={() => void save()}
      />
      {isStale && <Stale isGone={isGone} onCompare={() => void compare()} />}
      {conflict && <ConflictNote editing={editing} {...conflict} onEnd={end} />}
      {error ? <Fault what="Cannot save the file" error={error} /> : null}
      <HiddenCharacters text={source.text} />
      {find !== null && (
        <FindBar
          {...{ value, area }}
          initial={find}
          onFound={setFound}
          onClose={() => setFind(null)}
        />
      )}
      <CodeField
        {...{ path, value, area, wraps, found }}
        onInput={(text) => {
          setDone('')
          typeText(path, text)
        }}
        onKey={(event) => handleKey(event, { save: () => void save(), find: openFind })}
      />
      <Help source={source} />
    </section>
  )
}

interface Commands {
  readonly save: () => void
  readonly find: () => void
}

/** Handles the keys of the editor; true if it did. No script can save. */
function handleKey(event: KeyboardEvent, { save, find }: Commands): boolean {
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  if (!isCommand || !['f', 's', 'Enter'].includes(event.key)) return false
  if (event.key === 'f') find()
  else byHand(save)(event)
  return true
}

interface BarProps {
  readonly editing: Editing
  readonly wraps: boolean
  /** What was done last, in words. */
  readonly done: string
  readonly isSaving: boolean
  readonly onWrap: (wraps: boolean) => void
  readonly onFind: () => void
  readonly onClose: () => void
  readonly onSave: () => void
}

/** Shows what the state of the text is, and the buttons. */
function Bar({ editing, wraps, done, isSaving, onWrap, onFind, onClose, onSave }: BarProps) {
  const isSaved = editing.typed === null
  return (
    <div class="editorbar">
      <p class="small" role="status">
        {done !== '' ? done : isSaved ? 'No unsaved changes.' : 'Not saved yet.'}
      </p>
      <div class="row">
        <label class="check">
          <input
            type="checkbox"
            checked={wraps}
            onChange={({ currentTarget }) => onWrap(currentTarget.checked)}
          />
          Wrap lines
        </label>
        <button
          type="button"
          class="button quiet small"
          aria-keyshortcuts="Control+F Meta+F"
          onClick={onFind}
        >
          <Icon name="search" /> Find
        </button>
        <button type="button" class="button small" onClick={onClose}>
          {isSaved ? 'Close' : 'Discard…'}
        </button>
        <DecisionButton
          shown={editing.path}
          look="small primary"
          isOff={isSaved || isSaving}
          onDecide={onSave}
        >
          <Icon name="check" /> {isSaving ? 'Saving…' : 'Save'}
        </DecisionButton>
      </div>
    </div>
  )
}

const Help = ({ source }: Pick<Editing, 'source'>) => (
  <p class="faint small">
    <kbd>{COMMAND_KEY}</kbd> <kbd>S</kbd> saves, <kbd>{COMMAND_KEY}</kbd> <kbd>F</kbd> finds.{' '}
    <kbd>Tab</kbd> indents; <kbd>Esc</kbd> <kbd>Tab</kbd> leaves the field. {describeForm(source)}
  </p>
)

const selectionOf = (field: HTMLTextAreaElement | null): string => {
  const text = field?.value.slice(field.selectionStart, field.selectionEnd) ?? ''
  return text.includes('\n') ? '' : text.slice(0, 200)
}

const askToDiscard = (path: string) =>
  askToConfirm({
    title: 'Discard what you typed?',
    text: 'The file stays as it is in the workspace.',
    detail: visible(path),
    yes: 'Discard',
    danger: true,
  })

interface StaleProps {
  readonly isGone: boolean
  readonly onCompare: () => void
}

/** Says that the workspace has another text by now. What is typed stays. */
const Stale = ({ isGone, onCompare }: StaleProps) => (
  <Note tone="info" role="status">
    <div class="row apart">
      <span>
        This file was {isGone ? 'deleted' : 'changed'} in the workspace. Your text stays as it is.
      </span>
      <button type="button" class="button small" onClick={onCompare}>
        {isGone ? 'Decide' : 'Compare and merge'}
      </button>
    </div>
  </Note>
)

/** A text area draws nothing for a hidden character. */
function HiddenCharacters({ text }: { readonly text: string }) {
  const count = useMemo(() => countHidden(text), [text])
  if (count === 0) return null
  return (
    <Note tone="warning">
      This text has {formatCount(count, 'hidden character')}, which the editor does not show. Close
      it to see them in the source.
    </Note>
  )
}

/** Most hidden characters that are counted. */
const MAX_COUNTED = 1_000

function countHidden(text: string): number {
  let count = 0
  for (const { 0: found, 1: emoji } of text.matchAll(HIDDEN))
    if (emoji === undefined && !/[\n\r]/.test(found) && ++count === MAX_COUNTED) break
  return count
}

/** States how the text is kept, where that is not what most files have. */
function describeForm({ text, encoding, hasMark }: Editing['source']): string {
  const isCrlf = text.includes('\r\n')
  const isMixed = isCrlf && /(?<!\r)\n/.test(text)
  const forms = [
    isMixed ? 'mixed line endings' : isCrlf ? 'CRLF line endings' : '',
    encoding === 'utf-8' ? '' : encoding.toUpperCase(),
    hasMark && encoding === 'utf-8' ? 'a byte order mark' : '',
  ].filter((form) => form !== '')
  return forms.length === 0 ? '' : `Kept as it is: ${forms.join(', ')}.`
}
