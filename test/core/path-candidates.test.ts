/** Which paths a text may mean, in the spellings that people, models and programs send. */

import { describe, expect, it } from 'vitest'
import { uriOf } from '#core/file-uri.ts'
import { candidatesOf, resolvePlainPath } from '#core/path/candidates.ts'
import { parsePath, resolvePath } from '#core/path.ts'
import { readScope } from '#core/scope.ts'
import { character } from '../support/core/character.ts'
import { expectWithin } from '../support/core/expect-within.ts'
import fc from '../support/core/random.ts'

const BASE = parsePath('/w')

const written = (text: string) => candidatesOf(text, BASE).map(({ path, use }) => `${use} ${path}`)

describe('candidatesOf', () => {
  it.each([
    // Plain paths, however unusual.
    ['/a', ['any /a']],
    ['a b', ['any /w/a b']],
    ['/~/a', ['any /~/a']],
    ['/a/file:b', ['any /a/file:b']],
    ["/it's", ["any /it's"]],
    ['copy (1)', ['any /w/copy (1)']],
    ['/50%25', ['any /50%25']],
    ['', []],
    ['a\u0000b', []],
    // URIs of files.
    ['file:///a b/c.md', ['existing /w/file:/a b/c.md', 'any /a b/c.md']],
    ['file:///a%20b/c.md', ['existing /w/file:/a%20b/c.md', 'any /a b/c.md']],
    ['FILE:///a', ['existing /w/FILE:/a', 'any /a']],
    ['file:///50%', ['existing /w/file:/50%', 'any /50%']],
    ['file:///a%00', ['existing /w/file:/a%00']],
    ['file:///', ['existing /w/file:', 'any /']],
    ['file://docs/a', ['existing /w/file:/docs/a', 'send /docs/a']],
    ['file://localhost/a', ['existing /w/file:/localhost/a', 'send /a']],
    ['file:/a', ['existing /w/file:/a', 'send /a']],
    ['file:///C:/a', ['existing /w/file:/C:/a', 'any /C:/a', 'send /a']],
    // Refused with the path to send.
    ['~/a', ['existing /w/~/a', 'send /w/a']],
    ['~', ['existing /w/~', 'send /w']],
    ['C:\\x\\a.ts', ['send /x/a.ts']],
    ['c:/x/a.ts', ['existing /w/c:/x/a.ts', 'send /x/a.ts']],
    ['src\\a.ts', ['send /w/src/a.ts']],
    ['my\\ file', ['send /w/my file']],
    ['"/a.ts"', ['existing /w/"/a.ts"', 'send /a.ts']],
    ["'a.ts'", ["existing /w/'a.ts'", 'send /w/a.ts']],
    ['`/a.ts`', ['existing /w/`/a.ts`', 'send /a.ts']],
    [' /a.ts', ['existing /w/ /a.ts', 'send /a.ts']],
    ['/a.ts\n', ['send /a.ts']],
    [
      ' "file:///a%20b" ',
      ['existing /w/ "file:/a%20b" ', 'hint /w/"file:/a%20b"', 'send /w/file:/a%20b', 'send /a b'],
    ],
    // Hints.
    ['a.ts ', ['any /w/a.ts ', 'hint /w/a.ts']],
    ['@src/a.ts', ['any /w/@src/a.ts', 'hint /w/src/a.ts']],
    ['/a.ts:12', ['any /a.ts:12', 'hint /a.ts']],
    ['/a.ts:12:5', ['any /a.ts:12:5', 'hint /a.ts']],
    ['/a.ts:12-20', ['any /a.ts:12-20', 'hint /a.ts']],
    ['/a.ts#L1', ['any /a.ts#L1', 'hint /a.ts']],
    ['/a.ts#L1-L20', ['any /a.ts#L1-L20', 'hint /a.ts']],
    ['/a.ts(12,5)', ['any /a.ts(12,5)', 'hint /a.ts']],
    ['@/a.ts:12', ['any /w/@/a.ts:12', 'hint /a.ts:12', 'hint /a.ts']],
    ['file:///a.ts#L1', ['existing /w/file:/a.ts#L1', 'any /a.ts#L1', 'hint /a.ts']],
  ])('reads %j as %j', (text, expected) => {
    expect(written(text)).toEqual(expected)
  })

  const odd = fc.constantFrom(
    'file:///',
    '"',
    "'",
    '`',
    ' ',
    '~/',
    'C:\\',
    '@',
    ':12',
    '#L1',
    '%20',
    '\\',
    '/',
  )
  const text = fc.array(fc.oneof(odd, character), { maxLength: 30 }).map((parts) => parts.join(''))

  it('has the literal path first, and few others', () => {
    fc.assert(
      fc.property(text, (given) => {
        const literal = resolvePath(given, BASE)
        const candidates = candidatesOf(given, BASE)
        if (literal.ok) expect(candidates[0]?.path).toBe(literal.value)
        else
          expect(
            candidates.every(({ use }) => use === 'send' || use === 'hint' || use === 'any'),
          ).toBe(true)
        expect(candidates.length).toBeLessThanOrEqual(7)
        for (const { path } of candidates) expect(parsePath(path)).toBe(path)
      }),
    )
  })

  it('has the path of each URI that the server writes', () => {
    fc.assert(
      fc.property(text, (given) => {
        const path = resolvePath(`/${given}`)
        if (!path.ok) return
        const found = candidatesOf(uriOf(path.value)).find(({ use }) => use === 'any')
        expect(found?.path).toBe(path.value)
      }),
    )
  })

  it.each([':1', '-1', '#L1', '"', '@', '\\', ' ', '(1,2', ':1:1-1'])(
    'takes linear time for %j',
    async (part) => {
      const long = part.repeat(Math.floor(4_000 / part.length))
      const often = Array.from({ length: 50 }, () => `a${long}`)
      await expectWithin(500, () => often.map((text) => candidatesOf(text)), part)
    },
  )
})

describe('rules and scopes', () => {
  it.each(['file:///docs', '~/docs', '"/docs"', ' /docs', 'C:\\docs', 'docs '])(
    'refuse %j, which may mean another path',
    (text) => {
      expect(resolvePlainPath(text)).toMatchObject({ ok: text === 'docs ' })
      expect(readScope(`read:file:${text}`)).toMatchObject({ ok: text === 'docs ' })
    },
  )

  it.each(['/docs ', '/C:/docs', '/~', '/a:12', '@docs'])('take %j as it is', (text) => {
    expect(resolvePlainPath(text)).toMatchObject({
      ok: true,
      value: resolvePath(text).ok && text.replace('@', '/@'),
    })
  })

  it('name the path to write', () => {
    expect(resolvePlainPath('file:///a%20b')).toEqual({ ok: false, error: 'write it as /a b' })
  })
})
