/**
 * A file that was changed in the workspace while a person edits it: both differences, and what can be done. Nothing of
 * what was typed is lost by any of it but by _Use their text_, which says so.
 * `test/host/console/files/editor.test.tsx` has the cases.
 *
 * @module
 */

import { useMemo, useState } from 'preact/hooks'
import { diffTexts } from '#core/diff/hunks.ts'
import { plainEndings } from '#core/diff/keep-endings.ts'
import { cutHunks } from '#views/diff/cut-hunks.ts'
import { FileLines } from '#views/diff/file-lines.tsx'
import { reviewOptions } from '../drafts/review-options.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { formatCount } from '../ui/format.ts'
import { Note } from '../ui/parts.tsx'
import { Segments } from '../ui/segments.tsx'
import { openEditing, textOfEditing, type Editing } from './editing.ts'
import { mergeTexts } from './merge.ts'
import type { Source } from './source.ts'
import type { Conflict } from './use-saving.ts'

interface Props extends Conflict {
  readonly editing: Editing
  /** Called with what was done, in words, when the person has chosen. */
  readonly onEnd: (done: string) => void
}

/** Shows what was changed, and the choices. */
export function ConflictNote({ editing, theirs, onEnd }: Props) {
  return theirs === null ? (
    <Deleted editing={editing} onEnd={onEnd} />
  ) : (
    <Changed editing={editing} theirs={theirs} onEnd={onEnd} />
  )
}

interface ChangedProps extends Omit<Props, 'theirs'> {
  readonly theirs: Source
}

function Changed({ editing, theirs, onEnd }: ChangedProps) {
  const [side, setSide] = useState<'theirs' | 'mine'>('theirs')
  const base = plainEndings(editing.source.text)
  const texts = { theirs: plainEndings(theirs.text), mine: textOfEditing(editing) }
  const { path } = editing
  const merge = () => {
    const { text, conflicts } = mergeTexts(base, texts.mine, texts.theirs)
    openEditing(path, theirs, text)
    onEnd(describeMerge(conflicts))
  }
  const keepMine = () => {
    openEditing(path, theirs, texts.mine)
    onEnd('Your text is kept. Saving it replaces what was changed in the workspace.')
  }
  const takeTheirs = () => {
    openEditing(path, theirs)
    onEnd('The text of the workspace is shown.')
  }
  return (
    <Note tone="warning" role="alert" title="This file was changed while you were editing it.">
      Nothing of your text was saved, and nothing of it is lost.
      <div class="conflict">
        <Segments
          label="Difference"
          value={side}
          options={[
            ['theirs', 'Changed in the workspace'],
            ['mine', 'Changed by you'],
          ]}
          onChange={setSide}
        />
        <Difference path={path} before={base} after={texts[side]} />
        <div class="row">
          <button type="button" class="button primary" onClick={merge}>
            Merge both
          </button>
          <button type="button" class="button" onClick={keepMine}>
            Keep my text
          </button>
          <DecisionButton shown={theirs.version} look="danger" onDecide={takeTheirs}>
            Use their text, discard mine
          </DecisionButton>
          <button type="button" class="button quiet" onClick={() => onEnd('')}>
            Keep editing
          </button>
        </div>
      </div>
    </Note>
  )
}

function Deleted({ editing, onEnd }: Omit<Props, 'theirs'>) {
  const saveAsNew = () => {
    const text = textOfEditing(editing)
    openEditing(editing.path, { ...editing.source, version: 0, text: '' }, text)
    onEnd('Save creates the file again.')
  }
  return (
    <Note tone="warning" role="alert" title="This file was deleted while you were editing it.">
      Your text is still here.
      <div class="row">
        <button type="button" class="button primary" onClick={saveAsNew}>
          Save as a new file
        </button>
        <button type="button" class="button quiet" onClick={() => onEnd('')}>
          Keep editing
        </button>
      </div>
    </Note>
  )
}

interface DifferenceProps {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** Draws the beginning of a difference. */
function Difference({ path, before, after }: DifferenceProps) {
  const { layout } = reviewOptions.value
  const { shown, left } = useMemo(() => cutHunks(diffTexts(before, after).hunks), [before, after])
  const file = useMemo(() => ({ from: path, to: path, binary: false, hunks: shown }), [shown])
  if (shown.length === 0) return <p class="faint">No line differs.</p>
  return (
    <div class="conflictlines">
      <FileLines key={after} file={file} layout={layout} read={null} hidesReturns={false} />
      {left > 0 && <p class="faint small">{formatCount(left, 'more line')}</p>}
    </div>
  )
}

const describeMerge = (conflicts: number) =>
  conflicts === 0
    ? 'Both are merged. Check the text, then save.'
    : `Both are merged. Decide ${formatCount(conflicts, 'place')} between <<<<<<< and >>>>>>>, then save.`
