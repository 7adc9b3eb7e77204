/**
 * The server's side of an import: is it there, does it take the archive, and what does it report.
 * Whatever it answers becomes a report or an {@link ImportError}.
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

/** What the server has made of an archive; with `error` when it stopped before the end. */
export type Report = z.infer<typeof report>

const said = z.object({ message: z.string() })
const refusal = z.union([said, z.object({ error: said }).transform(({ error }) => error)])

/** An archive with nothing in it: two empty blocks. */
const NOTHING = new Uint8Array(1024)

/**
 * Refuses an address at which nobody takes archives, before anything is sent there: a server that
 * refuses a long body hangs up, and then its reason is lost. Where there is an owner, it signs in.
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
    // When the archive could not be made to its end, that is why there was no answer.
    const cause = error instanceof NoAnswer ? await fault : null
    throw cause instanceof ImportError ? cause : error
  }
}

interface Answer {
  readonly status: number
  readonly text: string
}

class NoAnswer extends ImportError {}

/** Each request has a connection of its own: a server may drop one that it takes for idle. */
const HEADERS = { 'content-type': 'application/x-tar', connection: 'close' }

async function ask(
  url: string,
  body: ReadableStream | Uint8Array<ArrayBuffer>,
  proof: Proof,
): Promise<Answer> {
  try {
    // What proves who sends this is for this server alone.
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

/** What a refusal says, or its number when it is not one of ours. */
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
