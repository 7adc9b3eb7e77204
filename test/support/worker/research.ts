/** Calls of the research profile. @module */

import { recordOf } from '#core/json.ts'
import * as z from 'zod'
import type { freshWorkspace } from './client.ts'
import { ENVELOPE, errorOf, modernRequest, type Reply } from './client.ts'

type Workspace = Pick<ReturnType<typeof freshWorkspace>, 'fetch'>

/** What `search` answers, and nothing else. */
export const found = z.strictObject({
  results: z.array(z.strictObject({ id: z.string(), title: z.string(), url: z.url() })),
  note: z.string().optional(),
})

/** What `fetch` answers, and nothing else. */
export const fetched = z.strictObject({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.url(),
  metadata: z.record(z.string(), z.string()),
})

/** Calls a tool of the research profile of a workspace. */
export function researcher({ fetch }: Workspace) {
  async function send(method: string, params: Record<string, unknown> = {}): Promise<Reply> {
    const init = modernRequest(method, { ...params, _meta: ENVELOPE })
    const response = await fetch('/mcp?profile=research', init)
    return { status: response.status, ...(await response.json<Omit<Reply, 'status'>>()) }
  }
  const call = (name: string, args: Record<string, unknown>) =>
    send('tools/call', { name, arguments: args })
  return {
    send,
    call,
    search: async (query: string) => found.parse(dataOf(await call('search', { query }))),
    read: async (id: string) => fetched.parse(dataOf(await call('fetch', { id }))),
    code: async (name: string, args: Record<string, unknown>) =>
      errorOf((await call(name, args)).result)['code'],
  }
}

/** The data of a result, which is the same in its only block and in its structured content. */
function dataOf({ result, error }: Reply): unknown {
  if (!result || result.isError) throw new Error(error?.message ?? result?.content[0]?.text)
  const [block, ...more] = result.content
  const text: unknown = JSON.parse(block?.text ?? '')
  if (
    more.length > 0 ||
    JSON.stringify(text) !== JSON.stringify(recordOf(result.structuredContent))
  )
    throw new Error('The text and the data of a result differ')
  return text
}
