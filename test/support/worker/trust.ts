/** Trust for a time, as the owner's page gives it. @module */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { PASSKEY_HEADER } from '#core/wire.ts'
import { ownerLinkOf } from './attack-link.ts'
import type { freshWorkspace } from './client.ts'
import { connect, reviewed, type Connection } from './connections.ts'
import { listOf } from './held-draft.ts'
import { auditOf, configure, sendAsPage, type Answer } from './passkeys.ts'

type Workspace = ReturnType<typeof freshWorkspace>

/** What a test gives; the rest is as in {@link detailsOf}. */
export type Given = Readonly<Record<string, unknown>>

const HOUR_MS = 60 * 60 * 1000

/** The key of a connection: the id of its session. */
export const keyOf = (connection: Pick<Connection, 'headers'>): string =>
  String(recordOf(connection.headers())['mcp-session-id'])

/** Details of trust: `write_file` in `/f`, for an hour. */
export const detailsOf = (session: string, more: Given = {}) => ({
  session,
  folder: '/f',
  tools: ['write_file'],
  kinds: [],
  until: Date.now() + HOUR_MS,
  ...more,
})

/** Shows details and gives them. */
export async function giveDetails(
  workspace: Pick<Workspace, 'fetch'>,
  details: JsonRecord,
): Promise<Answer> {
  const shown = await sendAsPage(workspace, '/trust/preview', { body: details })
  if (shown.status !== 200) return shown
  const body = { ...details, digest: shown.body['digest'] }
  return sendAsPage(workspace, '/trust', { body })
}

/** Lets changes of a connection pass, and expects that this is possible. Returns the id. */
export async function trust(
  workspace: Pick<Workspace, 'fetch'>,
  connection: Pick<Connection, 'headers'>,
  more: Given = {},
): Promise<string> {
  const before = new Set((await listTrust(workspace)).map(({ id }) => id))
  const given = await giveDetails(workspace, detailsOf(keyOf(connection), more))
  if (given.status !== 201) throw new Error(JSON.stringify(given))
  const added = (await listTrust(workspace)).find(({ id }) => !before.has(id))
  return String(added?.['id'])
}

/** Lists the trust that is in force. */
export async function listTrust({ fetch }: Pick<Workspace, 'fetch'>) {
  return listOf(recordOf(await (await fetch('/trust')).json())['trusts'])
}

/** Ends trust, as the owner's page does. Returns the status. */
export async function endTrust({ fetch }: Pick<Workspace, 'fetch'>, id: string): Promise<number> {
  const headers = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
  return (await fetch(`/trust/${id}`, { method: 'DELETE', headers })).status
}

/** Sends the same with the answer of a passkey. */
export const withAnswer = (answer: unknown) => ({ [PASSKEY_HEADER]: JSON.stringify(answer) })

/** A workspace at `review`, or with these rules, and a connection of a link. */
export async function withConnection(
  files: Readonly<Record<string, string>> = {},
  { config, link: wish }: { config?: unknown; link?: Record<string, unknown> } = {},
) {
  const { workspace, owner } = await reviewed(files)
  if (config !== undefined) await configure(workspace, config)
  const { client: link, session } = await ownerLinkOf(workspace, {
    ttl_seconds: 7 * 24 * 3600,
    ...wish,
  })
  const connection = await connect(link)
  return { workspace, owner, link, session, connection }
}

/** Whether the change of a call waits. Throws if the call was refused. */
export async function waits(
  connection: Pick<Connection, 'request'>,
  name: string,
  args: JsonRecord,
  meta?: JsonRecord,
): Promise<boolean> {
  const params = { name, arguments: args, ...(meta && { _meta: meta }) }
  const { result, error } = await connection.request('tools/call', params)
  const text = JSON.stringify(error ?? result)
  if (error !== undefined || recordOf(result)['isError'] === true) throw new Error(text)
  return text.includes('waits for approval')
}

/** The same for a file that is written. */
export const waitsToWrite = (
  connection: Pick<Connection, 'request'>,
  path: string,
  content = 'x',
): Promise<boolean> => waits(connection, 'write_file', { path, content })

/** Why trust has ended, newest first, by the sentences of the audit log. */
export const endsOf = async (workspace: Workspace): Promise<string[]> =>
  (await auditOf(workspace, 'end_trust')).map(({ intent }) => String(intent))
