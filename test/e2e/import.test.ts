/** `npm run import` as a person uses it, and what it says when it cannot do it. @module */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetched, scratch, unpacked } from './folder.ts'
import { Person, SECRET } from './person.ts'
import { run, runWith } from './run.ts'
import { useServer } from './server.ts'

const server = useServer()

const runImport = (...args: string[]) => run('scripts/import.ts', ...args)

async function namesIn(workspace: string): Promise<string[]> {
  const archive = await fetched(`${server.url}/w/${workspace}/export`)
  return unpacked(archive).map(({ name }) => name)
}

function oddFolder(): string {
  const folder = scratch()
  mkdirSync(join(folder, '.git'))
  mkdirSync(join(folder, 'sub/.git'), { recursive: true })
  for (const name of ['file', '.git/HEAD', 'sub/.git/HEAD', 'sub/.dot', 'back\\slash'])
    writeFileSync(join(folder, name), name)
  symlinkSync('file', join(folder, 'link'))
  symlinkSync('nowhere', join(folder, 'broken'))
  spawnSync('mkfifo', [join(folder, 'pipe')])
  return folder
}

it('names everything that it leaves out', async () => {
  const { code, stdout } = await runImport(oddFolder(), `${server.url}/w/odd/mcp`)
  expect(code).toBe(0)
  expect(stdout).toContain(`2 files and 1 folders (0.0 MB) are in / of ${server.url}/w/odd`)
  expect(stdout).toContain('6 left out:')
  expect(stdout).toContain('".git": use --all for it')
  expect(stdout).toContain('"sub/.git": use --all for it')
  expect(stdout).toContain('"link": it is a symbolic link')
  expect(stdout).toContain('"broken": it is a symbolic link')
  expect(stdout).toContain('"pipe": it is a pipe')
  expect(stdout).toContain('"back\\\\slash": it holds a backslash')
  expect(await namesIn('odd')).toEqual(['file', 'sub/', 'sub/.dot'])
})

describe('without an address', () => {
  const folder = () => {
    const made = scratch()
    writeFileSync(join(made, 'by-port'), 'x')
    return made
  }

  it('goes to the port that PORT names, as npm start does', async () => {
    const { port } = new URL(server.url)
    const { code, stdout } = await runWith({ PORT: port }, 'scripts/import.ts', folder())
    expect(stdout).toContain(`are in / of ${server.url}`)
    expect(code).toBe(0)
    expect(await (await fetch(`${server.url}/files/by-port`)).text()).toBe('x')
  })

  it('says when PORT names none', async () => {
    for (const PORT of ['0', '65536', 'x', '']) {
      const { code, stderr } = await runWith({ PORT }, 'scripts/import.ts', folder())
      expect(code).toBe(1)
      expect(stderr).toContain(`Cannot use PORT=${PORT}: a port is a number from 1 to 65535`)
      expect(stderr).not.toContain('    at ')
    }
  })

  it('does not look at PORT where there is one', async () => {
    const url = `${server.url}/w/named`
    const done = await runWith({ PORT: 'x' }, 'scripts/import.ts', folder(), url)
    expect(done).toMatchObject({ code: 0 })
  })
})

it('takes .git along when it is asked to', async () => {
  expect(await runImport(oddFolder(), `${server.url}/w/all`, '--all')).toMatchObject({ code: 0 })
  expect(await namesIn('all')).toContain('sub/.git/HEAD')
})

it('overwrites what is there, and leaves the rest', async () => {
  const [one, two] = [scratch(), scratch()]
  writeFileSync(join(one, 'a'), 'one')
  writeFileSync(join(one, 'b'), 'one')
  writeFileSync(join(two, 'b'), 'two')
  for (const folder of [one, two])
    expect(await runImport(folder, `${server.url}/w/twice`)).toMatchObject({ code: 0 })
  const found = unpacked(await fetched(`${server.url}/w/twice/export`))
  expect(found.map(({ bytes }) => bytes.toString())).toEqual(['one', 'two'])
})

it('sends more than one request takes in several', async () => {
  const folder = scratch()
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), Buffer.alloc(30_000_000))
  const { code, stdout } = await runImport(folder, `${server.url}/w/parts`, '--to', '/here')
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('3 files') })
  expect(await namesIn('parts')).toEqual(['here/', 'here/a', 'here/b', 'here/c'])
})

