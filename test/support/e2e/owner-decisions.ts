/** The owner of a test workspace: sets the approval level, and decides on drafts as the console does. @module */

import * as z from 'zod'

const Drafts = z.looseObject({ drafts: z.array(z.looseObject({ id: z.string() })) })

const Draft = z.looseObject({
  revision: z.string(),
  changes: z.array(z.looseObject({ id: z.string(), level: z.string(), conflict: z.unknown() })),
  files: z.array(z.looseObject({ path: z.string(), unseen: z.boolean().optional() })),
})

const Change = z.looseObject({ digest: z.string() })

type Decision = 'approve' | 'turn-down'

/** What is decided, and how. */
export interface Choice {
  readonly note?: string
  readonly changes?: readonly string[]
  readonly draft?: string
  readonly amended?: readonly unknown[]
}

/** A workspace, and requests to it by the owner. */
interface OwnedWorkspace {
  readonly base: string
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
}

/** Reads what approving a change with the earlier ones that it depends on is named by. */
export async function digestUpTo(
  { fetch }: Pick<OwnedWorkspace, 'fetch'>,
  draft: string,
  change: string,
): Promise<string> {
  const answer = await fetch(`/drafts/${draft}/changes/${change}`)
  return Change.parse(await answer.json()).digest
}

export function ownerOf(workspace: OwnedWorkspace) {
  const { origin } = new URL(workspace.base)

  async function demand(approval: string): Promise<void> {
    const body = JSON.stringify({ approval })
    const headers = { 'content-type': 'application/json' }
    const answer = await workspace.fetch('/config', { method: 'PUT', headers, body })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`config: ${text}`)
  }

  async function drafts(): Promise<string[]> {
    const answer = await workspace.fetch('/drafts')
    return Drafts.parse(await answer.json()).drafts.map(({ id }) => id)
  }

  const show = async (id: string) =>
    Draft.parse(await (await workspace.fetch(`/drafts/${id}`)).json())

  /** Decides on the changes, or on everything that waits in the draft; by default the only one. */
  async function decide(
    what: Decision,
    { note = '', changes, draft, amended }: Choice = {},
  ): Promise<Record<string, unknown>> {
    const id = draft ?? (await drafts())[0] ?? ''
    const { revision, files } = await show(id)
    const last = changes?.at(-1)
    const digest =
      last !== undefined && what === 'approve' ? await digestUpTo(workspace, id, last) : undefined
    const unseen = files.flatMap((file) => (file.unseen ? [file.path] : []))
    const part = { ...(changes && { changes }), ...(digest !== undefined && { digest }) }
    const answer = await workspace.fetch(`/drafts/${id}/${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ revision, note, unseen, ...part, amended }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${what}: ${text}`)
    return z.looseObject({}).parse(JSON.parse(text))
  }

  return { demand, drafts, show, decide }
}
