/** Names that a server sends become paths on disk only if they stay in the folder. */

import { describe, expect, it } from 'vitest'
import { faultOfName, nameCopy, whyReserved } from '../scripts/sync/names.ts'
import { readEntries, listingPage, feedPage, readFeed, nameBelow } from '../scripts/sync/wire.ts'
import { hashOf } from './support/sync/server.ts'

const SOURCE = { workspace: 'w', access: 'a' }

const OUTSIDE = [
  '',
  '.',
  '..',
  '../x',
  'a/../../x',
  'a/../b',
  '/etc/passwd',
  '//server/share',
  'a//b',
  'a/',
  './a',
  'a\\..\\..\\x',
  'C:\\x',
  'a\0b',
  'a\nb',
  `${'x'.repeat(1100)}`,
  '\ud800',
]

it.each(OUTSIDE)('refuses %j', (name) => {
  expect(faultOfName(name)).not.toBeNull()
})

it('refuses what is not in NFC, because a disk has it in one form', () => {
  expect(faultOfName('e\u0301')).toBe('it is not in Unicode NFC')
  expect(faultOfName('\u00e9')).toBeNull()
})

it.each(['con', 'NUL.txt', 'a/aux', 'a:b', 'a.', 'a /b', 'x?'])('refuses %j on Windows', (name) => {
  expect(faultOfName(name, 'win32')).not.toBeNull()
  expect(faultOfName(name, 'linux')).toBeNull()
})

it('names the copy of a conflict, which is never sent', () => {
  expect(nameCopy('a/b.txt', 12)).toBe('a/b.from-edgewise-12.txt')
  expect(nameCopy('a.b/c', 12)).toBe('a.b/c.from-edgewise-12')
  expect(nameCopy('.profile', 12)).toBe('.profile.from-edgewise-12')
  for (const name of ['a/b.txt', 'c', '.profile', 'a.tar.gz'])
    expect(whyReserved(nameCopy(name, 12)), name).toBe('it is a copy of a conflict')
})

it.each(['.edgewise-sync.json', '.edgewise-sync/state', '.edgewiseignore', '.Edgewise-Sync.json'])(
  'reserves %j in every folder, which may be in step with another workspace',
  (name) => {
    expect(whyReserved(name)).toBe('it belongs to sync')
    expect(whyReserved(`a/b/${name}`)).toBe('it belongs to sync')
  },
)

describe('a response', () => {
  const hash = hashOf('x')
  const file = (path: string) => ({ path, type: 'file', version: 1, size: 1, hash })

  it.each(OUTSIDE)('never names %j', (name) => {
    const page = listingPage.parse({ ...SOURCE, version: 1, entries: [file(`/docs/${name}`)] })
    expect(readEntries(page, '/docs').files).toEqual([])
    const changes = [
      { version: 1, files: [{ path: `/docs/${name}`, kind: 'file', size: 1, hash }] },
    ]
    const feed = feedPage.parse({ ...SOURCE, version: 1, next: 1, changes })
    expect(readFeed(feed, '/docs')?.changes ?? []).toEqual([])
  })

  it('has no names of other folders', () => {
    expect(nameBelow('/docs/a', '/docs')).toBe('a')
    expect(nameBelow('/docsx/a', '/docs')).toBeNull()
    expect(nameBelow('/a', '/docs')).toBeNull()
    const read = readEntries(
      listingPage.parse({ ...SOURCE, version: 1, entries: [file('/other/a')] }),
      '/docs',
    )
    expect(read).toEqual({
      files: [],
      skipped: [{ name: '/other/a', reason: 'it is not in the folder that was asked for' }],
    })
  })

  it('is none where a file has no hash: it would count as deleted', () => {
    const entries = [{ path: '/a', type: 'file', version: 1, size: 1 }]
    expect(listingPage.safeParse({ ...SOURCE, version: 1, entries }).success).toBe(false)
  })

  it('leads to a listing where a change has more files than it lists, or its folder was deleted', () => {
    const read = (change: object) =>
      readFeed(
        feedPage.parse({ ...SOURCE, version: 2, next: 2, changes: [{ version: 2, ...change }] }),
        '/docs',
      )
    expect(read({ files: [], left: 1 })).toBeNull()
    expect(read({ files: [{ path: '/docs', kind: 'gone' }] })).toBeNull()
    expect(read({ files: [{ path: '/docs/a', kind: 'file', size: 1 }] })).toBeNull()
    expect(read({ files: [{ path: '/docs', kind: 'folder' }] })).toMatchObject({ changes: [] })
  })

  it('has what is gone before what is new: a file can be where a folder was', () => {
    const files = [
      { path: '/a/b', kind: 'file', size: 1, hash },
      { path: '/a', kind: 'folder' },
      { path: '/a/c', kind: 'gone' },
    ]
    const feed = feedPage.parse({
      ...SOURCE,
      version: 2,
      next: 2,
      changes: [{ version: 2, files }],
    })
    expect(readFeed(feed, '/')?.changes.map(({ name }) => name)).toEqual(['a', 'a/c', 'a/b'])
  })
})
