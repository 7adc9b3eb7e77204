/**
 * The commands of the palette: every page, every action and every tool.
 *
 * @module
 */

import type { IconName } from '../ui/icons.tsx'
import { connectionStatus, reconnect, tools, revision, traffic } from '../connect/connection.ts'
import { offeredPages } from './offered-pages.ts'
import { hasOwner, signOut } from '../connect/owner.ts'
import { go } from './route.ts'
import { theme, THEME_LABELS, THEMES } from '../ui/theme.tsx'
import { features, ownBase } from '../connect/workspace.ts'

/** A command of the palette. */
export interface Command {
  readonly id: string
  readonly title: string
  /** Its kind, such as "Page". */
  readonly about: string
  readonly icon: IconName
  readonly run: () => void
}

/** Lists the commands that are available now. */
export function listCommands(): Command[] {
  return [...listPageCommands(), ...listActionCommands(), ...listToolCommands()]
}

function listPageCommands(): Command[] {
  return offeredPages.value.map(({ name, title, icon }) => ({
    id: `page:${name}`,
    title,
    about: 'Page',
    icon,
    run: () => go(name === '' ? [] : [name]),
  }))
}

function listToolCommands(): Command[] {
  return tools.value.map(({ name, title }) => ({
    id: `tool:${name}`,
    title: `${title} (${name})`,
    about: 'Tool',
    icon: 'tools',
    run: () => go(['tools', name]),
  }))
}

function listActionCommands(): Command[] {
  const base = ownBase.value
  const createAction = (title: string, icon: IconName, run: () => void): Command => ({
    id: `action:${title}`,
    title,
    about: 'Action',
    icon,
    run,
  })
  const own = features.value.workspace
    ? [
        createAction('Import files', 'upload', () => go([], { do: 'import' })),
        createAction('Make an app', 'apps', () => go(['apps', 'new'])),
        createAction('Make a session link', 'plus', () => go(['sessions'], { do: 'new' })),
      ]
    : []
  return [
    ...own,
    ...(base !== null
      ? [createAction('Export files', 'download', () => location.assign(`${base}/export?from=%2F`))]
      : []),
    createAction('Refresh', 'refresh', () => void revision.value++),
    ...(connectionStatus.value.state === 'connecting'
      ? []
      : [createAction('Reconnect', 'connect', reconnect)]),
    ...(hasOwner.value ? [createAction('Sign out', 'lock', () => void signOut())] : []),
    createAction('Open the WebMCP playground', 'tools', () => location.assign('/playground')),
    createAction('Clear the log', 'trash', () => traffic.clear()),
    ...THEMES.map((one) => {
      const [icon, title] = THEME_LABELS[one]
      return createAction(title, icon, () => (theme.value = one))
    }),
  ]
}
