/**
 * The registry of pages: each entry of `shell/pages.ts` with its component. The compiler demands a
 * component for every page.
 *
 * @module
 */

import type { ComponentType } from 'preact'
import { Activity } from './activity/activity.tsx'
import { Apps } from './apps/apps.tsx'
import { ConnectAgent } from './agents/connect-agent.tsx'
import { Connect } from './connect/connect.tsx'
import { WaitingForYou } from './drafts/waiting.tsx'
import { Explorer } from './explorer/explorer.tsx'
import { Files } from './files/files.tsx'
import { Log } from './log/log.tsx'
import { Notifications } from './notifications/notifications.tsx'
import { Overview } from './overview/overview.tsx'
import { Rules } from './rules/rules.tsx'
import { Sessions } from './sessions/sessions.tsx'
import { PAGES, type PageInfo, type PageName } from './shell/pages.ts'
import { Skills } from './skills/skills.tsx'
import { Tools } from './tools/tools.tsx'

/** A page with its component. */
export interface Page extends PageInfo {
  readonly Component: ComponentType
}

const COMPONENTS: Readonly<Record<PageName, ComponentType>> = {
  waiting: WaitingForYou,
  '': Overview,
  files: Files,
  activity: Activity,
  tools: Tools,
  apps: Apps,
  skills: Skills,
  explorer: Explorer,
  agents: ConnectAgent,
  sessions: Sessions,
  rules: Rules,
  notifications: Notifications,
  log: Log,
  connect: Connect,
}

const pages: readonly Page[] = PAGES.map((page) => ({ ...page, Component: COMPONENTS[page.name] }))

/** Finds a page by the first segment of its path; undefined if there is none. */
export const findPage = (name: string): Page | undefined => pages.find((page) => page.name === name)
