/** `npm run import` as a person uses it, and its errors. @module */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { run as importFolder } from '../../scripts/import.ts'
import { fetched, scratch, unpacked } from '../support/e2e/folder.ts'
import { Person, SECRET } from '../support/e2e/person.ts'
import { run } from '../support/e2e/run.ts'
import { runHere } from '../support/e2e/run-here.ts'
import { useServer } from '../support/e2e/server.ts'

const server = useServer()

const runImport = (...args: string[]) => runHere(importFolder, args)

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

function archive(): string {
  const path = join(scratch(), 'x.tar.gz')
  writeFileSync(path, 'x')
  return path
}

it('names everything that it skips', async () => {
  const { code, stdout } = await runImport(oddFolder(), `${server.url}/w/odd/mcp`)
  expect(code).toBe(0)
  expect(stdout).toContain(`Imported 2 files and 1 folder (0.0 MB) into / of ${server.url}/w/odd`)
  expect(stdout).toContain('Skipped 6:')
  expect(stdout).toContain('".git": use --all to import it')
  expect(stdout).toContain('"sub/.git": use --all to import it')
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

  it('uses PORT, as npm start does', async () => {
    const { port } = new URL(server.url)
    const { code, stdout } = await runHere(importFolder, [folder()], { PORT: port })
    expect(stdout).toContain(`into / of ${server.url}`)
    expect(code).toBe(0)
    expect(await (await fetch(`${server.url}/files/by-port`)).text()).toBe('x')
  })

  it('reports an invalid PORT', async () => {
    for (const PORT of ['0', '65536', 'x', '']) {
      const { code, stderr } = await runHere(importFolder, [folder()], { PORT })
      expect(code).toBe(1)
      expect(stderr).toContain(`Cannot use PORT=${PORT}: a port is a number from 1 to 65535`)
      expect(stderr).not.toContain('    at ')
    }
  })

  it('ignores PORT with an address', async () => {
    const url = `${server.url}/w/named`
    const done = await runHere(importFolder, [folder(), url], { PORT: 'x' })
    expect(done).toMatchObject({ code: 0 })
  })
})

it('names a file whose name is not UTF-8', async () => {
  const folder = scratch()
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), 'x')
  const { stdout } = await runImport(folder, `${server.url}/w/names`)
  expect(stdout).toContain('Imported 0 files and 0 folders')
  expect(stdout).toContain('"\uFFFD": its name is not UTF-8')
})

