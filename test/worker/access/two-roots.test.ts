/** Paths in results with two roots: relative inside the default root, absolute elsewhere. */

import { describe, expect, it } from 'vitest'
import { withToolContext } from '../../support/worker/tool-context.ts'

const CONFIG = { roots: [{ path: '/a', default: true }, { path: '/b' }] }
const FILES = { '/a/notes.txt': 'needle', '/b/notes.txt': 'needle', '/b/d/x': 'x' }

type Row = [string, Record<string, unknown>, string, Record<string, unknown>?]

const ROWS: readonly Row[] = [
  ['write_file', { path: '/b/new.txt', content: 'x' }, 'Created /b/new.txt'],
  ['write_file', { path: 'new.txt', content: 'x' }, 'Created new.txt', { path: 'new.txt' }],
  [
    'edit_file',
    { path: '/b/notes.txt', edits: [{ find: 'needle', replace: 'x' }] },
    'Edited /b/notes.txt in 1 place',
  ],
  ['delete_file', { path: '/b/notes.txt' }, 'Deleted /b/notes.txt', { path: '/b/notes.txt' }],
  [
    'move_file',
    { from: 'notes.txt', to: '/b/moved.txt' },
    'Moved notes.txt to /b/moved.txt',
    { from: 'notes.txt', to: '/b/moved.txt' },
  ],
  ['write_file', { path: '/b/up', content_base64: '' }, 'Created /b/up', { path: '/b/up' }],
  ['create_folder', { path: '/b/made' }, 'Created /b/made', { path: '/b/made' }],
  [
    'restore_file',
    { path: '/b/notes.txt', version: 2 },
    'Restored /b/notes.txt to version 2',
    { path: '/b/notes.txt' },
  ],
  ['read_file', { path: '/b/notes.txt' }, 'needle', { path: '/b/notes.txt' }],
  ['read_file', { path: '../b/notes.txt' }, 'needle', { path: '/b/notes.txt' }],
  ['read_multiple_files', { paths: ['/b/notes.txt'] }, '== /b/notes.txt'],
  ['file_history', { path: '/b/notes.txt' }, '2', { path: '/b/notes.txt' }],
  ['find_files', { root: '/b' }, 'notes.txt', { root: '/b' }],
  ['find_files', { root: '.' }, 'notes.txt', { root: '.' }],
  ['search_files', { pattern: 'needle', root: '/b' }, 'notes.txt', { root: '/b' }],
  ['search_files', { pattern: 'needle', root: '/b/notes.txt' }, '/b/notes.txt\n1: needle'],
]

describe('a path in a result', () => {
  it.each(ROWS)('of %s %j: %j', async (name, args, text, structured = {}) => {
    await withToolContext(CONFIG, async ({ write, call }) => {
      await write(FILES)
      const reply = await call(name, args)
      if (reply.refused) throw new Error(reply.refused.message)
      const [first] = reply.outcome.content
      expect(first).toMatchObject({ text: expect.stringContaining(text) })
      expect(reply.outcome.structuredContent).toMatchObject(structured)
    })
  })
})

describe('a diff', () => {
  const diffOf = (args: Record<string, unknown>) =>
    withToolContext(CONFIG, async ({ write, call, services, caller, owner }) => {
      await write(FILES)
      const reply = await call('move_file', args, { preview: true })
      if (reply.refused) throw new Error(reply.refused.message)
      const change = Object(reply.outcome._meta?.['dev.edgewise/change'])
      const { store, draft } = owner
      const reader = { access: caller.access, owner: caller, store, draft }
      return (await services.changes.read(String(change.diff), reader))?.text ?? ''
    })

  it('uses relative paths if all files are in the default root', async () => {
    const diff = await diffOf({ from: 'notes.txt', to: 'b/notes.txt' })
    expect(diff).toContain('rename from notes.txt\nrename to b/notes.txt\n')
  })

  it('uses absolute paths if one file is outside of it', async () => {
    const diff = await diffOf({ from: 'notes.txt', to: '/b/moved.txt' })
    expect(diff).toContain('rename from a/notes.txt\nrename to b/moved.txt\n')
  })
})
