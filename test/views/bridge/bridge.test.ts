/** The bridge against the official host classes, message by message. */

import { describe, expect, it, vi } from 'vitest'
import type { Bridge, ConnectOptions } from '../../../views/bridge.ts'
import { expectWithin } from '../../support/core/expect-within.ts'
import {
  HOSTS,
  openGuest,
  until,
  type HostSetup,
  type OfficialHost,
} from '../../support/views/host-frame.ts'

const APP = { name: 'a view', version: '1.2.3' }

describe.each(HOSTS)('with the official host $version', ({ connect }) => {
  interface Both {
    readonly host: OfficialHost
    readonly bridge: Bridge
    readonly guest: Awaited<ReturnType<typeof openGuest>>
  }

  async function open(setup: HostSetup = {}, options: Partial<ConnectOptions> = {}): Promise<Both> {
    const guest = await openGuest()
    const host = await connect(guest.window, setup)
    const bridge = await guest.module.connectHost({ ...APP, ...options })
    return { host, bridge, guest }
  }

  it('completes the handshake with the info and capabilities of the host', async () => {
    const guest = await openGuest()
    const setup = {
      capabilities: { serverTools: {}, openLinks: {} },
      context: { theme: 'dark', locale: 'de-CH', 'x-own': 7 },
    } as const
    const host = await connect(guest.window, setup)
    const initialized = vi.fn()
    host.oninitialized = initialized
    const bridge = await guest.module.connectHost({ ...APP, displayModes: ['inline', 'pip'] })
    await until(() => initialized.mock.calls.length === 1)

    expect(bridge.host).toEqual({
      info: { name: 'test host', version: '3.2.1' },
      capabilities: { serverTools: {}, openLinks: {} },
    })
    expect(bridge.context).toEqual(setup.context)
    expect(host.getAppVersion()).toEqual(APP)
    expect(host.getAppCapabilities()).toEqual({ availableDisplayModes: ['inline', 'pip'] })
  })

  it('receives input, partial input, result and list changes', async () => {
    const { host, bridge } = await open({ capabilities: { serverTools: { listChanged: true } } })
    const heard: unknown[] = []
    bridge.on('partial', (value) => heard.push(['partial', value]))
    bridge.on('input', (value) => heard.push(['input', value]))
    bridge.on('result', (value) => heard.push(['result', value]))
    bridge.on('changed', (value) => heard.push(['changed', value]))
    await host.sendToolInputPartial({ arguments: { path: '/a' } })
    await host.sendToolInput({ arguments: { path: '/a.md' } })
    await host.sendToolResult({
      content: [{ type: 'text', text: 'done' }],
      structuredContent: { n: 1 },
      isError: true,
      _meta: { own: true },
    })
    await host.sendToolListChanged()
    await until(() => heard.length === 4)
    expect(heard).toEqual([
      ['partial', { arguments: { path: '/a' } }],
      ['input', { arguments: { path: '/a.md' } }],
      [
        'result',
        {
          content: [{ type: 'text', text: 'done' }],
          structuredContent: { n: 1 },
          isError: true,
          _meta: { own: true },
        },
      ],
      ['changed', { what: 'tools' }],
    ])
  })

  it('replays past events to a late listener once, and nothing after it unsubscribed', async () => {
    const { host, bridge } = await open()
    const early = vi.fn()
    const end = bridge.on('input', early)
    await host.sendToolInput({ arguments: { n: 1 } })
    await host.sendToolCancelled({ reason: 'enough' })
    await until(() => early.mock.calls.length === 1)
    end()

    const late = vi.fn()
    const left = vi.fn()
    const cancelled = vi.fn()
    bridge.on('input', late)
    bridge.on('cancelled', cancelled)
    bridge.on('input', left)()
    await until(() => cancelled.mock.calls.length === 1)
    expect(late.mock.calls).toEqual([[{ arguments: { n: 1 } }]])
    expect(cancelled).toHaveBeenCalledWith({ reason: 'enough' })
    expect(left).not.toHaveBeenCalled()
    expect(early).toHaveBeenCalledTimes(1)
  })

  it('merges a changed context and hands on the whole', async () => {
    const { host, bridge } = await open({ context: { theme: 'light', locale: 'en' } })
    const changed = vi.fn()
    bridge.on('context', changed)
    host.setHostContext({ theme: 'dark', locale: 'en', displayMode: 'fullscreen' })
    await until(() => changed.mock.calls.length > 0)
    const whole = { theme: 'dark', locale: 'en', displayMode: 'fullscreen' }
    expect(bridge.context).toEqual(whole)
    expect(changed).toHaveBeenLastCalledWith(whole)
  })

  it('calls a tool with its _meta and answers the result', async () => {
    const { host, bridge } = await open({ capabilities: { serverTools: {} } })
    const called = vi.fn()
    host.oncalltool = async (params) => {
      called(params)
      return { content: [{ type: 'text', text: 'hello' }], _meta: { 'x/y': [1] } }
    }
    const result = await bridge.callTool('greet', { to: 'you' }, { meta: { preview: true } })
    expect(called.mock.calls[0]?.[0]).toMatchObject({
      name: 'greet',
      arguments: { to: 'you' },
      _meta: { preview: true },
    })
    expect(result).toEqual({ content: [{ type: 'text', text: 'hello' }], _meta: { 'x/y': [1] } })
  })

  it('throws the error response of the host', async () => {
    const { host, bridge, guest } = await open({ capabilities: { serverTools: {} } })
    host.oncalltool = async () => {
      throw Object.assign(new Error('not today'), { code: -32050, data: { why: 'rain' } })
    }
    const error: unknown = await bridge.callTool('greet', {}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(guest.module.BridgeError)
    expect(error).toMatchObject({ code: -32050, data: { why: 'rain' } })
  })

  it('ends a call at its signal or time limit, and notifies the host', async () => {
    const { host, bridge } = await open({ capabilities: { serverTools: {} } })
    const aborted = vi.fn()
    host.oncalltool = (_params, extra) => {
      // Where the two versions keep the signal.
      const { signal, mcpReq } = extra as { signal?: AbortSignal; mcpReq?: { signal: AbortSignal } }
      const given = mcpReq?.signal ?? signal
      given?.addEventListener('abort', aborted)
      return new Promise(() => {})
    }
    const controller = new AbortController()
    const call = bridge.callTool('wait', {}, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('changed my mind')), 20)
    await expect(call).rejects.toThrow('changed my mind')
    await until(() => aborted.mock.calls.length === 1)

    const slow = bridge.callTool('wait', {}, { timeoutMs: 20 })
    await expect(slow).rejects.toMatchObject({ name: 'BridgeError', code: -32001 })
    await until(() => aborted.mock.calls.length === 2)

    const never = bridge.callTool('wait', {}, { signal: controller.signal })
    await expect(never).rejects.toThrow('changed my mind')
  })

  it('reads a resource', async () => {
    const { host, bridge } = await open({ capabilities: { serverResources: {} } })
    host.onreadresource = async ({ uri }) => ({ contents: [{ uri, mimeType: 'a/b', text: 'x' }] })
    expect(await bridge.readResource('ui://a/b')).toEqual({
      contents: [{ uri: 'ui://a/b', mimeType: 'a/b', text: 'x' }],
    })
  })

  it('requests links, messages and downloads, and reports that the host declined', async () => {
    const { host, bridge } = await open()
    const link = vi.fn().mockResolvedValueOnce({}).mockResolvedValueOnce({ isError: true })
    host.onopenlink = async ({ url }) => link(url)
    expect(await bridge.openLink('https://example.com')).toBe(true)
    expect(await bridge.openLink('javascript:alert(1)')).toBe(false)
    expect(link).toHaveBeenLastCalledWith('javascript:alert(1)')

    const onMessage = vi.fn().mockResolvedValueOnce({}).mockRejectedValueOnce(new Error('denied'))
    host.onmessage = async (params) => onMessage(params)
    expect(await bridge.sendMessage('hello')).toBe(true)
    expect(await bridge.sendMessage('hello')).toBe(false)
    expect(onMessage).toHaveBeenCalledWith({
      role: 'user',
      content: [{ type: 'text', text: 'hello' }],
    })

    const file = { type: 'resource', resource: { uri: 'file:///a.txt', text: 'a' } } as const
    const onDownload = vi.fn()
    // There is no handler yet, so the method is unknown.
    expect(await bridge.downloadFile([file])).toBe(false)
    host.ondownloadfile = async (params) => {
      onDownload(params)
      return {}
    }
    expect(await bridge.downloadFile([file])).toBe(true)
    expect(onDownload).toHaveBeenCalledWith({ contents: [file] })
  })

  it('updates the model context, logs and requests its teardown', async () => {
    const { host, bridge } = await open({ capabilities: { logging: {}, updateModelContext: {} } })
    const context = vi.fn()
    const logged = vi.fn()
    const going = vi.fn()
    host.onupdatemodelcontext = async (params) => {
      context(params)
      return {}
    }
    host.onloggingmessage = logged
    host.onrequestteardown = going
    expect(await bridge.updateModelContext({ structuredContent: { n: 2 } })).toBe(true)
    bridge.log('warning', { lines: 3 })
    bridge.requestTeardown()
    await until(() => going.mock.calls.length === 1)
    expect(context).toHaveBeenCalledWith({ structuredContent: { n: 2 } })
    expect(logged.mock.calls[0]?.[0]).toEqual({
      level: 'warning',
      logger: 'a view',
      data: { lines: 3 },
    })
  })

  it('requests a display mode only if offered, and returns the one in force (B5)', async () => {
    const context = {
      displayMode: 'inline',
      availableDisplayModes: ['inline', 'fullscreen'],
    } as const
    const { host, bridge } = await open(
      { context: { ...context, availableDisplayModes: [...context.availableDisplayModes] } },
      { displayModes: ['inline', 'fullscreen', 'pip'] },
    )
    const requested = vi.fn()
    host.onrequestdisplaymode = async ({ mode }) => {
      requested(mode)
      return { mode: 'inline' }
    }
    expect(await bridge.requestDisplayMode('fullscreen')).toBe('inline')
    expect(await bridge.requestDisplayMode('pip')).toBe('inline')
    expect(requested.mock.calls).toEqual([['fullscreen']])
  })

  it('reports its height, rounded up, only when it changes', async () => {
    const { host, bridge, guest } = await open()
    const sizes: unknown[] = []
    host.onsizechange = (size) => {
      sizes.push(size)
      guest.frame.style.height = `${size.height ?? 0}px`
    }
    guest.window.document.body.innerHTML = '<div id="box" style="height: 100.4px"></div>'
    guest.window.document.body.style.margin = '0'
    const end = bridge.reportSize()
    await until(() => sizes.length === 1)
    const box = guest.window.document.getElementById('box')
    if (!box) throw new Error('There is no box')
    box.style.height = '300px'
    await until(() => sizes.length === 2)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(sizes).toEqual([{ height: 101 }, { height: 300 }])

    end()
    box.style.height = '50px'
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(sizes).toHaveLength(2)
  })

  it('answers a teardown when its listeners are done, and not much later (B8)', async () => {
    const { host, bridge } = await open()
    let saved = false
    const end = bridge.on('teardown', async () => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      saved = true
    })
    expect(await host.teardownResource({})).toEqual({})
    expect(saved).toBe(true)

    end()
    bridge.on('teardown', () => new Promise(() => {}))
    await expectWithin(1_500, () => host.teardownResource({}))
  })

  it('reports a failed teardown', async () => {
    const { host, bridge } = await open()
    bridge.on('teardown', () => {
      throw new Error('unsaved')
    })
    await expect(host.teardownResource({})).rejects.toMatchObject({ code: -32000 })
  })

  it('rejects pending requests when it is closed', async () => {
    const { host, bridge } = await open({ capabilities: { serverTools: {} } })
    host.oncalltool = () => new Promise(() => {})
    const call = bridge.callTool('wait', {})
    bridge.close()
    await expect(call).rejects.toMatchObject({ name: 'BridgeError', code: -32000 })
  })
})