it('names the address to which another server redirects, and follows no redirect', async () => {
  const other = createServer((_, answer) => {
    answer.writeHead(307, { location: `${server.url}/import` }).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const address = other.address()
  if (address === null || typeof address === 'string') throw new Error('A server has a port')
  expect(await runImport(scratch(), `http://127.0.0.1:${address.port}`)).toEqual({
    code: 1,
    stdout: '',
    stderr: `Cannot use the address: it redirects to ${server.url}/import. Use the address that it leads to\n`,
  })
})

describe('another server', () => {
  /** Runs an import to a server that answers so. */
  async function runAgainst(answer: (response: ServerResponse) => void) {
    const other = createServer((request, response) => {
      const isListing = request.method === 'GET'
      const source = { workspace: 'w', access: 'a' }
      const listing = JSON.stringify({ ...source, version: 0, entries: [] })
      request.resume().on('end', () => (isListing ? response.end(listing) : answer(response)))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => {
      other.closeAllConnections()
      other.close()
    })
    await once(other, 'listening')
    const address = other.address()
    if (address === null || typeof address === 'string') throw new Error('A server has a port')
    const folder = scratch()
    writeFileSync(join(folder, 'one'), 'x')
    return runImport(folder, `http://127.0.0.1:${address.port}`)
  }

  const ORDERS = '\u001b[2J\u001b]52;c;ZXZpbA==\u0007\u202e'
  const REPORT = { files: 0, folders: 0, bytes: 0, skipped: 1, reasons: [] }

  it.each([
    ['a reason', { ...REPORT, reasons: [{ name: ORDERS, reason: ORDERS }] }],
    ['an error', { ...REPORT, error: ORDERS }],
    ['a message', { message: ORDERS }],
  ])('does not command the terminal by %s', async (_, body) => {
    const { stdout, stderr } = await runAgainst((response) => response.end(JSON.stringify(body)))
    expect(stdout + stderr).toContain('[ESC]')
    // oxlint-disable-next-line no-control-regex -- these are what it is about
    expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e]/)
  })

  it('is left when its response does not end', async () => {
    const { code, stderr } = await runAgainst((response) => {
      const write = () => void (response.destroyed || response.write('x'.repeat(65_536), write))
      write()
    })
    expect([code, stderr]).toEqual([1, expect.stringContaining('no Edgewise server (status 200)')])
  })
})

it('includes .git on request', async () => {
  expect(await runImport(oddFolder(), `${server.url}/w/all`, '--all')).toMatchObject({ code: 0 })
  expect(await namesIn('all')).toContain('sub/.git/HEAD')
})

describe('a file that has another content in the workspace', () => {
  function folderWith(texts: Readonly<Record<string, string>>): string {
    const folder = scratch()
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
    return folder
  }
  const textsIn = async (workspace: string) =>
    unpacked(await fetched(`${server.url}/w/${workspace}/export`)).map(({ bytes }) =>
      bytes.toString(),
    )

  it('is replaced on request, and the rest is kept', async () => {
    const url = `${server.url}/w/twice`
    const first = await runImport(folderWith({ a: 'one', b: 'one' }), url)
    const second = await runImport(folderWith({ b: 'two' }), url, '--overwrite')
    expect([first.code, second.code]).toEqual([0, 0])
    expect(await textsIn('twice')).toEqual(['one', 'two'])
  })

  it('is named, and nothing is imported, without a terminal to ask at', async () => {
    const url = `${server.url}/w/asked`
    await runImport(folderWith({ a: 'one', b: 'one', c: 'one' }), url)
    const refused = await runImport(folderWith({ a: 'one', b: 'two', c: 'two', d: 'two' }), url)
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Cannot import: 2 files of the workspace would be replaced by another content. Repeat it with --overwrite, or use npm run sync:\n  "b"\n  "c"\n',
    })
    expect(await textsIn('asked')).toEqual(['one', 'one', 'one'])
    expect(await runImport(folderWith({ a: 'one', b: 'one' }), url)).toMatchObject({ code: 0 })
  })
})

it('leaves out secrets, dependencies and what .gitignore does, unless all is asked for', async () => {
  const folder = scratch()
  mkdirSync(join(folder, 'node_modules/x'), { recursive: true })
  mkdirSync(join(folder, 'sub'))
  for (const name of ['.env', 'node_modules/x/a', 'sub/a.log', 'sub/b', 'server.key'])
    writeFileSync(join(folder, name), name)
  writeFileSync(join(folder, '.gitignore'), '*.log\n')
  const { stdout } = await runImport(folder, `${server.url}/w/rules`)
  expect(stdout).toContain(
    'Left out: 2 secrets, 1 dependencies, 1 by .gitignore (--all imports it)',
  )
  expect(await namesIn('rules')).toEqual(['.gitignore', 'sub/', 'sub/b'])
  await runImport(folder, `${server.url}/w/rules`, '--all')
  expect(await namesIn('rules')).toEqual(
    expect.arrayContaining(['.env', 'node_modules/x/a', 'server.key', 'sub/a.log']),
  )
})

it('splits a large import into several requests', async () => {
  const folder = scratch()
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), Buffer.alloc(23_000_000))
  const { code, stdout } = await runImport(folder, `${server.url}/w/parts`, '--to', '/here')
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('3 files') })
  expect(await namesIn('parts')).toEqual(['here/', 'here/a', 'here/b', 'here/c'])
})

it('prints its usage', async () => {
  const { code, stdout } = await run('scripts/import.ts', '--help')
  expect(code).toBe(0)
  expect(stdout).toContain('--all')
})

const MORE_THAN_A_WORKSPACE = /^Cannot use the address: it has more than a host and a path\. /

