/** Sends `subscriptions/listen` of the modern era. @module */

import { MODERN, type freshWorkspace } from './client.ts'

export function listen(
  workspace: Pick<ReturnType<typeof freshWorkspace>, 'fetch'>,
  notifications: unknown,
  id: string | number = 7,
  name = 'test',
): Promise<Response> {
  return workspace.fetch('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: {
        notifications,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': MODERN,
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name, version: '1' },
        },
      },
    }),
  })
}
