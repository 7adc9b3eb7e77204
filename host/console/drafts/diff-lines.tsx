/**
 * The lines of a difference that the server answered, drawn as the views draw them, with the options of the review page.
 * Drafts, approvals of apps and the history of changes share them. `test/pages/console/waiting.test.ts` looks at them.
 *
 * @module
 */

import { useMemo, useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import type { Hunk } from '#core/diff/hunks.ts'
import type { FileDiff as Difference } from '#core/diff/unified.ts'
import { ignoreWhiteSpace } from '#core/diff/white-space.ts'
import { FileLines } from '#views/diff/file-lines.tsx'
import type { LineReader } from '#views/diff/gap.tsx'
import { hasReturns, parseFile } from '#views/diff/parse.ts'
import { isEdited, numberOf, type Amendment } from '../amendments/amendment.ts'
import { frameHunk } from '../amendments/hunk-tools.tsx'
import { formatCount } from '../ui/format.ts'
import { cutHunks } from '#views/diff/cut-hunks.ts'
import { reviewOptions } from './review-options.ts'

interface Props {
  readonly json: JsonRecord
  /** Reads the unchanged lines; null if nothing has them. */
  readonly read: LineReader | null
  readonly isUnseen: boolean
  /** What the owner makes of them; without it nothing can be made of them. */
  readonly amending?: Amending | undefined
}

/** What the owner makes of the lines of a file. */
export interface Amending {
  readonly amendment: Amendment | null
  /** Whether Tab stops at the buttons of its hunks. */
  readonly isTabStop: boolean
  /** Leaves a hunk out, or takes it again; null where none can be. */
  readonly toggle: ((hunks: readonly Hunk[], at: number) => void) | null
}

/** Draws the lines; a long difference shows its beginning first. */
export function DiffLines({ json, read, isUnseen, amending }: Props) {
  const { layout, ignoresSpace } = reviewOptions.value
  const [showsAll, setShowsAll] = useState(false)
  const amendment = amending?.amendment ?? null
  const [file] = useMemo(() => parseFile(json), [json])
  const hunks = amendment?.hunks ?? file?.hunks ?? NO_HUNKS
  // What is left out of an amended text has to be seen whole.
  const isWhole = !ignoresSpace || amendment !== null
  const visible = useMemo(() => (isWhole ? hunks : ignoreWhiteSpace(hunks)), [hunks, isWhole])
  const { shown, left } = useMemo(
    () => (showsAll ? { shown: visible, left: 0 } : cutHunks(visible)),
    [visible, showsAll],
  )
  const drawn = useMemo(() => file && { ...file, hunks: shown }, [file, shown])
  if (!file || !drawn) return null
  const isEditedText = amendment !== null && isEdited(amendment)
  const facts = isEditedText ? { ...json, endings: undefined } : json
  const note = noteOf({ ...file, hunks }, facts, visible.length)
  const { toggle = null, isTabStop = false } = amending ?? {}
  const frame = (at: number) =>
    toggle && isWhole && shown[at] === hunks[at]
      ? frameHunk({
          ...{ at, isTabStop, count: hunks.length },
          isLeftOut: amendment?.leftOut.has(at) === true,
          onToggle: () => toggle(hunks, at),
        })
      : null
  return (
    <>
      {note !== '' && !isUnseen && <p class="faint small">{note}</p>}
      {shown.length > 0 && (
        <FileLines
          // The unchanged lines that were opened are those of one text.
          key={`${isWhole} ${isEditedText ? numberOf(hunks) : ''}`}
          file={drawn}
          layout={layout}
          read={left > 0 ? null : read}
          hidesReturns={hasReturns({ hunks })}
          frame={frame}
        />
      )}
      {left > 0 && (
        <button type="button" class="button quiet small" onClick={() => setShowsAll(true)}>
          Show {formatCount(left, 'more line')}
        </button>
      )}
    </>
  )
}

const NO_HUNKS: readonly Hunk[] = []

/** States what the lines do not show. */
function noteOf({ hunks, binary, from, to }: Difference, json: JsonRecord, drawn: number): string {
  const { endings, encoding, omitted, extracted } = json
  const forms = [
    typeof endings === 'string' ? `Line endings: ${endings}.` : '',
    typeof endings !== 'string' && hasReturns({ hunks }) ? 'Line endings: CRLF.' : '',
    typeof encoding === 'string' ? `Encoding: ${encoding}.` : '',
    extracted === true ? 'The text of a document; its pictures and layout may differ as well.' : '',
  ].filter((form) => form !== '')
  if (omitted === true) return [...forms, 'Too large to be shown line by line.'].join(' ')
  if (binary) return [...forms, 'Not shown line by line.'].join(' ')
  if (hunks.length === 0 && forms.length === 0)
    return from !== null && to !== null ? 'Its content stays as it is.' : 'An empty file.'
  if (hunks.length > 0 && drawn === 0) forms.push('Only white space differs, which is hidden.')
  return forms.join(' ')
}
