/** What an approval names, as the server names it. */

import { chooseGroups } from '#host/console/drafts/approval.ts'
import type { ChangedFile, ProposedChange } from '#core/owner/answers/drafts.ts'
import { expect, it } from 'vitest'

const change = (id: string, group: number, digest?: string): ProposedChange => ({
  ...{ id, group, digest, tool: 'write_file', intent: id, at: 0, paths: [], conflict: null },
  level: 'review',
})

const changes = [
  change('a', 0),
  change('b', 1, 'digest of 1'),
  change('c', 0, 'digest of 0'),
  change('d', 3),
]

const file = (path: string, group: number, unseen?: boolean): ChangedFile => ({
  ...{ path, group, unseen, before: null, after: 1, digest: path },
  type: 'file',
  risks: [],
  mark: '',
  change: 'added',
})

const files = [file('/a', 0, true), file('/b', 1), file('/d', 3, true)]

it('names one group by its own digest', async () => {
  expect(await chooseGroups({ changes, files }, [1])).toEqual({
    groups: [1],
    digest: 'digest of 1',
    unseen: [],
  })
})

it('names several by the hash of their digests, in the order of their first changes', async () => {
  const { digest, unseen } = await chooseGroups({ changes, files }, [1, 0])
  // printf '["digest of 0","digest of 1"]' | sha256sum
  expect(digest).toBe('e574a2721bdb4824d5019f5814f47014f1ba47f98733b7de8a31f298c7a76c7c')
  expect(unseen).toEqual(['/a'])
})

it('names everything by the revision, with all files that cannot be shown as text', async () => {
  expect(await chooseGroups({ changes, files }, null)).toEqual({ unseen: ['/a', '/d'] })
})

it('never names a group that is not loaded as a whole', async () => {
  await expect(chooseGroups({ changes, files }, [3])).rejects.toThrow('not loaded')
})
