/** `npm run sync` against the product: agents, approvals, links, a large folder, and a run that watches. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { run as syncFolder } from '../../scripts/sync.ts'
import { scratch } from '../support/e2e/folder.ts'
import { callTool } from '../support/e2e/mcp-request.ts'
import { ownerOf } from '../support/e2e/owner-decisions.ts'
import { SECRET } from '../support/e2e/person.ts'
import { ask } from '../support/e2e/raw-http.ts'
import { COMPILED, NODE, ROOT } from '../support/e2e/run.ts'
import { runHere } from '../support/e2e/run-here.ts'
import { useServer } from '../support/e2e/server.ts'
import { isExecutable, readTexts, writeText } from '../support/sync/folder.ts'

const server = useServer()

const runSync = (...args: string[]) => runHere(syncFolder, args)

/** A workspace of its own, as its owner and its agent have it. */
function open(name: string) {
  const url = `${server.url}/w/${name}`
  // A connection that an earlier run has left may be closed by now.
  const fetchOwn = (path: string, init?: RequestInit) =>
    ask(url + path, init).catch(() => ask(url + path, init))
  const owner = ownerOf({ base: url, fetch: fetchOwn })
  const put = async (path: string, body: string) => {
    const answer = await fetchOwn(`/files/${path}`, { method: 'PUT', body })
    expect(answer.ok, await answer.text()).toBe(true)
  }
  async function call(tool: string, args: Readonly<Record<string, unknown>>) {
    const { text, status } = await callTool(`${url}/mcp`, {}, tool, args)
    expect([status, text.includes('"isError":true')], text).toEqual([200, false])
  }
  async function makeLink(): Promise<string> {
    const body = JSON.stringify({ label: 'folder', ttl_seconds: 600 })
    const headers = { 'content-type': 'application/json' }
    const made = await fetchOwn('/sessions', { method: 'POST', headers, body })
    return z.looseObject({ url: z.string() }).parse(await made.json()).url
  }
  const read = async (path: string) => (await fetchOwn(`/files/${path}`)).text()
  const names = async () => {
    const answer = await fetchOwn('/files/?recursive=true')
    const page = z.looseObject({ entries: z.array(z.looseObject({ path: z.string() })) })
    return page.parse(await answer.json()).entries.map(({ path }) => path)
  }
  return { url, owner, put, call, makeLink, read, names }
}

const textsOf = (folder: string) => Object.fromEntries(readTexts(folder))

it('brings what an agent changed to the disk once it is approved, and sends no secret', async () => {
  const { url, owner, call, read, names } = open('agent')
  const folder = scratch()
  for (let index = 0; index < 30; index++) writeText(folder, `src/${index}.txt`, `text ${index}\n`)
  for (const secret of ['.env', 'node_modules/x/index.js', 'src/server.pem', '.git/HEAD'])
    writeText(folder, secret, 'secret')
  writeText(folder, 'run.sh', '#!/bin/sh\n', true)
  const first = await runSync(folder, url)
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(first.stdout).toContain('Left out: 2 secrets, 1 dependencies')
  const all = Array.from({ length: 30 }, (_, index) => `/src/${index}.txt`)
  expect((await names()).toSorted()).toEqual(['/run.sh', ...all].toSorted())

  await owner.demand('review')
  for (let index = 0; index < 27; index++)
    await call('edit_file', {
      path: `/src/${index}.txt`,
      edits: [{ find: 'text', replace: 'edited' }],
    })
  await call('delete_file', { path: '/src/27.txt' })
  await call('move_file', { from: '/src/28.txt', to: '/moved/28.txt' })
  await call('write_file', { path: '/src/new.txt', content: 'new\n' })
  expect(await runSync(folder)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('nothing to do'),
  })
  await owner.decide('approve')
  expect(await runSync(folder)).toMatchObject({ code: 0 })
  const texts = textsOf(folder)
  expect(texts['src/3.txt']).toBe('edited 3\n')
  expect(texts['moved/28.txt']).toBe('text 28\n')
  expect(texts['src/new.txt']).toBe('new\n')
  expect(Object.keys(texts)).not.toEqual(expect.arrayContaining(['src/27.txt']))
  expect(texts['src/28.txt']).toBeUndefined()
  expect(texts['.env']).toBe('secret')

  writeText(folder, 'src/3.txt', 'mine\n')
  rmSync(join(folder, 'src/4.txt'))
  chmodSync(join(folder, 'src/5.txt'), 0o755)
  expect(await runSync(folder)).toMatchObject({ code: 0 })
  expect(await read('src/3.txt')).toBe('mine\n')
  expect(await names()).not.toContain('/src/4.txt')
  const other = scratch()
  expect(await runSync('pull', other, url)).toMatchObject({ code: 0 })
  expect(isExecutable(other, 'src/5.txt')).toBe(true)
  expect(isExecutable(other, 'run.sh')).toBe(true)
})