it.each([
  ['no folder', () => [], /^Cannot import: a folder is required\. Use npm run import/],
  ['an empty folder', () => ['', server.url], /^Cannot import: a folder is required\. Use /],
  [
    'an argument too many',
    () => ['.', server.url, 'x'],
    /^Cannot import: one folder and one address/,
  ],
  [
    'a folder that is not there',
    () => ['/nowhere', server.url],
    /^Cannot import \/nowhere: it does not exist\. Name a/,
  ],
  [
    'a file',
    () => [import.meta.filename, server.url],
    /import\.slow\.test\.ts: it is not a folder\. Name the folder/,
  ],
  [
    'an archive',
    () => [archive(), server.url],
    /x\.tar\.gz: it is not a folder\. Unpack it and name the folder, or send a tar, tar\.gz or zip to POST/,
  ],
  [
    'an unknown option',
    () => ['.', '--frobnicate'],
    /^Cannot read the command line: Unknown option '--frobnicate'\. See --help$/,
  ],
  ['a server that is not there', () => ['.', 'http://localhost:9'], /^Cannot reach http:/],
  ['no address', () => ['.', 'localhost:8787'], /^Cannot use the address localhost:8787: it is no/],
  ['an address with a query', () => ['.', `${server.url}/?to=/x`], MORE_THAN_A_WORKSPACE],
  ['an address with an empty query', () => ['.', `${server.url}/?`], MORE_THAN_A_WORKSPACE],
  ['an address with a part', () => ['.', `${server.url}/#/apps`], MORE_THAN_A_WORKSPACE],
  [
    'an address with credentials',
    () => ['.', server.url.replace('//', '//user:secret@')],
    /^Cannot use the address: it has more than a host and a path\. Use one such as \S+$/,
  ],
  [
    'a way out',
    () => ['.', server.url, '--to', '../../x'],
    /^Cannot import: --to \.\.\/\.\.\/x has \.\. in it\. Use/,
  ],
  [
    'a way out of a folder',
    () => ['.', server.url, '--to', '/a/../b'],
    /^Cannot import: --to \/a\/\.\.\/b has/,
  ],
  [
    'no workspace',
    () => ['.', `${server.url}/w/No_Name`],
    /refused the import: Cannot open this workspace/,
  ],
  ['another address', () => ['.', `${server.url}/console`], /refused the import: Not found: /],
  [
    'no path',
    () => ['.', server.url, '--to', 'a\\b'],
    /refused the import: Cannot use "a\\\\b" as a path/,
  ],
])('reports %s in one sentence', async (_, args, sentence) => {
  const { code, stdout, stderr } = await runImport(...args())
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trim()).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

describe('with an owner', () => {
  const owned = useServer({ EDGEWISE_OWNER_SECRET: SECRET })

  afterEach(() => void vi.unstubAllEnvs())

  function folderOfOne(): string {
    const folder = scratch()
    writeFileSync(join(folder, 'file'), 'mine')
    return folder
  }

  /** Runs it with a secret in the environment, or none, and checks that it does not print it. */
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
      stdout: `Imported 1 file and 0 folders (0.0 MB) into /in of ${owned.url}/w/mine\n`,
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
      () =>
        `Cannot sign in at ${owned.url}: no secret is set. Set EDGEWISE_OWNER_SECRET to the owner's secret`,
    ],
    [
      'an empty one',
      '',
      () =>
        `Cannot sign in at ${owned.url}: no secret is set. Set EDGEWISE_OWNER_SECRET to the owner's secret`,
    ],
    [
      'another one',
      'hunter2',
      () => 'Cannot sign in: the secret in EDGEWISE_OWNER_SECRET is wrong. Correct it',
    ],
  ])('reports %s in one sentence, and sends nothing', async (_, secret, sentence) => {
    const refused = await runAs(secret, folderOfOne(), `${owned.url}/w/none`)
    expect(refused).toEqual({ code: 1, stdout: '', stderr: sentence() })
    const owner = new Person()
    await owner.signIn(owned.url)
    const status = await owner.visit(`${owned.url}/w/none/status`)
    expect(await status.json()).toMatchObject({ files: 0, version: 0 })
  })

  it('sends no secret over plain HTTP to another machine', async () => {
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
      stderr: `Cannot send the secret to ${url}: it does not use HTTPS. Use its https address`,
    })
    expect(asked).toEqual(['POST /import?to=%2F'])
  })
})
