/** Tools of the review that change no files: layout, copy, download, full screen, help. @module */

import { useEffect, useState } from 'preact/hooks'
import type { Bridge } from '../bridge.ts'
import type { Change } from './change.ts'
import { IconButton } from './icons.tsx'
import { downloadPatch } from './patch.ts'
import type { Layout } from '../diff/segments.ts'

export interface ToolbarProps {
  readonly change: Change
  readonly bridge: Bridge
  readonly layout: Layout
  readonly onLayout: (layout: Layout) => void
  readonly onCopy: () => void
  readonly onHelp: () => void
  /** Shows a short status message. */
  readonly notify: (text: string) => void
}

const LAYOUTS: readonly { layout: Layout; label: string }[] = [
  { layout: 'unified', label: 'Unified' },
  { layout: 'split', label: 'Side by side' },
]

/** Renders the tools. */
export function Toolbar(props: ToolbarProps) {
  const { change, bridge, onCopy, onHelp, notify } = props
  const hasFiles = change.files.length > 0
  const download = async () => {
    if (!(await downloadPatch(bridge, change))) notify('The host declined the download')
  }
  return (
    <div class="tools">
      {change.files.some(({ hunks }) => hunks.length > 0) && <LayoutChoice {...props} />}
      {hasFiles && <IconButton icon="copy" label="Copy the patch" onClick={onCopy} />}
      {hasFiles && bridge.host.capabilities.downloadFile && (
        <IconButton icon="download" label="Download the patch" onClick={() => void download()} />
      )}
      <FullScreen bridge={bridge} />
      <IconButton icon="keys" label="Keyboard shortcuts" onClick={onHelp} />
    </div>
  )
}

function LayoutChoice({ layout, onLayout }: ToolbarProps) {
  return (
    <fieldset class="layouts">
      <legend class="visually-hidden">Layout</legend>
      {LAYOUTS.map((each) => (
        <label>
          <input
            type="radio"
            name="layout"
            checked={each.layout === layout}
            onChange={() => onLayout(each.layout)}
          />
          {each.label}
        </label>
      ))}
    </fieldset>
  )
}

/** Offers full screen, if the host supports it. */
function FullScreen({ bridge }: Pick<ToolbarProps, 'bridge'>) {
  const [context, setContext] = useState(bridge.context)
  useEffect(() => bridge.on('context', setContext), [bridge])
  const { availableDisplayModes = [], displayMode = 'inline' } = context
  // `<mcp-view>` has a button of its own.
  if (bridge.host.info.name === 'edgewise' || displayMode === 'fullscreen') return null
  if (!availableDisplayModes.includes('fullscreen')) return null
  const enlarge = () => void bridge.requestDisplayMode('fullscreen')
  return <IconButton icon="expand" label="Full screen" onClick={enlarge} />
}
