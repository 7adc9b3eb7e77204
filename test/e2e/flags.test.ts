/**
 * `npm start` with flags, and that nothing which is stored widens one. How they are read is in `test/flags.test.ts`, how
 * they restrict a workspace in `test/worker/access/levels.test.ts`.
 */

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { freePort } from '../../scripts/port.ts'
import { removeFolder, temporaryFolder } from '../support/e2e/folder.ts'
import { startProduct } from '../support/e2e/server.ts'
import type { Running } from '../support/e2e/running.ts'

const JSON_TYPE = { 'content-type': 'application/json', 'x-edgewise-console': '1' }

const store = (url: string, config: object) =>
  fetch(`${url}/config`, { method: 'PUT', headers: JSON_TYPE, body: JSON.stringify(config) })

const Outcome = z.object({
  result: z.looseObject({
    isError: z.boolean().optional(),
    content: z.tuple([z.looseObject({ text: z.string() })]).rest(z.unknown()),
  }),
})

/** Calls a tool as an agent, with what it says about the call, such as a policy. */
async function call(url: string, name: string, args: object, meta: object = {}, at = '/mcp') {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...meta,
  }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  }
  const params = { name, arguments: args, _meta }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const response = await fetch(url + at, { method: 'POST', headers, body })
  const text = await response.text()
  return text.startsWith('event:') || text.startsWith('data:')
    ? (/^data: (.+)$/m.exec(text)?.[1] ?? '')
    : text
}

const textOf = (body: string) => Outcome.parse(JSON.parse(body)).result.content[0].text

/** The same data with flags, and after them without. */
const data = temporaryFolder()
afterAll(() => removeFolder(data))

describe('flags of the program, of which each', () => {
  let running: Running
  let port = 0
  let sandboxPort = 0
  const opened = join(data, 'opened')

  beforeAll(async () => {
    port = await freePort()
    sandboxPort = await freePort()
    const flags = [
      '--read-only',
      '--port',
      port,
      '--data',
      data,
      '--sandbox-port',
      sandboxPort,
      '--open',
    ]
    running = await startProduct('/none/data', { BROWSER: browser() }, [], flags.map(String))
  })
  afterAll(async () => expect(await running.stop()).toBe(0))

  /** A program in the place of a browser, which writes down what it opens. */
  function browser(): string {
    const file = join(data, 'browser')
    writeFileSync(
      file,
      `#!/bin/sh\nprintf %s "$1" > '${opened}.new' && mv '${opened}.new' '${opened}'\n`,
    )
    chmodSync(file, 0o755)
    return file
  }

  const url = () => `http://localhost:${port}`

  it('--port and --data override PORT and EDGEWISE_DATA', async () => {
    expect(running.stdout()).toContain(`http://localhost:${port}\n`)
    expect(running.stdout()).toContain(`Data      ${data}\n`)
    expect((await fetch(`${url()}/healthz`)).status).toBe(200)
  })

  it('--open runs the browser with the address of the console', async () => {
    await expect.poll(() => existsSync(opened)).toBe(true)
    expect(readFileSync(opened, 'utf8')).toBe(url())
  })

  it('--sandbox-port serves the sandbox page on a port of its own, which the console names', async () => {
    expect(await (await fetch(url())).text()).toContain(`content="http://127.0.0.1:${sandboxPort}"`)
    expect((await fetch(`http://127.0.0.1:${sandboxPort}/sandbox`)).status).toBe(200)
  })

  it('--read-only is not lifted by what is stored, sent, allowed, imported or undone', async () => {
    expect(running.stdout()).toContain('Flags     --read-only')
    expect((await store(url(), { read_only: false, approval: 'none', find_limit: 7 })).status).toBe(
      200,
    )
    const write = { path: '/a.txt', content: 'x' }
    const configuration = { experimental: { configuration: { read_only: false } } }
    const link = await makeLink(url())
    for (const body of [
      await call(url(), 'write_file', write),
      await call(url(), 'write_file', write, { policy: { read_only: false } }),
      await call(url(), 'write_file', write, {
        'io.modelcontextprotocol/clientCapabilities': configuration,
      }),
      await call(url(), 'write_file', write, {}, link),
      await call(url(), 'undo_change', { version: 1 }),
    ])
      expect(body).toMatch(/isError":true|"error":/)
    expect((await fetch(`${url()}/files/a.txt`)).status).toBe(404)
    // Rules and flags restrict agents, and not the owner.
    const body = 'by hand'
    expect((await fetch(`${url()}/files/b.txt`, { method: 'PUT', body })).status).toBeLessThan(300)
    expect(textOf(await call(url(), 'read_file', { path: '/b.txt' }))).toContain('by hand')
  })
})

describe('the next start without them', () => {
  let running: Running
  beforeAll(async () => {
    running = await startProduct(data, { BROWSER: '/none/browser' }, [], ['--open'])
  })
  afterAll(async () => expect(await running.stop()).toBe(0))

  it('has what was stored again', async () => {
    const { url } = running
    const config: unknown = await (await fetch(`${url}/config`)).json()
    expect(config).toMatchObject({ find_limit: 7, read_only: false })
    const written = await call(url, 'write_file', { path: '/a.txt', content: 'x' })
    expect(written).not.toContain('isError":true')
  })

  it('--open without a browser says so, and the server goes on', async () => {
    await expect
      .poll(() => running.complaints())
      .toContain('Cannot open the browser: /none/browser ')
    expect((await fetch(`${running.url}/healthz`)).status).toBe(200)
  })
})

async function makeLink(url: string): Promise<string> {
  const body = JSON.stringify({ label: 'l', scopes: ['read', 'write'] })
  const made = await fetch(`${url}/sessions`, { method: 'POST', headers: JSON_TYPE, body })
  const link = z.object({ url: z.string() }).parse(await made.json())
  return new URL(link.url).pathname
}
