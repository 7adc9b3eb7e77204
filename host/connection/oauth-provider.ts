/**
 * The parts of the SDK's OAuth provider that describe the client and store its credentials.
 *
 * @module
 */

import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { isRecord } from '#core/json.ts'
import { textOf } from './read.ts'
import type { Vault } from './vault.ts'

/** Builds the registration of a public client: a page cannot keep a client secret. */
export function metadataFor(name: string, redirectUrl: string): OAuthClientMetadata {
  return {
    client_name: name,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

type Keeping = Pick<
  OAuthClientProvider,
  | 'clientInformation'
  | 'saveClientInformation'
  | 'tokens'
  | 'saveTokens'
  | 'saveCodeVerifier'
  | 'codeVerifier'
  | 'saveDiscoveryState'
  | 'discoveryState'
  | 'invalidateCredentials'
>

/**
 * Backs the SDK's storage callbacks by the token store. The SDK also checks the issuer in each
 * value.
 *
 * @param clientId A client that is already registered; it takes precedence over a stored one.
 */
export function keptIn(vault: Vault, clientId: string | undefined): Keeping {
  const under = (context?: OAuthClientInformationContext) => context?.issuer
  return {
    clientInformation: (context) =>
      clientId === undefined
        ? vault.readAs<StoredOAuthClientInformation>('client', isClient, under(context))
        : { client_id: clientId },
    saveClientInformation: (client, context) => vault.write('client', client, under(context)),
    tokens: (context) => vault.readAs<StoredOAuthTokens>('tokens', isTokens, under(context)),
    saveTokens(tokens, context) {
      vault.write('tokens', tokens, under(context))
      // Needed for one sign-in only: the server may use another authorization server the next time.
      vault.forget('discovery')
    },
    saveCodeVerifier: (verifier) => vault.write('verifier', verifier),
    codeVerifier: () => textOf(vault.read('verifier')),
    saveDiscoveryState: (state) => vault.write('discovery', state),
    discoveryState: () => vault.readAs<OAuthDiscoveryState>('discovery', isDiscovery),
    invalidateCredentials: (what) => {
      if (what === 'all') vault.forgetAll()
      else vault.forget(what)
    },
  }
}

const isClient = (value: unknown): value is StoredOAuthClientInformation =>
  isRecord(value) && typeof value['client_id'] === 'string'

const isTokens = (value: unknown): value is StoredOAuthTokens =>
  isRecord(value) && typeof value['access_token'] === 'string'

const isDiscovery = (value: unknown): value is OAuthDiscoveryState =>
  isRecord(value) && typeof value['authorizationServerUrl'] === 'string'
