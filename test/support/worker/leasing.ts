/** Agents with links of their own, who lease paths of one workspace. @module */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { ownerLinkOf } from './attack-link.ts'
import { errorOf, freshWorkspace } from './client.ts'

/** An agent with a link. */
export type Agent = Awaited<ReturnType<typeof agentOf>>

/** Makes a link for an agent, with what this test asks of it. */
export async function agentOf(
  workspace: ReturnType<typeof freshWorkspace>,
  label: string,
  wish: JsonRecord = {},
) {
  const { client, session } = await ownerLinkOf(workspace, { label, ttl_seconds: 86_400, ...wish })
  const lease = (paths: readonly string[], more: JsonRecord = {}, meta: JsonRecord = {}) =>
    client.call('lease', { paths, ...more }, meta)
  return { ...client, session, lease }
}

/** A workspace with files, and two agents. */
export async function twoAgents(
  files: readonly string[] = ['/f/a', '/f/b', '/g/c'],
  wishes: readonly [JsonRecord?, JsonRecord?] = [],
) {
  const workspace = freshWorkspace()
  for (const path of files) await workspace.put(path, 'one')
  const [first = {}, second = {}] = wishes
  return {
    workspace,
    one: await agentOf(workspace, 'one', first),
    two: await agentOf(workspace, 'two', second),
  }
}

/** What a result says of others: its lines, and its data. */
export function usesIn(result: Awaited<ReturnType<Agent['call']>>['result']) {
  const texts = result?.content.map(({ text = '' }) => text) ?? []
  const lines = texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.startsWith('Note: '))
  return { lines, data: recordOf(recordOf(result?.structuredContent)['in_use'])['paths'] }
}

/** The code of a refusal; undefined where there is none. */
export const codeOf = ({ result }: Awaited<ReturnType<Agent['call']>>) => errorOf(result)['code']