it('explains itself', async () => {
  const { code, stdout } = await runImport('--help')
  expect(code).toBe(0)
  expect(stdout).toContain('--all')
})

it.each([
  ['no folder', () => [], /^Say which folder/],
  ['a folder that is not there', () => ['/nowhere', server.url], /^Cannot read \/nowhere: it does/],
  ['a file', () => [import.meta.filename, server.url], /import\.test\.ts is not a folder$/],
  ['an unknown option', () => ['.', '--frobnicate'], /^Unknown option '--frobnicate'/],
  ['a server that is not there', () => ['.', 'http://localhost:9'], /^No answer from http:/],
  ['no address', () => ['.', 'localhost:8787'], /is not a URL such as/],
  ['no workspace', () => ['.', `${server.url}/w/No_Name`], /refuses: A workspace has a name/],
  ['another address', () => ['.', `${server.url}/console`], /refuses: There is nothing at/],
  ['no path', () => ['.', server.url, '--to', 'a\\b'], /refuses: Cannot use "a\\\\b" as a path/],
])('says in one sentence what is wrong with %s', async (_, args, sentence) => {
  const { code, stdout, stderr } = await runImport(...args())
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trim()).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

describe('where there is an owner', () => {
  const owned = useServer({ EDGEWISE_OWNER_SECRET: SECRET })

  afterEach(() => void vi.unstubAllEnvs())

  function folderOfOne(): string {
    const folder = scratch()
    writeFileSync(join(folder, 'file'), 'mine')
    return folder
  }

  /** Runs it with a secret in the environment, or none, and expects that it tells nobody. */
  async function runAs(secret: string | undefined, ...args: string[]) {
    vi.stubEnv('EDGEWISE_OWNER_SECRET', secret)
    const { code, stdout, stderr } = await runImport(...args)
    if (secret) expect(stdout + stderr).not.toContain(secret)
    return { code, stdout, stderr: stderr.trim() }
  }

  it('signs in with the secret of the environment', async () => {
    const target = `${owned.url}/w/mine/mcp`
    const { code, stdout } = await runAs(SECRET, folderOfOne(), target, '--to', '/in')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `1 files and 0 folders (0.0 MB) are in /in of ${owned.url}/w/mine\n`,
    })
    const owner = new Person()
    await owner.signIn(owned.url)
    const answer = await owner.visit(`${owned.url}/w/mine/files/in/file`)
    expect(await answer.text()).toBe('mine')
  })

  it.each([
    [
      'no secret',
      undefined,
      () => `${owned.url} has an owner. Set EDGEWISE_OWNER_SECRET to the secret to sign in with`,
    ],
    [
      'an empty one',
      '',
      () => `${owned.url} has an owner. Set EDGEWISE_OWNER_SECRET to the secret to sign in with`,
    ],
    [
      'another one',
      'hunter2',
      () => 'The server does not take the secret in EDGEWISE_OWNER_SECRET',
    ],
  ])('says in one sentence that it has %s, and sends nothing', async (_, secret, sentence) => {
    const refused = await runAs(secret, folderOfOne(), `${owned.url}/w/none`)
    expect(refused).toEqual({ code: 1, stdout: '', stderr: sentence() })
    const owner = new Person()
    await owner.signIn(owned.url)
    const status = await owner.visit(`${owned.url}/w/none/status`)
    expect(await status.json()).toMatchObject({ files: 0, version: 0 })
  })

  it('keeps the secret from a server that anybody could listen to', async () => {
    const asked: string[] = []
    const stranger = createServer(({ url, method }, answer) => {
      asked.push(`${method} ${url}`)
      answer.writeHead(401).end()
    }).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const address = stranger.address()
    if (address === null || typeof address === 'string') throw new Error('A server has a port')
    // Another name of this machine, which is none that only this machine answers to.
    const url = `http://0.0.0.0:${address.port}`
    const refused = await runAs(SECRET, folderOfOne(), url)
    stranger.close()
    expect(refused).toMatchObject({
      code: 1,
      stderr: `The secret is not sent to ${url}, because that is not https`,
    })
    expect(asked).toEqual(['POST /import?to=%2F'])
  })
})
