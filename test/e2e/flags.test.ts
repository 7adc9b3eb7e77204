/**
 * `npm start` with flags and with variables of fields: what holds, in which order, and that nothing which is stored
 * widens a flag.
 */

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { CONFIG_SCHEMA } from '#core/config/schema.ts'
import { freePort } from '../../scripts/port.ts'
import { scratch } from '../support/e2e/folder.ts'
import { run, runWith } from '../support/e2e/run.ts'
import { startProduct } from '../support/e2e/server.ts'
import type { Given, Running } from '../support/e2e/running.ts'

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

/** Starts the product with flags, and ends it after the work. */
async function started<T>(
  flags: readonly string[],
  work: (running: Running) => Promise<T>,
  { data = scratch(), variables = {} }: { readonly data?: string; readonly variables?: Given } = {},
): Promise<T> {
  const running = await startProduct(data, variables, [], flags)
  try {
    return await work(running)
  } finally {
    expect(await running.stop()).toBe(0)
  }
}

describe('--read-only', () => {
  it('is not lifted by what is stored, sent, allowed, imported or undone', () =>
    started(['--read-only'], async (running) => {
      const { url } = running
      expect(running.stdout()).toContain('Flags     --read-only')
      const wider = await store(url, { read_only: false, approval: 'none' })
      expect(wider.status).toBe(200)
      const write = { path: '/a.txt', content: 'x' }
      const configuration = { experimental: { configuration: { read_only: false } } }
      const link = await makeLink(url)
      for (const body of [
        await call(url, 'write_file', write),
        await call(url, 'write_file', write, { policy: { read_only: false } }),
        await call(url, 'write_file', write, {
          'io.modelcontextprotocol/clientCapabilities': configuration,
        }),
        await call(url, 'write_file', write, {}, link),
        await call(url, 'undo_change', { version: 1 }),
      ])
        expect(body).toMatch(/isError":true|"error":/)
      expect((await fetch(`${url}/files/a.txt`)).status).toBe(404)
      // Rules and flags restrict agents, and not the owner.
      const body = 'by hand'
      expect((await fetch(`${url}/files/b.txt`, { method: 'PUT', body })).status).toBeLessThan(300)
      expect(textOf(await call(url, 'read_file', { path: '/b.txt' }))).toContain('by hand')
    }))

  it('ends with the start that had it: what was stored holds again', async () => {
    const data = scratch()
    await started(['--read-only'], ({ url }) => store(url, { find_limit: 7 }), { data })
    await started(
      [],
      async ({ url }) => {
        const config: unknown = await (await fetch(`${url}/config`)).json()
        expect(config).toMatchObject({ find_limit: 7, read_only: false })
        expect(await call(url, 'write_file', { path: '/a.txt', content: 'x' })).not.toContain(
          'isError":true',
        )
      },
      { data },
    )
  })
})

async function makeLink(url: string): Promise<string> {
  const body = JSON.stringify({ label: 'l', scopes: ['read', 'write'] })
  const made = await fetch(`${url}/sessions`, { method: 'POST', headers: JSON_TYPE, body })
  const link = z.object({ url: z.string() }).parse(await made.json())
  return new URL(link.url).pathname
}

it('--root and --deny hold beside stored rules, and a request for more is not granted', () =>
  started(['--root', '/notes', '--deny', 'private/**'], async ({ url }) => {
    for (const path of ['notes/a.txt', 'notes/private/b.txt', 'other/c.txt'])
      await fetch(`${url}/files/${path}`, { method: 'PUT', body: `text of ${path}` })
    await store(url, { roots: [{ path: '/' }, { path: '/other' }], allow_escape: true })
    const found = await call(url, 'find_files', { pattern: '**' })
    expect(found).toContain('a.txt')
    expect(found).not.toMatch(/b\.txt|c\.txt/)
    expect(textOf(await call(url, 'read_file', { path: 'a.txt' }))).toContain('notes/a.txt')
    for (const path of ['/other/c.txt', '/notes/private/b.txt'])
      expect(await call(url, 'read_file', { path })).toContain('isError":true')
    expect(await call(url, 'search_files', { query: 'text' })).not.toMatch(/b\.txt|c\.txt/)
    const waiting = z.object({ requests: z.array(z.unknown()) })
    const listed: unknown = await (await fetch(`${url}/requests`)).json()
    expect(waiting.parse(listed).requests).toEqual([])
  }))

/** How many of 9 files `find_files` lists, after each of the five levels. */
it('defaults, EDGEWISE_CONFIG, EDGEWISE_{FIELD} and the console override in this order, and flags restrict', async () => {
  const data = scratch()
  await started(
    [],
    async ({ url }) => {
      for (let file = 0; file < 9; file++)
        await fetch(`${url}/files/${file}.txt`, { method: 'PUT', body: 'x' })
      expect(await countFound(url)).toBe(9)
    },
    { data },
  )
  const config = { EDGEWISE_CONFIG: '{"find_limit":3}' }
  const field = { ...config, EDGEWISE_FIND_LIMIT: '4' }
  const found = (variables: Given, flags: string[] = []) =>
    started(flags, ({ url }) => countFound(url), { data, variables })
  expect(await found(config)).toBe(3)
  expect(await found(field)).toBe(4)
  expect(await found(field, ['--find-limit', '2'])).toBe(2)
  expect(await found(field, ['--find-limit', '8'])).toBe(4)
  await started([], ({ url }) => store(url, { find_limit: 6 }), { data, variables: field })
  expect(await found(field)).toBe(6)
  expect(await found(field, ['--find-limit', '5'])).toBe(5)
  await started(
    ['--find-limit', '2'],
    async ({ url }) => {
      await store(url, { find_limit: 0 })
      expect(await countFound(url)).toBe(2)
      expect(await (await fetch(`${url}/config/flags`)).json()).toEqual({ find_limit: 2 })
    },
    { data, variables: field },
  )
})

const Found = z.object({
  result: z.looseObject({ structuredContent: z.looseObject({ matches: z.array(z.unknown()) }) }),
})

async function countFound(url: string): Promise<number> {
  const body = await call(url, 'find_files', { pattern: '*.txt' })
  return Found.parse(JSON.parse(body)).result.structuredContent.matches.length
}

it('--port and --data override PORT and EDGEWISE_DATA', () =>
  freePort().then((port) => {
    const data = scratch()
    return started(
      ['--port', `${port}`, '--data', data],
      async (running) => {
        expect(running.stdout()).toContain(`http://localhost:${port}\n`)
        expect(running.stdout()).toContain(`Data      ${data}\n`)
        expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200)
      },
      {},
    )
  }))

