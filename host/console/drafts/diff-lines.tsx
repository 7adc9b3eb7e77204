/**
 * The lines of a difference that the server answered, drawn as the views draw them, with the options of the review page.
 * Drafts, approvals of apps and the history of changes share them. `test/pages/console/waiting.test.ts` looks at them.
 *
 * @module
 */

import { useMemo, useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import type { FileDiff as Difference } from '#core/diff/unified.ts'
import { ignoreWhiteSpace } from '#core/diff/white-space.ts'
import { FileLines } from '#views/diff/file-lines.tsx'
import type { LineReader } from '#views/diff/gap.tsx'
import { hasReturns, parseFile } from '#views/diff/parse.ts'
import { formatCount } from '../ui/format.ts'
import { cutHunks } from '#views/diff/cut-hunks.ts'
import { reviewOptions } from './review-options.ts'

interface Props {
  readonly json: JsonRecord
  /** Reads the unchanged lines; null if nothing has them. */
  readonly read: LineReader | null
  readonly isUnseen: boolean
}

/** Draws the lines; a long difference shows its beginning first. */
export function DiffLines({ json, read, isUnseen }: Props) {
  const { layout, ignoresSpace } = reviewOptions.value
  const [showsAll, setShowsAll] = useState(false)
  const [file] = useMemo(() => parseFile(json), [json])
  const hunks = useMemo(
    () => (ignoresSpace ? ignoreWhiteSpace(file?.hunks ?? []) : (file?.hunks ?? [])),
    [file, ignoresSpace],
  )
  const { shown, left } = useMemo(
    () => (showsAll ? { shown: hunks, left: 0 } : cutHunks(hunks)),
    [hunks, showsAll],
  )
  const drawn = useMemo(() => file && { ...file, hunks: shown }, [file, shown])
  if (!file || !drawn) return null
  const note = noteOf(file, json, hunks.length)
  return (
    <>
      {note !== '' && !isUnseen && <p class="faint small">{note}</p>}
      {shown.length > 0 && (
        <FileLines
          key={`${ignoresSpace}`}
          file={drawn}
          layout={layout}
          read={left > 0 ? null : read}
          hidesReturns={hasReturns(file)}
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

/** States what the lines do not show. */
function noteOf({ hunks, binary, from, to }: Difference, json: JsonRecord, drawn: number): string {
  const { endings, encoding, omitted } = json
  const forms = [
    typeof endings === 'string' ? `Line endings: ${endings}.` : '',
    typeof endings !== 'string' && hasReturns({ hunks }) ? 'Line endings: CRLF.' : '',
    typeof encoding === 'string' ? `Encoding: ${encoding}.` : '',
  ].filter((form) => form !== '')
  if (omitted === true) return [...forms, 'Too large to be shown line by line.'].join(' ')
  if (binary) return [...forms, 'Not shown line by line.'].join(' ')
  if (hunks.length === 0 && forms.length === 0)
    return from !== null && to !== null ? 'Its content stays as it is.' : 'An empty file.'
  if (hunks.length > 0 && drawn === 0) forms.push('Only white space differs, which is hidden.')
  return forms.join(' ')
}
