/** Which folder holds the data of `npm start`, and who may use it. */

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { dataFolder, lockFolder } from '../scripts/data-folder.ts'
import { inProject } from '../scripts/settings.ts'

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-data-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('is the default one without a name, and with an empty one', () => {
  expect(dataFolder(undefined)).toBe(inProject('.edgewise'))
  expect(dataFolder('')).toBe(inProject('.edgewise'))
})

it('is relative to the folder in which npm was started', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('npm_lifecycle_event', 'start')
  vi.stubEnv('INIT_CWD', '/somewhere')
  expect(dataFolder('notes')).toBe('/somewhere/notes')
  expect(dataFolder('/notes')).toBe('/notes')
})

it('reports whether there is data, beside entries that are not its own', () => {
  const folder = scratch()
  mkdirSync(join(folder, 'lost+found'), { mode: 0 })
  expect(lockFolder(folder)).toBe(true)
  const used = scratch()
  mkdirSync(join(used, 'do'))
  expect(lockFolder(used)).toBe(false)
})

it('is refused to a second process, with the id of the first', () => {
  const folder = join(scratch(), 'new')
  lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(
    `Cannot use ${folder}: process ${process.pid} is using it. Stop that process first, or set EDGEWISE_DATA to another folder`,
  )
})

it.each(['', '0', '-1', '1', 'x', String(process.ppid)])(
  'is free with the process id "%s" left in it',
  (id) => {
    const folder = scratch()
    writeFileSync(join(folder, 'pid'), id)
    lockFolder(folder)
    expect(readFileSync(join(folder, 'pid'), 'utf8')).toBe(`${process.pid}\n`)
  },
)

it.each(['\u001b[31m7'])(
  'is refused to a second process without repeating %j, which is no process id',
  (text) => {
    const folder = scratch()
    lockFolder(folder)
    writeFileSync(join(folder, 'pid'), text)
    expect(() => lockFolder(folder)).toThrow(`Cannot use ${folder}: another process is using it. `)
  },
)

it.each(['pid', 'lock'])('is refused with a folder in the place of the file %s', (name) => {
  const folder = scratch()
  mkdirSync(join(folder, name))
  expect(() => lockFolder(folder)).toThrow(
    `Cannot use ${folder}: ${name} in it is no file. Remove ${join(folder, name)}, or set EDGEWISE_DATA to another folder`,
  )
})

it('has data for its user alone, also what another release made', () => {
  const folder = join(scratch(), 'new')
  lockFolder(folder)
  const old = scratch()
  chmodSync(old, 0o755)
  mkdirSync(join(old, 'do'), { mode: 0o755 })
  mkdirSync(join(old, 'others'), { mode: 0o755 })
  lockFolder(old)
  const modes = [folder, join(old, 'do'), old, join(old, 'others')].map(
    (one) => statSync(one).mode & 0o777,
  )
  expect(modes).toEqual([0o700, 0o700, 0o755, 0o755])
})

it('cannot be a file, or below one', () => {
  const file = join(scratch(), 'file')
  writeFileSync(file, '')
  const advice = 'Set EDGEWISE_DATA to another folder'
  expect(() => lockFolder(file)).toThrow(`Cannot use ${file}: it is a file. ${advice}`)
  const below = join(file, 'data')
  expect(() => lockFolder(below)).toThrow(
    `Cannot use ${below}: a part of its path is a file. ${advice}`,
  )
})

it.skipIf(process.getuid?.() === 0)('has to be writable, and so has its data', () => {
  const folder = scratch()
  mkdirSync(join(folder, 'do'), { mode: 0o500 })
  expect(() => lockFolder(folder)).toThrow(`Cannot use ${folder}: permission denied. Set`)
  rmSync(join(folder, 'do'), { recursive: true })
  chmodSync(folder, 0o500)
  expect(() => lockFolder(folder)).toThrow(`Cannot use ${folder}: permission denied. Set`)
})
