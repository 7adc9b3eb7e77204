/** The files of a change, each with its difference. They are drawn as those of a draft, and fold as they do. @module */

import { useState } from 'preact/hooks'
import type { LineReader } from '#views/diff/gap.tsx'
import { LineCounts } from '#views/diff/line-counts.tsx'
import { DiffLines } from '../drafts/diff-lines.tsx'
import { FileFacts, FilePath } from '../drafts/file-facts.tsx'
import { keptHeight, Near } from '../drafts/near.tsx'
import { Pager, usePages } from '../drafts/pager.tsx'
import { DiffTools } from '../drafts/review-tools.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import type { ChangeReview, FileOfChange } from './change-files.ts'

const PAGE_ROWS = 100

interface Props {
  readonly review: ChangeReview
  /** Reads the unchanged lines; null if nothing has them. */
  readonly read: LineReader | null
}

/** Shows the files. */
export function ChangeDiffs({ review, read }: Props) {
  const { files, notes } = review
  const pages = usePages(files, 0, PAGE_ROWS, async () => {})
  const hasLines = files.some(({ head }) => head.added || head.removed)
  return (
    <>
      <div class="row apart">
        <Sum {...review} />
        {hasLines && (
          <div class="row">
            <DiffTools />
          </div>
        )}
      </div>
      {notes.map((note) => (
        <p key={note} class="small faint">
          {note}
        </p>
      ))}
      {files.length === 0 && notes.length === 0 && <p class="faint">Nothing changes.</p>}
      <ul class="draftfiles" aria-label="Changed files">
        {pages.rows.map((file) => (
          <ChangedFile key={`${file.head.from} ${file.head.path}`} file={file} read={read} />
        ))}
      </ul>
      <Pager pages={pages} noun="file" />
    </>
  )
}

/** The sum of several files; that of a single one is in its head. */
function Sum({ files, more, bytes, added, removed }: ChangeReview) {
  if (files.length + more <= 1) return <span />
  return (
    <p class="row small numbers">
      {formatCount(files.length + more, 'file')}
      {bytes > 0 && <span>{formatBytes(bytes)}</span>}
      <LineCounts added={added} removed={removed} />
    </p>
  )
}

function ChangedFile({ file: { head, json }, read }: { readonly file: FileOfChange } & Read) {
  const [isOpen, setOpen] = useState(true)
  return (
    <li data-path={head.path} style={keptHeight(head, isOpen)}>
      <div class="filehead plain">
        <button type="button" class="path" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="arrow" />
          <FilePath file={head} />
        </button>
        <span class="about">
          <FileFacts file={head} />
        </span>
      </div>
      {isOpen && (
        <Near>
          <DiffLines json={json} read={read} isUnseen={false} />
        </Near>
      )}
    </li>
  )
}

type Read = Pick<Props, 'read'>
