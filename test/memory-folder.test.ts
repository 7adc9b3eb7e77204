/** The folder in memory of `npm test`: what goes into it, when there is none, and that nothing of it is left. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryFolder, ON_DISK } from '../scripts/memory-folder.ts'

describe('the folder in memory', () => {
  let place = ''
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'memory-folder-'))
  })
  afterAll(() => rmSync(place, { recursive: true }))

  it('gets the temporary files of a program and what Node has compiled, until it is removed', () => {
    const { env, remove } = createMemoryFolder({ place, minFreeBytes: 1 })
    const script = `[require('node:os').tmpdir(), require('node:module').getCompileCacheDir()].join()`
    const run = spawnSync(process.execPath, ['--print', script], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
    const [temporary = '', compiled = ''] = run.stdout.trim().split(',')
    expect(dirname(temporary)).toBe(place)
    expect(compiled.startsWith(join(temporary, 'compiled'))).toBe(true)
    writeFileSync(join(temporary, 'left'), '')
    remove()
    expect(readdirSync(place)).toEqual([])
  })

  it.each([
    ['has too little room', () => ({ place, minFreeBytes: Infinity })],
    ['does not exist', () => ({ place: join(place, 'absent') })],
    ['may not run programs', () => ({ place, minFreeBytes: 1, canExecute: () => false })],
  ])('is not used where its place %s', (_, memory) => {
    expect(createMemoryFolder(memory())).toBe(ON_DISK)
    expect(readdirSync(place)).toEqual([])
  })
})
