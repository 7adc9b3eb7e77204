/**
 * Session links: a session as a URL that can be given to another agent.
 *
 * The token is the workspace's name, a dot and 256 random bits, so the front Worker knows which object to ask
 * and nothing else. Only a hash of the secret is stored.
 *
 * @module
 */

import { toBase64Url } from '../encoding/base64.ts'
import { respondError } from '../json-rpc.ts'
import { WORKSPACE_NAME } from '../workspace-name.ts'

/** The parts of the token in a link. */
export interface Token {
  readonly workspace: string
  readonly secret: string
}

const TOKEN = new RegExp(String.raw`^(${WORKSPACE_NAME})\.([A-Za-z0-9_-]{43})$`)

/** Parses the token of a link; null when it is malformed. */
export function parseToken(text: string): Token | null {
  const [, workspace, secret] = TOKEN.exec(text) ?? []
  return workspace !== undefined && secret !== undefined ? { workspace, secret } : null
}

/** Creates a secret: 256 random bits as base64url. */
export const newSecret = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))

/** Returns the SHA-256 hash under which a secret is stored. */
export async function hashSecret(secret: string): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(secret)
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** The header in which the front passes a link's secret to the object. */
export const LINK_HEADER = 'edgewise-link'

/** The header that tells the object the beginning of its link URLs, as its callers reach it. */
export const BASE_HEADER = 'edgewise-base'

/** The path to which the front sends requests of transfer links; no request from outside can have it. */
export const TRANSFER_PATH = '/transfer'

/** The beginning of the paths to which the front sends requests for files with a session link; none from outside has it. */
export const LINKED_PATH = '/linked'

/** The beginning of the paths to which the front sends requests with a page link; no request from outside can have it. */
export const PAGE_PATH = '/page'

/** Whether a path is one of page links, whose secret the workspace checks. */
export const isPageLink = (pathname: string): boolean => pathname.startsWith('/p/')

/** The addresses at which a session link is the password: the name of the workspace, and the path in it. */
export const DAV_ROUTE = /^(?:\/w\/([^/]*))?\/dav(\/.*)?$/

/** Whether a session link is the password at a path, and nothing else gives access. */
export const isDavPath = (pathname: string): boolean => DAV_ROUTE.test(pathname)

/** The beginning of the paths to which the front sends requests of WebDAV. */
export const DAV_PATH = `${LINKED_PATH}/dav`

/** The header with the beginning of the path at which a WebDAV client reaches its workspace, or a page link its pages. */
export const PREFIX_HEADER = 'edgewise-prefix'

/** The header with the address of the sender of a password. */
export const SENDER_HEADER = 'edgewise-sender'

/**
 * Builds the 401 of every link that cannot be used. Malformed, unknown, expired and revoked links look the
 * same.
 */
export function refuseLink(): Response {
  const response = respondError(null, -32000, 'Session link expired, revoked or unknown', 401)
  response.headers.set('www-authenticate', 'Bearer error="invalid_token"')
  return response
}
