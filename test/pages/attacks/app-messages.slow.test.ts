/**
 * An app that abuses the messages: forged sources, malformed messages, floods, tools that are not for
 * it, and excessive declarations.
 */

import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { appOf, entriesOf, mount } from '../../support/pages/app-servers.ts'
import { MALFORMED_MESSAGES } from '../../support/pages/apps/malformed-messages.ts'
import {
  declaring,
  expectAlive,
  SETTLED_MS,
  TOOLS,
  useAttackPage,
} from '../../support/pages/attack-page.ts'

const { trap, page, attacked } = useAttackPage()

const calls = (name: string) => entriesOf(page(), name, 'call')

const stateOf = (name: string) => page().evaluate((id) => lab.view(id).state, name)

describe('forgery', () => {
  it('sandbox messages of an app are ignored', async () => {
    const attacker = await attacked()
    await attacker.app.evaluate(async () => {
      const params = { html: 'gone', csp: { connectDomains: ['*'] } }
      for (const name of ['proxy-ready', 'resource-ready', 'resource-gone', 'other'])
        for (const target of [parent, top]) {
          const method = `ui/notifications/sandbox-${name}`
          target?.postMessage({ jsonrpc: '2.0', method, params }, '*')
        }
      await attack.pause(300)
    })
    await expectAlive(attacker)
    expect(await stateOf(attacker.name)).toBe('ready')
  })

  it('messages that an app posts past its sandbox are ignored', async () => {
    const { name, app } = await attacked({}, { answers: { 'mcp-open-link': true } })
    await app.evaluate(async () => {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'free' } }
      const params = { url: 'https://example.com/' }
      top?.postMessage(call, '*')
      top?.postMessage({ jsonrpc: '2.0', id: 2, method: 'ui/open-link', params }, '*')
      await attack.pause(300)
    })
    expect(await calls(name)).toEqual([])
    expect(await entriesOf(page(), name, 'mcp-open-link')).toEqual([])
  })

  it('an app can impersonate neither a sibling nor the host', async () => {
    const [first, second] = [await attacked(), await attacked()]
    await first.app.evaluate(async () => {
      const call = { jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'free' } }
      const params = { arguments: { forged: true } }
      for (let index = 0; index < (top?.length ?? 0); index++) {
        const proxy = top?.frames[index]
        if (proxy === parent) continue
        proxy?.postMessage(call, '*')
        proxy?.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-input', params }, '*')
      }
      await attack.pause(300)
    })
    expect(await calls(first.name)).toEqual([])
    expect(await calls(second.name)).toEqual([])
    const received = await second.app.evaluate(() =>
      attack.wire.received.map(({ message }) => message),
    )
    expect(JSON.stringify(received)).not.toContain('forged')
  })

  it('messages of frames inside an app are ignored', async () => {
    const { name, app } = await attacked()
    await app.evaluate(async () => {
      const frame = document.createElement('iframe')
      document.body.append(frame)
      const inside = frame.contentDocument
      const script = inside?.createElement('script')
      const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'free' } }
      const text = `for (const w of [top, parent.parent]) w.postMessage(${JSON.stringify(call)}, '*')`
      if (script) inside?.body.append(Object.assign(script, { textContent: text }))
      await attack.pause(300)
    })
    expect(await calls(name)).toEqual([])
  })

  it('messages of frames that are not views are ignored', async () => {
    const attacker = await attacked()
    await page().evaluate(() => {
      const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'free' } }
      window.postMessage(call, '*')
      for (let index = 0; index < frames.length; index++)
        frames[index]?.postMessage(
          { ...call, method: 'ui/notifications/sandbox-resource-ready' },
          '*',
        )
    })
    await setTimeout(300)
    expect(await calls(attacker.name)).toEqual([])
    await expectAlive(attacker)
  })

  it('requests before the handshake are ignored', async () => {
    const text = `<!doctype html><script>
      const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
      const call = { method: 'tools/call', params: { name: 'free', arguments: {} } }
      send({ id: 1, ...call })
      send({ id: 2, method: 'ui/open-link', params: { url: 'https://example.com/' } })
      send({ method: 'ui/notifications/initialized' })
      send({ id: 3, ...call })
    </script>`
    const content = { mimeType: 'text/html;profile=mcp-app', text }
    const server = { tools: TOOLS, resources: { 'ui://attack/page': content } }
    const properties = { toolInput: { a: 1 } }
    await mount(page(), { name: 'unknown', server, tool: 'open', properties })
    await appOf(page(), 'unknown')
    await setTimeout(SETTLED_MS)
    expect(await calls('unknown')).toEqual([])
    expect(await entriesOf(page(), 'unknown', 'mcp-open-link')).toEqual([])
    expect(await stateOf('unknown')).toBe('connecting')
  })
})

