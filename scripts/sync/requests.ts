/**
 * Requests of a sync to one server: sign-in when it is required, patience when the server asks for it, and an end of every
 * wait. Every failure is an {@link UserError}. Tested by `test/e2e/sync.test.ts`.
 *
 * @module
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { describeStranger, describeSystemError, UserError } from '../errors.ts'
import { signIn, type Credentials } from '../import/sign-in.ts'
import { MAX_JSON_BYTES, MAX_PATIENCE, MAX_PATIENCE_MS, MAX_REQUEST_MS } from './limits.ts'
import { errorBody } from './wire.ts'

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Blob | ReadableStream
  /** Longest time (ms) until the whole response is there. */
  readonly time?: number
  readonly signal?: AbortSignal
}

/** Sends a request with a path and a query below the address of the workspace. */
export type Send = (path: string, options?: RequestOptions) => Promise<Response>

/** The last segments of the address of a session link. */
const LINK = /\/s\/[^/]+$/

/** Whether an address is a session link, whose changes may wait for the owner. */
export const isLink = (base: string) => LINK.test(base)

/**
 * Creates the sender of one run.
 *
 * @param secret The owner's, used if the server requires it.
 * @param given What authenticates requests already.
 */
export function createSend(
  base: string,
  secret: string | undefined,
  given: Credentials = {},
): Send {
  let credentials = given

  async function send(path: string, options: RequestOptions = {}): Promise<Response> {
    for (let tries = 0; ; tries++) {
      const response = await attempt(base + path, options, credentials)
      if (response.status === 401 && tries === 0 && !isLink(base)) {
        await response.body?.cancel()
        credentials = await signIn(new URL(base), secret)
      } else if (response.status === 429 && tries < MAX_PATIENCE && !isStream(options)) {
        await response.body?.cancel()
        await sleep(pauseOf(response), undefined, { signal: options.signal })
      } else return expectOurs(response, base)
    }
  }
  return send
}

const isStream = ({ body }: RequestOptions) => body instanceof ReadableStream

function pauseOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 1)
  return Math.min(Number.isFinite(seconds) ? seconds * 1000 : 1000, MAX_PATIENCE_MS)
}

function expectOurs(response: Response, base: string): Response {
  const { status, headers } = response
  // The credentials are for this server only.
  if (status >= 300 && status < 400)
    throw new UserError(describeStranger(status, headers.get('location')))
  if (status === 401 && isLink(base))
    throw new UserError(
      'Cannot use the session link: it is expired, revoked or unknown. Ask for a new one',
    )
  return response
}

async function attempt(
  url: string,
  { method = 'GET', headers, body, time = MAX_REQUEST_MS, signal }: RequestOptions,
  credentials: Credentials,
): Promise<Response> {
  const limit = AbortSignal.timeout(time)
  const init = {
    method,
    headers: { ...headers, ...credentials },
    redirect: 'manual',
    duplex: 'half',
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    ...(body && { body }),
  } as const
  try {
    return await fetch(url, init)
  } catch (first) {
    if (signal?.aborted) throw first
    // A connection that the server had closed when it was idle. What was done nevertheless is refused or found equal.
    if (body instanceof ReadableStream) throw describeFailure(url, first)
    return fetch(url, init).catch((error: unknown) => {
      throw describeFailure(url, error)
    })
  }
}

function describeFailure(url: string, error: unknown): UserError {
  const { origin } = new URL(url)
  const reason = describeSystemError(error instanceof Error ? (error.cause ?? error) : error)
  return new UserError(`Cannot reach ${origin}: ${reason}. Try again; what was done is remembered`)
}

/**
 * Reads a JSON response.
 *
 * @throws {UserError} If it is too long, breaks off, or is none.
 */
export async function readJson(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of response.body ?? []) {
      bytes += part.length
      if (bytes > MAX_JSON_BYTES) break
      parts.push(part)
    }
  } catch (error) {
    throw describeFailure(response.url, error)
  }
  if (bytes > MAX_JSON_BYTES)
    throw new UserError(`Cannot read the response: it is longer than ${MAX_JSON_BYTES} bytes`)
  try {
    return JSON.parse(Buffer.concat(parts).toString())
  } catch {
    throw new UserError(describeStranger(response.status, null))
  }
}

/** Returns the code and the message of an error response. */
export async function readError(response: Response) {
  const { data } = errorBody.safeParse(await readJson(response))
  if (data) return data
  throw new UserError(describeStranger(response.status, null))
}

/** An error that ends the run. */
export async function refusalOf(response: Response): Promise<UserError> {
  const { message } = await readError(response)
  return new UserError(`The server refused: ${message}`)
}
