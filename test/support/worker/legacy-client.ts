/** A client of the legacy era: a session with its stream, message by message. @module */

import type { freshWorkspace } from './client.ts'
import { readEvents, type Message } from './event-stream.ts'

type Workspace = ReturnType<typeof freshWorkspace>

export function legacyClient(
  workspace: Pick<Workspace, 'fetch'>,
  capabilities: Record<string, unknown> = {},
) {
  let session: string | null = null
  let id = 0
  const headers = () => ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session !== null && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
  })
  const post = (message: Record<string, unknown>) =>
    workspace.fetch('/mcp', {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })

  async function request(method: string, params: Record<string, unknown> = {}): Promise<Message> {
    const response = await post({ id: ++id, method, params })
    if (method === 'initialize') session = response.headers.get('mcp-session-id')
    return readEvents(response).next()
  }

  async function begin(): Promise<Message> {
    const clientInfo = { name: 'test', version: '1' }
    const answer = await request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo,
    })
    const accepted = await post({ method: 'notifications/initialized' })
    if (accepted.status !== 202) throw new Error(`initialized: ${accepted.status}`)
    return answer
  }

  const call = (name: string, args: Record<string, unknown>) =>
    request('tools/call', { name, arguments: args })
  const openStream = (more: Record<string, string> = {}) =>
    workspace.fetch('/mcp', { headers: { ...headers(), accept: 'text/event-stream', ...more } })
  const stream = async (more?: Record<string, string>) => readEvents(await openStream(more))
  const end = () => workspace.fetch('/mcp', { method: 'DELETE', headers: headers() })
  return { begin, request, call, post, openStream, stream, end, headers }
}