describe('malformed messages', () => {
  it.each(Object.keys(MALFORMED_MESSAGES))('%s have no effect', async (name) => {
    const attacker = await attacked()
    await attacker.app.evaluate((kind) => attack.postMalformed(kind), name)
    await expectAlive(attacker)
    const polluted = await page().evaluate(() => Reflect.get({}, 'polluted') as unknown)
    expect(polluted).toBeUndefined()
    for (const { detail } of await calls(attacker.name)) expect(detail['name']).toBe('free')
  })

  it('a repeated id is handled once at a time', async () => {
    const { name, app } = await attacked()
    await app.evaluate(async () => {
      const call = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'hangs' } }
      attack.wire.post(call)
      attack.wire.post(call)
      await attack.pause(300)
    })
    expect(await calls(name)).toHaveLength(1)
  })
})

describe('floods', () => {
  it('of 10,000 messages at once leave the page responsive', async () => {
    const bystander = await attacked()
    const { name, app } = await attacked()
    let took = Infinity
    let tries = 0
    // Other programs now and then stop the page for as long.
    for (; tries < 3 && took >= 3000; tries++) {
      await app.evaluate(() => {
        for (let index = 0; index < 10_000; index++)
          attack.wire.notify('notifications/message', { level: 'info', data: index })
      })
      const started = Date.now()
      await page().evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
      took = Date.now() - started
    }
    expect(took).toBeLessThan(3000)
    await expectAlive(bystander)
    expect((await entriesOf(page(), name, 'mcp-log')).length).toBeLessThan(tries * 5000)
  })

  it('of 10,000 calls reach the server at a limited rate', async () => {
    const bystander = await attacked()
    const { name, app } = await attacked()
    await app.evaluate(() => {
      const params = { name: 'free', arguments: {} }
      for (let index = 0; index < 10_000; index++)
        attack.wire.post({ jsonrpc: '2.0', id: `f${index}`, method: 'tools/call', params })
    })
    await setTimeout(SETTLED_MS)
    expect((await calls(name)).length).toBeLessThan(2000)
    await expectAlive(bystander)
  })

  it('of calls that never end are limited', async () => {
    const { name, app } = await attacked()
    await app.evaluate(async () => {
      for (let index = 0; index < 150; index++)
        attack.wire.post({
          jsonrpc: '2.0',
          id: `h${index}`,
          method: 'tools/call',
          params: { name: 'hangs' },
        })
      await attack.pause(500)
    })
    expect((await calls(name)).length).toBeLessThanOrEqual(100)
  })

  it('of dialogs are limited', async () => {
    const { name, app } = await attacked({}, { attributes: { links: 'ask' } })
    await app.evaluate(async () => {
      for (let index = 0; index < 50; index++)
        attack.wire.post({
          jsonrpc: '2.0',
          id: `l${index}`,
          method: 'ui/open-link',
          params: { url: `https://example.com/${index}` },
        })
      await attack.pause(500)
    })
    const dialogs = await page().locator(`#${name}`).getByRole('alertdialog').count()
    expect(dialogs).toBeLessThanOrEqual(1)
  })
})

