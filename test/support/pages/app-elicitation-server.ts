/**
 * A server of the official SDK whose questions an app may show (SEP-3118): one tool for each way in which
 * an app can behave.
 *
 * @module
 */

import {
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
} from '@modelcontextprotocol/server'
import { startSite, type Site } from './app-servers.ts'
import { answerWith } from './elicitation-server.ts'

const APPS = 'io.modelcontextprotocol/ui'

/** What an app does when it is asked; `null` declares no capability for it. */
const BEHAVIOURS: Readonly<Record<string, string | null>> = {
  fills: `const button = document.createElement('button')
    button.textContent = 'Red'
    button.onclick = () => post({ id, result: { action: 'accept', content: { colour: 'red' } } })
    document.body.replaceChildren(params.message, button)`,
  reads: `addEventListener('message', ({ data }) => {
      if (data.id === 'read')
        post({ id, result: { action: 'accept', content: { colour: data.result.content[0].text } } })
    })
    post({ id: 'read', method: 'tools/call', params: { name: 'favourite' } })`,
  errs: `post({ id, result: { action: 'accept', content: { colour: 'plaid' } } })`,
  talks: `const content = { colour: 'red', more: 'x'.repeat(10000) }
    post({ id, result: { action: 'accept', content } })`,
  declines: `post({ id, result: { action: 'decline' } })`,
  fails: `post({ id, error: { code: -32603, message: 'broken' } })`,
  ignores: null,
}

/** The page of an app. It fills in nothing for a host that does not offer elicitations. */
const pageOf = (
  behaviour: string | null,
) => `<!doctype html><meta charset="utf-8"><title>App</title>
<body><script>
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  addEventListener('message', ({ data: { id, method, params, result } }) => {
    if (id === 'start' && result.hostCapabilities.elicitation)
      post({ method: 'ui/notifications/initialized' })
    if (method === 'elicitation/create') { ${behaviour ?? ''} }
  })
  const appCapabilities = ${behaviour === null ? '{}' : '{ elicitation: {} }'}
  const params = { appInfo: { name: 'Picker', version: '1' }, appCapabilities }
  post({ id: 'start', method: 'ui/initialize', params })
</script>`

const requestedSchema = {
  type: 'object' as const,
  properties: { colour: { type: 'string' as const, title: 'Colour', enum: ['red', 'green'] } },
  required: ['colour'],
}

/** Starts the server; without `declares` it names the apps and does not say that they elicit. */
export async function startAppElicitationServer(declares = true): Promise<Site> {
  const handler = createMcpHandler(() => {
    const capabilities = declares ? { extensions: { [APPS]: { elicitation: {} } } } : {}
    const server = new McpServer({ name: 'Painter', version: '1' }, { capabilities })
    for (const [name, behaviour] of Object.entries(BEHAVIOURS)) {
      const resourceUri = `ui://painter/${name}`
      const mimeType = 'text/html;profile=mcp-app'
      server.registerResource(name, resourceUri, { mimeType }, () => ({
        contents: [{ uri: resourceUri, mimeType, text: pageOf(behaviour) }],
      }))
      const form = { message: 'Which colour?', requestedSchema, _meta: { ui: { resourceUri } } }
      const annotations = { readOnlyHint: true }
      server.registerTool(name, { description: 'Asks', annotations }, ({ mcpReq }) => {
        const answer = inputResponse(mcpReq.inputResponses, 'colour')
        return answer.kind === 'missing'
          ? inputRequired({ inputRequests: { colour: inputRequired.elicit(form) } })
          : { content: [{ type: 'text' as const, text: JSON.stringify(answer) }] }
      })
    }
    const only = { description: 'Returns the favourite', annotations: { readOnlyHint: true } }
    server.registerTool('favourite', only, () => ({ content: [{ type: 'text', text: 'green' }] }))
    return server
  })
  return startSite((request, response) => void answerWith(handler, request, response))
}
