/** The tree of changed files beside their differences: what happened to each, and a way to it. @module */

import { useMemo } from 'preact/hooks'
import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { Icon } from '../ui/icons.tsx'
import { Path } from '../ui/path.tsx'
import { buildTree, type Folder } from './file-tree.ts'
import { LineCounts } from '#views/diff/line-counts.tsx'
import type { ShownMarks } from './use-marks.ts'

interface Props {
  readonly files: readonly ChangedFile[]
  readonly marks: ShownMarks
  readonly onShow: (file: ChangedFile) => void
}

/** Shows the tree. */
export function FileNav(props: Props) {
  const tree = useMemo(() => buildTree(props.files), [props.files])
  return (
    <nav class="filenav" aria-label="Changed files">
      <Items {...props} folder={tree} />
    </nav>
  )
}

function Items({ folder, ...props }: Props & { readonly folder: Folder<ChangedFile> }) {
  return (
    <ul>
      {folder.folders.map((each) => (
        <li key={`folder ${each.name}`}>
          <span class="foldername">
            <Icon name="files" /> <Path text={each.name} />
          </span>
          <Items {...props} folder={each} />
        </li>
      ))}
      {folder.files.map(({ name, file }) => (
        <li key={`${file.type} ${name}`}>
          <FileLink {...props} name={name} file={file} />
        </li>
      ))}
    </ul>
  )
}

const LETTERS: Readonly<Record<ChangedFile['change'], string>> = {
  added: 'A',
  changed: 'M',
  deleted: 'D',
}

interface LinkProps extends Omit<Props, 'files'> {
  readonly name: string
  readonly file: ChangedFile
}

function FileLink({ name, file, marks, onShow }: LinkProps) {
  const { change, from, added = 0, removed = 0, risks } = file
  const isViewed = marks.isViewed(file)
  const what = from === undefined ? change : 'moved'
  return (
    <button
      type="button"
      class={`filelink ${what} ${isViewed ? 'viewed' : ''}`}
      onClick={() => onShow(file)}
    >
      <span class="letter" aria-hidden="true">
        {from === undefined ? LETTERS[change] : 'R'}
      </span>
      <span>
        <Path text={name} />
        <span class="unseen">
          , {what}
          {isViewed && ', viewed'}
        </span>
      </span>
      {risks.length > 0 && <Icon name="warning" />}
      <LineCounts added={added} removed={removed} />
    </button>
  )
}
