/** The files that go with a deleted folder, each with the lines that it loses. @module */

import { useState } from 'preact/hooks'
import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { basePath } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { formatCount } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, Waiting } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { FileDiff } from './file-diff.tsx'
import { LineCounts } from '#views/diff/line-counts.tsx'

interface Props {
  readonly id: string
  /** The folder. */
  readonly file: ChangedFile
  readonly revision: string
  readonly onOther: () => void
}

/** Lists the files. */
export function FolderFiles({ id, file, revision, onOther }: Props) {
  const base = basePath.value
  const [pages, setPages] = useState(1)
  const { value, error, reload } = useLoad(
    async (signal) => {
      const files: ChangedFile[] = []
      let left = 1
      for (let page = 0; page < pages && left > 0; page++) {
        const query = { revision, below: file.path, offset: `${files.length}` }
        const read = await sendAct(base, 'list_draft_files', {
          segments: { draft: id },
          query,
          signal,
        })
        files.push(...read.files)
        left = read.files.length === 0 ? 0 : read.left
      }
      return { files, left }
    },
    [base, id, revision, file.path, pages],
  )
  if (error) return <Fault what="Cannot read the files" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the files…</Waiting>
  return (
    <ul class="folderfiles">
      {value.files.map((below) => (
        <Below key={below.path} {...{ id, revision, onOther }} file={below} />
      ))}
      {value.left > 0 && (
        <li>
          <button type="button" class="button quiet small" onClick={() => setPages(pages + 1)}>
            Show more of {formatCount(value.left, 'other file')}
          </button>
        </li>
      )}
    </ul>
  )
}

function Below({ id, file, revision, onOther }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <button
        type="button"
        class="button quiet small"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Path text={file.path} /> <LineCounts added={0} removed={file.removed ?? 0} />
      </button>
      {isOpen && <FileDiff id={id} file={file} of={{ revision }} onOther={onOther} />}
    </li>
  )
}
