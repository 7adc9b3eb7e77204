/**
 * The product with clients that others wrote: the SDK's two generations, and the Inspector.
 *
 * @module
 */

import { rmSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inspect } from '../support/slow/inspector.ts'
import { openV1, openV2, type Peer, type Self } from '../support/slow/sdk-clients.ts'
import { startProduct, temporary, type Started } from '../support/slow/servers.ts'

const LEGACY = '2025-11-25'
const MODERN = '2026-07-28'

let product: Started
let writer: Peer

beforeAll(async () => {
  product = await startProduct()
  writer = await openV2(product.url, { pin: MODERN })
})
afterAll(async () => {
  await writer.close()
  await product.stop()
})

/** As much as a client may say of itself. */
const TALKATIVE: Self = {
  info: {
    name: 'interop',
    title: 'Interop',
    version: '1',
    description: 'A client',
    websiteUrl: 'https://example.com',
    icons: [{ src: 'https://example.com/icon.png', sizes: ['48x48'] }],
  },
  capabilities: { roots: { listChanged: true }, sampling: { tools: {} }, experimental: { x: {} } },
}

const PEERS: [string, string, (url: string) => Promise<Peer>][] = [
  ['SDK 1', LEGACY, openV1],
  ['SDK 2, legacy', LEGACY, (url) => openV2(url, 'legacy')],
  ['SDK 2, auto', MODERN, (url) => openV2(url, 'auto')],
  ['SDK 2, pinned', MODERN, (url) => openV2(url, { pin: MODERN })],
  ['SDK 2, saying more', MODERN, (url) => openV2(url, 'auto', TALKATIVE)],
]

/** Milliseconds to wait for a notification that should not come. */
const SETTLED_MS = 300

describe.each(PEERS)('%s', (name, version, open) => {
  const path = `/${name}.txt`
  const uri = `file://${encodeURI(path).replaceAll(',', '%2C')}`
  let peer: Peer

  beforeAll(async () => {
    peer = await open(product.url)
  })
  afterAll(() => peer.close())

  it(`agrees on ${version}, with a session only where there are sessions`, () => {
    expect(peer.version).toBe(version)
    expect(peer.session !== undefined).toBe(version === LEGACY)
  })

  it('lists, writes and reads', async () => {
    expect(await peer.tools()).toEqual(expect.arrayContaining(['read_file', 'write_file']))
    expect(await peer.call('write_file', { path, content: 'one' })).toMatchObject({})
    expect(await peer.call('read_file', { path })).toMatchObject({ content: '1: one' })
    expect(await peer.resources()).toContain(uri)
  })

  it('receives each update of another client once, and none after unsubscribing', async () => {
    await peer.watch(uri)
    await writer.call('write_file', { path, content: 'two' })
    await expect.poll(() => peer.heard).toEqual([uri])

    await peer.unwatch(uri)
    await writer.call('write_file', { path, content: 'three' })
    await setTimeout(SETTLED_MS)
    expect(peer.heard).toEqual([uri])
  })
})

describe.each(PEERS.filter(([, version]) => version === LEGACY))('%s', (_name, _version, open) => {
  it('receives an update that it missed while its stream was lost', async () => {
    const peer = await open(product.url)
    await peer.watch('file:///lost.txt')
    peer.lose()
    await writer.call('write_file', { path: '/lost.txt', content: 'one' })
    await expect.poll(() => peer.heard).toContain('file:///lost.txt')
    await peer.close()
  })

  it('ends its session permanently', async () => {
    const peer = await open(product.url)
    await peer.terminate()
    await peer.close()
    const { status } = await ping(product.url, peer.session ?? '')
    expect(status).toBe(404)
  })
})

function ping(url: string, session: string): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': session,
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  return fetch(url, { method: 'POST', headers, body })
}

describe.each(['modern', 'legacy'] as const)('Inspector, %s', (era) => {
  const home = temporary()
  afterAll(() => rmSync(home, { recursive: true }))

  const path = `/inspector-${era}.txt`
  const uri = `file://${path}`
  const file = JSON.stringify({ path, content: 'one' })

  it.each([
    ['tools/list', ['--strict'], 'write_file'],
    ['tools/call', ['--tool-name', 'write_file', '--tool-args-json', file], 'Created'],
    ['tools/call', ['--tool-name', 'read_file', '--tool-arg', `path=${path}`], '1: one'],
    ['resources/list', [], uri],
    ['resources/templates/list', [], 'file:///{+path}'],
    ['resources/read', ['--uri', uri], 'one'],
  ])('%s %j', async (method, args, expected) => {
    const { exitCode, stdout, stderr } = await inspect(product.url, { era, method, args, home })
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
    expect(JSON.stringify(JSON.parse(stdout))).toContain(expected)
  })
})
