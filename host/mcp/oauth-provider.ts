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
import type { TokenStore } from './token-store.ts'

/** Builds the registration of a public client: a page cannot keep a client secret. */
export function clientMetadataFor(name: string, redirectUrl: string): OAuthClientMetadata {
  return {
    client_name: name,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

type StorageCallbacks = Pick<
  OAuthClientProvider,
  | 'clientInformation'
  | 'saveClientInformation'
  | 'tokens'
  | 'saveTokens'
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
export function storeIn(store: TokenStore, clientId: string | undefined): StorageCallbacks {
  const issuerIn = (context?: OAuthClientInformationContext) => context?.issuer
  return {
    clientInformation: (context) =>
      clientId === undefined
        ? store.readAs<StoredOAuthClientInformation>('client', isClient, issuerIn(context))
        : { client_id: clientId },
    saveClientInformation: (client, context) => store.write('client', client, issuerIn(context)),
    tokens: (context) => store.readAs<StoredOAuthTokens>('tokens', isTokens, issuerIn(context)),
    saveTokens(tokens, context) {
      store.write('tokens', tokens, issuerIn(context))
      // Needed for one sign-in only: the server may use another authorization server the next time.
      store.remove('discovery')
    },
    saveDiscoveryState: (state) => store.write('discovery', state),
    discoveryState: () => store.readAs<OAuthDiscoveryState>('discovery', isDiscovery),
    invalidateCredentials: (what) => {
      if (what === 'all') store.removeAll()
      else if (what !== 'verifier') store.remove(what)
    },
  }
}

const isClient = (value: unknown): value is StoredOAuthClientInformation =>
  isRecord(value) && typeof value['client_id'] === 'string'

const isTokens = (value: unknown): value is StoredOAuthTokens =>
  isRecord(value) && typeof value['access_token'] === 'string'

const isDiscovery = (value: unknown): value is OAuthDiscoveryState =>
  isRecord(value) && typeof value['authorizationServerUrl'] === 'string'
