/**
 * One way to sign in to a server: what the SDK's provider needs, the page to sign in at, and the wait for the redirect.
 *
 * Requests that fail together begin one sign-in, because each code can be redeemed once. Each sign-in has a PKCE
 * verifier of its own. `test/pages/host/oauth.test.ts` covers it.
 *
 * @module
 */

import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { isRecord } from '#core/json.ts'
import type { SignIn } from './connection.ts'
import { ConnectionError, makeProblem } from './errors.ts'
import { clientMetadataFor, storeIn } from './oauth-provider.ts'
import { textOf } from './parse.ts'
import { openTokenStore, type TokenStore } from './token-store.ts'

/** Options of `signInTo()` and `finishSignIn()`. */
export interface SignInOptions {
  /** Name shown on the consent page; `Edgewise console` by default. */
  readonly clientName?: string
  /** `popup`, the default, keeps the page; `redirect` leaves it, and `finishSignIn()` continues. */
  readonly mode?: 'popup' | 'redirect'
  /** The redirect URI: a page that calls `finishSignIn()`. By default the root of this origin. */
  readonly redirectUrl?: string
  /** The id of a client that is already registered; without it the SDK registers one. */
  readonly clientId?: string
  /** Called with the page to sign in at, and with null at the end. Show it: a popup may be blocked. */
  readonly onPending?: (url: URL | null) => void
}

/** Time that the user has to sign in. */
const SIGN_IN_TIMEOUT_MS = 10 * 60_000

/** BroadcastChannel on which the redirect page reports to the page that waits. */
export const CHANNEL = 'edgewise.sign-in'

/** Requests that fail within this time begin one sign-in. */
const BURST_MS = 1_000

/** A sign-in in progress, as it is stored until the page returns. */
export interface Pending {
  readonly server: string
  readonly mode: 'popup' | 'redirect'
  /** The PKCE code verifier (RFC 7636). */
  readonly verifier: string
}

type Finish = (params: URLSearchParams) => Promise<void>

export class ServerSignIn implements SignIn {
  readonly provider: OAuthClientProvider
  readonly #server: string
  readonly #options: SignInOptions
  readonly #store: TokenStore
  #pending: URL | null = null
  #completing: Promise<void> | null = null
  /** The sign-in that is open or was the last one. */
  #current: { readonly state: string; readonly verifier: string; readonly at: number }
  #newestVerifier = ''
  /** How many sign-ins have ended, now and when each of the others began. */
  #ended = 0
  readonly #began = new Map<string, number>()

  /** @param verifier That of the sign-in with which the page returns; empty on every other visit. */
  constructor(server: string, options: SignInOptions, verifier = '') {
    this.#server = server
    this.#options = options
    this.#store = openTokenStore(server)
    this.#current = { state: '', verifier, at: 0 }
    this.provider = this.#createProvider()
  }

  get pending(): URL | null {
    return this.#pending
  }

  open(): void {
    if (!this.#pending) return
    if (this.#options.mode === 'redirect') location.assign(this.#pending)
    else window.open(this.#pending, 'edgewise-sign-in', 'popup,width=520,height=720')
  }

  async complete(finish: Finish, signal?: AbortSignal): Promise<void> {
    if (this.#pending) this.#completing ??= this.#redeem(finish, signal)
    await this.#completing
  }

  #createProvider(): OAuthClientProvider {
    const { clientId, clientName = 'Edgewise console' } = this.#options
    const { redirectUrl = `${location.origin}/` } = this.#options
    return {
      ...storeIn(this.#store, clientId),
      redirectUrl,
      clientMetadata: clientMetadataFor(clientName, redirectUrl),
      state: () => {
        const state = crypto.randomUUID()
        this.#began.set(state, this.#ended)
        return state
      },
      // The SDK opens the page in the same task, so that no other sign-in comes between.
      saveCodeVerifier: (verifier) => void (this.#newestVerifier = verifier),
      codeVerifier: () => this.#current.verifier,
      redirectToAuthorization: (url) => this.#begin(url),
    }
  }

  #begin(url: URL): void {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new ConnectionError(makeProblem('unauthorized', NO_WEB_PAGE))
    const state = url.searchParams.get('state') ?? ''
    if (this.#isCovered(state)) return
    const { mode = 'popup', onPending } = this.#options
    const verifier = this.#newestVerifier
    this.#store.removePending(this.#current.state)
    this.#current = { state, verifier, at: performance.now() }
    this.#store.writePending(state, { server: this.#server, mode, verifier } satisfies Pending)
    this.#pending = url
    onPending?.(url)
    this.open()
  }

  /** Whether another sign-in, which is open or has ended meanwhile, serves the request as well. */
  #isCovered(state: string): boolean {
    const isOver = (this.#began.get(state) ?? this.#ended) < this.#ended
    this.#began.delete(state)
    const isOpen = this.#pending !== null && performance.now() - this.#current.at < BURST_MS
    return isOver || isOpen || this.#completing !== null
  }

  async #redeem(finish: Finish, signal?: AbortSignal): Promise<void> {
    try {
      await finish(await waitForRedirect(this.#current.state, signal))
      this.#ended++
    } finally {
      this.#completing = null
      this.#pending = null
      this.#options.onPending?.(null)
      this.#store.removePending(this.#current.state)
    }
  }
}

const NO_WEB_PAGE = 'Cannot open the sign-in page: its address is not http or https.'

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
