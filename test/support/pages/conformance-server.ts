/**
 * An MCP server that shows the judging page, so that any host can be put before it:
 * `node test/support/pages/conformance-server.ts 8790`, then connect the host to `http://localhost:8790/mcp` and
 * call `run_conformance`. What the page found is printed.
 *
 * It speaks stateless HTTP, the least that every host understands, and has no state.
 *
 * @module
 */

import { text } from 'node:stream/consumers'
import { CONFORMANCE_TOOLS, conformancePage, startSite, startTrap } from './app-servers.ts'
import { fields } from './apps/conformance/outcome.ts'

const MIME = 'text/html;profile=mcp-app'
const RUNNER = 'ui://conformance/runner'

/** Answers requests by their method. `tell` receives the tables that the page sends. */
export async function startConformanceServer(tell: (table: unknown) => void, port = 0) {
  const [declared, undeclared] = [await startTrap(), await startTrap()]
  const page = await conformancePage({
    declares: true,
    declared: declared.url,
    undeclared: undeclared.url,
    displayModes: ['inline', 'fullscreen'],
    patienceMs: 5000,
    asks: true,
  })
  const origins = [declared.url]
  const csp = {
    connectDomains: origins,
    resourceDomains: origins,
    frameDomains: origins,
    baseUriDomains: origins,
  }
  const runner = { uri: RUNNER, mimeType: MIME, text: page, _meta: { ui: { csp } } }
  const note = { uri: 'ui://conformance/note', mimeType: 'text/plain', text: 'A note' }

  const answers: Readonly<Record<string, (params: object) => unknown>> = {
    initialize: (params) => ({
      protocolVersion: fields(params)['protocolVersion'],
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'conformance', version: '1.0.0' },
    }),
    ping: () => ({}),
    'tools/list': () => ({
      tools: CONFORMANCE_TOOLS.map(({ name, _meta }) => ({
        name,
        inputSchema: { type: 'object' },
        // They change nothing, so a host that asks before a change lets the page run by itself.
        annotations: { readOnlyHint: true },
        _meta,
      })),
    }),
    'tools/call': (params) => called(params, tell),
    'resources/list': () => ({ resources: [{ uri: RUNNER, name: 'runner', mimeType: MIME }] }),
    'resources/read': (params) => {
      const content = [runner, note].find(({ uri }) => uri === fields(params)['uri'])
      if (!content) throw new Error('There is no such resource')
      return { contents: [content] }
    },
  }

  const site = await startSite(async (request, response) => {
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'content-type': 'application/json',
    }
    if (request.method !== 'POST')
      return void response.writeHead(request.method === 'OPTIONS' ? 204 : 405, headers).end()
    const message = fields(JSON.parse(await text(request)))
    const answer = 'id' in message ? JSON.stringify(answerTo(message, answers)) : ''
    response.writeHead(answer === '' ? 202 : 200, headers).end(answer)
  }, port)
  const close = async () =>
    void (await Promise.all([site, declared, undeclared].map((s) => s.close())))
  return { url: `${site.url}/mcp`, close }
}

function answerTo(
  { id, method, params }: Readonly<Record<string, unknown>>,
  answers: Readonly<Record<string, (params: object) => unknown>>,
): object {
  const answer = answers[String(method)]
  const envelope = { jsonrpc: '2.0', id }
  if (!answer) return { ...envelope, error: { code: -32601, message: 'Method not found' } }
  try {
    return { ...envelope, result: answer(fields(params)) }
  } catch (error) {
    return { ...envelope, error: { code: -32002, message: String(error) } }
  }
}

function called(params: object, tell: (table: unknown) => void): object {
  const { name, arguments: given } = fields(params)
  if (name === 'conformance_report') tell(given)
  const content = [{ type: 'text', text: `${String(name)} was called` }]
  if (name === 'conformance_failing') return { content, isError: true }
  return { content, structuredContent: { name, arguments: given ?? {} } }
}

if (import.meta.main) {
  const print = (table: unknown) => console.log(JSON.stringify(table, null, 2))
  const { url } = await startConformanceServer(print, Number(process.argv[2] ?? 8790))
  console.log(`The judge sits at ${url}`)
}
