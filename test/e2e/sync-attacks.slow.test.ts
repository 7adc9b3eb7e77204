/** A hostile server: nothing outside of the folder, no endless wait, no secret for another server, no orders to the terminal. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { run as syncFolder } from '../../scripts/sync.ts'
import { scratch } from '../support/e2e/folder.ts'
import { runHere } from '../support/e2e/run-here.ts'
import { hashOf } from '../support/sync/server.ts'
import { readTexts, writeText } from '../support/sync/folder.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function serve(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A server has a port')
  return `http://127.0.0.1:${address.port}`
}

const EVIL = 'evil'

const fileAt = (path: string) => ({
  path,
  type: 'file',
  version: 1,
  size: EVIL.length,
  hash: hashOf(EVIL),
})

const SOURCE = { workspace: 'w', access: 'a' }

/** A workspace that lists these paths, and has the same content at each. */
const listing =
  (entries: readonly object[]): Answer =>
  ({ url = '' }, response) => {
    if (url.includes('recursive=true')) {
      response.end(JSON.stringify({ ...SOURCE, version: 1, entries, next: null }))
    } else if (url.includes('/changes')) {
      response.end(JSON.stringify({ ...SOURCE, version: 1, next: 1, changes: [], decided: [] }))
    } else response.end(EVIL)
  }

function folderIn() {
  const outer = scratch()
  const folder = join(outer, 'folder')
  mkdirSync(folder)
  return { outer, folder }
}

it('places no file outside of the folder, in .git, or behind a link', async () => {
  const { outer, folder } = folderIn()
  mkdirSync(join(outer, 'elsewhere'))
  symlinkSync(join(outer, 'elsewhere'), join(folder, 'link'))
  const names = [
    '/../outside',
    '/a/../../outside',
    '//etc/passwd',
    '/..\\outside',
    '/link/outside',
    '/.git/hooks/post-checkout',
    '/.GIT/config',
    '/.g\u200cit/config',
    '/.edgewise-sync/state',
    '/.edgewise-sync.json',
    '/.edgewiseignore',
    '/.env',
    '/nul\0',
    '/good',
  ]
  const url = await serve(listing(names.map(fileAt)))
  const { stdout } = await runHere(syncFolder, [folder, url])
  expect(stdout).toContain('Received (1)')
  expect(Object.fromEntries(readTexts(folder))).toEqual({ good: EVIL })
  expect(readdirSync(outer).toSorted()).toEqual(['elsewhere', 'folder'])
  expect(readdirSync(join(outer, 'elsewhere'))).toEqual([])
  expect(existsSync(join(folder, '.git'))).toBe(false)
})

it.each([
  ['another content', (response: ServerResponse) => response.end('other')],
  ['a shorter content', (response: ServerResponse) => response.end('evi')],
  ['no content', (response: ServerResponse) => response.end()],
  [
    'an error',
    (response: ServerResponse) => response.writeHead(404).end('{"code":"X","message":"no"}'),
  ],
])('places nothing when it gets %s', async (_, send) => {
  const { folder } = folderIn()
  const answer = listing([fileAt('/a')])
  const url = await serve((request, response) => {
    if (request.url?.includes('?')) answer(request, response)
    else send(response)
  })
  const { code, stdout } = await runHere(syncFolder, [folder, url])
  expect([code, stdout]).toEqual([1, expect.stringContaining('Not transferred (1)')])
  expect(readTexts(folder).size).toBe(0)
})

it('ends a content that does not end', async () => {
  const { folder } = folderIn()
  const answer = listing([fileAt('/a')])
  const url = await serve((request, response) => {
    if (request.url?.includes('?')) return answer(request, response)
    const write = () => void (response.destroyed || response.write('x'.repeat(65_536), write))
    write()
  })
  const { code, stdout } = await runHere(syncFolder, [folder, url])
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining('the server sent more than the file has'),
  ])
  expect(readTexts(folder).size).toBe(0)
})

it('ends a listing that does not end', async () => {
  const url = await serve((_, response) => {
    const write = () => void (response.destroyed || response.write('x'.repeat(65_536), write))
    write()
  })
  const { code, stderr } = await runHere(syncFolder, [scratch(), url])
  expect([code, stderr]).toEqual([1, expect.stringContaining('it is longer than')])
})

