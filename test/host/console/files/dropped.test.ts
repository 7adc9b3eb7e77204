/** Files and folders that were dropped: all of them, below their folders, and not without end. */

import { readDropped, type DroppedEntry } from '#host/console/files/dropped.ts'
import { expect, it } from 'vitest'

const fileOf = (name: string, isGone = false): DroppedEntry =>
  Object.assign(
    { isFile: true, isDirectory: false, name },
    {
      file: (done: (file: File) => void, fail: () => void) =>
        isGone ? fail() : done(new File([name], name)),
    },
  )

/** A folder, whose entries come in parts as a browser returns them. */
const folderOf = (name: string, children: () => readonly DroppedEntry[], part = 2): DroppedEntry =>
  Object.assign(
    { isFile: false, isDirectory: true, name },
    {
      createReader() {
        const left = [...children()]
        return { readEntries: (done: (found: unknown) => void) => done(left.splice(0, part)) }
      },
    },
  )

const pathsOf = async (entries: readonly DroppedEntry[]) => {
  const { files, isPartial } = await readDropped(entries)
  return { paths: files.map(({ path }) => path), isPartial }
}

it('reads files, and folders with all their parts', async () => {
  const inner = folderOf('inner', () => [fileOf('deep.txt')])
  const names = ['a', 'b', 'c', 'd', 'e']
  const folder = folderOf('docs', () => [...names.map((name) => fileOf(name)), inner])
  expect(await pathsOf([fileOf('one.txt'), folder])).toEqual({
    paths: ['one.txt', ...names.map((name) => `docs/${name}`), 'docs/inner/deep.txt'],
    isPartial: false,
  })
})

it('says that something cannot be read', async () => {
  expect(await pathsOf([fileOf('a', true), fileOf('b')])).toEqual({ paths: ['b'], isPartial: true })
})

it('ends in a folder that has itself in it', async () => {
  const loop: DroppedEntry = folderOf('loop', () => [loop, fileOf('x')])
  const { paths, isPartial } = await pathsOf([loop])
  expect(isPartial).toBe(true)
  expect(paths.length).toBeLessThan(100)
})
