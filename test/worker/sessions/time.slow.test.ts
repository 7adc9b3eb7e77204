/**
 * ReDoS: the time for an untrusted input is proportional to its length, on every route of the server. Each input is
 * sent at two lengths, of which the longer would keep a backtracking pattern busy for minutes.
 */

import front from '#worker/index.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { expectWithin } from '../../support/core/expect-within.ts'
import { freshWorkspace } from '../../support/worker/client.ts'

const SHORT = 15_000
const TIMES = 4

/** Time limit (ms): far above the time of either length, and far below that of a backtracking pattern. */
const ENOUGH_MS = 1_500
const SLOWER = 4 * TIMES

/** Asserts that an input of four times the length takes not much more than four times as long. */
async function expectInProportion(ask: (length: number) => Promise<unknown>): Promise<void> {
  const short = await millisecondsOf(() => ask(SHORT))
  await expectWithin(Math.max(ENOUGH_MS, short * SLOWER), () => ask(SHORT * TIMES))
}

async function millisecondsOf(ask: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await ask()
  return performance.now() - began
}

/** A repeated text of the given length, with an end that makes a match fail. */
const long = (piece: string, length: number, end = '!') =>
  piece.repeat(Math.ceil(length / piece.length)) + end

const OWNER = { ...env, EDGEWISE_OWNER_SECRET: 'a secret of the owner' }

/** The front without an owner and with one, to cover both code paths. */
async function askFront(path: string, init: RequestInit): Promise<void> {
  for (const variables of [env, OWNER]) {
    const request = new Request(`http://localhost${path}`, init)
    const answer = await front.fetch(request, variables, createExecutionContext())
    expect(answer.status).toBeLessThan(500)
    await answer.body?.cancel()
  }
}

describe('ReDoS by a header', () => {
  it.each<[string, string, string, string]>([
    ['accept', '/', 'text/', ','],
    ['accept', '/audit', 'application/x-ndjso', ' ,'],
    ['content-type', '/mcp', 'application/json', ' '],
    ['content-type', '/mcp', 'application/json;', 'a="\\'],
    ['range', '/files/a', 'bytes=', '0'],
    ['range', '/files/a', 'bytes=', '0-1,'],
    ['if-none-match', '/files/a', '', '"a",'],
    ['if-none-match', '/files/a', '', 'W/'],
    ['if-match', '/files/a', '', ' ,'],
    ['cookie', '/status', 'edgewise', '=;'],
    ['cookie', '/status', 'edgewise=', '1.'],
    ['authorization', '/mcp', 'Bearer', ' '],
    ['authorization', '/mcp', 'Bearer ', ':'],
    ['origin', '/mcp', 'http://', 'a.'],
    ['origin', '/mcp', 'http://localhost', '%'],
    ['mcp-session-id', '/mcp', '', '-'],
    ['mcp-name', '/mcp', '=?base64?', '='],
    ['mcp-method', '/mcp', 'tools/', 'call/'],
    ['access-control-request-headers', '/mcp', '', 'a, '],
    ['traceparent', '/mcp', '00-', '0'],
  ])('%s of %s: %j and then %j', async (name, path, begin, piece) => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'x')
    const method = name === 'content-type' || name.startsWith('mcp-n') ? 'POST' : 'GET'
    await expectInProportion(async (length) => {
      const headers = { [name]: begin + long(piece, length) }
      const init = { method, headers, ...(method === 'POST' && { body: '{}' }) }
      await askFront(path, init)
      const answer = await workspace.fetch(path, init)
      expect(answer.status).toBeLessThan(500)
      await answer.body?.cancel()
    })
  })
})

