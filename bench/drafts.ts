/**
 * Drafts in the benchmark: rules that hold changes, changes to hold, and the owner's routes.
 *
 * @module
 */

import { z } from 'zod'
import { Connection } from './connection.ts'
import type { Target } from './load.ts'
import { configure } from './upload.ts'
import { modern, toolCall } from './wire.ts'
import type { Server } from './workerd.ts'

const Summaries = z.object({ drafts: z.tuple([z.object({ id: z.string() })]) })
const Shown = z.object({
  id: z.string(),
  revision: z.string(),
  changes: z.array(z.object({ id: z.string() })),
})

/** A draft as it was shown. */
export type ShownDraft = z.infer<typeof Shown>

/** Reads the only draft of a server. */
export async function readDraft(server: Server): Promise<ShownDraft> {
  const { drafts } = Summaries.parse(await (await fetch(server.url('/drafts'))).json())
  return Shown.parse(await (await fetch(server.url(`/drafts/${drafts[0].id}`))).json())
}

const Single = z.object({ changes: z.array(z.string()), digest: z.string() })

/** Reads one change of a draft, with those that it depends on, and the digest of what they do. */
export async function readChange(
  server: Server,
  draft: string,
  id: string,
): Promise<z.infer<typeof Single>> {
  const response = await fetch(server.url(`/drafts/${draft}/changes/${id}`))
  return Single.parse(await response.json())
}

/**
 * Approves all that was shown, or one change as it was shown on its own.
 *
 * @throws When the decision was refused.
 */
export async function approveDraft(
  server: Server,
  { id, revision }: Pick<ShownDraft, 'id' | 'revision'>,
  one?: z.infer<typeof Single>,
): Promise<void> {
  const response = await fetch(server.url(`/drafts/${id}/approve`), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: new URL(server.url('/')).origin,
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ revision, ...one }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`Cannot approve: ${response.status} ${text.slice(0, 400)}`)
}

const LINE = 'const answer = compute(question) // 64 characters with a newline\n'

/** Returns text of 4 KiB that differs for each count. */
export const textOf = (count: number) => `${LINE.repeat(62)}${count} the-last-words\n`

/** Lets every change of an agent wait. */
export const holdChanges = (server: Server) => configure(server, { approval: 'review' })

/** Sends requests one after another. */
export async function sendAll({ port }: Server, requests: readonly Buffer[]): Promise<void> {
  const connection = new Connection('product', port)
  for (const request of requests) {
    const { status, body } = await connection.send(request)
    if (status !== 200 || body.includes('"isError":true'))
      throw new Error(`A call returned ${status}: ${body.toString('utf8', 0, 400)}`)
  }
  connection.close()
}

/** Writes of 4 KiB to new paths, in a hundred folders. */
export interface Writes extends Target {
  /** Returns the path and the content of the write that was requested last. */
  last(): readonly [path: string, content: string]
}

/** Creates writes below a folder. */
export function createWrites({ port }: Server, folder: string): Writes {
  let count = 0
  const last = () => [`${folder}/${count % 100}/${count}.txt`, textOf(count)] as const
  const request = () => {
    count++
    const [path, content] = last()
    return toolCall(modern, 'write_file', { path, content })
  }
  return { name: 'write_file', port, marker: 'Created ', request, last }
}

/** Creates the next requests of a target. */
export const take = (target: Target, count: number): Buffer[] =>
  Array.from({ length: count }, () => target.request())
