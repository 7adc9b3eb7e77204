/**
 * Links and legacy sessions for security tests, with all parts of a response
 * available for comparison.
 *
 * @module
 */

import { freshWorkspace } from './client.ts'
import type { MaybePromise } from '#worker/maybe-promise.ts'

export type Workspace = ReturnType<typeof freshWorkspace>

/** Delegates a link from a workspace. */
export async function linkOf(giver: Workspace, wish: Record<string, unknown> = {}) {
  const { result } = await giver.call('delegate', { label: 'helper', ...wish })
  const { url, session } = result?.structuredContent ?? {}
  if (typeof url !== 'string') throw new Error(JSON.stringify(result))
  return openLink(url, String(session))
}

/** Has the owner make a link, which is a principal of its own. */
export async function ownerLinkOf(owner: Workspace, wish: Record<string, unknown> = {}) {
  const body = JSON.stringify({ label: 'helper', ttl_seconds: 600, ...wish })
  const made = await owner.fetch('/sessions', { method: 'POST', body })
  const { url, id } = await made.json<{ url: string; id: string }>()
  return openLink(url, id)
}

function openLink(url: string, session: string) {
  const secret = /\.([\w-]+)\/mcp$/.exec(url)?.[1] ?? ''
  return { url, secret, session, client: freshWorkspace(url) }
}

/** All observable parts of a response, for the comparison of two responses. */
export async function everythingOf(coming: MaybePromise<Response>) {
  const answer = await coming
  const headers = Object.fromEntries(answer.headers)
  return { status: answer.status, headers, body: await answer.text() }
}

const OLDER = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

/** Sends one legacy message, with the session id that it claims. */
export function legacyMessage(
  client: Workspace,
  message: Record<string, unknown>,
  session?: string,
) {
  const claim = session === undefined ? {} : { 'mcp-session-id': session }
  return client.fetch('/mcp', {
    method: 'POST',
    headers: { ...OLDER, ...claim },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  })
}

const INITIALIZE = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'attacked', version: '1' },
  },
}

/** Begins a session, optionally with an id chosen by the client. */
export const initialize = (client: Workspace, wanted?: string) =>
  legacyMessage(client, INITIALIZE, wanted)

/** The id of a session that has begun. */
export async function beginSession(client: Workspace): Promise<string> {
  const begun = await initialize(client)
  await begun.text()
  const id = begun.headers.get('mcp-session-id')
  if (id === null) throw new Error(`No session began: ${begun.status}`)
  return id
}
