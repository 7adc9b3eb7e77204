/**
 * Requests of an import to the server: check, upload, report. Every response becomes a report or an
 * {@link UserError}.
 *
 * @module
 */

import { z } from 'zod'
import { describeStranger, UserError, describeSystemError } from '../errors.ts'
import { commandFor } from '../invocation.ts'
import { parseJson } from '../parse-json.ts'
import { pack, type PackListener } from './archive.ts'
import type { Item } from './scan.ts'
import { signIn, type Credentials } from './sign-in.ts'

const report = z.object({
  files: z.int(),
  folders: z.int(),
  bytes: z.int(),
  skipped: z.int(),
  reasons: z.array(z.object({ name: z.string(), reason: z.string() })),
  error: z.string().optional(),
})

/** The server's report about an archive; `error` is set if it stopped before the end. */
export type Report = z.infer<typeof report>

const message = z.object({ message: z.string() })
const errorBody = z.union([message, z.object({ error: message }).transform(({ error }) => error)])

/** An archive without entries: two empty blocks. */
const EMPTY_ARCHIVE = new Uint8Array(1024)

/**
 * Sends an empty archive to check the address and the access, and signs in if the server requires
 * it.
 *
 * A server that rejects a long body closes the connection, and its reason would be lost, so the
 * check comes before the upload.
 *
 * @returns The headers that authenticate further requests.
 * @throws {UserError} If the server refuses or cannot be reached.
 */
export async function authenticate(
  target: string,
  secret: string | undefined,
): Promise<Credentials> {
  const reply = await post(target, EMPTY_ARCHIVE, {})
  if (reply.status !== 401) {
    parseReport(reply)
    return {}
  }
  const credentials = await signIn(new URL(target), secret)
  parseReport(await post(target, EMPTY_ARCHIVE, credentials))
  return credentials
}

/**
 * Sends a part as a tar stream.
 *
 * @throws {UserError} If the server refuses or cannot be reached, or a file changed while it was
 *   read.
 */
export async function uploadPart(
  part: readonly Item[],
  target: string,
  credentials: Credentials,
  listener: PackListener,
): Promise<Report> {
  const { readable, failure } = pack(part, listener)
  try {
    return parseReport(await post(target, readable, credentials))
  } catch (error) {
    // A failure of packing causes the missing response, so that failure is reported.
    const cause = error instanceof ConnectionError ? await failure : null
    throw cause instanceof UserError ? cause : error
  }
}

interface Reply {
  readonly status: number
  readonly text: string
  /** Where a redirect leads. */
  readonly location: string | null
}

class ConnectionError extends UserError {}

/** Each request uses its own connection: a server may close one that it considers idle. */
const HEADERS = { 'content-type': 'application/x-tar', connection: 'close' }

async function post(
  url: string,
  body: ReadableStream | Uint8Array<ArrayBuffer>,
  credentials: Credentials,
): Promise<Reply> {
  const control = new AbortController()
  try {
    // Redirects are not followed: the credentials are for this server only.
    const headers = { ...HEADERS, ...credentials }
    const how = { method: 'POST', duplex: 'half', redirect: 'manual' } as const
    const response = await fetch(url, { ...how, headers, body, signal: control.signal })
    const location = response.headers.get('location')
    return { status: response.status, text: await readBeginning(response, control), location }
  } catch (error) {
    const { origin } = new URL(url)
    const reason = describeSystemError(error instanceof Error ? (error.cause ?? error) : error)
    throw new ConnectionError(
      `Cannot reach ${origin}: ${reason}. Start the server with ${commandFor('start')}`,
    )
  }
}

/** Most bytes of a response that are read: a report is shorter. */
const MAX_RESPONSE_BYTES = 1024 * 1024

/** Longest time (ms) from the beginning of a response to its end: a report is sent at once. */
const RESPONSE_MS = 20_000

/** Reads a response, which another server need not end. */
async function readBeginning({ body }: Response, control: AbortController): Promise<string> {
  const tooSlow = new Error('its response does not end')
  const timer = setTimeout(() => control.abort(tooSlow), RESPONSE_MS)
  const parts: Uint8Array[] = []
  let left = MAX_RESPONSE_BYTES
  try {
    for await (const part of body ?? []) {
      parts.push(part.subarray(0, left))
      left -= part.length
      if (left <= 0) break
    }
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(parts).toString()
}

function parseReport(reply: Reply): Report {
  const read = report.safeParse(parseJson(reply.text))
  if (read.success) return read.data
  throw new UserError(describeRefusal(reply))
}

/** Describes an error response; without a message it is from another server. */
function describeRefusal({ status, text, location }: Reply): string {
  const { data } = errorBody.safeParse(parseJson(text))
  return data
    ? `The server refused the import: ${data.message}`
    : describeStranger(status, location)
}
