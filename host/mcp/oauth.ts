/**
 * OAuth sign-in from a page: in a popup, or by leaving the page and coming back.
 *
 * The SDK does the protocol: discovery, registration, PKCE, the audience, step-up. This module adds
 * what a page needs: storage, navigation to the authorization server, and passing the redirect's
 * parameters to the page that waits for them. Tokens and verifiers live in `sessionStorage`, so
 * they end with the tab; only the registration, which is not secret, outlives it.
 * `test/pages/host/oauth.test.ts` covers it.
 *
 * @module
 */

import {
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import { isRecord } from '#core/json.ts'
import { parseAddress } from './address.ts'
import { clientMetadataFor, storeIn } from './oauth-provider.ts'
import { ConnectionError, type ConnectionProblem, makeProblem, problemOf } from './errors.ts'
import { textOf } from './parse.ts'
import { openTokenStore } from './token-store.ts'
import type { SignIn } from './connection.ts'

/** Options of {@link signInTo} and {@link finishSignIn}. */
export interface SignInOptions {
  /** Name shown on the consent page; `Edgewise console` by default. */
  readonly clientName?: string
  /** `popup`, the default, keeps the page; `redirect` leaves it, and {@link finishSignIn} continues. */
  readonly mode?: 'popup' | 'redirect'
  /** The redirect URI: a page that calls {@link finishSignIn}. By default the root of this origin. */
  readonly redirectUrl?: string
  /** The id of a client that is already registered; without it the SDK registers one. */
  readonly clientId?: string
  /** Called with the page to sign in at, and with null at the end. Show it: a popup may be blocked. */
  readonly onPending?: (url: URL | null) => void
}

/** Time that the user has to sign in. */
const SIGN_IN_TIMEOUT_MS = 10 * 60_000

/** BroadcastChannel on which the redirect page reports to the page that waits. */
const CHANNEL = 'edgewise.sign-in'

interface Pending {
  readonly server: string
  readonly mode: 'popup' | 'redirect'
}

/**
 * Creates a way to sign in to a server, for `connect({ auth })`.
 *
 * @param serverUrl The MCP endpoint.
 * @throws {ConnectionError} `bad-url` if the address is invalid.
 */
export function signInTo(serverUrl: string, options: SignInOptions = {}): SignIn {
  const { mode = 'popup', redirectUrl = `${location.origin}/`, onPending = () => {} } = options
  const server = parseAddress(serverUrl)
  const store = openTokenStore(server)
  let state = ''
  let pending: URL | null = null

  const provider: OAuthClientProvider = {
    ...storeIn(store, options.clientId),
    redirectUrl,
    clientMetadata: clientMetadataFor(options.clientName ?? 'Edgewise console', redirectUrl),
    state() {
      state = crypto.randomUUID()
      store.writePending(state, { server, mode } satisfies Pending)
      return state
    },
    redirectToAuthorization(url) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:')
        throw new ConnectionError(
          makeProblem(
            'unauthorized',
            'Cannot open the sign-in page: its address is not http or https.',
          ),
        )
      pending = url
      onPending(url)
      open()
    },
  }

  function open(): void {
    if (!pending) return
    if (mode === 'redirect') location.assign(pending)
    else window.open(pending, 'edgewise-sign-in', 'popup,width=520,height=720')
  }

  async function returned(signal?: AbortSignal): Promise<URLSearchParams> {
    try {
      return await waitForRedirect(state, signal)
    } finally {
      pending = null
      onPending(null)
      store.removePending(state)
    }
  }

  return {
    provider,
    get pending() {
      return pending
    },
    open,
    returned,
  }
}

/** Waits for the redirect page to report this OAuth `state`. */
function waitForRedirect(state: string, signal?: AbortSignal): Promise<URLSearchParams> {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>()
  const channel = new BroadcastChannel(CHANNEL)
  const timeout = AbortSignal.timeout(SIGN_IN_TIMEOUT_MS)
  const stop = () => {
    const kind = signal?.aborted ? 'aborted' : 'unauthorized'
    reject(new ConnectionError(makeProblem(kind, 'The sign-in was not completed.')))
  }
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isRecord(data) || data['state'] !== state || state === '') return
    resolve(new URLSearchParams(textOf(data['search'])))
  }
  timeout.addEventListener('abort', stop)
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  return promise.finally(() => {
    channel.close()
    timeout.removeEventListener('abort', stop)
    signal?.removeEventListener('abort', stop)
  })
}

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
  return redeem(pending.server, params, options)
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
  server: string,
  params: URLSearchParams,
  options: SignInOptions,
): Promise<SignInReturn> {
  const { provider } = signInTo(server, { ...options, mode: 'redirect' })
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
