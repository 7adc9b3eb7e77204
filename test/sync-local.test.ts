/** What a scan of a folder finds, and what it says of the rest. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scanFolder } from '../scripts/sync/local.ts'
import { createState } from '../scripts/sync/state.ts'
import { createPool, forEachOf } from '../scripts/sync/together.ts'
import { scratch } from './support/e2e/folder.ts'
import { writeText } from './support/sync/folder.ts'
import { hashOf } from './support/sync/server.ts'

const NO_SECRETS = { secrets: false }

const scan = (folder: string, state = createState('', '/')) => scanFolder(folder, state, NO_SECRETS)

it('lists files with their content and executable bit, and names everything else', async () => {
  const folder = scratch()
  writeText(folder, 'd/a', 'text', true)
  writeText(folder, 'b', '')
  symlinkSync('b', join(folder, 'link'))
  symlinkSync('..', join(folder, 'up'))
  writeFileSync(join(folder, 'back\\slash'), 'x')
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), 'x')
  spawnSync('mkfifo', [join(folder, 'pipe')])
  const { files, skipped, taken } = await scan(folder)
  expect([...files].map(([name, { hash, executable }]) => [name, hash, executable])).toEqual([
    ['d/a', hashOf('text'), true],
    ['b', hashOf(''), false],
  ])
  expect(skipped.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: 'back\\slash', reason: expect.stringContaining('backslash') },
    { name: 'link', reason: 'it is a symbolic link' },
    { name: 'pipe', reason: 'it is a special file' },
    { name: 'up', reason: 'it is a symbolic link' },
    { name: '\uFFFD', reason: 'its name is not UTF-8' },
  ])
  expect(taken.has('link')).toBe(true)
})

it.runIf(process.platform === 'linux')(
  'names files in NFC, and says which have the same name then',
  async () => {
    const folder = scratch()
    writeText(folder, 'e\u0301/a', 'one')
    writeText(folder, 'u\u0308', 'decomposed')
    writeText(folder, '\u00fc', 'composed')
    const { files, skipped, folders } = await scan(folder)
    expect([...files.keys()].toSorted()).toEqual(['\u00e9/a', '\u00fc'])
    expect(files.get('\u00e9/a')?.path).toBe('e\u0301/a')
    expect(folders.get('\u00e9')).toBe('e\u0301')
    expect(skipped).toEqual([
      { name: '\u00fc', reason: 'another one here has the same name in another form of Unicode' },
    ])
  },
)

it('finds a change that keeps size and time', async () => {
  const folder = scratch()
  writeText(folder, 'a', 'one')
  const time = new Date(1_000_000)
  utimesSync(join(folder, 'a'), time, time)
  const state = createState('', '/')
  // The times of the disk have to be older than it can tell apart.
  await new Promise((resolve) => setTimeout(resolve, 100))
  await scan(folder, state)
  expect(state.hashes.get('a')?.hash).toBe(hashOf('one'))
  writeText(folder, 'b', 'two')
  utimesSync(join(folder, 'b'), time, time)
  renameSync(join(folder, 'b'), join(folder, 'a'))
  expect((await scan(folder, state)).files.get('a')?.hash).toBe(hashOf('two'))
})

it('is refused where the folder or its rules cannot be read', async () => {
  await expect(scan(join(scratch(), 'nowhere'))).rejects.toThrow(
    'it does not exist. Create it first',
  )
  const folder = scratch()
  writeFileSync(join(folder, '.gitignore'), '#'.repeat(1024 * 1024 + 1))
  await expect(scan(folder)).rejects.toThrow('it is longer than 1048576 bytes')
  const other = scratch()
  mkdirSync(join(other, '.gitignore'))
  expect((await scan(other)).files.size).toBe(0)
})

it('ends with an error at a rule that takes too long, which an agent may have written', async () => {
  const folder = scratch()
  writeText(folder, `${'a/'.repeat(200)}c`, 'deep')
  writeText(folder, '.gitignore', '# **/**/**/**\n**/a/**/a/**\r\n')
  await expect(scan(folder)).resolves.toBeDefined()
  writeText(folder, '.gitignore', `*.log\n${'**/a/'.repeat(8)}b\n`)
  await expect(scan(folder)).rejects.toThrow('the rule in line 2 has more than 2 times **')
})

it('works on a few things at once, and ends with the first failure', async () => {
  let open = 0
  let most = 0
  const done: number[] = []
  const work = forEachOf([1, 2, 3, 4, 5, 6], 2, async (item) => {
    most = Math.max(most, ++open)
    await new Promise((resolve) => setImmediate(resolve))
    open--
    if (item === 3) throw new Error('three')
    done.push(item)
  })
  await expect(work).rejects.toThrow('three')
  expect([most, open]).toEqual([2, 0])
  expect(done).not.toContain(6)
})

it('works beside the caller, and reports what failed', async () => {
  const pool = createPool(2)
  let open = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++open)
    await new Promise((resolve) => setImmediate(resolve))
    open--
  }
  for (let at = 0; at < 6; at++) await pool.add(work)
  await pool.end()
  expect([most, open]).toEqual([2, 0])
  await pool.add(() => Promise.reject(new Error('failed')))
  await expect(pool.end()).rejects.toThrow('failed')
})
