/** The host's connection in a real page, against the product and the official example server. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Request } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../scripts/port.ts'
import { NODE, ROOT } from '../../support/e2e/run.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { bundleScript, visit } from '../../support/pages/host-modules.ts'

// The page also connects through a relay, which is another port.
const server = useServer((url) => ({ EDGEWISE_ORIGINS: url }))
const browser = useBrowser()
let script = ''
let page: Page

beforeAll(async () => {
  script = await bundleScript('test/support/host/connection-driver.ts')
  // The page's policy forbids inline scripts, which the driver is.
  page = await browser.open(server.url, { bypassCSP: true })
  await page.addScriptTag({ content: script })
})

const go = (name: string, argument?: unknown) => visit(page, name, argument)
const mcp = () => `${server.url}/mcp`

describe.each(['modern', 'legacy'] as const)('the product, %s era', (era) => {
  it('reads the server information', async () => {
    expect(await go('about', { url: mcp(), era })).toMatchObject({
      era,
      hasSession: era === 'legacy',
      server: { name: 'edgewise', title: 'Edgewise' },
      supportsPolicy: true,
      configTitle: 'Edgewise configuration',
      tools: expect.arrayContaining([
        {
          name: 'edit_file',
          hint: 'review',
          preview: true,
          scopes: ['read:file', 'write:file'],
          group: 'filesystem',
          intentTemplate: 'Edit {path}',
          kept: 'Edit {path}',
        },
        expect.objectContaining({ name: 'read_file', hint: 'none', preview: false }),
        expect.objectContaining({ name: 'delete_file', hint: 'confirm' }),
      ]),
    })
  })

  it('previews, and applies the previewed change', async () => {
    const args = { path: `docs/${era}.txt`, content: 'one\n' }
    const preview = await go('call', { name: 'write_file', args, meta: { preview: true } })
    expect(preview).toMatchObject({ isError: false, meta: { preview: true } })
    expect(preview).toMatchObject({ change: { applied: false, paths: [`/docs/${era}.txt`] } })
    const applied = await go('call', { name: 'write_file', args })
    expect(applied).toMatchObject({ change: { applied: true } })
    expect(await go('read', `file:///docs/${era}.txt`)).toMatchObject([{ text: 'one\n' }])
    const { uris } = Object(await go('lists'))
    expect(uris).toContain(`file:///docs/${era}.txt`)
  })

  it('receives an update of a resource', async () => {
    const uri = `file:///docs/${era}.txt`
    const args = { path: `docs/${era}.txt`, content: 'two\n' }
    expect(await go('watch', { uri, tool: 'write_file', args })).toContain(uri)
  })

  it('reports a refused policy', async () => {
    const meta = { policy: { nonsense: 1 } }
    expect(await go('refused', { name: 'list_roots', args: {}, meta })).toMatchObject({
      kind: 'protocol',
      code: -32602,
      message: expect.stringContaining('unknown policy key: nonsense'),
    })
  })

  it('sends a configuration, and reports its refusal', async () => {
    const configuration = { roots: [{ path: '/docs' }] }
    await go('about', { url: mcp(), era, configuration })
    expect(await go('call', { name: 'list_roots', args: {} })).toMatchObject({
      structuredContent: { roots: [expect.objectContaining({ path: '/docs' })] },
    })
    const wrong = { url: mcp(), era, configuration: { roots: 1 } }
    expect(await go('problem', wrong)).toMatchObject({
      kind: 'configuration',
      message: expect.stringContaining('roots must be an array'),
    })
  })

  it('asks, previews and applies; asks for scopes and replays', async () => {
    await go('about', { url: mcp(), era, configuration: { roots: [{ path: '/docs' }] } })
    const edit = { path: `${era}.txt`, edits: [{ find: 'two', replace: 'three' }] }
    expect(await go('consent', { name: 'edit_file', args: edit, answers: [true] })).toMatchObject({
      status: 'done',
      asked: [
        {
          intent: `Edit ${era}.txt`,
          level: 'review',
          bound: true,
          diff: expect.stringMatching(/^ui:\/\/edit_file\/.*\.diff$/),
          stale: false,
        },
      ],
    })
    expect(await go('consent', { name: 'edit_file', args: edit, answers: [false] })).toMatchObject({
      asked: [],
    })
    const outside = { path: `/else/${era}.txt`, content: 'x' }
    const answers = [['write:file:/else'], true]
    expect(await go('consent', { name: 'write_file', args: outside, answers })).toMatchObject({
      status: 'done',
      asked: [
        {
          scopes: ['write:file:/else'],
          options: ['write', 'write:file', 'write:file:/else'],
        },
        { level: 'review', bound: true },
      ],
    })
    expect(
      await go('consent', { name: 'write_file', args: outside, answers: [null] }),
    ).toMatchObject({
      status: 'denied',
    })
  })

  it('closes, and emits the event', async () => {
    expect(await go('close')).toEqual({ names: ['closed'], after: 'closed' })
  })
})

it('prefers the modern era', async () => {
  expect(await go('about', { url: mcp() })).toMatchObject({ era: 'modern' })
})

it('sends the console header to its own server only', async () => {
  const heard: [string, string | undefined][] = []
  const hear = (request: Request) => {
    if (request.method() === 'POST')
      heard.push([new URL(request.url()).hostname, request.headers()['x-edgewise-console']])
  }
  page.on('request', hear)
  await go('about', { url: mcp() })
  await go('problem', { url: 'http://127.0.0.1:9/mcp' })
  page.off('request', hear)
  expect(heard).toContainEqual(['localhost', '1'])
  expect(heard).toContainEqual(['127.0.0.1', undefined])
})

it('passes every message to the log', async () => {
  const log = await go('log', { url: mcp(), era: 'legacy' })
  expect(log).toEqual(
    expect.arrayContaining([
      { direction: 'sent', kind: 'request', method: 'initialize', timed: true },
      { direction: 'received', kind: 'response', method: 'initialize', timed: true },
      {
        direction: 'sent',
        kind: 'notification',
        method: 'notifications/initialized',
        timed: false,
      },
      { direction: 'sent', kind: 'request', method: 'tools/call', timed: true },
    ]),
  )
})

it.each(['modern', 'legacy'])(
  'reconnects after the server was unreachable, %s era',
  async (era) => {
    const port = Number(new URL(server.url).port)
    const relay = await startRelay(port)
    await go('about', { url: `http://localhost:${relay.port}/mcp`, era })
    const back = go('comeBack')
    // The stream is opened in parallel, and may not be acknowledged yet when it breaks.
    await expect.poll(relay.hasStream).toBe(true)
    await relay.pause()
    // Without a request in between: the connection notices by itself.
    await go('untilBroken')
    await relay.resume()
    expect(await back).toEqual(expect.arrayContaining(['reconnecting', 'open']))
    expect(await go('call', { name: 'list_roots', args: {} })).toMatchObject({ isError: false })
    await go('close')
    await relay.stop()
  },
)

describe('problems', () => {
  it.each([
    ['no server', 'http://127.0.0.1:9/mcp', 'unreachable'],
    ['an invalid address', 'not a url at all', 'bad-url'],
    ['no MCP', '/healthz', 'not-mcp'],
    ['no link', `/s/default-${'a'.repeat(43)}/mcp`, 'unauthorized'],
  ])('%s', async (_name, address, kind) => {
    const url = address.startsWith('/') ? server.url + address : address
    expect(await go('problem', { url })).toMatchObject({
      kind,
      message: expect.stringMatching(/\.$/),
      advice: expect.stringMatching(/\.$/),
    })
  })

  it('a server that does not allow this page', async () => {
    const closed = createServer((_request, response) => response.end('{}'))
    closed.listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/mcp`
    expect(await go('problem', { url })).toMatchObject({ kind: 'cors' })
    closed.close()
    closed.closeAllConnections()
  })
})

it('uses the HTTP API of the workspace', async () => {
  await fetch(`${server.url}/files/exported.txt`, { method: 'PUT', body: 'text' })
  const seen = await go('workspace')
  expect(seen).toMatchObject({
    before: { ok: true, value: { files: expect.any(Number), version: expect.any(Number) } },
    config: { ok: true, value: { approval: 'notify' } },
    refused: {
      ok: false,
      error: { code: 'INVALID_CONFIG', status: 400, fields: expect.any(Array) },
    },
    link: { label: 'for a test', kind: 'link', scopes: ['read:file:/docs'] },
    sessions: { ok: true },
    revoked: { ok: true, value: null },
    again: { ok: false, error: { code: 'NOT_FOUND', status: 404 } },
    imported: { ok: true, value: { error: null, skipped: 0 } },
    broken: { ok: true, value: { files: 0, error: expect.any(String) } },
  })
  const { sent, imported } = Object(seen)
  expect(imported.value.files).toBeGreaterThan(0)
  expect(sent.length).toBeGreaterThan(0)
})

describe('the official example server', () => {
  const everything = useEverything()

  it('lists its tools, resources and prompts', async () => {
    const about = await go('about', { url: everything.url() })
    expect(about).toMatchObject({ era: 'legacy', hasSession: true, supportsPolicy: false })
    const { tools } = Object(about)
    expect(tools.map(({ name }: { name: string }) => name)).toContain('echo')
    expect(await go('call', { name: 'echo', args: { message: 'hello' } })).toMatchObject({
      content: [{ type: 'text', text: 'Echo: hello' }],
    })
    const { uris } = Object(await go('lists'))
    expect(uris.length).toBeGreaterThan(0)
    expect(Object(await go('read', uris[0]))[0]).toMatchObject({ uri: uris[0] })
    expect(Object(await go('promptNames')).length).toBeGreaterThan(0)
  })

  it('reports progress, and can be cancelled', async () => {
    const name = 'trigger-long-running-operation'
    const args = { duration: 1, steps: 4 }
    expect(await go('progress', { name, args })).toEqual([1, 2, 3, 4])
    expect(await go('cancelled', { name, args: { duration: 20, steps: 2 } })).toBe('aborted')
    expect(await go('late', { name, args: { duration: 20, steps: 2 }, timeoutMs: 300 })).toBe(
      'timeout',
    )
  })

  it('asks the user', async () => {
    const name = 'trigger-elicitation-request'
    const seen = await go('elicited', { options: { url: everything.url() }, name })
    expect(seen).toMatchObject({ asked: [{ mode: 'form' }] })
    expect(JSON.stringify(Object(seen).text)).toContain('Ada')
  })

  it('runs a tool as a task, which asks the user', async () => {
    const seen = await go('elicited', {
      options: { url: everything.url() },
      name: 'simulate-research-query',
      args: { topic: 'python', ambiguous: true },
      content: { interpretation: 'snake' },
    })
    expect(seen).toMatchObject({ asked: [{ mode: 'form', fields: ['interpretation'] }] })
    expect(JSON.stringify(seen)).toContain('Research Report: python (snake)')
  })

  it('loses the session and gets a new one', async () => {
    await go('about', { url: everything.url() })
    await everything.restart()
    expect(await go('call', { name: 'echo', args: { message: 'again' } })).toMatchObject({
      content: [{ text: 'Echo: again' }],
    })
  })
})

function useEverything() {
  let running: { port: number; stop: () => Promise<void> } | undefined
  beforeAll(async () => void (running = await startEverything(0)))
  afterAll(async () => running?.stop())
  const current = () => {
    if (!running) throw new Error('It runs in tests only')
    return running
  }
  return {
    url: () => `http://127.0.0.1:${current().port}/mcp`,
    async restart() {
      const { port, stop } = current()
      await stop()
      running = await startEverything(port)
    },
  }
}

async function startEverything(wanted: number) {
  const port = wanted || (await freePort())
  const program = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'
  const env = { ...process.env, PORT: String(port) }
  const child = spawn(NODE, [program, 'streamableHttp'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let output = ''
  const look = (chunk: Buffer) => {
    output += chunk.toString()
    if (output.includes('listening on port')) resolve()
  }
  child.stdout.on('data', look)
  child.stderr.on('data', look)
  child.once('exit', () => reject(new Error(`It did not start:\n${output}`)))
  await promise
  const stop = async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return { port, stop }
}

/** A port in front of the server that can go away and come back. */
async function startRelay(target: number) {
  const { connect, createServer: createTcp } = await import('node:net')
  const sockets = new Set<{ destroy(): void }>()
  let hasStream = false
  const make = () =>
    createTcp((near) => {
      const far = connect(target, '127.0.0.1')
      sockets.add(near).add(far)
      near.on('error', () => far.destroy()).on('close', () => far.destroy())
      far.on('error', () => near.destroy()).on('close', () => near.destroy())
      let isAsked = false
      near.on('data', (sent) => (isAsked ||= /^GET \/mcp|subscriptions\/listen/.test(String(sent))))
      far.on('data', () => (hasStream ||= isAsked))
      near.pipe(far).pipe(near)
    })
  let relay = make().listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const { port } = relay.address() as AddressInfo
  async function pause() {
    relay.close()
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  async function resume() {
    relay = make().listen(port, '127.0.0.1')
    await once(relay, 'listening')
  }
  return { port, pause, resume, stop: pause, hasStream: () => hasStream }
}
