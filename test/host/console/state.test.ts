import { describe, expect, it } from 'vitest'
import { readDefaults, diffConfigs } from '#host/console/rules/config-diff.ts'
import { filterByTitle } from '#host/console/shell/palette.tsx'
import { formatAge, formatBytes, formatLimit, formatRemaining } from '#host/console/ui/format.ts'
import { linkTo, parseRoute } from '#host/console/shell/route.ts'
import { localFiles, packFiles } from '#host/console/files/tar.ts'
import { buildMeta, NO_OPTIONS } from '#host/console/tools/request-options.ts'

describe('routes', () => {
  it.each([
    [['activity', 'write_file', 'a b/c'], {}],
    [['tools', 'x'], { args: '{"a":"?&#/%"}' }],
    [[], { do: 'import' }],
  ])('reads back %j %j', (path, query) => {
    expect(parseRoute(linkTo(path, query))).toEqual({ path, query })
  })

  it('keeps a segment that cannot be decoded', () => {
    expect(parseRoute('#/tools/%E0%A4%A').path).toEqual(['tools', '%E0%A4%A'])
  })

  it('omits empty query values', () => {
    expect(linkTo(['a'], { b: undefined, c: '' })).toBe('#/a')
  })
})

describe('formats', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [104_857_600, '104.9 MB'],
  ])('%d bytes', (value, text) => expect(formatBytes(value)).toBe(text))

  it.each([
    [104_857_600, '100 MiB'],
    [100_000_000, '100 MB'],
    [10_737_418_240, '10 GiB'],
    [1_048_576, '1 MiB'],
    [34_000, '34 kB'],
    [0, '0 bytes'],
  ])('a limit of %d bytes', (value, text) => expect(formatLimit(value)).toBe(text))

  it.each([
    [0, 'expired'],
    [1_500, '2 seconds'],
    [900_000, '15 minutes'],
    [3_600_000, '1 hour'],
    [7_200_000, '2 hours'],
    [604_800_000, '7 days'],
  ])('%d ms left', (value, text) => expect(formatRemaining(value)).toBe(text))

  it('formats past times', () => {
    expect(formatAge(0, 1_000)).toBe('just now')
    expect(formatAge(0, 180_000)).toBe('3 minutes ago')
    expect(formatAge(0, 90_000_000)).toBe('yesterday')
  })
})

describe('the palette', () => {
  const commands = ['Overview', 'Read a file (read_file)', 'Create a folder'].map((title) => ({
    title,
  }))

  it('ranks titles that start with the text above those that contain its letters', () => {
    expect(filterByTitle(commands, 'rea').map(({ title }) => title)).toEqual([
      'Read a file (read_file)',
      'Create a folder',
    ])
    expect(filterByTitle(commands, 'ovw')).toHaveLength(1)
    expect(filterByTitle(commands, 'zzz')).toEqual([])
  })
})

