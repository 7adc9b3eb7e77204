/** What an approval names, as the server names it. */

import { chooseGroups } from '#host/console/drafts/approval.ts'
import { parseChange, parseFile } from '#host/console/drafts/drafts-parse.ts'
import { expect, it } from 'vitest'

const changes = [
  { id: 'a', group: 0 },
  { id: 'b', group: 1, digest: 'digest of 1' },
  { id: 'c', group: 0, digest: 'digest of 0' },
  { id: 'd', group: 3 },
].flatMap(parseChange)

const files = [
  { path: '/a', group: 0, unseen: true },
  { path: '/b', group: 1 },
  { path: '/d', group: 3, unseen: true },
].flatMap(parseFile)

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
