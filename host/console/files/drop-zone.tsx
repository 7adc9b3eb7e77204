/** The place on which files and folders of the device are dropped. `dropped.ts` reads them. @module */

import type { ComponentChildren, TargetedDragEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { StorePath } from '#core/path.ts'
import { Path } from '../ui/path.tsx'
import { showToast } from '../ui/toasts.tsx'
import { entriesOf, readDropped } from './dropped.ts'
import type { LocalFile } from './tar.ts'

interface Props {
  /** The folder that they would be put into. */
  readonly folder: StorePath
  readonly onFiles: (files: readonly LocalFile[]) => void
  readonly children: ComponentChildren
}

type Drag = TargetedDragEvent<HTMLDivElement>

/** Shows its children, and over them what a drop would do. */
export function DropZone({ folder, onFiles, children }: Props) {
  const [isOver, setOver] = useState(false)
  // Entering a child is reported before the parent is left.
  const depth = useRef(0)
  const enter = (event: Drag) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    depth.current++
    setOver(true)
  }
  const leave = () => {
    depth.current = Math.max(0, depth.current - 1)
    if (depth.current === 0) setOver(false)
  }
  const drop = (event: Drag) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    depth.current = 0
    setOver(false)
    void read(entriesOf(event.dataTransfer?.items ?? []), onFiles)
  }
  return (
    <div
      class="dropzone"
      onDragEnter={enter}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDragLeave={leave}
      onDrop={drop}
    >
      {children}
      {isOver && (
        <div class="dropnote" aria-hidden="true">
          <p>
            Drop to import into <Path text={folder} />
          </p>
        </div>
      )}
    </div>
  )
}

const hasFiles = ({ dataTransfer }: Drag) => dataTransfer?.types.includes('Files') === true

async function read(
  entries: Parameters<typeof readDropped>[0],
  onFiles: Props['onFiles'],
): Promise<void> {
  const { files, isPartial } = await readDropped(entries)
  if (isPartial)
    showToast('Not all of it could be read, or it is too much. Check the number of files.', {
      tone: 'info',
    })
  if (files.length > 0) onFiles(files)
}
