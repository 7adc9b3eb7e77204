/** `npm run import` as a person uses it, and what it says when it cannot do it. @module */

import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fetched, scratch, unpacked } from './folder.ts'
import { run } from './run.ts'
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
