/** What an official client keeps of its sign-in, in memory. @module */

import type {
  OAuthClientInformationMixed,
  OAuthClientProvider,
  OAuthTokens,
} from '@modelcontextprotocol/client'

/** The stored state of a client, and its last redirect. */
export class MemoryProvider implements OAuthClientProvider {
  readonly redirectUrl = 'http://localhost:9/callback'
  readonly clientMetadata
  sentTo: URL | undefined
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ''

  constructor(name: string) {
    this.clientMetadata = { client_name: name, redirect_uris: [this.redirectUrl] }
  }

  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
}
