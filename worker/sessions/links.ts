/**
 * Links: a session as a URL that can be handed on.
 *
 * The token is the workspace's name, a dot and 256 random bits, so the Worker in front knows which
 * object to ask and learns nothing else. Only a hash of the secret is stored.
 *
 * @module
 */

import { toBase64Url } from '../base64.ts'
import { plainError } from '../mcp/plain.ts'
import { WORKSPACE_NAME } from '../names.ts'

export interface Token {
  readonly workspace: string
  readonly secret: string
}

const TOKEN = new RegExp(String.raw`^(${WORKSPACE_NAME})\.([A-Za-z0-9_-]{43})$`)

export function parseToken(text: string): Token | null {
  const [, workspace, secret] = TOKEN.exec(text) ?? []
  return workspace !== undefined && secret !== undefined ? { workspace, secret } : null
}

export const newSecret = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))

export async function hashSecret(secret: string): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(secret)
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** The header in which the Worker in front hands a link's secret to the object. */
export const LINK_HEADER = 'edgewise-link'

/** The header that tells the object the URL its callers know it by. */
export const BASE_HEADER = 'edgewise-base'

/** Where the front sends what comes with a transfer link; nobody else can ask for this path. */
export const TRANSFER_PATH = '/transfer'

/** One answer for a link that never was, is over, or was taken back, and for what is no link at all. */
export function noLink(): Response {
  const response = plainError(null, -32000, 'This link is over, or never was', 401)
  response.headers.set('www-authenticate', 'Bearer error="invalid_token"')
  return response
}