describe('differences between rules', () => {
  it('ignores differences without a meaning', () => {
    const short = { roots: [{ path: '/' }] }
    const lists = { deny: [], allow: [], immutable: [] }
    const long = { roots: [{ path: '/', default: true, approval: 'none', ...lists }] }
    expect(diffConfigs(short, long)).toEqual([])
  })

  it('shows only the folders that differ, each with its lists', () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ path: `/folder-${at}`, deny: ['x'] }))
    const before = { roots: [...many, { path: '/old' }] }
    const after = { roots: [...many, { path: '/docs', deny: ['a', 'b'] }], approval: 'confirm' }
    expect(diffConfigs(before, after)).toEqual([
      { name: 'roots /old', before: 'without restrictions', after: 'not set' },
      { name: 'roots /docs', before: 'not set', after: 'deny a b' },
      { name: 'approval', before: 'not set', after: 'confirm' },
    ])
  })

  it('shows another order, another default, and a path that repeats', () => {
    const [a, b] = [{ path: '/a' }, { path: '/b' }]
    expect(diffConfigs({ roots: [a, b] }, { roots: [b, a] })).toEqual([
      { name: 'order of roots', before: '/a; /b', after: '/b; /a' },
    ])
    expect(diffConfigs({ roots: [a, b] }, { roots: [a, { ...b, default: true }] })).toEqual([
      { name: 'roots /b default', before: 'not set', after: 'true' },
    ])
    expect(diffConfigs({ roots: [a] }, { roots: [a, { ...a, deny: ['x'] }] })).toEqual([
      { name: 'roots /a (entry 2)', before: 'not set', after: 'deny x' },
    ])
  })

  it('shows each pattern that differs, whatever the length of the list', () => {
    const many = Array.from({ length: 60 }, (_, at) => `private-${at}/**`)
    const rules = (...deny: string[]) => ({ roots: [{ path: '/', deny, approval: 'review' }] })
    expect(diffConfigs(rules(...many, 'old key'), rules(...many, 'new'))).toEqual([
      { name: 'roots / deny "old key"', before: 'set', after: 'not set' },
      { name: 'roots / deny new', before: 'not set', after: 'set' },
    ])
    const [added] = diffConfigs({ roots: [] }, rules(...many, 'last'))
    expect(added?.after).toMatch(/ last$/)
    expect(diffConfigs(rules('a', 'b'), rules('b', 'a'))).toEqual([
      { name: 'order of roots / deny', before: 'a; b', after: 'b; a' },
    ])
  })

  it('shows sizes and times in the units in which limits are set', () => {
    const before = { max_file_bytes: 104_857_600, preview_ttl_seconds: 3_600, find_limit: 200 }
    const after = { max_file_bytes: 1_000, preview_ttl_seconds: 60, find_limit: 0 }
    expect(diffConfigs(before, after)).toEqual([
      { name: 'max_file_bytes', before: '100 MiB', after: '1 kB' },
      { name: 'preview_ttl_seconds', before: '1 hour', after: '60 seconds' },
      { name: 'find_limit', before: '200', after: '0' },
    ])
  })

  it('shows the approval level of a folder', () => {
    const roots = [{ path: '/docs', approval: 'review', deny: ['a'] }]
    expect(
      diffConfigs({ roots: [{ path: '/docs', approval: 'none', deny: ['a'] }] }, { roots }),
    ).toEqual([{ name: 'roots /docs approval', before: 'not set', after: 'review' }])
  })

  it('reads the defaults of a schema', () => {
    const properties = { a: { default: 1 }, b: {} }
    expect(readDefaults({ properties })).toEqual({ a: 1 })
    expect(readDefaults(null)).toEqual({})
  })
})

describe('request options', () => {
  it('sends only fields that are filled in', () => {
    expect(buildMeta(NO_OPTIONS)).toEqual({})
    const meta = { ...NO_OPTIONS, granted: 'write:file:/a\n read', policy: { find_limit: 1 } }
    expect(buildMeta({ ...meta, more: '{"x":1}' })).toEqual({
      x: 1,
      policy: { find_limit: 1 },
      granted_scopes: ['write:file:/a', 'read'],
    })
    expect(buildMeta({ ...NO_OPTIONS, more: '[1]' })).toEqual({})
  })
})

describe('an archive of files', () => {
  it('is made of whole blocks, and gives a long name a header of its own', async () => {
    const long = `${'folder/'.repeat(20)}file.txt`
    const file = (name: string, text: string) => new File([text], name, { lastModified: 0 })
    const { archive, files } = packFiles(localFiles([file('a.txt', 'hello'), file(long, 'x')]))
    expect(files).toBe(2)
    const bytes = new Uint8Array(await archive.arrayBuffer())
    expect(bytes.length % 512).toBe(0)
    const all = new TextDecoder().decode(bytes)
    expect(all.startsWith('a.txt\0')).toBe(true)
    expect(all).toMatch(new RegExp(`\\d+ path=${long}\n`))
  })
})
