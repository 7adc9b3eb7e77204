/** The dialog that gives a file or folder another name in its folder. @module */

import { useState } from 'preact/hooks'
import { nameOf, parentOf, parsePath } from '#core/path.ts'
import { TextField } from '../ui/fields.tsx'
import { Path } from '../ui/path.tsx'
import { showToast } from '../ui/toasts.tsx'
import { readName } from './create-dialog.tsx'
import { moveEditing } from './editing.ts'
import type { Acted } from './entry-actions.tsx'
import { PathDialog } from './path-dialog.tsx'

interface Props {
  readonly entry: Acted
  /** Called with the new path, or null if nothing was renamed. */
  readonly onClose: (path: string | null) => void
}

/** Shows the dialog. */
export function RenameDialog({ entry, onClose }: Props) {
  const from = parsePath(entry.path)
  const [name, setName] = useState<string>(nameOf(from))
  const read = readName(name, parentOf(from))
  const isFolders = name.includes('/')
  const path = isFolders || read.path === from ? null : read.path
  const finish = (waits: boolean) => {
    if (path === null || waits) return onClose(null)
    moveEditing(from, path)
    showToast('Renamed')
    onClose(path)
  }
  return (
    <PathDialog
      title={entry.type === 'folder' ? 'Rename the folder' : 'Rename the file'}
      intro={<Path text={from} />}
      verb="Rename"
      icon="check"
      failure="Cannot rename it"
      wanted={path === null ? null : moveCall(entry, path)}
      onMade={finish}
      onClose={() => onClose(null)}
    >
      <TextField
        label="New name"
        isCode
        isFirst
        value={name}
        onInput={setName}
        problem={isFolders ? 'A name has no slash. Use Move for another folder.' : read.problem}
      />
    </PathDialog>
  )
}

/** Returns the call that moves an entry, at the version that is shown. */
export const moveCall = ({ path, type, version }: Acted, to: string) => ({
  tool: 'move_file',
  args: { from: path, to, ...(type === 'file' && { if_version: version }) },
})
