/**
 * Addresses of a workspace: which ones name the same files. `/mcp` is `/w/default/mcp`, whatever query follows,
 * and a session link is another way to the workspace that it names.
 *
 * `test/host/consent/stored-decisions.test.ts` has the spellings.
 *
 * @module
 */

/** What the address of an MCP endpoint names. */
export interface WorkspaceAddress {
  readonly origin: string
  readonly name: string
  /** Whether it is a session link, which may permit less than the workspace's own endpoint. */
  readonly isLink: boolean
}

const ENDPOINT = /^(?:\/w\/([a-z0-9][a-z0-9-]{0,62}))?\/mcp$/
const LINK = /^\/s\/([a-z0-9][a-z0-9-]{0,62})\.[^/]+\/mcp$/

/** Reads an address; null if it is not one of a workspace. */
export function readWorkspaceAddress(address: string): WorkspaceAddress | null {
  const url = URL.parse(address)
  if (!url) return null
  const { origin, pathname } = url
  const endpoint = ENDPOINT.exec(pathname)
  if (endpoint) return { origin, name: endpoint[1] ?? 'default', isLink: false }
  const name = LINK.exec(pathname)?.[1]
  return name === undefined ? null : { origin, name, isLink: true }
}

/** Returns one text for all addresses of a workspace, and any other address as it is. */
export function workspaceKey(address: string): string {
  const found = readWorkspaceAddress(address)
  return found ? `${found.origin}/w/${found.name}` : address
}

/** Returns one text for all spellings of an endpoint of this page's origin, and any other address as it is. */
export function endpointKey(address: string): string {
  const found = readWorkspaceAddress(address)
  return found?.origin === location.origin && !found.isLink ? workspaceKey(address) : address
}
