/** Checksums as ownCloud shows them: of uploads that named one, and of small files. */

import { createHash } from 'node:crypto'
import { createChecksums } from '#worker/dav/checksums.ts'
import { MAX_CHECKSUMS, MAX_SUMMED_BYTES } from '#worker/dav/limits.ts'
import { INLINE_BYTES } from '#worker/limits.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { asking, davWith, type DavClient } from '../../support/worker/dav.ts'
import { newStub } from '../../support/worker/object-life.ts'

const digest = (kind: string, text: string) => createHash(kind).update(text).digest('hex')
const shownOf = (text: string) =>
  `<checksum>SHA1:${digest('sha1', text)} MD5:${digest('md5', text)}`

const ASKED = asking('oc:checksums')

const sumsOf = async (dav: DavClient, path: string, depth = '0') =>
  (await dav.propfind(path, depth, ASKED)).resources.map(({ found }) => found['checksums'])

describe('checksums', () => {
  it('are those of the content, however it came', async () => {
    const { dav } = await davWith({ '/a': 'one', '/b': 'two' })
    await dav.send('PUT', '/c', { body: 'three' })
    expect(await sumsOf(dav, '/', '1')).toEqual([
      undefined,
      shownOf('one'),
      shownOf('two'),
      shownOf('three'),
    ])
    await dav.send('PUT', '/a', { body: 'new' })
    expect(await sumsOf(dav, '/a')).toEqual([shownOf('new')])
  })

  it('are shown only where they are asked for by name', async () => {
    const { dav } = await davWith({ '/a': 'one' })
    expect((await dav.propfind('/a')).resources[0]?.found).not.toHaveProperty('checksums')
  })

  it('of a large file are those of an upload that named one', async () => {
    const { dav, workspace } = await davWith({})
    const large = 'x'.repeat(INLINE_BYTES + 1)
    await workspace.put('/a', large)
    expect(await sumsOf(dav, '/a')).toEqual([undefined])
    const headers = { 'oc-checksum': `MD5:${digest('md5', large)}` }
    expect((await dav.send('PUT', '/b', { body: large, headers })).status).toBe(201)
    // The same content has them, wherever it is.
    expect(await sumsOf(dav, '/', '1')).toEqual([undefined, shownOf(large), shownOf(large)])
  })

  it('are computed up to a number of bytes in one listing', async () => {
    const { dav, workspace } = await davWith({})
    const count = MAX_SUMMED_BYTES / INLINE_BYTES
    for (let at = 0; at <= count; at++)
      await workspace.put(`/${at + 100}`, `${at}`.padEnd(INLINE_BYTES, 'x'))
    const sums = await sumsOf(dav, '/', '1')
    expect(sums.filter((sum) => sum !== undefined)).toHaveLength(count)
  })
})

it('the table keeps the newest', () =>
  runInDurableObject(newStub(), (_, { storage }) => {
    const sums = createChecksums(storage.sql)
    for (let at = 0; at <= MAX_CHECKSUMS; at++) sums.add(`${at}`, { md5: 'a', sha1: 'b' })
    expect([...sums.of(['0', '1', `${MAX_CHECKSUMS}`]).keys()].toSorted()).toEqual([
      '1',
      `${MAX_CHECKSUMS}`,
    ])
  }))
