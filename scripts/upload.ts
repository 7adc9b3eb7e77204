/**
 * The server's side of an import: is it there, does it take the archive, and what does it report.
 * Whatever it answers becomes a report or an {@link ImportError}.
 *
 * @module
 */

import { z } from 'zod'
import { ImportError } from './import-error.ts'
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

/** Refuses an address at which nobody takes archives, before anything is sent there. */
export async function knock(base: string): Promise<void> {
  const response = await ask(`${base}/status`, {})
  if (!response.ok) throw new ImportError(`${base} refuses: ${await messageOf(response)}`)
  await response.body?.cancel()
}

export async function upload(
  part: readonly Item[],
  target: string,
  watcher: Watcher,
): Promise<Report> {
  const { readable, fault } = pack(part, watcher)
  const headers = { 'content-type': 'application/x-tar' }
  try {
    const request = { method: 'POST', headers, body: readable, duplex: 'half' } as const
    return await reportOf(await ask(target, request))
  } catch (error) {
    // When the archive could not be made to its end, that is why the server could not be asked.
    const cause = await fault
    throw cause instanceof ImportError ? cause : error
  }
}

async function reportOf(response: Response): Promise<Report> {
  const text = await response.text()
  const read = report.safeParse(jsonOf(text))
  if (read.success) return read.data
  throw new ImportError(`The server refuses: ${messageIn(text) ?? `status ${response.status}`}`)
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    const message = `Cannot reach ${new URL(url).origin}: ${causeOf(error)}`
    throw new ImportError(`${message}. Is it running? npm start`, { cause: error })
  }
}

async function messageOf(response: Response): Promise<string> {
  return messageIn(await response.text()) ?? `status ${response.status}`
}

/** What a refusal says; `undefined` for an answer that is not one of ours. */
function messageIn(text: string): string | undefined {
  return refusal.safeParse(jsonOf(text)).data?.message
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ECONNREFUSED') return 'nobody listens there'
  if (code === 'ENOTFOUND') return 'there is no such host'
  return cause instanceof Error ? cause.message : String(error)
}
