/** Tools of the review that change no files: layout, copy, download, full screen, help. @module */

import { useEffect, useState } from 'preact/hooks'
import type { Bridge } from '../bridge.ts'
import type { Change } from './change.ts'
import { Icon } from './icons.tsx'
import { downloadPatch } from './patch.ts'
import type { Layout } from './segments.ts'

/** Props of {@link Toolbar}. */
export interface ToolbarProps {
  readonly change: Change
  readonly bridge: Bridge
  readonly layout: Layout
  readonly choose: (layout: Layout) => void
  readonly copy: () => Promise<void>
  readonly help: () => void
  /** Shows a short status message. */
  readonly tell: (text: string) => void
}

const LAYOUTS: readonly { layout: Layout; says: string }[] = [
  { layout: 'unified', says: 'Unified' },
  { layout: 'split', says: 'Side by side' },
]

/** Renders the tools. */
export function Toolbar({ change, bridge, layout, choose, copy, help, tell }: ToolbarProps) {
  const hasLines = change.files.some(({ hunks }) => hunks.length > 0)
  const download = async () => {
    if (!(await downloadPatch(bridge, change))) tell('The host did not take the file')
  }
  return (
    <div class="tools">
      {hasLines && (
        <fieldset class="layouts">
          <legend class="visually-hidden">Layout</legend>
          {LAYOUTS.map((each) => (
            <label>
              <input
                type="radio"
                name="layout"
                checked={each.layout === layout}
                onChange={() => choose(each.layout)}
              />
              {each.says}
            </label>
          ))}
        </fieldset>
      )}
      {change.files.length > 0 && (
        <Tool icon="copy" says="Copy the patch" act={() => void copy()} />
      )}
      {change.files.length > 0 && bridge.host.capabilities.downloadFile && (
        <Tool icon="download" says="Download the patch" act={() => void download()} />
      )}
      <FullScreen bridge={bridge} />
      <Tool icon="keys" says="Keyboard" act={help} />
    </div>
  )
}

interface ToolProps {
  readonly icon: Parameters<typeof Icon>[0]['name']
  readonly says: string
  readonly act: () => void
}

function Tool({ icon, says, act }: ToolProps) {
  return (
    <button class="tool" aria-label={says} title={says} onClick={act}>
      <Icon name={icon} />
    </button>
  )
}

/** Offers full screen, if the host supports it. */
function FullScreen({ bridge }: Pick<ToolbarProps, 'bridge'>) {
  const [context, setContext] = useState(bridge.context)
  useEffect(() => bridge.on('context', setContext), [bridge])
  const { availableDisplayModes = [], displayMode = 'inline' } = context
  if (displayMode === 'fullscreen' || !availableDisplayModes.includes('fullscreen')) return null
  const enlarge = () => void bridge.requestDisplayMode('fullscreen')
  return <Tool icon="expand" says="Full screen" act={enlarge} />
}
