/** The dialog that moves a file or folder into another folder, which is chosen or typed. @module */

import { useState } from 'preact/hooks'
import {
  isWithin,
  nameOf,
  parentOf,
  parsePath,
  resolvePath,
  ROOT,
  type StorePath,
} from '#core/path.ts'
import { basePath } from '../connect/workspace.ts'
import { TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { useLoad } from '../ui/load.ts'
import { Fault, Waiting } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { showToast } from '../ui/toasts.tsx'
import { moveEditing } from './editing.ts'
import type { Acted } from './entry-actions.tsx'
import { PathDialog } from './path-dialog.tsx'
import { moveCall } from './rename-dialog.tsx'
import { readPage } from './source.ts'

interface Props {
  readonly entry: Acted
  /** Called with the new path, or null if nothing was moved. */
  readonly onClose: (path: string | null) => void
}

/** Shows the dialog. */
export function MoveDialog({ entry, onClose }: Props) {
  const from = parsePath(entry.path)
  const [text, setText] = useState<string>(parentOf(from))
  const folder = resolvePath(text || '/')
  const to = folder.ok ? childOf(folder.value, nameOf(from)) : null
  const isInside = folder.ok && entry.type === 'folder' && isWithin(folder.value, from)
  const path = isInside || to === from ? null : to
  const finish = (waits: boolean) => {
    if (path === null || waits) return onClose(null)
    moveEditing(from, path)
    showToast('Moved')
    onClose(path)
  }
  const problem = isInside ? 'A folder cannot be moved into itself.' : null
  return (
    <PathDialog
      title={entry.type === 'folder' ? 'Move the folder' : 'Move the file'}
      intro={<Path text={from} />}
      verb="Move here"
      icon="check"
      failure="Cannot move it"
      wanted={path === null ? null : moveCall(entry, path)}
      onMade={finish}
      onClose={() => onClose(null)}
    >
      <TextField
        label="Into the folder"
        isCode
        isFirst
        value={text}
        onInput={setText}
        problem={folder.ok ? problem : folder.error}
        help="It is created if it does not exist."
      />
      <Picker folder={folder.ok ? folder.value : ROOT} hidden={from} onPick={setText} />
    </PathDialog>
  )
}

const childOf = (folder: StorePath, name: string) => `${folder === ROOT ? '' : folder}/${name}`

interface PickerProps {
  readonly folder: StorePath
  /** The entry that is moved, which is no target. */
  readonly hidden: StorePath
  readonly onPick: (path: string) => void
}

/** Shows the folders of a folder, and the way up. */
function Picker({ folder, hidden, onPick }: PickerProps) {
  const base = basePath.value
  const { value, error, isLoading } = useLoad(
    async (signal) => ({ folder, page: await readPage(base, folder, { after: null, signal }) }),
    [base, folder],
  )
  const isCurrent = value?.folder === folder
  const folders = isCurrent
    ? value.page.entries.filter(({ type, path }) => type === 'folder' && path !== hidden)
    : []
  return (
    <div class="picker" role="group" aria-label="Folders">
      {folder !== ROOT && (
        <button type="button" class="button quiet small" onClick={() => onPick(parentOf(folder))}>
          <Icon name="up" /> Folder above
        </button>
      )}
      {isLoading && !isCurrent && <Waiting>Reading the folders…</Waiting>}
      {error && !isLoading ? <Fault what="Cannot read the folders" error={error} /> : null}
      {folders.map(({ name, path }) => (
        <button key={path} type="button" class="button quiet small" onClick={() => onPick(path)}>
          <Icon name="files" /> <Path text={name} />
        </button>
      ))}
      {isCurrent && !error && folders.length === 0 && (
        <p class="faint small">No folders in here.</p>
      )}
      {isCurrent && value.page.next !== null && (
        <p class="faint small">There may be more: type the path of the folder.</p>
      )}
    </div>
  )
}
