/** The dialog that creates a file or a folder. A new file opens in the editor. @module */

import { useState } from 'preact/hooks'
import { resolvePath, ROOT, type StorePath } from '#core/path.ts'
import { basePath } from '../connect/workspace.ts'
import { go } from '../shell/route.ts'
import { TextField } from '../ui/fields.tsx'
import { Path } from '../ui/path.tsx'
import { openEditing } from './editing.ts'
import { PathDialog } from './path-dialog.tsx'
import { readSource } from './source.ts'

/** What is created. */
export type Creation = 'file' | 'folder'

interface Props {
  readonly what: Creation
  readonly folder: StorePath
  readonly onClose: () => void
}

/** Shows the dialog. */
export function CreateDialog({ what, folder, onClose }: Props) {
  const [name, setName] = useState('')
  const { path, problem } = readName(name, folder)
  const finish = async (waits: boolean) => {
    onClose()
    if (path === null || waits) return
    if (what === 'file') await openEmpty(path)
    go(['files'], { path })
  }
  return (
    <PathDialog
      title={`New ${what}`}
      intro={
        <>
          In <Path text={folder} />.
        </>
      }
      verb="Create"
      icon="plus"
      failure={`Cannot create the ${what}`}
      wanted={path === null ? null : describe(what, path)}
      onMade={(waits) => void finish(waits)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        isCode
        isFirst
        value={name}
        onInput={setName}
        problem={problem}
        help="A name with slashes creates the folders in it."
      />
    </PathDialog>
  )
}

const describe = (what: Creation, path: StorePath) =>
  what === 'folder'
    ? { tool: 'create_folder', args: { path } }
    : { tool: 'write_file', args: { path, content: '', if_version: 0 } }

/** Opens the editor of a file that was just created. */
async function openEmpty(path: StorePath): Promise<void> {
  const read = await readSource(basePath.value, path).catch(() => null)
  if (read?.ok) openEditing(path, read.value)
}

/** Reads the name of a new entry, below a folder. */
export function readName(
  name: string,
  folder: StorePath,
): { readonly path: StorePath | null; readonly problem: string | null } {
  if (name === '') return { path: null, problem: null }
  const path = resolvePath(name.replace(/^\/+/, ''), folder)
  if (!path.ok) return { path: null, problem: path.error }
  if (path.value === folder || path.value === ROOT)
    return { path: null, problem: 'This is no name.' }
  return { path: path.value, problem: null }
}