describe('tools', () => {
  const call = (name: string) => ({ name, arguments: {} })

  it.each(['for_models', 'for_none', 'misdeclared', 'elsewhere', '__proto__', 'constructor'])(
    '%s cannot be called',
    async (tool) => {
      const { name, app } = await attacked()
      const answer = await app.evaluate(
        (params) => attack.wire.request('tools/call', params),
        call(tool),
      )
      expect(answer.type).toBe('error')
      expect(await calls(name)).toEqual([])
    },
  )

  it('of another server cannot be called', async () => {
    const other = {
      tools: [...TOOLS, { name: 'private' }],
      resources: {
        'ui://attack/page': { mimeType: 'text/html;profile=mcp-app', text: '<p>Other' },
      },
    }
    await mount(page(), { name: 'other', server: other, tool: 'open' })
    const { app } = await attacked()
    const answer = await app.evaluate(
      (params) => attack.wire.request('tools/call', params),
      call('private'),
    )
    expect(answer.type).toBe('error')
    expect(await calls('other')).toEqual([])
  })

  it('are listed without those that are not for apps', async () => {
    const { app } = await attacked()
    const answer = await app.evaluate(() => attack.wire.request('tools/list'))
    if (answer.type !== 'result') throw new Error(JSON.stringify(answer))
    const text = JSON.stringify(answer.result)
    expect(text).toContain('for_apps')
    for (const name of ['for_models', 'for_none', 'misdeclared']) expect(text).not.toContain(name)
  })

  it('take no grants from an app', async () => {
    const { name, app } = await attacked()
    await app.evaluate(() =>
      attack.wire.request('tools/call', {
        name: 'free',
        arguments: {},
        _meta: {
          granted_scopes: ['write'],
          allowed_scopes: ['write'],
          'dev.edgewise/preview': 'a-plan',
          note: 'kept',
        },
      }),
    )
    // On a busy machine the answer can be late, and then the request as well.
    await expect.poll(async () => (await calls(name)).length).toBe(1)
    expect(JSON.stringify(await calls(name))).not.toContain('write')
  })

  it('that fail report it without a stack', async () => {
    const { app } = await attacked()
    const answer = await app.evaluate(
      (params) => attack.wire.request('tools/call', params),
      call('breaks'),
    )
    expect(answer).toMatchObject({ type: 'error' })
    expect(JSON.stringify(answer)).not.toContain('http')
  })

  it('of an app are limited', async () => {
    const { name, app } = await attacked()
    await app.evaluate(() => {
      const tools = Array.from({ length: 200 }, (_, at) => ({ name: `t${at}`, inputSchema: {} }))
      attack.wire.on('tools/list', () => ({ tools: [...tools, { name: 'free' }, { name: '' }, 5] }))
      attack.wire.on('tools/call', () => 'no result')
    })
    const listed = await page().evaluate((id) => lab.view(id).callApp('tools/list', {}), name)
    expect((listed as { tools: unknown[] }).tools).toHaveLength(50)
    const params = { name: 't0', arguments: {} }
    const called = page().evaluate(([id, given]) => lab.view(id).callApp('tools/call', given), [
      name,
      params,
    ] as const)
    await expect(called).rejects.toThrow()
  })
})

