import { describe, expect, it } from 'vitest'
import { defaultsOf, differences } from '#host/console/state/difference.ts'
import { found } from '#host/console/state/found.ts'
import { ago, bytes, left, listed } from '#host/console/state/format.ts'
import { placeOf } from '#host/console/state/refusal.ts'
import { linkTo, readRoute } from '#host/console/state/route.ts'
import { packFiles } from '#host/console/state/tar.ts'
import { metaOf, NO_META } from '#host/console/state/meta.ts'

describe('routes', () => {
  it.each([
    [['activity', 'write_file', 'a b/c'], {}],
    [['tools', 'x'], { args: '{"a":"?&#/%"}' }],
    [[], { do: 'import' }],
  ])('reads back %j %j', (path, query) => {
    expect(readRoute(linkTo(path, query))).toEqual({ path, query })
  })

  it('takes what cannot be decoded as it is', () => {
    expect(readRoute('#/tools/%E0%A4%A').path).toEqual(['tools', '%E0%A4%A'])
  })

  it('leaves out what is not given', () => {
    expect(linkTo(['a'], { b: undefined, c: '' })).toBe('#/a')
  })
})

describe('words for numbers', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [104_857_600, '104.9 MB'],
  ])('%d bytes', (value, text) => expect(bytes(value)).toBe(text))

  it.each([
    [0, 'over'],
    [1_500, '2 seconds'],
    [900_000, '15 minutes'],
    [3_600_000, '1 hour'],
    [7_200_000, '2 hours'],
    [604_800_000, '7 days'],
  ])('%d ms left', (value, text) => expect(left(value)).toBe(text))

  it('tells of the past', () => {
    expect(ago(0, 1_000)).toBe('just now')
    expect(ago(0, 180_000)).toBe('3 minutes ago')
    expect(ago(0, 90_000_000)).toBe('yesterday')
  })

  it('joins a list', () => expect(listed(['a', 'b', 'c'])).toBe('a, b and c'))
})

describe('the palette', () => {
  const commands = ['Overview', 'Read a file (read_file)', 'Create a folder'].map((title) => ({
    title,
  }))

  it('finds what begins so before what only holds the letters', () => {
    expect(found(commands, 'rea').map(({ title }) => title)).toEqual([
      'Read a file (read_file)',
      'Create a folder',
    ])
    expect(found(commands, 'ovw')).toHaveLength(1)
    expect(found(commands, 'zzz')).toEqual([])
  })
})

describe('differences between rules', () => {
  it('sees no difference in what means the same', () => {
    const short = { roots: [{ path: '/' }] }
    const long = { roots: [{ path: '/', default: true, deny: [], allow: [], immutable: [] }] }
    expect(differences(short, long)).toEqual([])
  })

  it('tells a folder with its lists in a line', () => {
    const after = { roots: [{ path: '/docs', deny: ['a', 'b'] }], approval: 'confirm' }
    expect(differences({ roots: [{ path: '/' }] }, after)).toEqual([
      { name: 'roots', before: '/', after: '/docs deny a b' },
      { name: 'approval', before: 'not set', after: 'confirm' },
    ])
  })

  it('reads the defaults of a schema', () => {
    const properties = { a: { default: 1 }, b: {} }
    expect(defaultsOf({ properties })).toEqual({ a: 1 })
    expect(defaultsOf(null)).toEqual({})
  })
})

describe('where a refusal belongs', () => {
  const config = { roots: [{ path: '/a' }, { path: '/b\u0007' }], find_limit: 1 }
  it.each([
    ['root.path "/b\\u0007" is no path: it holds a control character', '/roots/1/path'],
    ['root.deny must be an array', '/roots'],
    ['find_limit must be a non-negative integer', '/find_limit'],
    ['config must be an object', null],
  ])('%j', (message, place) => expect(placeOf(message, config)).toBe(place))
})

describe('the terms of a call', () => {
  it('sends only what was filled in', () => {
    expect(metaOf(NO_META)).toEqual({})
    const meta = { ...NO_META, granted: 'write:file:/a\n read', policy: { find_limit: 1 } }
    expect(metaOf({ ...meta, more: '{"x":1}' })).toEqual({
      x: 1,
      policy: { find_limit: 1 },
      granted_scopes: ['write:file:/a', 'read'],
    })
    expect(metaOf({ ...NO_META, more: '[1]' })).toEqual({})
  })
})

describe('an archive of files', () => {
  it('is made of whole blocks, and gives a long name a header of its own', async () => {
    const long = `${'folder/'.repeat(20)}file.txt`
    const file = (name: string, text: string) => new File([text], name, { lastModified: 0 })
    const { archive, files } = packFiles([file('a.txt', 'hello'), file(long, 'x')])
    expect(files).toBe(2)
    const bytes = new Uint8Array(await archive.arrayBuffer())
    expect(bytes.length % 512).toBe(0)
    const all = new TextDecoder().decode(bytes)
    expect(all.startsWith('a.txt\0')).toBe(true)
    expect(all).toMatch(new RegExp(`\\d+ path=${long}\n`))
  })
})
