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

const refusal = z.object({ message: z.string() })

/** An archive with nothing in it: two empty blocks. */
const NOTHING = new Uint8Array(1024)

/**
 * Refuses an address at which nobody takes archives, before anything is sent there: a server that
 * refuses a long body hangs up, and then its reason is lost.
 */
export async function knock(target: string): Promise<void> {
  reportOf(await ask(target, NOTHING))
}

export async function upload(
  part: readonly Item[],
  target: string,
  watcher: Watcher,
): Promise<Report> {
  const { readable, fault } = pack(part, watcher)
  try {
    return reportOf(await ask(target, readable))
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

async function ask(url: string, body: ReadableStream | Uint8Array<ArrayBuffer>): Promise<Answer> {
  try {
    const request = { method: 'POST', headers: HEADERS, body, duplex: 'half' } as const
    const response = await fetch(url, request)
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
