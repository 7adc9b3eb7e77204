/**
 * Page of a change: header with actions, files, keyboard shortcuts.
 *
 * @module
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Bridge } from '../bridge.ts'
import type { Change } from './change.ts'
import { File } from './file.tsx'
import { Header } from './header.tsx'
import { Help } from './help.tsx'
import { commandOf, stepChange, stepFile, type Command } from './keys.ts'
import { useLayout } from './layout.ts'
import { createLineReader } from './lines.ts'
import { copyText, patchOf } from './patch.ts'
import type { Session } from './session.ts'
import type { Shown } from './stage.ts'
import { Toolbar } from './toolbar.tsx'
import { counted } from './words.tsx'

/** Props of {@link Review}. */
export interface ReviewProps {
  readonly shown: Shown
  readonly session: Session
  readonly bridge: Bridge
}

/** Renders a change. */
export function Review({ shown, session, bridge }: ReviewProps) {
  const { change, loading } = shown
  const [layout, choose] = useLayout()
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [help, setHelp] = useState(false)
  const [told, tell] = useTold()

  const copy = async () =>
    tell(
      (await copyText(await patchOf(bridge, change)))
        ? 'Patch copied'
        : 'Copying is not allowed here',
    )
  const commands: Record<Command, () => void> = {
    next: () => stepChange(1),
    previous: () => stepChange(-1),
    nextFile: () => stepFile(1),
    previousFile: () => stepFile(-1),
    layout: () => choose(layout === 'split' ? 'unified' : 'split'),
    fold: () => setFolded(new Set(folded.size > 0 ? [] : change.files.map(keyOf))),
    copy: () => void copy(),
    help: () => setHelp(true),
  }
  useKeys(commands)

  const read = session.canCall ? createLineReader(bridge, shown) : null
  const fold = (key: string) => () =>
    setFolded(new Set(folded.has(key) ? [...folded].filter((k) => k !== key) : [...folded, key]))
  return (
    <>
      <Header shown={shown} session={session}>
        <Toolbar
          change={change}
          bridge={bridge}
          layout={layout}
          choose={choose}
          copy={copy}
          help={() => setHelp(true)}
          tell={tell}
        />
      </Header>
      <div
        class={`files ${shown.status}`}
        aria-busy={loading}
        tabIndex={0}
        role="region"
        aria-label="Files"
      >
        <Notes change={change} loading={loading} />
        {change.files.map((file) => {
          const key = keyOf(file)
          const props = { file, layout, read, folded: folded.has(key), fold: fold(key) }
          return <File key={key} {...props} />
        })}
      </div>
      <p class="told" role="status">
        {told}
      </p>
      {help && <Help close={() => setHelp(false)} />}
    </>
  )
}

function Notes({ change, loading }: { readonly change: Change; readonly loading: boolean }) {
  const { files, more, linesLeftOut } = change
  if (loading && files.length === 0) return <p class="quiet">Reading the lines…</p>
  if (linesLeftOut && !loading)
    return (
      <p class="quiet">There are too many lines for one answer, and they cannot be read here.</p>
    )
  if (files.length === 0) return <p class="quiet">Nothing changes.</p>
  return more > 0 ? <p class="quiet">{counted(more, 'more file')} not shown one by one.</p> : null
}

const keyOf = ({ from, to }: Change['files'][number]) => `${from ?? ''}\0${to ?? ''}`

/** Display time of a status message in milliseconds. */
const TOLD_MS = 3_000

function useTold(): [string, (text: string) => void] {
  const [told, setTold] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setTold(''), TOLD_MS)
    return () => clearTimeout(timer)
  }, [told])
  return [told, setTold]
}

function useKeys(commands: Record<Command, () => void>): void {
  const latest = useRef(commands)
  latest.current = commands
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = commandOf(event)
      if (!command) return
      event.preventDefault()
      latest.current[command]()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
