/**
 * Whether an agent has ever used this workspace, as far as this browser knows: until then, the page that connects one
 * is the first of the navigation.
 *
 * @module
 */

import { effect, signal } from '@preact/signals'
import type { ClientList } from '#core/owner/answers/sessions.ts'
import { CLIENT_INFO } from '../../mcp/client.ts'
import { connection, revision } from '../connect/connection.ts'
import { ownBase } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { readStored, writeStored } from '../ui/storage.ts'

/** A client that called a tool lately. */
export type CalledClient = ClientList['clients'][number]

/** Whether an agent has used the workspace; null while it is not known, and for other servers. */
export const hasAgent = signal<boolean | null>(null)

const isConsole = (name: string | null) => name === CLIENT_INFO.name || name === CLIENT_INFO.title

/** Returns the agents among clients that called: all but the console itself. */
export const agentsAmong = (clients: readonly CalledClient[]): CalledClient[] =>
  clients.filter(({ client, label }) => !isConsole(client) && !isConsole(label))

/** Loads the agents that called tools lately, the last one first. */
export async function loadAgents(base: string, signal?: AbortSignal): Promise<CalledClient[]> {
  const { clients } = await sendAct(base, 'list_clients', signal === undefined ? {} : { signal })
  const agents = agentsAmong(clients)
  if (agents.length > 0) remember(base)
  return agents
}

const keyOf = (base: string) => `agent ${base}`

function remember(base: string): void {
  writeStored(keyOf(base), true)
  hasAgent.value = true
}

/** Links and sign-ins are of agents, also where none has called since the server started. */
async function look(base: string): Promise<boolean> {
  if (readStored(keyOf(base)) === true) return true
  if ((await loadAgents(base)).length > 0) return true
  const { sessions } = await sendAct(base, 'list_sessions', {})
  return sessions.some(({ kind, label }) => kind !== 'transfer' && !isConsole(label))
}

effect(() => {
  const base = ownBase.value
  void revision.value
  if (base === null || connection.value === null) return void (hasAgent.value = null)
  if (hasAgent.peek() === true) return
  look(base).then(
    (found) => void (hasAgent.value = found),
    () => void (hasAgent.value = null),
  )
})
