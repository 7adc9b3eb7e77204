/**
 * Requests of an import to the server: check, upload, report. Every response becomes a report or an
 * {@link ImportError}.
 *
 * @module
 */

import { z } from 'zod'
import { ImportError, reasonOf } from './import-error.ts'
import { pack, type Watcher } from './pack.ts'
import type { Item } from './scan.ts'
import { signIn, type Proof } from './sign-in.ts'

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

const said = z.object({ message: z.string() })
const refusal = z.union([said, z.object({ error: said }).transform(({ error }) => error)])

/** An archive without entries: two empty blocks. */
const NOTHING = new Uint8Array(1024)

/**
 * Sends an empty archive to check the address and the access, and signs in if the server requires
 * it.
 *
 * A server that rejects a long body closes the connection, and its reason would be lost, so the
 * check comes before the upload.
 *
 * @returns The headers that authenticate further requests.
 * @throws {ImportError} If the server refuses or cannot be reached.
 */
export async function knock(target: string, secret: string | undefined): Promise<Proof> {
  const answer = await ask(target, NOTHING, {})
  if (answer.status !== 401) {
    reportOf(answer)
    return {}
  }
  const proof = await signIn(new URL(target), secret)
  reportOf(await ask(target, NOTHING, proof))
  return proof
}

/**
 * Sends a part as a tar stream.
 *
 * @throws {ImportError} If the server refuses or cannot be reached, or a file changed while it was
 *   read.
 */
export async function upload(
  part: readonly Item[],
  target: string,
  proof: Proof,
  watcher: Watcher,
): Promise<Report> {
  const { readable, fault } = pack(part, watcher)
  try {
    return reportOf(await ask(target, readable, proof))
  } catch (error) {
    // A failure of packing causes the missing response, so that failure is reported.
    const cause = error instanceof NoAnswer ? await fault : null
    throw cause instanceof ImportError ? cause : error
  }
}

interface Answer {
  readonly status: number
  readonly text: string
}

class NoAnswer extends ImportError {}

/** Each request uses its own connection: a server may close one that it considers idle. */
const HEADERS = { 'content-type': 'application/x-tar', connection: 'close' }

async function ask(
  url: string,
  body: ReadableStream | Uint8Array<ArrayBuffer>,
  proof: Proof,
): Promise<Answer> {
  try {
    // Redirects are not followed: the credentials are for this server only.
    const headers = { ...HEADERS, ...proof }
    const how = { method: 'POST', duplex: 'half', redirect: 'manual' } as const
    const response = await fetch(url, { ...how, headers, body })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const { origin } = new URL(url)
    const reason = reasonOf(error instanceof Error ? error.cause : error)
    throw new NoAnswer(`No answer from ${origin}: ${reason}. Is it running? npm start`)
  }
}

function reportOf(answer: Answer): Report {
  const read = report.safeParse(jsonOf(answer.text))
  if (read.success) return read.data
  throw new ImportError(`The server refuses: ${messageOf(answer)}`)
}

/** Returns the message of an error response, or its status if it is from another server. */
function messageOf({ status, text }: Answer): string {
  return refusal.safeParse(jsonOf(text)).data?.message ?? `status ${status}`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
