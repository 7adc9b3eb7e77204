/**
 * Who is asking: what the front has found out about a request, and how it tells the object.
 *
 * A client that signed in through OAuth is a session of the workspace that its person chose, so its
 * scopes, its end and everything under it are those of any other session.
 *
 * @module
 */

export type Identity =
  /** Nobody has to sign in here, because only this machine can ask. */
  | { readonly kind: 'local' }
  | { readonly kind: 'owner' }
  | {
      readonly kind: 'client'
      readonly workspace: string
      readonly session: string
      /** Of the token; never more than the session has. */
      readonly scopes: readonly string[]
    }

/** The header that tells the object on whose behalf a request comes. */
export const PRINCIPAL_HEADER = 'edgewise-principal'

/** The header that names the session of a signed-in client. */
export const SESSION_HEADER = 'edgewise-session'

/** The header with the scopes of its token, as JSON. */
export const SCOPES_HEADER = 'edgewise-scopes'

/** What the front says of a request. Whoever sends one of these from outside is not believed. */
export function headersOf(identity: Identity): Record<string, string> {
  switch (identity.kind) {
    case 'local':
      return {}
    case 'owner':
      return { [PRINCIPAL_HEADER]: 'owner' }
    case 'client':
      return {
        [SESSION_HEADER]: identity.session,
        [SCOPES_HEADER]: JSON.stringify(identity.scopes),
      }
  }
}

/** Where the front has the use of a code or token settled; no request from outside has this address. */
export const SETTLE_URL = 'https://workspace/settle'

/** A use of a grant. `refresh` is the hash of the refresh token; null for the code, of which there is one. */
export interface GrantUse {
  readonly session: string
  readonly refresh: string | null
}
