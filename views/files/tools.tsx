/** Tools above the list: new file, new folder, upload, refresh, full screen. @module */

import type { TargetedEvent } from 'preact'
import { useRef } from 'preact/hooks'
import type { Bridge } from '../bridge.ts'
import type { Files } from './files.ts'
import { IconButton } from '../icons.tsx'

/** The name of `<mcp-view>`, which has a button for the full screen of its own. */
const OWN_HOST = 'edgewise'

export interface ToolsProps {
  readonly files: Files
  readonly bridge: Bridge
  readonly onCreate: (type: 'file' | 'folder') => void
  /** Shows the details, where there is room for one pane only. */
  readonly onDetail: () => void
}

export function Tools({ files, bridge, onCreate, onDetail }: ToolsProps) {
  const picker = useRef<HTMLInputElement>(null)
  const { availableDisplayModes, displayMode } = bridge.context
  const isFull = displayMode === 'fullscreen'
  const pick = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    files.uploads.offer(files.targetFolder(), [...(currentTarget.files ?? [])])
    currentTarget.value = ''
  }
  return (
    <div class="actions">
      <IconButton icon="newFile" label="New file" onClick={() => onCreate('file')} />
      <IconButton icon="newFolder" label="New folder" onClick={() => onCreate('folder')} />
      <IconButton icon="up" label="Upload files" onClick={() => picker.current?.click()} />
      <IconButton icon="refresh" label="Refresh" onClick={() => files.refresh()} />
      {availableDisplayModes?.includes('fullscreen') && bridge.host.info.name !== OWN_HOST && (
        <IconButton
          icon="full"
          label="Full screen"
          pressed={isFull}
          onClick={() => bridge.requestDisplayMode(isFull ? 'inline' : 'fullscreen')}
        />
      )}
      {files.preview.state.choice && (
        <span class="back">
          <IconButton icon="text" label="Show the selection" onClick={onDetail} />
        </span>
      )}
      <input ref={picker} type="file" multiple hidden onChange={pick} />
    </div>
  )
}
