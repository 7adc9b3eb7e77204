/**
 * The commands of the palette: every page, every action and every tool.
 *
 * @module
 */

import type { IconName } from '../parts/icons.tsx'
import { link, reconnect, tools, touched, traffic } from './link.ts'
import { pages } from './pages.ts'
import { hasOwner, signOut } from './person.ts'
import { go } from './route.ts'
import { theme, THEME_WORDS, THEMES } from './theme.ts'
import { api, offers } from './workspace.ts'

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
export function commandsFor(): Command[] {
  return [...pageCommands(), ...actionCommands(), ...toolCommands()]
}

function pageCommands(): Command[] {
  return pages.value.map(({ name, title, icon }) => ({
    id: `page:${name}`,
    title,
    about: 'Page',
    icon,
    run: () => go(name === '' ? [] : [name]),
  }))
}

function toolCommands(): Command[] {
  return tools.value.map(({ name, title }) => ({
    id: `tool:${name}`,
    title: `${title} (${name})`,
    about: 'Tool',
    icon: 'tools',
    run: () => go(['tools', name]),
  }))
}

function actionCommands(): Command[] {
  const from = api.value
  const action = (title: string, icon: IconName, run: () => void): Command => ({
    id: `action:${title}`,
    title,
    about: 'Action',
    icon,
    run,
  })
  const own = offers.value.workspace
    ? [
        action('Import files', 'upload', () => go([], { do: 'import' })),
        action('Make a session link', 'plus', () => go(['sessions'], { do: 'new' })),
      ]
    : []
  return [
    ...own,
    ...(from
      ? [action('Export everything', 'download', () => location.assign(from.exportUrl()))]
      : []),
    action('Refresh', 'refresh', () => void touched.value++),
    ...(link.value.state === 'connecting' ? [] : [action('Connect again', 'connect', reconnect)]),
    ...(hasOwner.value ? [action('Sign out', 'lock', () => void signOut())] : []),
    action('Clear the log', 'trash', () => traffic.clear()),
    ...THEMES.map((one) => {
      const [icon, title] = THEME_WORDS[one]
      return action(title, icon, () => (theme.value = one))
    }),
  ]
}
