/**
 * Page of the review: a change with its header, files and keyboard shortcuts, or a message.
 *
 * @module
 */

import { useEffect, useLayoutEffect, useReducer, useState } from 'preact/hooks'
import type { Bridge } from '../bridge.ts'
import { pluralize } from '../safe-text.tsx'
import type { Change } from './change.ts'
import { File } from './file.tsx'
import { Header } from './header.tsx'
import { ShortcutsDialog, stepChange, stepFile, useShortcuts } from './keyboard.tsx'
import { useLayout } from './layout.ts'
import { Message } from './message.tsx'
import { copyText, readPatch } from './patch.ts'
import type { LineReader } from '../diff/gap.tsx'
import { createFileReader } from '../diff/numbered-lines.ts'
import type { Layout } from '../diff/segments.ts'
import type { Session } from './session.ts'
import type { ShownChange } from './store.ts'
import { Toolbar } from './toolbar.tsx'

export interface AppProps {
  readonly session: Session
  readonly bridge: Bridge
}

/** Renders the session after every change of it: a change, or a message while there is none. */
export function App({ session, bridge }: AppProps) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(() => session.subscribe(() => redraw(undefined)), [session])
  const { state } = session
  if (state.kind !== 'change') return <Message state={state} />
  return <Review shown={state} session={session} bridge={bridge} />
}

interface ReviewProps extends AppProps {
  readonly shown: ShownChange
}

function Review({ shown, session, bridge }: ReviewProps) {
  const { change } = shown
  const [layout, setLayout] = useLayout()
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [showsHelp, setShowsHelp] = useState(false)
  const [status, notify] = useStatus()
  const copy = async () => {
    const copied = await copyText(await readPatch(bridge, change))
    notify(copied ? 'Patch copied' : 'The host does not allow copying')
  }
  const help = () => setShowsHelp(true)
  useShortcuts({
    next: () => stepChange(1),
    previous: () => stepChange(-1),
    nextFile: () => stepFile(1),
    previousFile: () => stepFile(-1),
    layout: () => setLayout(layout === 'split' ? 'unified' : 'split'),
    fold: () => setFolded(new Set(folded.size > 0 ? [] : change.files.map(keyOf))),
    copy: () => void copy(),
    help,
  })
  const tools = { change, bridge, layout, notify }
  return (
    <>
      <Header shown={shown} session={session}>
        <Toolbar {...tools} onLayout={setLayout} onCopy={() => void copy()} onHelp={help} />
      </Header>
      <Files {...{ shown, session, bridge, layout, folded, setFolded }} />
      <p class="toast" role="status">
        {status}
      </p>
      {showsHelp && <ShortcutsDialog onClose={() => setShowsHelp(false)} />}
    </>
  )
}

interface FilesProps extends ReviewProps {
  readonly layout: Layout
  /** Keys of the files whose lines are hidden. */
  readonly folded: ReadonlySet<string>
  readonly setFolded: (folded: ReadonlySet<string>) => void
}

function Files({ shown, session, bridge, layout, folded, setFolded }: FilesProps) {
  const { change, status, loading } = shown
  const read = session.canCall ? createLineReader(bridge, shown) : null
  const isOnly = change.files.length + change.more === 1
  const fold = (key: string) => () =>
    setFolded(new Set(folded.has(key) ? [...folded].filter((k) => k !== key) : [...folded, key]))
  return (
    <div
      class={`files ${status}`}
      aria-busy={loading}
      tabIndex={0}
      role="region"
      aria-label="Files"
    >
      <Notes change={change} loading={loading} />
      {change.files.map((file) => {
        const key = keyOf(file)
        const props = { file, layout, read, isOnly, folded: folded.has(key), fold: fold(key) }
        return <File key={key} {...props} isListed={change.isListed} />
      })}
    </div>
  )
}

function Notes({ change, loading }: { readonly change: Change; readonly loading: boolean }) {
  const { files, more, linesLeftOut } = change
  if (loading && files.length === 0) return <p class="quiet">Loading lines…</p>
  if (linesLeftOut && !loading)
    return <p class="quiet">The change has too many lines to show in this host.</p>
  if (files.length === 0) return <p class="quiet">Nothing changes.</p>
  return more > 0 ? <p class="quiet">{pluralize(more, 'more file')} not listed.</p> : null
}

/**
 * Creates the reader of unchanged lines. For a preview, the file has to be as it was before it, for an applied change as
 * it was after it.
 */
function createLineReader(bridge: Bridge, { status, last, change }: ShownChange): LineReader {
  return createFileReader({
    isOld: status !== 'applied',
    isSame: (version) =>
      last ? version === last.version : typeof version === 'number' && version <= change.basis,
    async readFile(args) {
      const { isError, structuredContent } = await bridge.callTool('read_file', args)
      return isError ? null : structuredContent
    },
  })
}

const keyOf = ({ from, to }: Change['files'][number]) => `${from ?? ''}\0${to ?? ''}`

/** Display time of a status message in milliseconds. */
const STATUS_MS = 3_000

function useStatus(): [string, (text: string) => void] {
  const [status, setStatus] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setStatus(''), STATUS_MS)
    return () => clearTimeout(timer)
  }, [status])
  return [status, setStatus]
}
