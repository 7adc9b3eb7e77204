/** The pages that the connected server offers. @module */

import { computed } from '@preact/signals'
import { connectionStatus } from '../connect/connection.ts'
import { features, workspace } from '../connect/workspace.ts'
import { hasAgent } from '../agents/has-agent.ts'
import { PAGES, type PageInfo } from './pages.ts'

/** The pages that this server offers; the one that connects an agent is first until one has come. */
export const offeredPages = computed((): readonly PageInfo[] => {
  const { state } = connectionStatus.value
  // A workspace of this server has all pages, so they stay visible while it connects.
  const pages = state !== 'ready' && workspace.value !== null ? PAGES : pagesOfServer()
  return hasAgent.value === false ? withSetupFirst(pages) : pages
})

const pagesOfServer = () =>
  PAGES.filter(({ needs }) => needs.length === 0 || needs.some((one) => features.value[one]))

/** Puts the page that connects an agent first. */
function withSetupFirst(pages: readonly PageInfo[]): PageInfo[] {
  const setup = pages.find(({ name }) => name === 'agents')
  const others = pages.filter((page) => page !== setup)
  return setup ? [{ ...setup, group: 'workspace' }, ...others] : others
}

/** Returns the heading of the overview: the name of what it shows; empty without a connection. */
export function getOverviewTitle(): string {
  const name = workspace.value
  if (name !== null) return name === 'default' ? 'Your workspace' : `Workspace ${name}`
  return connectionStatus.value.state === 'ready'
    ? connectionStatus.value.connection.server.title
    : ''
}