it('--sandbox-port serves the sandbox page on a port of its own, which the console names', async () => {
  const port = await freePort()
  await started(['--sandbox-port', `${port}`], async ({ url }) => {
    const page = await (await fetch(url)).text()
    expect(page).toContain(`content="http://127.0.0.1:${port}"`)
    expect((await fetch(`http://127.0.0.1:${port}/sandbox`)).status).toBe(200)
  })
})

it('--open runs the browser with the address of the console', async () => {
  const file = join(scratch(), 'opened')
  const browser = join(scratch(), 'browser')
  writeFileSync(
    browser,
    `#!/bin/sh\nprintf %s "$1" > '${file}.new' && mv '${file}.new' '${file}'\n`,
  )
  chmodSync(browser, 0o755)
  await started(
    ['--open'],
    async ({ url }) => {
      await expect.poll(() => existsSync(file)).toBe(true)
      expect(readFileSync(file, 'utf8')).toBe(url)
    },
    { variables: { BROWSER: browser } },
  )
})

it('--open without a browser says so, and the server goes on', () =>
  started(
    ['--open'],
    async (running) => {
      await expect
        .poll(() => running.complaints())
        .toContain('Cannot open the browser: /none/browser ')
      expect((await fetch(`${running.url}/healthz`)).status).toBe(200)
    },
    { variables: { BROWSER: '/none/browser' } },
  ))

it('--help names every flag, and --print-config-schema prints what the server publishes', async () => {
  const help = await run('scripts/start.ts', '--help')
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain('--read-only')
  const { code, stdout, stderr } = await run('scripts/start.ts', '--print-config-schema')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(CONFIG_SCHEMA)))
})

it.each<[string[], Record<string, string>, string]>([
  [
    ['--raed-only'],
    {},
    'Cannot use --raed-only: there is no such flag. The nearest is --read-only',
  ],
  [['--port', '0'], {}, 'Cannot use --port 0: a port is a number from 1 to 65535. '],
  [['--port', '-1'], {}, 'Cannot use --port -1: a port is a number from 1 to 65535. '],
  [['--port=99999'], {}, 'Cannot use --port 99999: a port is a number from 1 to 65535. '],
  [
    ['--sandbox-port', '0'],
    {},
    'Cannot use --sandbox-port 0: a port is a number from 1 to 65535. ',
  ],
  [
    ['--port=9001', '--sandbox-port=9001'],
    {},
    'Cannot use --sandbox-port 9001: the console has this port. ',
  ],
  [
    ['--sandbox-port=9002'],
    { SANDBOX_ORIGIN: 'http://127.0.0.1:9003' },
    'Cannot use --sandbox-port: the variable SANDBOX_ORIGIN is set. ',
  ],
  [['--approval', 'x'], {}, 'Cannot use --approval x (Approval): approval must be one of '],
  [
    [],
    { npm_config_read_only: 'true' },
    'Cannot read the option --read-only: npm took it for its own. ',
  ],
  [[], { EDGEWISE_READONLY: '1' }, 'Cannot use the variable EDGEWISE_READONLY: there is no such'],
  [
    [],
    { EDGEWISE_READ_ONLY: 'yes' },
    'Cannot use EDGEWISE_READ_ONLY: read_only must be a boolean. ',
  ],
  [[], { EDGEWISE_HOSTS: ',' }, 'Cannot use EDGEWISE_HOSTS: a name in it is no host. '],
  [
    ['--read-only'],
    { EDGEWISE_FLAGS: '{}' },
    'Cannot use flags that restrict: the variable EDGEWISE_',
  ],
])('reports %j with %j in one sentence, and ends', async (flags, variables, sentence) => {
  const npm_lifecycle_event = 'start'
  const given = { PORT: `${await freePort()}`, EDGEWISE_DATA: scratch(), npm_lifecycle_event }
  const { code, stdout, stderr } = await runWith(
    { ...given, ...variables },
    'scripts/start.ts',
    ...flags,
  )
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(sentence)
  expect(stderr.trimEnd()).not.toContain('\n')
})
