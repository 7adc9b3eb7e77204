/**
 * Links, and sessions of the older era, as whoever attacks them needs them: with all parts of an answer
 * at hand.
 *
 * @module
 */

import { freshWorkspace } from './client.ts'

export type Workspace = ReturnType<typeof freshWorkspace>

/** A link that somebody hands on. */
export async function linkOf(giver: Workspace, wish: Record<string, unknown> = {}) {
  const { result } = await giver.call('delegate', { label: 'helper', ...wish })
  const { url, session } = result?.structuredContent ?? {}
  if (typeof url !== 'string') throw new Error(JSON.stringify(result))
  const secret = /\.([\w-]+)\/mcp$/.exec(url)?.[1] ?? ''
  return { url, secret, session: String(session), client: freshWorkspace(url) }
}

/** All that an answer tells. Whoever compares two of them has to compare this. */
export async function everythingOf(coming: Response | Promise<Response>) {
  const answer = await coming
  const headers = Object.fromEntries(answer.headers)
  return { status: answer.status, headers, body: await answer.text() }
}

const OLDER = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

/** One message of the older era, with the session that it claims to belong to. */
export function older(client: Workspace, message: Record<string, unknown>, session?: string) {
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

/** Begins a session, with an id of one's own if one insists. */
export const initialize = (client: Workspace, wanted?: string) => older(client, INITIALIZE, wanted)

/** The id of a session that has begun. */
export async function beginSession(client: Workspace): Promise<string> {
  const begun = await initialize(client)
  await begun.text()
  const id = begun.headers.get('mcp-session-id')
  if (id === null) throw new Error(`No session began: ${begun.status}`)
  return id
}
