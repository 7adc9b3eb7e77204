/** Diff of a change: removed and added lines, with the changed part of a line marked. @module */

import { useState } from 'preact/hooks'
import { SafePath } from '../safe-path.tsx'
import { pluralize } from '../safe-text.tsx'
import type { ChangedFile, Hunk } from './tool-results.ts'
import { MarkedText } from './search-view.tsx'

/** Lines shown at first, and added by each press of the button. */
const PAGE_LINES = 300

const SIGNS: Record<string, string> = { insert: '+', delete: '-' }

/** Renders hunks, with a heading where the file changes. */
export function DiffView({ hunks }: { hunks: readonly Hunk[] }) {
  const [shown, setShown] = useState(PAGE_LINES)
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
              <SafePath text={hunk.path} />
            </h4>
          ),
          <HunkLines hunk={hunk} lines={lines} />,
        ]
      })}
      {all > shown && (
        <button onClick={() => setShown(shown + PAGE_LINES)}>
          Show more of {pluralize(all, 'line')}
        </button>
      )}
    </div>
  )
}

function HunkLines({ hunk, lines }: { hunk: Hunk; lines: Hunk['lines'] }) {
  let { oldStart, newStart } = hunk
  // If every line ends with `\r\n`, the line endings do not differ, and are left out for
  // readability.
  const isCrlf = hunk.lines.every(({ text }) => text.endsWith('\r'))
  return (
    <div class="hunk">
      {lines.map(({ kind, text, spans }) => (
        <div class={`d ${kind}`}>
          <span class="n" data-n={kind === 'insert' ? '' : oldStart++} />
          <span class="n" data-n={kind === 'delete' ? '' : newStart++} />
          <span class="n">{SIGNS[kind] ?? ' '}</span>
          <MarkedText text={isCrlf ? text.slice(0, -1) : text} marks={spans} />
        </div>
      ))}
    </div>
  )
}

/** Renders each file of an applied change: its paths, then its hunks. */
export const ChangedFilesView = ({ files }: { files: readonly ChangedFile[] }) => (
  <>
    {files.map(({ from, to, binary, hunks }) => (
      <>
        <h4>
          <SafePath text={from || to} />
          {from && to && from !== to && (
            <>
              {' → '}
              <SafePath text={to} />
            </>
          )}
          {!to && ' (deleted)'}
        </h4>
        {binary && <p class="hint">Not shown line by line</p>}
        <DiffView hunks={hunks} />
      </>
    ))}
  </>
)
