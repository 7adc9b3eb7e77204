/**
 * The console: chooses the page to show, and what to show without a connection.
 *
 * @module
 */

import { useEffect } from 'preact/hooks'
import { Palette } from './parts/palette.tsx'
import { SignedOut } from './parts/person.tsx'
import { NoConnection } from './parts/no-connection.tsx'
import { Empty, Note, PageHead } from './parts/parts.tsx'
import { Questions } from './parts/question.tsx'
import { Shell } from './parts/shell.tsx'
import { Undo } from './parts/undo.tsx'
import { Activity } from './pages/activity.tsx'
import { Apps } from './pages/apps.tsx'
import { Connect } from './pages/connect.tsx'
import { Files } from './pages/files.tsx'
import { Log } from './pages/log.tsx'
import { Overview } from './pages/overview.tsx'
import { Rules } from './pages/rules.tsx'
import { Sessions } from './pages/sessions.tsx'
import { Tools } from './pages/tools.tsx'
import { health, link } from './state/link.ts'
import { ended } from './state/format.ts'
import { isSignedOut } from './state/person.ts'
import { overviewTitle, pages } from './state/pages.ts'
import { go, linkTo, route } from './state/route.ts'
import { suggested } from './state/target.ts'

/** Shows the console: the shell with the current page, and the dialogs above it. */
export function App() {
  return (
    <>
      <Shell>
        <SignedOut />
        <Health />
        <Page />
      </Shell>
      <Palette />
      <Undo />
      <Questions />
    </>
  )
}

const PAGES: Readonly<Record<string, () => preact.JSX.Element>> = {
  '': () => <Overview />,
  files: () => <Files />,
  activity: () => <Activity />,
  tools: () => <Tools />,
  apps: () => <Apps />,
  sessions: () => <Sessions />,
  rules: () => <Rules />,
  log: () => <Log />,
  connect: () => <Connect />,
}

/** Pages that work without a connection. */
const ALONE = new Set(['log', 'connect'])

function Page() {
  const [name = ''] = route.value.path
  const page = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined
  const title = pages.value.find((one) => one.name === name)?.title
  useEffect(() => {
    document.title = title === undefined || name === '' ? 'Edgewise' : `${title} · Edgewise`
  }, [title, name])
  if (!page) return <NoPage />
  if (suggested.value !== null && name !== 'connect') return <Connect />
  if (ALONE.has(name)) return page()
  if (link.value.state !== 'ready') return <Without name={name} title={title} />
  return title === undefined ? <NotOffered name={name} /> : page()
}

interface WithoutProps {
  readonly name: string
  readonly title: string | undefined
}

function Without({ name, title }: WithoutProps) {
  if (isSignedOut.value) return <PageHead title="Signed out" />
  const isWaiting = link.value.state === 'connecting'
  return (
    <>
      {isWaiting ? (
        <PageHead title={name === '' ? overviewTitle() : (title ?? 'Connecting')} />
      ) : (
        <PageHead title="No connection">The server does not answer as it should.</PageHead>
      )}
      <NoConnection />
      {!isWaiting && (
        <p>
          <a href={linkTo(['connect'])}>Change how to connect, or look at another server</a>
        </p>
      )}
    </>
  )
}

/** Shown while the connection is being restored. */
function Health() {
  const state = health.value
  if (link.value.state !== 'ready' || state.name !== 'reconnecting') return null
  const { connection } = link.value
  return (
    <div class="health">
      <Note tone="warning" role="status" title="The connection is interrupted.">
        {ended(state.problem.message)} It comes back by itself; what you see may be old.
        <div class="row">
          <button type="button" class="button small" onClick={() => connection.reconnect()}>
            Try now
          </button>
        </div>
      </Note>
    </div>
  )
}

function NotOffered({ name }: { readonly name: string }) {
  useEffect(() => {
    if (name === '') go(['tools'])
  }, [name])
  return (
    <Empty
      icon="info"
      title="This server does not offer that"
      actions={
        <a class="button" href={linkTo(['tools'])}>
          See its tools
        </a>
      }
    >
      The page needs tools that only an Edgewise workspace has.
    </Empty>
  )
}

const NoPage = () => (
  <Empty
    icon="search"
    title="There is no such page"
    actions={
      <a class="button" href={linkTo([])}>
        To the overview
      </a>
    }
  >
    The address may be from another version, or mistyped.
  </Empty>
)
