/** Which files a sync leaves out: as git reads `.gitignore`, by default, and by the rules of the person. */

import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { Ignores } from '../scripts/sync/ignores.ts'
import { scanFolder } from '../scripts/sync/local.ts'
import { createState } from '../scripts/sync/state.ts'
import { scratch } from './support/e2e/folder.ts'
import { writeText } from './support/sync/folder.ts'

const NO_SECRETS = { secrets: false }

/** A folder with these texts. */
function folderOf(texts: Readonly<Record<string, string>>): string {
  const folder = scratch()
  for (const [name, text] of Object.entries(texts)) writeText(folder, name, text)
  return folder
}

async function namesOf(folder: string, options = NO_SECRETS, rules: [string, string][] = []) {
  const state = { ...createState('', '/'), rules: new Map(rules) }
  const scan = await scanFolder(folder, state, options)
  return { names: [...scan.files.keys()].toSorted(), scan }
}

/** The files that git would add. */
function namesOfGit(folder: string): string[] {
  const git = (...args: string[]) => {
    const { stdout, status, stderr } = spawnSync('git', ['-c', 'core.excludesFile=', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    return stdout
  }
  git('init', '-q')
  return git('ls-files', '--others', '--exclude-standard', '-z').split('\0').filter(Boolean)
}

const PLACES = [
  'a.log',
  'b.txt',
  'logs/a.log',
  'logs/keep.log',
  'build/out.js',
  'src/build/out.js',
  'src/a.tmp',
  'src/b.tmp',
  'src/deep/a.tmp',
  'src/deep/x y',
  'docs/a.md',
  'docs/b/c.md',
  '#hash',
  '!bang',
  'sp ace',
  'Äöü.txt',
]

it.each<[string, Record<string, string>]>([
  ['a name anywhere', { '.gitignore': '*.log\nbuild\n' }],
  ['a folder', { '.gitignore': 'logs/\n' }],
  ['from the top', { '.gitignore': '/build\n/src/*.tmp\n' }],
  ['an exception', { '.gitignore': '*.log\n!keep.log\n' }],
  ['an exception below what is left out', { '.gitignore': 'logs/\n!logs/keep.log\n' }],
  ['an exception below its content', { '.gitignore': 'logs/*\n!logs/keep.log\n' }],
  ['a nested file', { '.gitignore': '*.tmp\n', 'src/.gitignore': '!b.tmp\n/deep/\n' }],
  ['a nested file that takes back', { '.gitignore': '*.tmp\n', 'src/deep/.gitignore': '!*.tmp\n' }],
  ['two stars', { '.gitignore': 'docs/**/c.md\n**/deep\n' }],
  ['escapes and comments', { '.gitignore': '# no\n\\#hash\n\\!bang\nsp\\ ace\n' }],
  ['spaces at the end', { '.gitignore': 'b.txt   \nsp ace\n' }],
  ['lines of Windows', { '.gitignore': '*.log\r\nbuild\r\n' }],
  ['classes', { '.gitignore': 'src/[ab].tmp\n[!a]*.txt\n' }],
  ['everything but', { '.gitignore': '/*\n!/src\n!.gitignore\n' }],
  ['letters beyond ASCII', { '.gitignore': 'Ä*.txt\n' }],
])('reads rules as git does: %s', async (_, rules) => {
  const texts = Object.fromEntries(PLACES.map((name) => [name, name]))
  const folder = folderOf({ ...texts, ...rules })
  const { names } = await namesOf(folder)
  expect(names).toEqual(
    namesOfGit(folder)
      .map((name) => name.normalize('NFC'))
      .toSorted(),
  )
  expect(names.length).toBeGreaterThan(3)
})

const SECRETS = [
  '.env',
  '.env.local',
  'x/.env',
  'x/server.pem',
  'x/id_rsa',
  'x/id_ed25519.pub',
  '.npmrc',
  '.ENV',
  'a.KEY',
  '.dev.vars',
]

describe('by default', () => {
  const texts = Object.fromEntries(
    [...SECRETS, '.env.example', 'a', 'node_modules/a/b', 'x/node_modules/c'].map((name) => [
      name,
      'x',
    ]),
  )

  it('leaves out secrets and dependencies, whatever .gitignore says', async () => {
    const folder = folderOf({
      ...texts,
      '.gitignore': SECRETS.map((name) => `!${name}\n`).join('') + '!node_modules\n',
    })
    const { names, scan } = await namesOf(folder)
    expect(names).toEqual(['.env.example', '.gitignore', 'a'])
    expect(Object.fromEntries(scan.left)).toEqual({ secret: SECRETS.length, dependencies: 2 })
  })

  it('takes secrets on request', async () => {
    const { names } = await namesOf(folderOf(texts), { secrets: true })
    expect(names).toEqual(expect.arrayContaining(SECRETS))
    expect(names).not.toContain('node_modules/a/b')
  })

  it('takes what .edgewiseignore includes, with everything below it but secrets', async () => {
    const own = '!node_modules\n!/.env\n'
    const folder = folderOf({ ...texts, 'node_modules/.env': 'x', '.edgewiseignore': own })
    const { names } = await namesOf(folder)
    expect(names).toEqual(expect.arrayContaining(['.env', 'node_modules/a/b', 'x/node_modules/c']))
    expect(names).not.toContain('x/.env')
    expect(names).not.toContain('node_modules/.env')
  })

  it('leaves out what .edgewiseignore says, before .gitignore', async () => {
    const folder = folderOf({ a: '', b: '', '.edgewiseignore': 'a\n!b\n', '.gitignore': '!a\nb\n' })
    expect((await namesOf(folder)).names).toEqual(['.gitignore', 'b'])
  })
})

it.each([
  '.git',
  '.GIT',
  'git~1',
  '.g\u200cit',
  '.git ',
  '.git.',
  '.git::$INDEX_ALLOCATION',
  'x/.git',
])('never takes %j, whatever the rules are', (name) => {
  const ignores = new Ignores('!.git\n!*\n', { secrets: true })
  expect(ignores.whyFolder(name)).toBe('reserved')
  expect(ignores.whyFile(`${name}/hooks/post-checkout`)).toBe('reserved')
})

it.each([
  '.edgewiseignore',
  '.edgewise-sync.json',
  '.edgewise-sync/x',
  '.EDGEWISEIGNORE',
  'a.from-edgewise-3.txt',
])('never takes %s, which belongs to sync', (name) => {
  expect(new Ignores('!*\n', { secrets: true }).whyFile(name)).toBe('reserved')
})

describe('a .gitignore that the workspace has changed', () => {
  const texts = { 'private.json': 'x', 'src/private.json': 'x', a: 'x' }

  it('still leaves out what it did before, and says so', async () => {
    const folder = folderOf({ ...texts, '.gitignore': 'a\n' })
    const { names, scan } = await namesOf(folder, NO_SECRETS, [['.gitignore', 'private.json\n']])
    expect(names).toEqual(['.gitignore'])
    expect([...scan.ignores.held]).toEqual(['private.json', 'src/private.json'])
  })

  it('takes nothing back from a folder above', async () => {
    const folder = folderOf({
      ...texts,
      '.gitignore': 'private.json\n',
      'src/.gitignore': '!private.json\n',
    })
    expect((await namesOf(folder)).names).toContain('src/private.json')
    const held = await namesOf(folder, NO_SECRETS, [['src/.gitignore', '']])
    expect(held.names).not.toContain('src/private.json')
  })
})
