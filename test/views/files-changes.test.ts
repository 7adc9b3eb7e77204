/** Proposals and uploads, and every way they can end. @module */

import { parsePath } from '#core/path.ts'
import { readChange } from '#views/files/answers.ts'
import { createChanges } from '#views/files/changes.ts'
import { Refusal, type Args, type Outcome } from '#views/files/server.ts'
import { besides, createUploads, MOST_BYTES } from '#views/files/uploads.ts'
import { describe, expect, it, vi } from 'vitest'

const PROPOSAL = { title: 'Delete a?', verb: 'Delete', tool: 'delete_file', args: { path: '/a' } }
const outcome = (id: string): Outcome => ({ change: readChange({ id }), said: 'Done' })
const conflict = (version: number) => new Refusal('changed', { code: 'VERSION_CONFLICT', version })

describe('a proposal', () => {
  function changesWith(apply = vi.fn().mockResolvedValue(outcome('made'))) {
    const preview = vi.fn().mockResolvedValue(outcome('shown'))
    const done = vi.fn()
    const changes = createChanges({ preview, apply }, () => {}, done)
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
    expect(done).toHaveBeenCalledExactlyOnceWith(outcome('made'), PROPOSAL)
    expect(changes.draft).toBeNull()
  })

  it('is applied once, however often that is asked', async () => {
    const { changes, apply } = changesWith()
    await changes.propose(PROPOSAL)
    await Promise.all([changes.apply(), changes.apply()])
    expect(apply).toHaveBeenCalledTimes(1)
  })

  it('is shown again, over the version that is there, after a conflict', async () => {
    const { changes, preview, done } = changesWith(vi.fn().mockRejectedValue(conflict(7)))
    await changes.propose(PROPOSAL)
    await changes.apply()
    expect(changes.draft).toMatchObject({ stage: 'failed', problem: 'changed' })
    expect(done).not.toHaveBeenCalled()
    await changes.again()
    expect(preview).toHaveBeenLastCalledWith('delete_file', { path: '/a', if_version: 7 })
    expect(changes.draft?.stage).toBe('shown')
  })

  it('that the person has left does not come back', async () => {
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
      return outcome('made')
    })
    const preview = vi.fn().mockResolvedValue(outcome('shown'))
    const done = vi.fn()
    const uploads = createUploads({ apply, preview }, () => {}, done)
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

  it('ask where one exists, and do for all what was said for all', async () => {
    const { uploads, files } = uploadsOver({ '/in/a': 3, '/in/b': 4, '/in/c': 5 })
    uploads.offer(FOLDER, [file('a'), file('b'), file('c')])
    const sent = uploads.start()
    await vi.waitFor(() => expect(uploads.state.clash?.name).toBe('a'))
    uploads.state.clash?.answer('skip', false)
    await vi.waitFor(() => expect(uploads.state.clash?.name).toBe('b'))
    uploads.state.clash?.answer('replace', true)
    await sent
    expect(files).toEqual({ '/in/a': 3, '/in/b': 5, '/in/c': 6 })
    expect(uploads.state.list.map(({ state }) => state)).toEqual(['skipped', 'done', 'done'])
  })

  it('keep both under another name', async () => {
    const { uploads, files } = uploadsOver({ '/in/a.txt': 1, '/in/a (2).txt': 1 })
    uploads.offer(FOLDER, [file('a.txt')])
    const sent = uploads.start()
    await vi.waitFor(() => expect(uploads.state.clash).not.toBeNull())
    uploads.state.clash?.answer('both', false)
    await sent
    expect(files['/in/a (3).txt']).toBe(1)
  })

  it('tell what failed, and go on with the rest', async () => {
    const { uploads, done } = uploadsOver({})
    uploads.offer(FOLDER, [file('large', MOST_BYTES + 1), file('b')])
    await uploads.start()
    expect(uploads.state.phase).toBe('ended')
    expect(uploads.state.list).toMatchObject([
      { state: 'failed', error: 'Larger than 3 MB: use the console' },
      { state: 'done' },
    ])
    expect(done).toHaveBeenCalledWith(['b'])
  })

  it('end when the person closes the dialog', async () => {
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
  ])('%s beside itself is %s', (name, other) => expect(besides(name, 2)).toBe(other))
})
