/**
 * Fetches one file from a host that the owner has listed, as content of the store.
 *
 * The list holds at every redirect, because a listed host may redirect anywhere. Only https to the usual port is fetched, or
 * http from this machine, and never an address in place of a name; the request has no headers of the caller. The server is
 * never trusted: time, size and redirects have limits, and a body that is encoded, or that has another length than it says, is refused.
 * `test/worker/tools/import-file.test.ts` has the cases, `test/e2e/attacks/import.slow.test.ts` hostile servers.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { Problem } from '../errors/problem.ts'
import { isLocalName } from '../http.ts'
import {
  MAX_FETCH_MS,
  MAX_FETCH_REDIRECTS,
  MAX_FETCHES,
  MAX_FETCHES_OF_ONE,
  MAX_UNSIZED_FETCH_BYTES,
} from '../limits.ts'
import { isPublicName } from '../outbound.ts'
import { platformFetch } from '../outbox/post.ts'
import { hasRoomFor } from '../store/disk-space.ts'
import type { Content } from '../store/store.ts'
import { chunksOf, createBytes, type Bytes } from './bytes.ts'
import { holdPart } from './hold-part.ts'

/** What a fetch may reach, and where its bytes go. */
export interface Fetching {
  readonly hosts: readonly string[]
  /** Maximum size of a file in bytes. */
  readonly fileBytes: number
  readonly store: Pick<ReadStore, 'hold' | 'holdStream'>
  /** The principal whose share a fetch takes. */
  readonly budget: string
  /** Aborted when the client no longer waits. */
  readonly signal: AbortSignal | undefined
}

/** What was fetched, and the host of the last request. */
export interface Fetched {
  readonly content: Content
  readonly host: string
}

/** The principals of the fetches of this isolate that have not ended, one entry for each fetch. */
const running: string[] = []

/** Fetches a file. An error names the host and never the rest of the URL, which can be a secret. */
export async function fetchFile(
  address: string,
  fetching: Fetching,
): Promise<Result<Fetched, Problem>> {
  const first = readAddress(address, null, fetching.hosts)
  if (!first.ok) return first
  const { budget } = fetching
  if (!hasSlot(budget)) return refuse('FETCH_FAILED', BUSY)
  running.push(budget)
  const limit = AbortSignal.timeout(MAX_FETCH_MS)
  const signal = fetching.signal ? AbortSignal.any([limit, fetching.signal]) : limit
  let { host } = first.value
  try {
    const answered = await follow(first.value, fetching.hosts, signal)
    if (!answered.ok) return answered
    host = answered.value.host
    return await receive(answered.value, fetching, signal)
  } catch {
    const why = limit.aborted
      ? `it took more than ${MAX_FETCH_MS / 1000} s`
      : 'it did not answer, or broke off'
    return refuse('FETCH_FAILED', `Cannot import from ${host}: ${why}. Try again`)
  } finally {
    running.splice(running.indexOf(budget), 1)
  }
}

/** One principal never takes the slots of all others. */
const hasSlot = (budget: string): boolean =>
  running.length < MAX_FETCHES &&
  running.filter((other) => other === budget).length < MAX_FETCHES_OF_ONE

const BUSY = 'Cannot import: other files are being fetched. Try again when they have arrived'

const refuse = (code: string, detail: string) =>
  err<Problem>({ reason: 'bad_argument', code, detail })

/** Parses an address, or that of a redirect from `base`, and checks its host against the list. */
function readAddress(
  address: string,
  base: URL | null,
  hosts: readonly string[],
): Result<URL, Problem> {
  const url = base ? URL.parse(address, base) : URL.parse(address)
  if (!url || !isAllowed(url)) return refuse('INVALID_FILE', INVALID)
  const { hostname } = url
  if (hosts.includes(hostname)) return ok(url)
  const where = base ? `${base.hostname}: it redirects to ${hostname}, and` : `${hostname}:`
  const detail = `Cannot import from ${where} the owner has listed other hosts: ${hosts.join(', ')}`
  return refuse('HOST_NOT_LISTED', detail)
}

const INVALID =
  'Cannot import: download_url must be an https URL of a host name, without a port, a user name or a password'