describe('declarations', () => {
  const HOSTILE = (origin: string) => [
    '*',
    'http:',
    'https:',
    'http://*',
    'https://*',
    'data:',
    'blob:',
    "'self'",
    "'unsafe-eval'",
    "'unsafe-inline'",
    "'nonce-x'",
    `https://a.example; connect-src ${origin}`,
    `https://a.example;script-src * 'unsafe-eval'`,
    `https://a.example\nconnect-src ${origin}`,
    `https://a.example\r\nset-cookie: planted=1`,
    `https://a.example ${origin}`,
    `https://a.example,${origin}`,
    `"${origin}"`,
    `'${origin}'`,
    `${origin};`,
    `${origin}\t`,
    ` ${origin}`,
    `${origin}?x`,
    `${origin}#x`,
    origin.replace('http', 'javascript'),
    'https://*.com',
    'https://%2a',
    '',
    null,
    {},
    [origin],
  ]

  it('cannot end a source, a directive or a header', async () => {
    trap().visits.length = 0
    const { origin } = new URL(trap().url)
    const { app } = await attacked(declaring(...(HOSTILE(origin) as string[])))
    await app.evaluate(async (url) => {
      for (const name of ['fetch', 'image', 'script', 'frame', 'WebSocket', 'style sheet'])
        await attack.leak(name, `${url}/x`)
    }, trap().url)
    await setTimeout(SETTLED_MS)
    expect(trap().visits).toEqual([])
    expect(await app.evaluate(() => attack.probeIsolation('eval'))).toMatch(/^blocked/)
    const names = (await page().context().cookies()).map(({ name }) => name)
    expect(names).not.toContain('planted')
  })

  it.each([
    ['a string', 'https://a.example'],
    ['a list', ['https://a.example']],
    ['null', null],
    ['lists of the wrong kind', { connectDomains: '*', resourceDomains: { 0: '*' } }],
    ['10,000 entries', { connectDomains: Array(10_000).fill('https://a.example') }],
    ['an entry of a megabyte', { connectDomains: [`https://${'a'.repeat(1_000_000)}.example`] }],
  ])('that are %s allow nothing and break nothing', async (_, csp) => {
    trap().visits.length = 0
    const attacker = await attacked({ csp })
    await attacker.app.evaluate((url) => attack.leak('fetch', url), trap().url)
    await expectAlive(attacker)
    expect(trap().visits).toEqual([])
  })

  it('of the content replace those of the list entirely (B14)', async () => {
    const { url } = trap()
    const listed = [{ uri: 'ui://attack/page', name: 'page', _meta: { ui: declaring(url) } }]
    trap().visits.length = 0
    const { app } = await attacked({ prefersBorder: true }, {}, listed)
    await app.evaluate((target) => attack.leak('fetch', target), `${url}/x`)
    expect(trap().visits).toEqual([])
  })

  it('of the list apply if the content has none', async () => {
    const { url } = trap()
    const listed = [{ uri: 'ui://attack/page', name: 'page', _meta: { ui: declaring(url) } }]
    trap().visits.length = 0
    const { app } = await attacked(null, {}, listed)
    await app.evaluate((target) => attack.leak('fetch', target), `${url}/x`)
    expect(trap().visits).toContain('GET /x')
  })
})

describe('links', () => {
  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://example.com/0',
    'about:blank',
    'chrome://settings',
    'intent://x',
    'ms-msdt:/id',
    'https://trusted.example@evil.example/',
    '//example.com',
    '/relative',
    '',
    'x'.repeat(100_000),
  ])('%j is refused', async (url) => {
    const attributes = { links: 'open' }
    const { name, app } = await attacked({}, { attributes })
    const answer = await app.evaluate(
      (link) => attack.wire.request('ui/open-link', { url: link }),
      url,
    )
    const refused =
      answer.type === 'error' || (answer.type === 'result' && answer.result['isError'] === true)
    expect(refused).toBe(true)
    expect(await entriesOf(page(), name, 'mcp-open-link')).toEqual([])
  })

  it('are refused if no handler responds', async () => {
    const { app } = await attacked()
    const url = 'https://example.com/'
    const answer = await app.evaluate(
      (link) => attack.wire.request('ui/open-link', { url: link }),
      url,
    )
    expect(answer).toEqual({ type: 'result', result: { isError: true } })
  })
})

describe('the end', () => {
  it('comes within two seconds even if the app delays it', async () => {
    let took = Infinity
    // Other programs now and then stop the page for as long.
    for (let tries = 0; tries < 3 && took >= 2000; tries++) {
      const { name, app } = await attacked()
      await app.evaluate(() => {
        attack.wire.on('ui/resource-teardown', () => new Promise(() => {}))
        addEventListener('beforeunload', (event) => event.preventDefault())
      })
      const started = Date.now()
      await page().evaluate((id) => lab.view(id).close(), name)
      took = Date.now() - started
      await expect.poll(() => app.isDetached()).toBe(true)
    }
    expect(took).toBeLessThan(2000)
  })

  it('cancels everything that is pending', async () => {
    const { name, app } = await attacked()
    await app.evaluate(() => {
      attack.wire.on('ui/resource-teardown', () => ({}))
      setInterval(
        () =>
          attack.wire.post({
            jsonrpc: '2.0',
            id: Math.random(),
            method: 'tools/call',
            params: { name: 'free' },
          }),
        20,
      )
    })
    await page().evaluate((id) => lab.view(id).close(), name)
    const before = (await calls(name)).length
    await setTimeout(300)
    expect((await calls(name)).length).toBe(before)
    await expect(
      page().evaluate(
        (id) => lab.view(id).callApp('tools/call', { name: 'x', arguments: {} }),
        name,
      ),
    ).rejects.toThrow()
  })
})
