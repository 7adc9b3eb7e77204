/** What a sync does to the disk: nothing outside of its folder, no half file, and nothing over what was saved meanwhile. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDisk, LeftAlone } from '../scripts/sync/disk.ts'
import { scanFolder } from '../scripts/sync/local.ts'
import type { LocalFile } from '../scripts/sync/plan.ts'
import { createState } from '../scripts/sync/state.ts'
import { scratch } from './support/e2e/folder.ts'
import { isExecutable, writeText } from './support/sync/folder.ts'
import { contentOf, hashOf } from './support/sync/server.ts'

const bytesOf = async function* (text: string) {
  yield Buffer.from(text)
}

async function open() {
  const outer = scratch()
  const folder = join(outer, 'folder')
  mkdirSync(folder)
  const disk = createDisk(folder)
  await disk.prepare()
  const scan = async () =>
    (await scanFolder(folder, createState('', '/'), { secrets: false })).files
  async function place(path: string, text: string, over: LocalFile | null = null) {
    await disk.receive(bytesOf(text), hashOf(text), text.length)
    return disk.place(contentOf(text), { path, over, isWanted: false })
  }
  return { outer, folder, disk, scan, place }
}

it.each([
  '../x',
  'a/../../x',
  '/etc/x',
  '.git/hooks/post-checkout',
  '.GIT/config',
  'sub/.git/config',
  '.edgewise-sync.json',
  '.edgewise-sync/lock',
  '.edgewiseignore',
  'a\\..\\x',
])('never writes %j', async (path) => {
  const { outer, place } = await open()
  await expect(place(path, 'evil')).rejects.toThrow(LeftAlone)
  expect(readdirSync(outer)).toEqual(['folder'])
})

it('follows no link, neither to a folder nor to a file', async () => {
  const { outer, folder, place } = await open()
  mkdirSync(join(outer, 'elsewhere'))
  writeFileSync(join(outer, 'file'), 'mine')
  symlinkSync(join(outer, 'elsewhere'), join(folder, 'link'))
  symlinkSync(join(outer, 'file'), join(folder, 'to-file'))
  symlinkSync(join(outer, 'nothing'), join(folder, 'to-nothing'))
  await expect(place('link/x', 'evil')).rejects.toThrow('link is a symbolic link')
  await expect(place('to-file', 'evil')).rejects.toThrow('something else is in its place')
  await expect(place('to-nothing', 'evil')).rejects.toThrow('something else is in its place')
  expect(readdirSync(join(outer, 'elsewhere'))).toEqual([])
  expect(readFileSync(join(outer, 'file'), 'utf8')).toBe('mine')
  expect(existsSync(join(outer, 'nothing'))).toBe(false)
})

it('deletes nothing behind a link', async () => {
  const { outer, folder, disk, scan } = await open()
  mkdirSync(join(outer, 'elsewhere'))
  writeText(folder, 'd/a', 'x')
  const file = (await scan()).get('d/a')
  if (!file) throw new Error('It was scanned')
  writeFileSync(join(outer, 'elsewhere/a'), 'mine')
  const moved = join(outer, 'moved')
  renameSync(join(folder, 'd'), moved)
  symlinkSync(join(outer, 'elsewhere'), join(folder, 'd'))
  await expect(disk.remove(file, false)).rejects.toThrow('d is a symbolic link')
  expect(readFileSync(join(outer, 'elsewhere/a'), 'utf8')).toBe('mine')
})

describe('a file that was saved after it was scanned', () => {
  it.each([
    ['with another text', 'other'],
    ['with a text of the same length and time', 'twoo'],
  ])('stays, %s', async (_, text) => {
    const { folder, disk, scan, place } = await open()
    writeText(folder, 'a', 'four')
    const time = new Date(1_000_000)
    utimesSync(join(folder, 'a'), time, time)
    const before = (await scan()).get('a') ?? null
    writeFileSync(join(folder, 'a'), text)
    utimesSync(join(folder, 'a'), time, time)
    await expect(place('a', 'theirs', before)).rejects.toThrow('it was changed here meanwhile')
    if (before) await expect(disk.remove(before, false)).rejects.toThrow('it was changed here')
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe(text)
  })

  it('stays if it is new', async () => {
    const { folder, place } = await open()
    writeText(folder, 'a', 'mine')
    await expect(place('a', 'theirs')).rejects.toThrow('it was changed here meanwhile')
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('mine')
  })
})

it('has no half file: content that breaks off, is another or is too long is not placed', async () => {
  const { folder, disk } = await open()
  async function* broken() {
    yield Buffer.from('ha')
    throw new LeftAlone('broken off')
  }
  await expect(disk.receive(broken(), hashOf('half'), 4)).rejects.toThrow('broken off')
  await expect(disk.receive(bytesOf('evil'), hashOf('half'), 4)).rejects.toThrow('it changed')
  await expect(disk.receive(bytesOf('x'.repeat(1e6)), hashOf('half'), 4)).rejects.toThrow(
    'more than',
  )
  expect(await disk.hasStaged(hashOf('half'))).toBe(false)
  expect(readdirSync(join(folder, '.edgewise-sync'))).toEqual([])
})

it('keeps what an earlier run has received, if it is whole', async () => {
  const { folder, disk } = await open()
  await disk.receive(bytesOf('half'), hashOf('half'), 4)
  expect(await createDisk(folder).hasStaged(hashOf('half'))).toBe(true)
  writeFileSync(join(folder, '.edgewise-sync', `file-${hashOf('half')}`), 'evil')
  expect(await createDisk(folder).hasStaged(hashOf('half'))).toBe(false)
})

it.runIf(process.platform !== 'win32')(
  'sets the executable bit, and keeps other permissions',
  async () => {
    const { folder, disk, scan, place } = await open()
    writeText(folder, 'a', 'one')
    chmodSync(join(folder, 'a'), 0o640)
    await disk.receive(bytesOf('two'), hashOf('two'), 3)
    const over = (await scan()).get('a') ?? null
    const placed = await disk.place(contentOf('two', true), { path: 'a', over, isWanted: false })
    expect(placed.mode & 0o777n).toBe(0o750n)
    await place('b', 'new')
    expect(isExecutable(folder, 'b')).toBe(false)
  },
)

it('deletes a folder with its last file, and no other', async () => {
  const { folder, disk, scan } = await open()
  writeText(folder, 'd/e/a', 'x')
  writeText(folder, 'd/b', 'x')
  const file = (await scan()).get('d/e/a')
  if (file) await disk.remove(file, false)
  expect(readdirSync(folder, { recursive: true }).map(String).toSorted()).toEqual([
    '.edgewise-sync',
    'd',
    'd/b',
  ])
})

it('creates no folder that is not there', async () => {
  const folder = join(scratch(), 'nowhere')
  await expect(createDisk(folder).prepare()).rejects.toThrow('it does not exist. Name a folder')
  expect(existsSync(folder)).toBe(false)
})

it('refuses a stage that is a link', async () => {
  const folder = scratch()
  const elsewhere = scratch()
  symlinkSync(elsewhere, join(folder, '.edgewise-sync'))
  await expect(createDisk(folder).prepare()).rejects.toThrow('it is no folder. Remove it')
})
