/** The owner's side of access requests, as its page uses it. @module */

import type { freshWorkspace } from './client.ts'

type Workspace = Pick<ReturnType<typeof freshWorkspace>, 'fetch' | 'base'>

/** An access request, as the owner's page reads it. */
export interface ListedRequest {
  readonly id: string
  readonly actor: string
  readonly session: string | null
  readonly tool: string
  readonly intent: string
  readonly scopes: readonly string[]
  readonly opened: number
  readonly expires: number
  readonly ended: boolean
  readonly can: readonly string[]
  readonly paths: readonly string[]
  readonly roots: readonly { readonly path: string; readonly immutable?: readonly string[] }[]
}

/** Headers that a browser adds to a request of a page of this origin. */
export const FROM_OWN_PAGE = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }

/** Lists the requests that wait. */
export async function listRequests({ fetch }: Workspace): Promise<readonly ListedRequest[]> {
  const listed = await (await fetch('/requests')).json<{ requests: ListedRequest[] }>()
  return listed.requests
}

/** Sends a decision from a page of this origin, or as `headers` say. */
export async function sendDecision(
  { fetch }: Workspace,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = FROM_OWN_PAGE,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { ...headers } }
  const answer = await fetch(path, init)
  return { status: answer.status, body: await answer.json() }
}

/** Decides on a request from a page of this origin, or as `headers` say. */
export const decideRequest = (
  workspace: Workspace,
  path: string,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
) => sendDecision(workspace, `/requests/${path}`, body, headers)

/** Allows the only request that waits. */
export async function allowOnly(workspace: Workspace, duration: 'call' | 'session') {
  const [only, ...others] = await listRequests(workspace)
  if (!only || others.length > 0) throw new Error(`${others.length} other requests wait`)
  const { status, body } = await decideRequest(workspace, `${only.id}/allow`, { for: duration })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return only
}
