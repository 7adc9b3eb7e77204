// A host as others build one: the official AppBridge round a frame of an opaque origin, with every
// request of the view carried to the product's /mcp. `globalThis.host` is for the tests.

import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

const options = JSON.parse(decodeURIComponent(location.hash.slice(1) || '{}'))
const calls = []
const requests = []
let id = 0

async function send(method, params) {
  const name = params.name ?? params.uri
  const answer = await fetch(options.mcp, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      // The header is for intermediaries; what does not fit into one is encoded as MCP says.
      'mcp-name': /^[\x20-\x7e]*$/.test(name)
        ? name
        : `=?base64?${btoa(unescape(encodeURIComponent(name)))}?=`,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: ++id,
      method,
      params: {
        ...params,
        _meta: {
          ...(options.dropsMeta ? {} : params._meta),
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
        },
      },
    }),
  })
  const { result, error } = await answer.json()
  if (error) throw Object.assign(new Error(error.message), { code: error.code, data: error.data })
  return result
}

const capabilities = options.capabilities ?? {
  serverTools: {},
  serverResources: {},
  downloadFile: {},
  updateModelContext: { text: {} },
}
const bridge = new AppBridge(null, { name: 'test-host', version: '1.0.0' }, capabilities, {
  hostContext: {
    theme: 'light',
    displayMode: 'inline',
    availableDisplayModes: ['inline', 'fullscreen'],
    ...options.context,
  },
})
bridge.oncalltool = async (params) => {
  calls.push(params)
  if (globalThis.host.gate) await globalThis.host.gate(params)
  return send('tools/call', params)
}
bridge.onreadresource = (params) => {
  calls.push(params)
  return send('resources/read', params)
}
bridge.ondownloadfile = async (params) => {
  requests.push(['download', params])
  return {}
}
bridge.onupdatemodelcontext = async (params) => {
  requests.push(['context', params])
  return {}
}
bridge.onrequestdisplaymode = async ({ mode }) => {
  bridge.setHostContext({
    ...options.context,
    displayMode: mode,
    availableDisplayModes: ['inline', 'fullscreen'],
  })
  frame.style.height = mode === 'fullscreen' ? '100vh' : '560px'
  return { mode }
}
bridge.onsizechange = ({ height }) => {
  if (height) frame.style.height = `${height}px`
}
bridge.oninitialized = async () => {
  if (!options.result) return
  await bridge.sendToolInput({ arguments: options.input ?? {} })
  await bridge.sendToolResult(options.result)
}

const frame = document.querySelector('iframe')
globalThis.host = { bridge, calls, requests, gate: null }
await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
frame.src = '/view'
