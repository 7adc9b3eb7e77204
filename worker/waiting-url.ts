/**
 * The addresses of the console on which the owner decides on what waits.
 *
 * `test/worker/drafts/drafts.test.ts` has those in results, `test/platform/outbox/outbox.test.ts` those in notices.
 *
 * @module
 */

import { workspacePath } from './workspace-name.ts'

/**
 * The URL of the page on which the owner decides on everything that waits, or on one change of a draft. Null where
 * the address of the console is unknown. The console opens the workspace that `at` names.
 */
export function waitingUrl(base: string, ...place: readonly string[]): string | null {
  const [, origin, workspace = ''] = BASE.exec(base) ?? []
  return origin === undefined ? null : consoleUrl(origin, workspace, ['waiting', ...place])
}

/**
 * A page of the console for notices of a workspace, by default the one on which the owner decides: at the origin that the
 * owner used last, or only its path. The address of an agent's request is not used: its host is the agent's choice.
 */
export const ownerUrl = (
  origin: string | null,
  workspace: string,
  page: readonly string[] = ['waiting'],
): string => consoleUrl(origin ?? '', workspace, page)

/** The URL that opens a file in the console; only its path where the address of the console is unknown. */
export function fileUrl(base: string, path: string): string {
  const [, origin = '', workspace = ''] = BASE.exec(base) ?? []
  return `${consoleUrl(origin, workspace, ['files'])}?${new URLSearchParams({ path }).toString()}`
}

function consoleUrl(origin: string, workspace: string, page: readonly string[]): string {
  const path = workspacePath(workspace)
  const search = path === '' ? '' : `?at=${path}/mcp`
  return `${origin}/${search}${page.length === 0 ? '' : `#/${page.join('/')}`}`
}

/** The beginning of a link, from `linkBase` of the front: an origin and the name of a workspace. */
const BASE = /^(https?:\/\/[^/?#]+)\/s\/([a-z0-9-]*)$/
