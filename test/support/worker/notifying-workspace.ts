/**
 * A workspace whose notices can be read: it is opened with the settings of an operator, and with a notifier that keeps what
 * it gets.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { tablesOf } from '#worker/database/table-groups.ts'
import type { Env } from '#worker/env.ts'
import type { Summary } from '#worker/notifier/summary.ts'
import { openWorkspace } from '#worker/open.ts'
import { testEnv } from './notifying-env.ts'
import { modernRequest, ENVELOPE } from './client.ts'
import { listOf } from './held-draft.ts'
import { FROM_OWN_PAGE } from './requests.ts'

/** The settings of a webhook. */
export const WEBHOOK = {
  EDGEWISE_WEBHOOK: 'https://receiver.example/hooks/edgewise',
  EDGEWISE_WEBHOOK_SECRET: `whsec_${btoa('a secret of more than 24 bytes')}`,
} as const

/** The binding of a notifier that keeps what it gets, or fails. */
export function recordNotifier(tell: (summary: Summary) => void = () => {}) {
  const summaries: Summary[] = []
  const notifier = {
    tell: async (summary: Summary) => {
      tell(summary)
      summaries.push(structuredClone(summary))
    },
  }
  const binding = { idFromName: (name: string) => name, get: () => notifier }
  return { summaries, NOTIFIER: binding as unknown as DurableObjectNamespace }
}

interface Row {
  readonly receiver: string
  readonly type: string
  readonly draft: string | null
  readonly outcome: string | null
  readonly version: number | null
  readonly url: string
}

/** Opens the workspace of an object. */
export function openNotifying(state: DurableObjectState, settings: Partial<Env>) {
  const workspace = openWorkspace(state, testEnv(settings))
  const fetch = (path: string, init?: RequestInit) =>
    workspace.fetch(new Request(`http://localhost${path}`, init))
  /** Sends a request as the console does. */
  const send = async (path: string, method = 'GET', body?: unknown) => {
    const headers = { 'content-type': 'application/json', ...FROM_OWN_PAGE }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    return recordOf(await (await fetch(path, init)).json())
  }
  const sql = tablesOf(state.storage.sql, 'notices')
  return {
    workspace,
    fetch,
    send,
    /** Calls a tool as a client with a name. */
    call: async (tool: string, args: object, name = 'claude-code') => {
      const clientInfo = { 'io.modelcontextprotocol/clientInfo': { name, version: '1' } }
      const params = { name: tool, arguments: args, _meta: { ...ENVELOPE, ...clientInfo } }
      return recordOf(await (await fetch('/mcp', modernRequest('tools/call', params))).json())
    },
    /** The ids of the drafts, the one that changed last first. */
    drafts: async (): Promise<string[]> =>
      listOf((await send('/drafts'))['drafts']).map((draft) => String(draft['id'])),
    /** Decides on a draft, or on a group of its changes. */
    decide: async (draft: string, act: 'approve' | 'turn-down', group?: number) => {
      const { revision, changes } = await send(`/drafts/${draft}`)
      const last = listOf(changes).findLast((change) => change['group'] === group)
      const part = group === undefined ? {} : { groups: [group], digest: last?.['digest'] }
      return send(`/drafts/${draft}/${act}`, 'POST', { revision, ...part })
    },
    /** Takes the rows of the queue. */
    take: (): Row[] =>
      sql
        .exec<Row & Record<string, SqlStorageValue>>(
          'DELETE FROM notices RETURNING receiver, type, draft, outcome, version, url',
        )
        .toArray(),
    /** Delivers what is due within two days. */
    deliver: () => workspace.outbox.deliver(Date.now() + 2 * 24 * 60 * 60 * 1000),
  }
}
