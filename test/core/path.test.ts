import { character } from '../support/core/character.ts'
import fc from '../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import {
  ancestorsOf,
  displayPath,
  foldersAbove,
  isWithin,
  MAX_PATH_BYTES,
  nameOf,
  parentOf,
  parsePath,
  rangeBelow,
  rebase,
  relativeTo,
  resolvePath,
  ROOT,
  sortByTree,
} from '#core/path.ts'

describe('resolvePath', () => {
  it.each([
    ['/', '/'],
    ['/a', '/a'],
    ['a', '/w/a'],
    ['.', '/w'],
    ['./a/', '/w/a'],
    ['..', '/'],
    ['../a', '/a'],
    ['../../../a', '/a'],
    ['/..', '/'],
    ['/../../etc', '/etc'],
    ['/a/../..', '/'],
    ['/a/./b//c///', '/a/b/c'],
    ['//a', '/a'],
    ['/a/...', '/a/...'],
    ['/a/..b', '/a/..b'],
    ['/a/.env', '/a/.env'],
    ['/a/.', '/a'],
    ['/a-b/c_d.e', '/a-b/c_d.e'],
    ['/a.b/', '/a.b'],
    ['/%2e%2e/a', '/%2e%2e/a'],
    ['/a b', '/a b'],
    ['/ a ', '/ a '],
    ['/e\u0301', '/\u00e9'],
    ['/😀', '/😀'],
    ['/A', '/A'],
    ['/~', '/~'],
  ])('%j is %j', (text, expected) => {
    expect(resolvePath(text, parsePath('/w'))).toEqual({ ok: true, value: expected })
  })

  it.each([
    ['', 'it is empty'],
    ['/a\u0000', 'it holds a control character'],
    ['/a\n', 'it holds a control character'],
    ['/\u007f', 'it holds a control character'],
    ['/\u0085', 'it holds a control character'],
    ['/a\\b', 'it holds a backslash; folders are separated by /'],
    ['..\\a', 'it holds a backslash; folders are separated by /'],
    ['/\ud83d', 'it holds half of a surrogate pair'],
    ['/\ude00a', 'it holds half of a surrogate pair'],
  ])('refuses %j', (text, reason) => {
    expect(resolvePath(text)).toEqual({ ok: false, error: reason })
  })

  it('counts the bytes of the resolved path', () => {
    const tooLong = { ok: false, error: `it is longer than ${MAX_PATH_BYTES} bytes` }
    expect(resolvePath(`/${'a'.repeat(1023)}`).ok).toBe(true)
    expect(resolvePath(`/${'a'.repeat(1024)}`)).toEqual(tooLong)
    expect(resolvePath(`/a${'é'.repeat(511)}`).ok).toBe(true)
    expect(resolvePath(`/${'é'.repeat(512)}`)).toEqual(tooLong)
    expect(resolvePath(`/${'中'.repeat(341)}`).ok).toBe(true)
    expect(resolvePath(`/a${'中'.repeat(341)}`)).toEqual(tooLong)
    expect(resolvePath(`/aaa${'😀'.repeat(255)}`).ok).toBe(true)
    expect(resolvePath(`/${'😀'.repeat(256)}`)).toEqual(tooLong)
    expect(resolvePath(`/${'a/../'.repeat(400)}b`)).toEqual({ ok: true, value: '/b' })
    expect(resolvePath('a'.repeat(1000), parsePath(`/${'b'.repeat(100)}`))).toEqual(tooLong)
    expect(resolvePath('/'.repeat(1_000_000))).toEqual(tooLong)
  })
})

describe('parsePath', () => {
  it('accepts a normalised path', () => {
    for (const text of ['/', '/a', '/a/b c/.d']) expect(parsePath(text)).toBe(text)
  })

  it.each(['', 'a', '/a/', '//a', '/a/../b', '/./a', '/e\u0301', '/a\\b', '/\ud800'])(
    'throws on %j',
    (text) => {
      expect(() => parsePath(text)).toThrow(SyntaxError)
    },
  )
})

