/**
 * OAuth sign-in from a page: in a popup, or by leaving the page and coming back.
 *
 * The SDK does the protocol: discovery, registration, PKCE, the audience, step-up. This module adds
 * what a page needs: storage, navigation to the authorization server (`sign-in.ts`), and passing the redirect's
 * parameters to the page that waits for them. Tokens and verifiers live in `sessionStorage`, so
 * they end with the tab; only the registration, which is not secret, outlives it.
 * `test/pages/host/oauth.test.ts` covers it.
 *
 * @module
 */

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { isRecord } from '#core/json.ts'
import { parseAddress } from './address.ts'
import type { SignIn } from './connection.ts'
import { type ConnectionProblem, problemOf } from './errors.ts'
import { CHANNEL, ServerSignIn, type Pending, type SignInOptions } from './sign-in.ts'
import { openTokenStore } from './token-store.ts'

/**
 * Creates a way to sign in to a server, for `connect({ auth })`.
 *
 * @param serverUrl The MCP endpoint.
 * @throws {ConnectionError} `bad-url` if the address is invalid.
 */
export const signInTo = (serverUrl: string, options: SignInOptions = {}): SignIn =>
  new ServerSignIn(parseAddress(serverUrl), options)

/** The result of {@link finishSignIn}; `server` is empty if this page did not start the sign-in. */
export type SignInReturn =
  | { readonly server: string; readonly ok: true }
  | { readonly server: string; readonly ok: false; readonly problem: ConnectionProblem }
  /** The page was a popup: the page that waits has the parameters, and this one closes. */
  | { readonly server: string; readonly ok: true; readonly handedOver: true }

/**
 * Completes a sign-in if the page was opened by the redirect. Call it when the page starts.
 *
 * It removes the code from the address, and closes the page if it is the popup.
 *
 * @param options The options that were given to {@link signInTo}; `mode` is ignored.
 * @returns Null on every other visit. A failed sign-in is a result with `ok: false`.
 */
export async function finishSignIn(options: SignInOptions = {}): Promise<SignInReturn | null> {
  const params = new URLSearchParams(location.search)
  const state = params.get('state')
  if (state === null || !(params.has('code') || params.has('error'))) return null
  // In every case: a code can be used once and must not stay in the browser's history.
  history.replaceState(null, '', location.pathname)
  const pending = openTokenStore('').readPending(state)
  if (!isPending(pending)) {
    // Another page may be waiting for this state; pass the parameters on.
    postToOthers(state, params)
    window.close()
    return { server: '', ok: true, handedOver: true }
  }
  if (pending.mode === 'popup') return handOver(pending.server, state, params)
  openTokenStore(pending.server).removePending(state)
  return redeem(pending, params, options)
}

function handOver(server: string, state: string, params: URLSearchParams): SignInReturn {
  postToOthers(state, params)
  window.close()
  return { server, ok: true, handedOver: true }
}

function postToOthers(state: string, params: URLSearchParams): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage({ state, search: params.toString() })
  channel.close()
}

async function redeem(
  { server, verifier }: Pending,
  params: URLSearchParams,
  options: SignInOptions,
): Promise<SignInReturn> {
  const { provider } = new ServerSignIn(server, { ...options, mode: 'redirect' }, verifier)
  try {
    const transport = new StreamableHTTPClientTransport(new URL(server), { authProvider: provider })
    await transport.finishAuth(params)
    return { server, ok: true }
  } catch (error) {
    return { server, ok: false, problem: problemOf(error) }
  }
}

function isPending(value: unknown): value is Pending {
  return (
    isRecord(value) &&
    typeof value['server'] === 'string' &&
    typeof value['verifier'] === 'string' &&
    (value['mode'] === 'popup' || value['mode'] === 'redirect')
  )
}

/**
 * Deletes the tokens for a server.
 *
 * @throws {ConnectionError} `bad-url` if the address is invalid.
 */
export function signOut(serverUrl: string): void {
  openTokenStore(parseAddress(serverUrl)).remove('tokens')
}

/**
 * Whether tokens for a server are stored; they may have expired.
 *
 * @throws {ConnectionError} `bad-url` if the address is invalid.
 */
export function isSignedIn(serverUrl: string): boolean {
  return openTokenStore(parseAddress(serverUrl)).read('tokens') !== undefined
}
