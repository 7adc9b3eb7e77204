/** The pages that the connected server offers. @module */

import { computed } from '@preact/signals'
import { connectionStatus } from '../connect/connection.ts'
import { features, workspace } from '../connect/workspace.ts'
import { PAGES } from './pages.ts'

/** The pages that this server offers. */
export const offeredPages = computed(() => {
  // A workspace of this server has all pages, so they stay visible while it connects.
  if (connectionStatus.value.state !== 'ready' && workspace.value !== null) return PAGES
  return PAGES.filter(({ needs }) => needs.length === 0 || needs.some((one) => features.value[one]))
})

/** Returns the heading of the overview: the name of what it shows; empty without a connection. */
export function getOverviewTitle(): string {
  const name = workspace.value
  if (name !== null) return name === 'default' ? 'Your workspace' : `Workspace ${name}`
  return connectionStatus.value.state === 'ready'
    ? connectionStatus.value.connection.server.title
    : ''
}