it.each([
  ['the same page for ever', { ...SOURCE, version: 1, entries: [], next: '/a' }],
  [
    'a workspace without hashes',
    { ...SOURCE, version: 1, entries: [{ ...fileAt('/a'), hash: undefined }] },
  ],
  ['another workspace', { workspace: 'other', access: 'a', version: 1, entries: [] }],
  ['something else', { hello: 'world' }],
  ['text', 'hello'],
])('deletes and sends nothing when it gets %s', async (_, page) => {
  const { folder } = folderIn()
  const asked: string[] = []
  const good = listing([fileAt('/a')])
  let isBad = false
  const url = await serve((request, response) => {
    asked.push(request.method ?? '')
    if (!isBad) good(request, response)
    else if (request.url?.includes('/changes')) response.writeHead(410).end('{}')
    else response.end(JSON.stringify(page))
  })
  await runHere(syncFolder, [folder, url])
  isBad = true
  asked.length = 0
  writeText(folder, 'mine', 'mine')
  await runHere(syncFolder, ['pull', folder])
  expect(readTexts(folder).get('mine')).toBe('mine')
  if (!('next' in Object(page))) expect(readTexts(folder).get('a')).toBe(EVIL)
  expect(new Set(asked)).toEqual(new Set(['GET']))
})

describe('the secret of the owner', () => {
  it('does not follow a redirect to another server', async () => {
    const seen: string[] = []
    const other = await serve(({ url }, response) => {
      seen.push(url ?? '')
      response.end()
    })
    const url = await serve((_, response) =>
      response.writeHead(307, { location: `${other}/x` }).end(),
    )
    vi.stubEnv('EDGEWISE_OWNER_SECRET', 'hunter2')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { code, stderr } = await runHere(syncFolder, [scratch(), url])
    expect([code, stderr]).toEqual([1, expect.stringContaining(`it redirects to ${other}/x`)])
    expect(seen).toEqual([])
  })

  it('is not sent to a server that a copied folder names', async () => {
    const asked: string[] = []
    const url = await serve((request, response) => {
      asked.push(request.url ?? '')
      listing([])(request, response)
    })
    const [mine, clone] = [scratch(), scratch()]
    await runHere(syncFolder, [mine, url])
    copyFileSync(join(mine, '.edgewise-sync.json'), join(clone, '.edgewise-sync.json'))
    writeText(clone, 'private', 'text')
    asked.length = 0
    vi.stubEnv('EDGEWISE_OWNER_SECRET', 'hunter2')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { code, stderr } = await runHere(syncFolder, [clone])
    expect([code, stderr]).toEqual([1, expect.stringContaining(`was copied, and names ${url}`)])
    expect(asked).toEqual([])
    expect(await runHere(syncFolder, ['status', clone, url])).toMatchObject({ code: 0 })
    expect(await runHere(syncFolder, [mine])).toMatchObject({ code: 0 })
  })

  it('is not sent in place of a session link', async () => {
    const asked: string[] = []
    const url = await serve(({ url: path }, response) => {
      asked.push(path ?? '')
      response.writeHead(401).end('{}')
    })
    vi.stubEnv('EDGEWISE_OWNER_SECRET', 'hunter2')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await runHere(syncFolder, [scratch(), `${url}/s/token/mcp`])).toMatchObject({ code: 1 })
    expect(asked).toEqual(['/s/token/files/?recursive=true&limit=10000'])
  })
})

it('does not command the terminal', async () => {
  const orders = '\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u202e'
  const { folder } = folderIn()
  const url = await serve(listing([fileAt(`/${orders}`), { ...fileAt('/x'), path: orders }]))
  const { stdout, stderr } = await runHere(syncFolder, [folder, url])
  expect(stdout).toContain('[RLO]')
  // oxlint-disable-next-line no-control-regex -- these are what it is about
  expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e]/)
})

it('waits when it is asked to, but not for ever', async () => {
  let refusals = 0
  const good = listing([])
  const url = await serve((request, response) => {
    if (refusals++ < 2) response.writeHead(429, { 'retry-after': '0' }).end('{}')
    else good(request, response)
  })
  expect(await runHere(syncFolder, [scratch(), url])).toMatchObject({ code: 0 })
  const never = await serve((_, response) => {
    const body = '{"code":"RATE_LIMITED","message":"Too many requests."}'
    response.writeHead(429, { 'retry-after': '0' }).end(body)
  })
  expect(await runHere(syncFolder, [scratch(), never])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Too many requests.'),
  })
})