describe('folders', () => {
  const path = parsePath('/a/b/c')

  it('know the paths in them', () => {
    expect(isWithin(path, ROOT)).toBe(true)
    expect(isWithin(path, parsePath('/a'))).toBe(true)
    expect(isWithin(path, path)).toBe(true)
    expect(isWithin(parsePath('/ab'), parsePath('/a'))).toBe(false)
    expect(isWithin(parsePath('/a'), path)).toBe(false)
    expect(isWithin(ROOT, ROOT)).toBe(true)
    expect(isWithin(ROOT, path)).toBe(false)
  })

  it('are named by the paths in them', () => {
    expect([parentOf(path), nameOf(path), ancestorsOf(path)]).toEqual(['/a/b', 'c', ['/a', '/a/b']])
    const top = parsePath('/a')
    expect([parentOf(top), nameOf(top), ancestorsOf(top)]).toEqual(['/', 'a', []])
    expect([parentOf(ROOT), nameOf(ROOT), ancestorsOf(ROOT)]).toEqual(['/', '', []])
  })

  it('give relative paths', () => {
    expect(relativeTo(path, ROOT)).toBe('a/b/c')
    expect(relativeTo(path, parsePath('/a'))).toBe('b/c')
    expect(relativeTo(path, path)).toBe('')
    expect(relativeTo(ROOT, ROOT)).toBe('')
  })

  it('are shown relative inside a folder, and absolute outside of it', () => {
    expect(displayPath(path, ROOT)).toBe('a/b/c')
    expect(displayPath(path, parsePath('/a'))).toBe('b/c')
    expect(displayPath(path, path)).toBe('.')
    expect(displayPath(path, parsePath('/a/b/c/d'))).toBe('/a/b/c')
    expect(displayPath(path, parsePath('/x'))).toBe('/a/b/c')
    expect(displayPath(parsePath('/ab'), parsePath('/a'))).toBe('/ab')
  })

  it('can be renamed', () => {
    expect(rebase(path, parsePath('/a/b'), parsePath('/x'))).toBe('/x/c')
    expect(rebase(path, path, parsePath('/x/y'))).toBe('/x/y')
  })

  it('are ranges in an ordered index', () => {
    expect(rangeBelow(ROOT)).toEqual({ low: '/', high: '0' })
    expect(rangeBelow(parsePath('/a'))).toEqual({ low: '/a/', high: '/a0' })
  })
})

describe('laws', () => {
  const segment = fc.constantFrom(
    'a',
    'ab',
    '.',
    '..',
    '',
    '...',
    'é',
    'e\u0301',
    ' ',
    '😀',
    '!',
    '0',
  )
  const text = fc.array(segment, { maxLength: 6 }).map((list) => `/${list.join('/')}`)
  const path = text.map((one) => resolvePath(one)).filter((read) => read.ok)
  const paths = path.map((read) => read.value)

  it('resolving twice changes nothing', () => {
    fc.assert(fc.property(paths, (one) => parsePath(one) === one))
  })

  it('any text gives a path or an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), paths, (one, base) => {
        const read = resolvePath(one, base)
        if (read.ok) expect(parsePath(read.value)).toBe(read.value)
        else expect(read.error).not.toBe('')
      }),
    )
  })

  it('a path shown relative to a folder resolves from it', () => {
    fc.assert(
      fc.property(paths, paths, (one, base) => {
        expect(resolvePath(displayPath(one, base), base)).toEqual({ ok: true, value: one })
      }),
    )
  })

  it('a relative path resolves from its folder', () => {
    fc.assert(
      fc.property(paths, paths, (one, folder) => {
        fc.pre(isWithin(one, folder))
        const read = resolvePath(relativeTo(one, folder) || '.', folder)
        expect(read).toEqual({ ok: true, value: one })
      }),
    )
  })

  it('ancestors are the folders that contain a path, in order', () => {
    fc.assert(
      fc.property(paths, (one) => {
        const above = ancestorsOf(one)
        const [nearest = ROOT] = above.toReversed()
        expect(parentOf(one)).toBe(nearest)
        expect(above.every((folder) => folder !== one && isWithin(one, folder))).toBe(true)
        expect(above).toEqual(above.toSorted((a, b) => a.length - b.length))
      }),
    )
  })

  // An index compares UTF-8 or UTF-16; with `/` and `0` as bounds both give the same range.
  it('the range below a folder has all paths in it, without itself', () => {
    fc.assert(
      fc.property(paths, paths, (one, folder) => {
        const { low, high } = rangeBelow(folder)
        const inRange = low <= one && one < high
        expect(inRange).toBe(isWithin(one, folder) && (one !== folder || folder === ROOT))
      }),
    )
  })

  it('rebasing keeps the relative path', () => {
    fc.assert(
      fc.property(paths, paths, paths, (one, from, to) => {
        fc.pre(isWithin(one, from) && from !== ROOT && to !== ROOT)
        expect(relativeTo(rebase(one, from, to), to)).toBe(relativeTo(one, from))
      }),
    )
  })
})

describe('folders of a tree', () => {
  const paths = ['/a/b/c', '/a/b-c/d', '/a/b', '/e'].map(parsePath)

  it('above some paths are those above each of them, once', () => {
    expect([...foldersAbove(paths)].toSorted()).toEqual(['/a', '/a/b', '/a/b-c'])
    expect([...foldersAbove(paths, (folder) => folder === '/a/b')]).toEqual(['/a/b-c', '/a'])
  })

  it('above some paths are found as they are taken', () => {
    function* endless() {
      for (let at = 0; ; at++) yield parsePath(`/folder/${at}`)
    }
    const [first] = foldersAbove(endless())
    expect(first).toBe('/folder')
  })

  it('are sorted so that nothing comes between one and what lies in it', () => {
    const mixed = ['/a-b', '/a/c', '/e', '/a', '/'].map(parsePath)
    expect(sortByTree(mixed)).toEqual(['/', '/a-b', '/a', '/a/c', '/e'])
  })
})