/** Only from this machine may a file come in clear text, and from any port. */
function isAllowed({ protocol, hostname, port, username, password }: URL): boolean {
  if (username !== '' || password !== '') return false
  if (hostname === 'localhost') return isLocalName(hostname) && /^https?:$/.test(protocol)
  return protocol === 'https:' && port === '' && isPublicName(hostname)
}

/** An answer that is no redirect, and the host that it came from. */
interface Answered {
  readonly response: Response
  readonly host: string
}

async function follow(
  first: URL,
  hosts: readonly string[],
  signal: AbortSignal,
): Promise<Result<Answered, Problem>> {
  let url = first
  for (let redirects = 0; redirects <= MAX_FETCH_REDIRECTS; redirects++) {
    const response = await platformFetch(url, {
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      redirect: 'manual',
      signal,
    })
    const { hostname: host } = url
    const to = REDIRECTS.has(response.status) ? response.headers.get('location') : null
    if (to === null) return ok({ response, host })
    await response.body?.cancel()
    const next = readAddress(to, url, hosts)
    if (!next.ok) return next
    url = next.value
  }
  const detail = `Cannot import from ${url.hostname}: more than ${MAX_FETCH_REDIRECTS} redirects`
  return refuse('FETCH_FAILED', detail)
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Stores the body of an answer, whose type follows from its content, as that of every file. */
async function receive(
  answered: Answered,
  fetching: Fetching,
  signal: AbortSignal,
): Promise<Result<Fetched, Problem>> {
  const { response, host } = answered
  const refused = refuseAnswer(answered, fetching)
  if (refused) {
    await response.body?.cancel()
    return refused
  }
  const bytes = createBytes(untilAborted(response.body, signal))
  const length = response.headers.get('content-length')
  const content =
    length === null
      ? await receiveUnsized(bytes, host, fetching)
      : await receiveSized(bytes, Number(length), fetching)
  return content.ok ? ok({ content: content.value, host }) : content
}

function refuseAnswer({ response, host }: Answered, { fileBytes }: Fetching) {
  const { status, headers } = response
  if (status !== 200)
    return refuse('FETCH_FAILED', `Cannot import from ${host}: it answers ${status}`)
  const coding = headers.get('content-encoding') ?? 'identity'
  if (coding !== 'identity')
    return refuse(
      'FETCH_FAILED',
      `Cannot import from ${host}: it sends the content encoding ${JSON.stringify(coding.slice(0, 40))}`,
    )
  const size = Number(headers.get('content-length') ?? 0)
  if (!Number.isSafeInteger(size) || size < 0)
    return refuse('FETCH_FAILED', `Cannot import from ${host}: its Content-Length is invalid`)
  if (size > fileBytes) return err<Problem>({ reason: 'file_too_large', limit: fileBytes })
  return hasRoomFor(size) ? null : err<Problem>({ reason: 'storage_full' })
}

/** Reads a body, which an abort ends even where its server does not. */
function untilAborted(body: ReadableStream<Uint8Array> | null, signal: AbortSignal) {
  const chunks = chunksOf(body ?? new Blob([]).stream())
  const aborted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
  )
  aborted.catch(() => {})
  return { next: () => Promise.race([chunks.next(), aborted]) }
}

async function receiveSized(
  bytes: Bytes,
  size: number,
  { store }: Fetching,
): Promise<Result<Content, Problem>> {
  const content = await holdPart(store, bytes.part(size), size)
  if ((await bytes.some(1)) !== null) throw new Error('The body is longer than its length')
  return content
}

/** A store takes no stream of unknown length, so the body is in memory first. */
async function receiveUnsized(
  bytes: Bytes,
  host: string,
  { store, fileBytes }: Fetching,
): Promise<Result<Content, Problem>> {
  const most = Math.min(fileBytes, MAX_UNSIZED_FETCH_BYTES)
  const all = await bytes.peek(most + 1)
  if (all.length <= most) return ok(await store.hold(all))
  const detail = `Cannot import from ${host}: it does not say the length of a file of more than ${most} bytes`
  return refuse('FETCH_FAILED', detail)
}