describe('ReDoS by a path', () => {
  it.each([
    ['/s/', 'a'],
    ['/s/default.', 'A'],
    ['/s/a', '/mcp'],
    ['/w/', 'a-'],
    ['/w/a', '/w'],
    ['/files/', './'],
    ['/files/', '%2e%2e%2f'],
    ['/files', '/'],
    ['/files/', '%'],
    ['/sessions/', '%2f'],
    ['/', '/mcp'],
    ['/oauth', '/.'],
    ['/.well-known/oauth-', 'a/'],
    ['/sandbox?csp=', '['],
    ['/signin?to=', '%5c'],
    ['/audit?path=', '../'],
  ])('%s and then %j', async (begin, piece) => {
    await expectInProportion((length) => askFront(begin + long(piece, length, ''), {}))
  })
})

describe('ReDoS by an argument', () => {
  it.each(['(a+)+$', '(a|a)*$', '(a*)*b', '^(([a-z])+.)+[A-Z]$', '(.*a){12}$', 'a.*a.*a.*a.*$b'])(
    'the pattern %j over a long line',
    async (pattern) => {
      const workspace = freshWorkspace()
      await expectInProportion(async (length) => {
        await workspace.put('/line', long('a', length))
        const { result } = await workspace.call('search_files', { pattern })
        expect(result?.structuredContent).toBeDefined()
      })
    },
  )

  it.each(['*a*a*a*a*a*a*a*a*b', '**/**/**/**/**/b', '{a,aa}{a,aa}{a,aa}{a,aa}{a,aa}{a,aa}*b'])(
    'the glob %j over long names, as an argument, in a policy and in a configuration',
    async (glob) => {
      const workspace = freshWorkspace()
      for (const at of Array(20).keys())
        await workspace.put(`/${`${'a'.repeat(200)}/`.repeat(4)}${at}`, '')
      const roots = [{ path: '/', deny: [glob] }]
      await expectWithin(ENOUGH_MS, async () => {
        const wish = { pattern: glob, glob: true }
        expect((await workspace.call('find_files', wish)).error).toBeUndefined()
        const narrow = { policy: { roots } }
        expect((await workspace.call('find_files', {}, narrow)).error).toBeUndefined()
        const body = JSON.stringify({ roots })
        expect((await workspace.fetch('/config', { method: 'PUT', body })).status).toBe(200)
        expect((await workspace.call('find_files', {})).error).toBeUndefined()
      })
    },
  )

  it.each(['/a', ':', '*:', '../', '%2f', 'read:file:'])('scopes of many %j', async (piece) => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'x')
    await expectInProportion(async (length) => {
      const scope = `read:file:${long(piece, length)}`
      const meta = { granted_scopes: [scope], denied_scopes: scope }
      const reply = await workspace.call('read_file', { path: '/a' }, meta)
      expect(reply.error?.code ?? -32602).toBe(-32602)
      const wish = { label: 'x', scopes: [scope] }
      expect((await workspace.call('delegate', wish)).status).toBe(200)
    })
  })

  it.each(['[{path}', '{', '\\', '[[', '{path}, '])(
    'values of many %j in the intent of a call',
    async (piece) => {
      const workspace = freshWorkspace()
      await expectInProportion(async (length) => {
        const path = `/${long(piece, 900).replaceAll('\\', 'b')}`
        const args = { path, content: long(piece, length) }
        const { result } = await workspace.call('write_file', args, { preview: true })
        expect(result?.isError).toBeUndefined()
        const search = { pattern: long(piece, length) }
        expect((await workspace.call('search_files', search)).result?.isError).toBe(true)
      })
    },
  )

  it.each(['L', '=', 'L2E=', '\n'])('cursors of many %j', async (piece) => {
    const workspace = freshWorkspace()
    await expectInProportion(async (length) => {
      const reply = await workspace.send('resources/list', { cursor: long(piece, length) })
      expect(reply.error?.code).toBe(-32602)
    })
  })

  it.each(['/', '%', '%2e', 'ui://a/', '{+path}'])('URIs of many %j', async (piece) => {
    const workspace = freshWorkspace()
    await expectInProportion(async (length) => {
      for (const scheme of ['file:///', 'ui://edgewise/']) {
        const reply = await workspace.send('resources/read', { uri: scheme + long(piece, length) })
        expect(reply.result).toBeUndefined()
      }
    })
  })
})
