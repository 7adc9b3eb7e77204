import { character } from '../support/core/character.ts'
import fc from '../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { parsePath } from '#core/path.ts'
import { covers, formatScope, parseScope, readScope, type Scope } from '#core/scope.ts'
import vectors from '../vectors/scopes.json' with { type: 'json' }

describe('covers', () => {
  it.each(vectors.covers)('$id: $entry and $scope', ({ entry, scope, expected }) => {
    const held = readScope(entry)
    const wanted = readScope(scope)
    expect(held.ok && wanted.ok && covers(held.value, wanted.value)).toBe(expected)
  })

  it.each([
    ['write:file:/notes', 'write:file:/notes/../etc', false],
    ['write:file:/notes', 'write:file:/notes/./a//b/', true],
    ['write:file:/a', 'write:file:/ab', false],
    ['write:file:/a', 'write:file:/a:b', false],
    ['write:file:/a:b', 'write:file:/a:b/c', true],
    ['write:file:/', 'write:file:/a', true],
    ['write:file:/', 'write:file', false],
    ['write:file:/a/*', 'write:file:/a/b', false],
    ['write:file:e\u0301', 'write:file:/\u00e9/a', true],
    ['execute:cli:/a', 'execute:cli:/a/b', false],
    ['execute:cli:safe', 'execute:cli:safer', false],
    ['execute:cli:safe:*', 'execute:cli:safe:ls', true],
    ['execute:cli:safe:ls', 'execute:cli:safe', false],
    ['execute:filer:/a', 'execute:filer:/a/b', false],
  ])('%s and %s: %s', (held, wanted, expected) => {
    expect(covers(parseScope(held), parseScope(wanted))).toBe(expected)
  })
})

describe('reading and writing', () => {
  it.each([
    ['read', 'read'],
    ['read:*', 'read'],
    ['write:file:*', 'write:file'],
    ['write:file:/a/', 'write:file:/a'],
    ['write:file:/a/../b', 'write:file:/b'],
    ['write:file:/../..', 'write:file:/'],
    ['write:file:/a:b:*', 'write:file:/a:b:*'],
    ['execute:cli:safe:*', 'execute:cli:safe'],
    ['execute:cli:git status', 'execute:cli:git status'],
    ['read:e\u0301', 'read:\u00e9'],
  ])('%j becomes %j', (text, expected) => {
    expect(formatScope(parseScope(text))).toBe(expected)
  })

  it('counts a relative path from the base', () => {
    const base = parsePath('/w')
    expect(formatScope(parseScope('read:file:a/../b', base))).toBe('read:file:/w/b')
    expect(formatScope(parseScope('read:file:/b', base))).toBe('read:file:/b')
  })

  it.each([
    '',
    '*',
    '*:*',
    '*:file',
    ':file',
    'write:',
    'write::a',
    'write:*:/a',
    'write:*:*',
    'write:*:file:/a',
    'read:file:',
    'execute:cli::ls',
    'execute:cli:*:ls',
    ' read',
    'read ',
    'read\n',
    'read:\u200bfile',
    'read:fi\u0000le',
    'read:\ud800',
    'read:file:/a\\b',
    'read:file:/a\u0000',
    `read:file:/${'a'.repeat(1024)}`,
    `read:${'a'.repeat(5000)}`,
  ])('%j is not a scope', (text) => {
    expect(readScope(text).ok).toBe(false)
    expect(() => parseScope(text)).toThrow(SyntaxError)
  })

  it('reports the error', () => {
    expect(() => parseScope('write:*:/a')).toThrow(
      'Cannot read "write:*:/a" as a scope: a * is allowed only at the end, after an action',
    )
  })
})

describe('laws', () => {
  const words = fc.constantFrom('read', 'write', 'file', 'files', 'cli', 'a', '*')
  const folders = fc.array(fc.constantFrom('a', 'b', 'ab', '..', '.', 'a:b', '*'), { maxLength: 3 })
  const texts = fc.oneof(
    fc.array(words, { minLength: 1, maxLength: 4 }).map((list) => list.join(':')),
    folders.map((list) => `read:file:/${list.join('/')}`),
  )
  const scopes = texts.map((text) => readScope(text)).filter((read) => read.ok)
  const scope = scopes.map((read) => read.value)
  const same = (a: Scope, b: Scope) => formatScope(a) === formatScope(b)

  it('covers is reflexive', () => {
    fc.assert(fc.property(scope, (a) => covers(a, a)))
  })

  it('covers is antisymmetric', () => {
    fc.assert(fc.property(scope, scope, (a, b) => same(a, b) === (covers(a, b) && covers(b, a))))
  })

  it('covers is transitive', () => {
    fc.assert(
      fc.property(fc.array(scope, { maxLength: 12 }), (list) => {
        for (const a of list) {
          const below = list.filter((b) => covers(a, b))
          for (const b of below) {
            for (const c of list) if (covers(b, c)) expect(covers(a, c)).toBe(true)
          }
        }
      }),
    )
  })

  it('a scope is read back from its text', () => {
    fc.assert(fc.property(scope, (a) => same(a, parseScope(formatScope(a)))))
  })

  it('any text gives a scope or an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        const read = readScope(text)
        if (read.ok) expect(same(read.value, parseScope(formatScope(read.value)))).toBe(true)
        else expect(read.error).not.toBe('')
      }),
    )
  })
})
