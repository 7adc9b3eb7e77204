/**
 * The pages in the order of the navigation, and which of them this server offers.
 *
 * @module
 */

import { computed } from '@preact/signals'
import type { IconName } from '../parts/icons.tsx'
import { link } from './link.ts'
import { offers, workspace } from './workspace.ts'

/** A page of the console. */
export interface PageEntry {
  /** The first segment of its path; empty for the overview. */
  readonly name: string
  readonly title: string
  readonly icon: IconName
  readonly about: string
}

const ALL: readonly (PageEntry & { readonly group: number })[] = [
  {
    name: '',
    title: 'Overview',
    icon: 'overview',
    group: 0,
    about: 'What it holds, what was done, what may be done',
  },
  { name: 'files', title: 'Files', icon: 'files', group: 0, about: 'Look through the files' },
  {
    name: 'activity',
    title: 'Activity',
    icon: 'activity',
    group: 0,
    about: 'Every change, who made it, and undo',
  },
  {
    name: 'tools',
    title: 'Tools',
    icon: 'tools',
    group: 1,
    about: 'Try a tool, preview before you apply',
  },
  {
    name: 'apps',
    title: 'Apps',
    icon: 'apps',
    group: 1,
    about: 'Open the applications of this server',
  },
  {
    name: 'sessions',
    title: 'Sessions',
    icon: 'sessions',
    group: 2,
    about: 'Links for agents: make, watch, revoke',
  },
  { name: 'rules', title: 'Rules', icon: 'rules', group: 2, about: 'What agents may touch' },
  { name: 'log', title: 'Log', icon: 'log', group: 3, about: 'Every message on the wire' },
  { name: 'connect', title: 'Connect', icon: 'connect', group: 3, about: 'Look at another server' },
]

/** Returns the heading of the overview. */
export function overviewTitle(): string {
  const name = workspace.value
  if (name !== null) return name === 'default' ? 'Your workspace' : `Workspace ${name}`
  return link.value.state === 'ready' ? link.value.connection.server.title : ''
}

/** The pages that this server offers. */
export const pages = computed(() => {
  // A workspace of this server has all pages, so they stay visible while it connects.
  if (link.value.state !== 'ready' && workspace.value !== null) return ALL
  const { workspace: own, files, changes } = offers.value
  const hidden = new Set([
    ...(own || changes ? [] : ['']),
    ...(files ? [] : ['files']),
    ...(changes ? [] : ['activity']),
    ...(own ? [] : ['sessions']),
  ])
  return ALL.filter(({ name }) => !hidden.has(name))
})

/** Whether a page with this name exists. */
export const isPage = (name: string) => ALL.some((page) => page.name === name)
