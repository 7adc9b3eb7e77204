/** The bridge against raw messages, well-formed and malformed. */

import { afterEach, expect, it, vi } from 'vitest'
import { BridgeError, connectHost, type Bridge } from '../../../views/bridge.ts'
import {
  openFrame,
  openGuest,
  until,
  windowOf,
  type Guest,
} from '../../support/views/host-frame.ts'

const APP = { name: 'a view', version: '1.2.3' }

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: unknown
  readonly error?: unknown
}

let stop = () => {}
afterEach(() => stop())

/** Responds to each request as given, and records the messages of the bridge. */
function listen(guest: Guest, answers: Record<string, object> = {}): Message[] {
  const sent: Message[] = []
  const receive = ({ source, data }: MessageEvent<Message>) => {
    if (source !== guest.window) return
    sent.push(data)
    const answer = answers[data.method ?? '']
    if (answer) send(guest, { id: data.id, ...answer })
  }
  addEventListener('message', receive)
  stop = () => removeEventListener('message', receive)
  return sent
}

/** From this window, which is the parent of the frame. */
function send({ window }: Guest, message: object) {
  window.postMessage({ jsonrpc: '2.0', ...message }, '*')
}

const READY = {
  protocolVersion: '2099-01-01',
  hostInfo: { name: 'h', version: '1' },
  hostCapabilities: {},
  hostContext: {},
}

async function open(result: object = READY, answers: Record<string, object> = {}) {
  const guest = await openGuest()
  const sent = listen(guest, { ...answers, 'ui/initialize': { result } })
  const bridge: Bridge = await guest.module.connectHost(APP)
  return { guest, sent, bridge }
}

it('sends the handshake to the letter, whatever version is answered (B15)', async () => {
  const { sent } = await open()
  await until(() => sent.length === 2)
  expect(sent).toEqual([
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'ui/initialize',
      params: { protocolVersion: '2026-01-26', appInfo: APP, appCapabilities: {} },
    },
    { jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} },
  ])
})

it('answers a ping before the handshake, and unknown methods with -32601', async () => {
  const guest = await openGuest()
  const sent = listen(guest)
  const connecting = guest.module.connectHost({ ...APP, timeoutMs: 200 })
  send(guest, { id: 'p', method: 'ping' })
  send(guest, { id: 7, method: 'tools/list' })
  send(guest, { id: 8, method: 'tools/call', params: { name: 'x' } })
  await until(() => sent.length === 4)
  expect(sent.slice(1)).toMatchObject([
    { id: 'p', result: {} },
    { id: 7, error: { code: -32601 } },
    { id: 8, error: { code: -32601 } },
  ])
  // An initialize must not be cancelled, so nothing else is sent when the host stays silent.
  await expect(connecting).rejects.toMatchObject({ name: 'BridgeError', code: -32001 })
  expect(sent).toHaveLength(4)
})

it('fails without a host', async () => {
  // The parent page is the test runner's, which is not a host.
  expect(parent).not.toBe(window)
  await expect(connectHost({ ...APP, timeoutMs: 30 })).rejects.toBeInstanceOf(BridgeError)
})

it('ignores every window but its parent (B10)', async () => {
  const { guest, bridge } = await open()
  const heard = vi.fn()
  bridge.on('input', heard)
  const sibling = await openFrame(`<!doctype html><script>
    window.attack = (target, message) => target.postMessage(message, '*')
  </script>`)
  const message = {
    jsonrpc: '2.0',
    method: 'ui/notifications/tool-input',
    params: { arguments: { evil: true } },
  }
  const { attack } = windowOf(sibling) as Window & {
    attack?: (target: Window, message: object) => void
  }
  attack?.(guest.window, message)
  send(guest, { ...message, params: { arguments: { good: true } } })
  await until(() => heard.mock.calls.length > 0)
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(heard.mock.calls).toEqual([[{ arguments: { good: true } }]])
})

it('ignores data that is not a message', async () => {
  const { guest, bridge } = await open()
  const heard = vi.fn()
  bridge.on('result', heard)
  for (const data of [null, 7, 'x', [], {}, { jsonrpc: '1.0', method: 'ping', id: 1 }])
    guest.window.postMessage(data, '*')
  send(guest, { method: 'ui/notifications/sandbox-resource-ready', params: { html: '<p>' } })
  send(guest, { id: 999, result: {} })
  send(guest, { method: 'ui/notifications/tool-result', params: 'nothing' })
  await until(() => heard.mock.calls.length === 1)
  expect(heard).toHaveBeenCalledWith({ content: [] })
})

it('drops malformed parts of a result and of a context', async () => {
  const { guest, bridge } = await open({
    hostInfo: { name: 1 },
    hostCapabilities: { serverTools: true, logging: {} },
    hostContext: {
      theme: 'pink',
      displayMode: 3,
      containerDimensions: { width: 'wide' },
      toolInfo: { tool: {} },
      own: 1,
    },
  })
  expect(bridge.host).toEqual({ info: { name: '', version: '' }, capabilities: { logging: {} } })
  expect(bridge.context).toEqual({ own: 1 })
  const heard = vi.fn()
  bridge.on('result', heard)
  const content = [
    { type: 'text', text: 'a' },
    { type: 'text' },
    { type: 'image', data: 'x', mimeType: 'image/png' },
    { type: 'image', data: 'x' },
    { type: 'resource', resource: {} },
    { type: 'toString', text: 'x' },
    null,
  ]
  const params = { content, structuredContent: [], isError: 'yes', _meta: 3 }
  send(guest, { method: 'ui/notifications/tool-result', params })
  await until(() => heard.mock.calls.length === 1)
  expect(heard).toHaveBeenCalledWith({ content: [content[0], content[2]] })
})

it('rejects with an empty error, and with data that cannot be sent', async () => {
  const { bridge } = await open(READY, { 'tools/call': { error: {} } })
  await expect(bridge.callTool('x', {})).rejects.toMatchObject({
    name: 'BridgeError',
    code: -32000,
  })
  await expect(bridge.callTool('x', { f: () => 1 })).rejects.toThrow()
})

it('keeps listeners apart: one that throws stops no other', async () => {
  const { guest, bridge } = await open()
  const heard = vi.fn()
  const reported = new Promise<unknown>((resolve) => {
    guest.window.addEventListener('unhandledrejection', (event) => {
      event.preventDefault()
      resolve(event.reason)
    })
  })
  bridge.on('input', () => {
    throw new Error('a bug')
  })
  bridge.on('input', heard)
  send(guest, { method: 'ui/notifications/tool-input', params: { arguments: {} } })
  await until(() => heard.mock.calls.length === 1)
  expect(await reported).toMatchObject({ message: 'a bug' })
})

it('forgets partial input once the whole has come (B3)', async () => {
  const { guest, bridge } = await open()
  const input = vi.fn()
  bridge.on('input', input)
  send(guest, { method: 'ui/notifications/tool-input-partial', params: { arguments: { a: 1 } } })
  send(guest, { method: 'ui/notifications/tool-input', params: { arguments: { a: 12 } } })
  await until(() => input.mock.calls.length === 1)
  const late = vi.fn()
  bridge.on('partial', late)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(late).not.toHaveBeenCalled()
})
