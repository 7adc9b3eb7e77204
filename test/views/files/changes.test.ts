/** Proposals and uploads, and every way they can end. @module */

import { parsePath } from '#core/path.ts'
import { parseChange } from '#views/files/tool-results.ts'
import { Changes } from '#views/files/changes.ts'
import { ToolError, type Args, type ChangeResult } from '#views/files/client.ts'
import { copyName, Uploads, MAX_UPLOAD_BYTES } from '#views/files/uploads.ts'
import { describe, expect, it, vi } from 'vitest'

const PROPOSAL = { title: 'Delete a?', verb: 'Delete', tool: 'delete_file', args: { path: '/a' } }
const resultOf = (id: string): ChangeResult => ({ change: parseChange({ id }), text: 'Done' })
const conflict = (version: number) =>
  new ToolError('changed', { code: 'VERSION_CONFLICT', version })

describe('a proposal', () => {
  function changesWith(apply = vi.fn().mockResolvedValue(resultOf('made')), hostAsks = false) {
    const preview = vi.fn().mockResolvedValue(resultOf('shown'))
    const done = vi.fn()
    const changes = new Changes({ preview, apply, hostAsks }, () => {}, done)
    return { changes, preview, apply, done }
  }

  it('is applied as it was shown', async () => {
    const { changes, apply, done } = changesWith()
    const shown = changes.propose(PROPOSAL)
    expect(changes.draft?.stage).toBe('planning')
    await changes.apply()
    expect(apply).not.toHaveBeenCalled()
    await shown
    await changes.apply()
    expect(apply).toHaveBeenCalledExactlyOnceWith('delete_file', { path: '/a' }, 'shown')
    expect(done).toHaveBeenCalledExactlyOnceWith(resultOf('made'), PROPOSAL)
    expect(changes.draft).toBeNull()
  })

  it('is sent at once to a host that shows the preview and asks', async () => {
    const { changes, preview, apply, done } = changesWith(undefined, true)
    const sent = changes.propose(PROPOSAL)
    expect(changes.draft?.stage).toBe('asked')
    await sent
    expect(preview).not.toHaveBeenCalled()
    expect(apply).toHaveBeenCalledExactlyOnceWith('delete_file', { path: '/a' }, undefined)
    expect([done.mock.calls.length, changes.draft]).toEqual([1, null])
  })

  it('is over if such a host says that its user has denied it, and is shown if it failed', async () => {
    const denied = new ToolError('denied', { code: 'DENIED_BY_PERSON', version: 0 })
    const first = changesWith(vi.fn().mockRejectedValue(denied), true)
    await first.changes.propose(PROPOSAL)
    expect([first.done.mock.calls.length, first.changes.draft]).toEqual([0, null])
    const second = changesWith(vi.fn().mockRejectedValue(conflict(7)), true)
    await second.changes.propose(PROPOSAL)
    expect(second.changes.draft).toMatchObject({ stage: 'failed', error: 'changed' })
  })

  it('is applied once, however often it is requested', async () => {
    const { changes, apply } = changesWith()
    await changes.propose(PROPOSAL)
    await Promise.all([changes.apply(), changes.apply()])
    expect(apply).toHaveBeenCalledTimes(1)
  })

  it('is shown again, over the version that is there, after a conflict', async () => {
    const { changes, preview, done } = changesWith(vi.fn().mockRejectedValue(conflict(7)))
    await changes.propose(PROPOSAL)
    await changes.apply()
    expect(changes.draft).toMatchObject({ stage: 'failed', error: 'changed' })
    expect(done).not.toHaveBeenCalled()
    await changes.previewAgain()
    expect(preview).toHaveBeenLastCalledWith('delete_file', { path: '/a', if_version: 7 })
    expect(changes.draft?.stage).toBe('shown')
  })

  it('that the user has cancelled does not come back', async () => {
    const { changes } = changesWith()
    const shown = changes.propose(PROPOSAL)
    changes.cancel()
    await shown
    expect(changes.draft).toBeNull()
  })
})

describe('uploads', () => {
  const file = (name: string, size = 3) => new File([new Uint8Array(size)], name)

  /** A server with files at versions. */
  function uploadsOver(files: Record<string, number>) {
    const apply = vi.fn(async (_tool: string, { path, if_version }: Args) => {
      const version = files[String(path)] ?? 0
      if (version !== if_version) throw conflict(version)
      files[String(path)] = version + 1
      return resultOf('made')
    })
    const preview = vi.fn().mockResolvedValue(resultOf('shown'))
    const done = vi.fn()
    const uploads = new Uploads({ apply, preview }, () => {}, done)
    return { uploads, apply, done, files }
  }

  const FOLDER = parsePath('/in')

  it('send each file as a new one', async () => {
    const { uploads, files, done } = uploadsOver({})
    uploads.offer(FOLDER, [file('a'), file('b', 0)])
    expect(files).toEqual({})
    await uploads.start()
    expect(files).toEqual({ '/in/a': 1, '/in/b': 1 })
    expect(done).toHaveBeenCalledExactlyOnceWith(['a', 'b'])
    expect(uploads.state.phase).toBe('closed')
  })

  it('ask where one exists, and apply a decision for all', async () => {
    const { uploads, files } = uploadsOver({ '/in/a': 3, '/in/b': 4, '/in/c': 5 })
    uploads.offer(FOLDER, [file('a'), file('b'), file('c')])
    const sent = uploads.start()
    await expect.poll(() => uploads.state.conflict?.name).toBe('a')
    uploads.state.conflict?.decide('skip', false)
    await expect.poll(() => uploads.state.conflict?.name).toBe('b')
    uploads.state.conflict?.decide('replace', true)
    await sent
    expect(files).toEqual({ '/in/a': 3, '/in/b': 5, '/in/c': 6 })
    expect(uploads.state.files.map(({ state }) => state)).toEqual(['skipped', 'done', 'done'])
  })

  it('keep both under another name', async () => {
    const { uploads, files } = uploadsOver({ '/in/a.txt': 1, '/in/a (2).txt': 1 })
    uploads.offer(FOLDER, [file('a.txt')])
    const sent = uploads.start()
    await expect.poll(() => uploads.state.conflict).not.toBeNull()
    uploads.state.conflict?.decide('both', false)
    await sent
    expect(files['/in/a (3).txt']).toBe(1)
  })

  it('report what failed, and continue with the rest', async () => {
    const { uploads, done } = uploadsOver({})
    uploads.offer(FOLDER, [file('large', MAX_UPLOAD_BYTES + 1), file('b')])
    await uploads.start()
    expect(uploads.state.phase).toBe('ended')
    expect(uploads.state.files).toMatchObject([
      { state: 'failed', error: 'Larger than 3 MB. Use the console to upload it' },
      { state: 'done' },
    ])
    expect(done).toHaveBeenCalledWith(['b'])
  })

  it('end when the user closes the dialog', async () => {
    const { uploads, files } = uploadsOver({})
    uploads.offer(FOLDER, [file('a'), file('b')])
    const sent = uploads.start()
    uploads.close()
    await sent
    expect(Object.keys(files)).toEqual(['/in/a'])
  })

  it.each([
    ['a.txt', 'a (2).txt'],
    ['a', 'a (2)'],
    ['.env', '.env (2)'],
    ['a.tar.gz', 'a.tar (2).gz'],
  ])('%s beside itself is %s', (name, other) => expect(copyName(name, 2)).toBe(other))
})
