/** The guard against emptying a side: what it refuses at once, in parts, and until when. */

import { expect, it } from 'vitest'
import { createDeletionGuard } from '../scripts/sync/deletions.ts'
import { DELETIONS_MS } from '../scripts/sync/limits.ts'

function open() {
  let time = 0
  const guard = createDeletionGuard(() => time)
  const here = (deletions: number, files: number) =>
    guard.check({ deletions: { here: deletions, there: 0 }, files: { here: files, there: 0 } })
  const run = (deletions: number, files: number) => {
    here(deletions, files)
    guard.note({ here: deletions, there: 0 })
  }
  return { guard, here, run, pass: (ms: number) => (time += ms) }
}

it('permits half of the files, and any ten', () => {
  const { run } = open()
  run(50, 100)
  open().run(10, 10)
})

it('refuses more, on the side where it happens', () => {
  const { here, guard } = open()
  expect(() => here(51, 100)).toThrow('51 of 100 files would be deleted here. If')
  const there = { deletions: { here: 0, there: 11 }, files: { here: 50, there: 11 } }
  expect(() => guard.check(there)).toThrow('11 of 11 files would be deleted in the workspace')
})

it('counts the parts of a folder that is emptied while it is watched', () => {
  const { run, here } = open()
  run(40, 100)
  expect(() => here(20, 60)).toThrow(
    '60 of 100 files would be deleted here, 40 of which already are',
  )
})

it('holds on until the files are back, however long that takes', () => {
  const { run, here, pass } = open()
  run(40, 100)
  expect(() => here(20, 60)).toThrow('60 of 100')
  pass(2 * DELETIONS_MS)
  expect(() => here(20, 60)).toThrow('20 of 60')
  here(0, 60)
  run(20, 60)
})

it('forgets deletions after a while', () => {
  const { run, pass } = open()
  for (let day = 0; day < 30; day++) {
    run(40, 100)
    pass(DELETIONS_MS)
  }
})
