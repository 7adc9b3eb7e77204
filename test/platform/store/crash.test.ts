/** An object that crashes during an operation loses nothing that it has confirmed. */

import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { crash, stubOf } from '../../support/worker/object-life.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const LARGE = 'x'.repeat(200_000)

async function tree(): Promise<Workspace> {
  const workspace = freshWorkspace()
  for (const path of ['/a/1', '/a/2', '/b']) await workspace.put(path, path)
  await workspace.put('/large', LARGE)
  return workspace
}

const operations: [string, (workspace: Workspace) => Promise<unknown>][] = [
  ['write', ({ call }) => call('write_file', { path: 'b', content: 'new' })],
  [
    'write of a large file',
    ({ call }) => call('write_file', { path: 'b', content: LARGE + LARGE }),
  ],
  ['edit', ({ call }) => call('edit_file', { path: 'b', edits: [{ find: '/b', replace: 'new' }] })],
  ['move of a folder', ({ call }) => call('move_file', { from: 'a', to: 'c/d' })],
  ['delete of a folder', ({ call }) => call('delete_file', { path: 'a' })],
  ['upload', ({ put }) => put('/large', LARGE + LARGE)],
  ['preview', ({ call }) => call('delete_file', { path: 'a' }, { preview: true })],
  ['search', ({ call }) => call('search_files', { pattern: 'x' })],
  ['export', ({ fetch }) => fetch('/export').then((response) => response.arrayBuffer())],
]

describe('a crash at any moment of an operation', () => {
  it.each(operations)('%s', async (_, operate) => {
    for (const delay of [0, 1, 3, 10]) {
      const workspace = await tree()
      const operation = operate(workspace).then(
        () => true,
        () => false,
      )
      await scheduler.wait(delay)
      await crash(stubOf(workspace))
      await operation
      await expectWhole(stubOf(workspace))
      // The restarted object accepts changes.
      expect(await workspace.text('write_file', { path: 'after', content: 'x' })).toBe(
        'Created after',
      )
      await expectWhole(stubOf(workspace))
    }
  })

  it('keeps confirmed changes', async () => {
    const workspace = await tree()
    await workspace.text('write_file', { path: 'b', content: 'answered' })
    await workspace.put('/large', 'smaller')
    await crash(stubOf(workspace))
    expect(await workspace.text('read_file', { path: 'b' })).toBe('1: answered')
    expect(await workspace.text('read_file', { path: 'large' })).toBe('1: smaller')
    await expectWhole(stubOf(workspace))
  })
})