it('keeps both versions of a conflict, and ends with 1', async () => {
  const { url, put, read } = open('conflict')
  await put('a.txt', 'one')
  const folder = scratch()
  await runSync(folder, url)
  await put('a.txt', 'theirs')
  writeText(folder, 'a.txt', 'mine')
  const { code, stdout } = await runSync(folder)
  expect(code).toBe(1)
  const [copy = ''] = Object.keys(textsOf(folder)).filter((name) => name !== 'a.txt')
  expect(copy).toMatch(/^a\.from-edgewise-\d+\.txt$/)
  expect(stdout).toContain(copy)
  expect(textsOf(folder)).toEqual({ 'a.txt': 'mine', [copy]: 'theirs' })
  expect(await runSync('status', folder)).toMatchObject({ code: 1 })
  rmSync(join(folder, copy))
  expect(await runSync(folder)).toMatchObject({ code: 0 })
  expect(await read('a.txt')).toBe('mine')
})

it('keeps one folder of a workspace in step', async () => {
  const { url, put, names } = open('part')
  await put('notes/a', '1')
  await put('other/b', '2')
  const folder = scratch()
  await runSync(folder, url, '--to', '/notes')
  writeText(folder, 'c', '3')
  expect(await runSync(folder)).toMatchObject({ code: 0 })
  expect(textsOf(folder)).toEqual({ a: '1', c: '3' })
  expect(await names()).toEqual(['/notes/a', '/notes/c', '/other/b'])
  expect(await runSync(folder, url, '--to', '/other')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it is in step with /notes of'),
  })
})

it('creates the folder of the workspace that it is in step with', async () => {
  const { url, names } = open('created')
  const folder = scratch()
  writeText(folder, 'a', '1')
  expect(await runSync(folder, url, '--to', '/new/place')).toMatchObject({ code: 0 })
  expect(await names()).toEqual(['/new/place/a'])
})

