/**
 * Signing in to a server by OAuth, from a page: in a popup, or by leaving the page and coming back.
 *
 * The SDK does the protocol: discovery, registration, PKCE, the audience, step-up. Here is what a
 * page has to add: where things are kept, how the person gets there, and how what they bring back
 * finds the one who waits. Tokens and verifiers live in `sessionStorage` and so end with the tab;
 * only the registration, which is no secret, outlives it. `test/pages/oauth.test.ts` signs in.
 *
 * @module
 */

import {
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import { isRecord } from '#core/json.ts'
import { addressOf } from './address.ts'
import { keptIn, metadataFor } from './oauth-provider.ts'
import { ConnectionError, makeProblem, problemOf } from './problem.ts'
import { textOf } from './read.ts'
import { createVault } from './vault.ts'
import type { ConnectionProblem, SignIn } from './types.ts'

export interface SignInOptions {
  readonly clientName?: string
  /** `popup` keeps the page; `redirect` leaves it, and {@link finishSignIn} carries on. */
  readonly mode?: 'popup' | 'redirect'
  /** Where the server sends people back to: a page that calls {@link finishSignIn}. */
  readonly redirectUrl?: string
  /** A client that was registered beforehand. */
  readonly clientId?: string
  /** Told where the person has to go, and null when they are back: a popup may have been blocked. */
  readonly onPending?: (url: URL | null) => void
}

/** How long a person may take to sign in. */
const PATIENCE_MS = 10 * 60_000

/** Where a page that came back tells the page that waits. */
const CHANNEL = 'edgewise.sign-in'

interface Pending {
  readonly server: string
  readonly mode: 'popup' | 'redirect'
}

/** A way to sign in to a server, for `connect({ auth })`. */
export function signInTo(serverUrl: string, options: SignInOptions = {}): SignIn {
  const { mode = 'popup', redirectUrl = `${location.origin}/`, onPending = () => {} } = options
  const server = addressOf(serverUrl)
  const vault = createVault(server)
  let state = ''
  let pending: URL | null = null

  const provider: OAuthClientProvider = {
    ...keptIn(vault, options.clientId),
    redirectUrl,
    clientMetadata: metadataFor(options.clientName ?? 'Edgewise console', redirectUrl),
    state() {
      state = crypto.randomUUID()
      vault.keepPending(state, { server, mode } satisfies Pending)
      return state
    },
    redirectToAuthorization(url) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:')
        throw new ConnectionError(
          makeProblem('unauthorized', 'The page to sign in is no web page.'),
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
      return await brought(state, signal)
    } finally {
      pending = null
      onPending(null)
      vault.dropPending(state)
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

/** Waits until a page says what somebody brought back under this state. */
function brought(state: string, signal?: AbortSignal): Promise<URLSearchParams> {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>()
  const channel = new BroadcastChannel(CHANNEL)
  const patience = AbortSignal.timeout(PATIENCE_MS)
  const stop = () => {
    const kind = signal?.aborted ? 'aborted' : 'unauthorized'
    reject(new ConnectionError(makeProblem(kind, 'Nobody signed in.')))
  }
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isRecord(data) || data['state'] !== state || state === '') return
    resolve(new URLSearchParams(textOf(data['search'])))
  }
  patience.addEventListener('abort', stop)
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  return promise.finally(() => {
    channel.close()
    patience.removeEventListener('abort', stop)
    signal?.removeEventListener('abort', stop)
  })
}

export type SignInReturn =
  | { readonly server: string; readonly ok: true }
  | { readonly server: string; readonly ok: false; readonly problem: ConnectionProblem }
  /** The page was a popup; what it brought was handed over, and it closes. */
  | { readonly server: string; readonly ok: true; readonly handedOver: true }

/**
 * To be called when a page starts: carries on where somebody comes back from signing in. Answers null
 * on every other visit.
 */
export async function finishSignIn(options: SignInOptions = {}): Promise<SignInReturn | null> {
  const params = new URLSearchParams(location.search)
  const state = params.get('state')
  if (state === null || !(params.has('code') || params.has('error'))) return null
  // Whatever comes of it: a code is good for one time and belongs in no history.
  history.replaceState(null, '', location.pathname)
  const pending = createVault('').pending(state)
  if (!isPending(pending)) {
    // Another page waits for it, or nobody does.
    tellOthers(state, params)
    window.close()
    return { server: '', ok: true, handedOver: true }
  }
  if (pending.mode === 'popup') return handOver(pending.server, state, params)
  createVault(pending.server).dropPending(state)
  return redeem(pending.server, params, options)
}

function handOver(server: string, state: string, params: URLSearchParams): SignInReturn {
  tellOthers(state, params)
  window.close()
  return { server, ok: true, handedOver: true }
}

function tellOthers(state: string, params: URLSearchParams): void {
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

/** Forgets the tokens for a server. */
export function signOut(serverUrl: string): void {
  createVault(addressOf(serverUrl)).forget('tokens')
}

export function isSignedIn(serverUrl: string): boolean {
  return createVault(addressOf(serverUrl)).read('tokens') !== undefined
}
