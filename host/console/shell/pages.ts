/**
 * The pages of the console, in the order of the navigation: everything about them but their
 * components, so that tests can read the list outside a browser. `registry.tsx` adds the components.
 *
 * @module
 */

import type { Features } from '../connect/workspace.ts'
import type { IconName } from '../ui/icons.tsx'

/** What the console knows of a page without showing it. */
export interface PageInfo {
  /** The first segment of its path; empty for the overview. */
  readonly name: string
  readonly title: string
  /** The title where there is little room; the title by default. */
  readonly shortTitle?: string
  readonly icon: IconName
  /** The group of the navigation that it belongs to. */
  readonly group: 'workspace' | 'server' | 'access' | 'console'
  /** It is offered if the server has at least one of these features, or if the list is empty. */
  readonly needs: readonly (keyof Features)[]
  /** Whether it works without a connection. */
  readonly isStandalone: boolean
}

const defaults = { needs: [], isStandalone: false } as const

const LIST = [
  {
    ...defaults,
    name: 'waiting',
    title: 'Waiting for you',
    shortTitle: 'Waiting',
    icon: 'waiting',
    group: 'workspace',
    needs: ['workspace'],
  },
  {
    ...defaults,
    name: '',
    title: 'Overview',
    icon: 'overview',
    group: 'workspace',
    needs: ['workspace', 'changes'],
  },
  {
    ...defaults,
    name: 'files',
    title: 'Files',
    icon: 'files',
    group: 'workspace',
    needs: ['files'],
  },
  {
    ...defaults,
    name: 'activity',
    title: 'Activity',
    icon: 'activity',
    group: 'workspace',
    needs: ['changes'],
  },
  { ...defaults, name: 'tools', title: 'Tools', icon: 'tools', group: 'server' },
  { ...defaults, name: 'apps', title: 'Apps', icon: 'apps', group: 'server' },
  {
    ...defaults,
    name: 'skills',
    title: 'Skills',
    icon: 'skills',
    group: 'server',
    needs: ['workspace'],
  },
  { ...defaults, name: 'explorer', title: 'Explorer', icon: 'explorer', group: 'server' },
  {
    ...defaults,
    name: 'agents',
    title: 'Connect an agent',
    shortTitle: 'Connect',
    icon: 'connect',
    group: 'access',
  },
  {
    ...defaults,
    name: 'sessions',
    title: 'Sessions',
    icon: 'sessions',
    group: 'access',
    needs: ['workspace'],
  },
  { ...defaults, name: 'rules', title: 'Rules', icon: 'rules', group: 'access' },
  {
    ...defaults,
    name: 'notifications',
    title: 'Notifications',
    icon: 'bell',
    group: 'access',
    needs: ['workspace'],
  },
  { ...defaults, name: 'log', title: 'Log', icon: 'log', group: 'console', isStandalone: true },
  {
    ...defaults,
    name: 'connect',
    title: 'Servers',
    icon: 'servers',
    group: 'console',
    isStandalone: true,
  },
] as const satisfies readonly PageInfo[]

/** The name of a page. */
export type PageName = (typeof LIST)[number]['name']

/** All pages. */
export const PAGES: readonly (PageInfo & { readonly name: PageName })[] = LIST