describe('through a session link', () => {
  it('waits for the owner, follows the decision, and stores no secret', async () => {
    const { owner, put, makeLink, read, url } = open('linked')
    await put('a', 'one')
    await put('b', 'one')
    await owner.demand('review')
    const link = await makeLink()
    const folder = scratch()
    const go = (...args: string[]) =>
      runHere(syncFolder, [folder, ...args], { EDGEWISE_LINK: link })
    expect(await go()).toMatchObject({ code: 0, stderr: '' })
    expect(textsOf(folder)).toEqual({ a: 'one', b: 'one' })

    writeText(folder, 'a', 'mine')
    rmSync(join(folder, 'b'))
    for (let again = 0; again < 2; again++) {
      const { stdout, code } = await go()
      expect([code, stdout]).toEqual([0, expect.stringContaining('Waiting for approval (2)')])
    }
    expect([await read('a'), await read('b')]).toEqual(['one', 'one'])
    await owner.decide('turn-down', { note: 'Not like this' })
    const declined = await go()
    expect(declined.stdout).toContain('"a": Not like this')
    expect(textsOf(folder)).toEqual({ a: 'mine' })
    expect(await go('--take-remote')).toMatchObject({ code: 0 })
    expect(textsOf(folder)).toEqual({ a: 'one', b: 'one' })

    writeText(folder, 'a', 'better')
    await go()
    writeText(folder, 'a', 'best')
    await go()
    await owner.decide('approve')
    expect((await go()).stdout).toContain('nothing to do')
    expect([await read('a'), textsOf(folder)['a']]).toEqual(['best', 'best'])

    const state = readFileSync(join(folder, '.edgewise-sync.json'), 'utf8')
    const token = /\/s\/([^/]+)/.exec(link)?.[1] ?? ''
    expect(token.length).toBeGreaterThan(20)
    expect(state).not.toContain(token)
    expect(await runSync(folder)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Set EDGEWISE_LINK to its address'),
    })
    expect(await runSync(folder, url)).toMatchObject({ code: 1 })
  })

  it('reports a link that was revoked in one sentence', async () => {
    const link = `${server.url}/s/no-such-link/mcp`
    const { code, stderr } = await runSync(scratch(), link)
    expect([code, stderr]).toEqual([
      1,
      'Cannot use the session link: it is expired, revoked or unknown. Ask for a new one\n',
    ])
  })
})

it('watches both sides until it is stopped', async () => {
  const { url, put, read } = open('watched')
  await put('a', 'one')
  const folder = scratch()
  const child = spawn(NODE, ['scripts/sync.ts', folder, url, '--watch'], {
    cwd: ROOT,
    env: { ...process.env, ...COMPILED },
  })
  const exit = once(child, 'exit')
  onTestFinished(() => void child.kill())
  const slow = { timeout: 20_000 }
  await expect.poll(() => textsOf(folder), slow).toEqual({ a: 'one' })
  await put('a', 'two')
  await expect.poll(() => textsOf(folder), slow).toEqual({ a: 'two' })
  writeText(folder, 'b', 'mine')
  await expect.poll(() => read('b'), slow).toBe('mine')
  expect(await runSync(folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('another sync of it is running'),
  })
  child.kill('SIGINT')
  expect(await exit).toEqual([0, null])
})

describe('with an owner', () => {
  const owned = useServer({ EDGEWISE_OWNER_SECRET: SECRET })

  it('signs in with the secret of the environment', async () => {
    const folder = scratch()
    writeText(folder, 'a', 'mine')
    const variables = { EDGEWISE_OWNER_SECRET: SECRET }
    expect(await runHere(syncFolder, [folder, owned.url], variables)).toMatchObject({ code: 0 })
    const other = scratch()
    const { code, stdout } = await runHere(syncFolder, ['pull', other, owned.url], variables)
    expect(code).toBe(0)
    expect(stdout).not.toContain(SECRET)
    expect(textsOf(other)).toEqual({ a: 'mine' })
    expect(await runHere(syncFolder, [folder], { EDGEWISE_OWNER_SECRET: '' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no secret is set'),
    })
  })
})

const USAGE = 'Use npm run sync -- <folder> [url], or see --help\n'

it.each([
  ['no folder', [], `Cannot sync: a folder is required. ${USAGE}`],
  ['a command alone', ['pull'], `Cannot sync: a folder is required. ${USAGE}`],
  [
    'both choices',
    ['.', '--take-local', '--take-remote'],
    `Cannot sync: --take-local and --take-remote exclude each other. ${USAGE}`,
  ],
  ['a way out', ['.', '--to', '/a/../..'], `Cannot sync: --to /a/../.. has .. in it. ${USAGE}`],
  [
    'a folder that is not there',
    ['/nowhere', 'http://localhost:9'],
    'Cannot sync /nowhere: it does not exist. Name a folder that you can write\n',
  ],
])('reports %s in one sentence', async (_, args, stderr) => {
  expect(await runSync(...args)).toEqual({ code: 1, stdout: '', stderr })
})
