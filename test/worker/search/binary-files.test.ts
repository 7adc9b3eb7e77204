/** Files that are not text, found by their blobs or by reading files: both give the same, within limits. */

import { parsePath, ROOT } from '#core/path.ts'
import { findBinaryFiles, type BinaryFiles, type Sight } from '#worker/search/binary-files.ts'
import { createR2Objects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import { WORKSPACE_LAYER } from '#worker/store/layer.ts'
import { rangesWithin } from '#worker/store/path-ranges.ts'
import type { Step } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { newStub } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

const BINARY = ['/a', '/in/b', '/in/c', '/other/d']

function withFiles(
  work: (find: (folder: string, sight?: Sight, files?: number) => BinaryFiles) => void,
): Promise<void> {
  return runInDurableObject(newStub(), async (_, { storage }) => {
    const store = createSqliteStore(storage, createR2Objects(env.FILES, 'binary'))
    const steps: Step[] = []
    for (const [at, path] of [...BINARY, '/in/text', '/z'].entries())
      steps.push({
        type: 'put',
        path: parsePath(path),
        content: await store.hold(new Uint8Array([at < BINARY.length ? 0 : 65, at])),
      })
    expect(act(store, ...steps).ok).toBe(true)
    const source = { sql: storage.sql, layer: WORKSPACE_LAYER }
    work((folder, sight, files) =>
      findBinaryFiles(source, parsePath(folder), sight, {
        blobs: files === undefined ? 4 : 3,
        files: files ?? 0,
      }),
    )
  })
}

const pathsOf = ({ files }: BinaryFiles) => files.map(({ path }) => path)

it('their blobs lead to them, or all files are read', () =>
  withFiles((find) => {
    expect(find(ROOT)).toMatchObject({ isComplete: true })
    expect(pathsOf(find(ROOT))).toEqual(BINARY)
    expect(pathsOf(find(ROOT, undefined, 6))).toEqual(BINARY)
    expect(pathsOf(find('/in'))).toEqual(['/in/b', '/in/c'])
    expect(pathsOf(find('/in', undefined, 3))).toEqual(['/in/b', '/in/c'])
    expect(find(ROOT, undefined, 6).isComplete).toBe(true)
  }))

it('says where only some were read', () =>
  withFiles((find) => {
    const some = find(ROOT, undefined, 2)
    expect(pathsOf(some)).toEqual(['/a', '/in/b'])
    expect(some.isComplete).toBe(false)
  }))

it('counts only files that the caller sees, also for how many are read', () =>
  withFiles((find) => {
    const sees: Sight['sees'] = ({ path }) => path !== '/a' && path !== '/in/b'
    const seen = find(ROOT, { within: undefined, sees }, 4)
    expect(pathsOf(seen)).toEqual(['/in/c', '/other/d'])
    expect(seen.isComplete).toBe(true)
    const within = rangesWithin([parsePath('/in')])
    expect(pathsOf(find(ROOT, { within, sees }, 2))).toEqual(['/in/c'])
  }))
