/** A change line by line: what goes, what comes, and within a line the part that differs. @module */

import { useState } from 'preact/hooks'
import { Visible } from '../review/words.tsx'
import type { FileChange, Hunk } from './answers.ts'
import { counted } from './format.ts'
import { Marked } from './results.tsx'

/** Lines that are shown at first, and that each press shows more. */
const PAGE = 300

const SIGNS: Record<string, string> = { insert: '+', delete: '-' }

/** The hunks of several files, or of one whose name is known. */
export function DiffView({ hunks }: { hunks: readonly Hunk[] }) {
  const [shown, setShown] = useState(PAGE)
  const all = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  let left = shown
  return (
    <div class="diff">
      {hunks.map((hunk, index) => {
        const lines = hunk.lines.slice(0, Math.max(0, left))
        left -= lines.length
        const before = hunks[index - 1] ?? hunks.at(-1)
        const named = hunk.path !== before?.path
        if (lines.length === 0) return
        return [
          named && (
            <h4>
              <Visible text={hunk.path} />
            </h4>
          ),
          <HunkLines hunk={hunk} lines={lines} />,
        ]
      })}
      {all > shown && (
        <button onClick={() => setShown(shown + PAGE)}>Show more of {counted(all, 'line')}</button>
      )}
    </div>
  )
}

function HunkLines({ hunk, lines }: { hunk: Hunk; lines: Hunk['lines'] }) {
  let { oldStart, newStart } = hunk
  // Where every line ends with `\r\n`, that is no difference, and the lines are easier to read without.
  const hasReturns = hunk.lines.every(({ text }) => text.endsWith('\r'))
  return (
    <div class="hunk">
      {lines.map(({ kind, text, spans }) => (
        <div class={`d ${kind}`}>
          <span class="n" data-n={kind === 'insert' ? '' : oldStart++} />
          <span class="n" data-n={kind === 'delete' ? '' : newStart++} />
          <span class="n">{SIGNS[kind] ?? ' '}</span>
          <Marked text={hasReturns ? text.slice(0, -1) : text} marks={spans} />
        </div>
      ))}
    </div>
  )
}

/** Each file of a change that was made: what became of it, then how. */
export const FilesView = ({ files }: { files: readonly FileChange[] }) => (
  <>
    {files.map(({ from, to, binary, hunks }) => (
      <>
        <h4>
          <Visible
            text={from && to && from !== to ? `${from} → ${to}` : to || `${from} (deleted)`}
          />
        </h4>
        {binary && <p class="hint">Not shown line by line</p>}
        <DiffView hunks={hunks} />
      </>
    ))}
  </>
)
