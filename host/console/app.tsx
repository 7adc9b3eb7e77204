/**
 * The console: chooses the page to show, and what to show without a connection.
 *
 * @module
 */

import { useEffect } from 'preact/hooks'
import { Undo } from './activity/undo.tsx'
import { connectionStatus } from './connect/connection.ts'
import { Connect } from './connect/connect.tsx'
import { isSignedOut } from './connect/http.ts'
import { NoConnection } from './connect/no-connection.tsx'
import { suggestedUrl } from './connect/target.ts'
import { waitingCount } from './drafts/waiting-list.ts'
import { Questions } from './questions/questions.tsx'
import { findPage, type Page } from './registry.tsx'
import { ConnectionBanner } from './shell/connection-banner.tsx'
import { getOverviewTitle, offeredPages } from './shell/offered-pages.ts'
import { PageBoundary } from './shell/page-boundary.tsx'
import { Palette } from './shell/palette.tsx'
import { go, linkTo, route } from './shell/route.ts'
import { Shell } from './shell/shell.tsx'
import { SignedOutBanner } from './shell/signed-in.tsx'
import { formatNumber } from './ui/format.ts'
import { Empty, PageHead } from './ui/parts.tsx'

/** Shows the console: the shell with the current page, and the dialogs above it. */
export function App() {
  const [name = ''] = route.value.path
  const page = findPage(name)
  const isOffered = offeredPages.value.some((one) => one.name === name)
  const waiting = waitingCount.value
  useEffect(() => {
    const title = isOffered && page && name !== '' ? `${page.title} · Edgewise` : 'Edgewise'
    document.title = waiting > 0 ? `(${formatNumber(waiting)}) ${title}` : title
  }, [isOffered, name, waiting])
  return (
    <>
      <Shell name={name}>
        <SignedOutBanner />
        <ConnectionBanner />
        <PageBoundary key={name}>
          {page ? <Current page={page} isOffered={isOffered} /> : <NoPage />}
        </PageBoundary>
      </Shell>
      <Palette />
      <Undo />
      <Questions />
    </>
  )
}

interface CurrentProps {
  readonly page: Page
  readonly isOffered: boolean
}

function Current({ page, isOffered }: CurrentProps) {
  const { name, isStandalone, Component } = page
  if (suggestedUrl.value !== null && name !== 'connect') return <Connect />
  if (isStandalone) return <Component />
  if (connectionStatus.value.state !== 'ready')
    return <Disconnected page={page} isOffered={isOffered} />
  return isOffered ? <Component /> : <NotOffered name={name} />
}

function Disconnected({ page: { name, title }, isOffered }: CurrentProps) {
  if (isSignedOut.value) return <PageHead title="Signed out" />
  const isWaiting = connectionStatus.value.state === 'connecting'
  const heading = name === '' ? getOverviewTitle() : isOffered ? title : 'Connecting'
  return (
    <>
      {isWaiting ? (
        <PageHead title={heading} />
      ) : (
        <PageHead title="No connection">The connection to the server failed.</PageHead>
      )}
      <NoConnection />
      {!isWaiting && (
        <p class="row">
          <a class="button" href={linkTo(['connect'])}>
            Change the connection
          </a>
        </p>
      )}
    </>
  )
}

function NotOffered({ name }: { readonly name: string }) {
  useEffect(() => {
    if (name === '') go(['tools'])
  }, [name])
  return (
    <Empty
      icon="info"
      title="Not available on this server"
      actions={
        <a class="button" href={linkTo(['tools'])}>
          See the tools
        </a>
      }
    >
      This page needs the tools of an Edgewise workspace.
    </Empty>
  )
}

const NoPage = () => (
  <Empty
    icon="search"
    title="Page not found"
    actions={
      <a class="button" href={linkTo([])}>
        Open the overview
      </a>
    }
  >
    Check the address, or start at the overview.
  </Empty>
)
