import { character } from '../support/core/character.ts'
import fc from '../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import {
  canMatchBelow,
  globToLiteral,
  literalPrefix,
  matches,
  parseGlob,
  type Glob,
} from '#core/glob.ts'
import { expectWithin } from '../support/core/expect-within.ts'

function glob(pattern: string, options?: { caseSensitive?: boolean }): Glob {
  const parsed = parseGlob(pattern, options)
  if (!parsed.ok) throw new Error(`${pattern}: ${parsed.error}`)
  return parsed.value
}

describe('matches', () => {
  it.each<[string, string[], string[]]>([
    ['a.ts', ['a.ts'], ['b.ts', 'a.tss', 'xa.ts', 'd/a.ts', 'A.ts', 'a_ts']],
    ['*', ['a', '.env', 'ä.ö'], ['a/b']],
    ['*.ts', ['a.ts', '.ts'], ['a.tsx', 'd/a.ts']],
    ['a?c', ['abc', 'aßc', 'a😀c'], ['ac', 'a/c', 'abbc']],
    ['**', ['a', 'a/b', 'a/b/c'], []],
    ['**/a', ['a', 'b/a', 'b/c/a'], ['ba', 'a/b', 'b/ca']],
    ['**/.env', ['.env', 'd/.env'], ['d/.env/x', 'x.env']],
    ['a/**', ['a', 'a/b', 'a/b/c'], ['ab', 'b/a', 'ab/c']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a', 'ab', 'a/bb', 'a/xb']],
    ['a/**/**', ['a', 'a/b'], ['b']],
    ['**/a/**', ['a', 'a/b', 'x/a', 'x/a/b'], ['b', 'xa', 'xa/b']],
    ['**/*.ts', ['a.ts', 'd/a.ts', 'd/e/a.ts'], ['a.js', 'a.ts/b']],
    ['a/*', ['a/b'], ['a', 'a/b/c']],
    ['a/*/**', ['a/b', 'a/b/c'], ['a']],
    ['a**b', ['ab', 'axb'], ['a/b', 'a/x/b']],
    ['a/**b', ['a/b', 'a/xb'], ['a/x/b', 'ab']],
    ['a**/b', ['a/b', 'ax/b'], ['a/x/b']],
    ['a/***/b', ['a/b', 'a/x/y/b'], ['ab']],
    ['{a,b}', ['a', 'b'], ['c', 'ab', '{a,b}']],
    ['{a,}b', ['ab', 'b'], ['a']],
    ['{a}', ['a'], ['{a}']],
    ['x{}y', ['xy'], ['x{}y']],
    ['{a,{b,c}d}e', ['ae', 'bde', 'cde'], ['be', 'abde']],
    ['{src,test/unit}/**', ['src', 'src/a', 'test/unit', 'test/unit/a'], ['test', 'test/a']],
    ['{**,a}/b', ['b', 'a/b', 'x/y/b'], ['bb']],
    ['{**,a}**/b', ['b', 'a/b', 'x/y/b', 'axb/b'], ['bb', 'axb']],
    ['a/{**,c}', ['a', 'a/b/c'], ['ab']],
    ['a{/**,b}', ['a', 'ab', 'a/x/y'], ['abx', 'ax']],
    ['{x/,y}**/c', ['x/c', 'x/a/b/c', 'y/c', 'yy/c'], ['y/a/c']],
    ['**{/a,b}', ['a', 'x/y/a', 'b', 'xb'], ['x/y/b', 'x/yb']],
    ['a}b', ['a}b'], []],
    ['a,b', ['a,b'], []],
    ['a]b', ['a]b'], []],
    ['!a', ['!a'], ['b']],
    ['[a-c]', ['a', 'b', 'c'], ['d', 'A', '-', '[a-c]']],
    ['[!a-c]', ['d', '-', '!'], ['a', 'b', '/', 'dd']],
    ['[^a]', ['b', '^'], ['a']],
    ['[]a]', ['a', ']'], ['[]a]']],
    ['[!]a]', ['b', '['], ['a', ']']],
    ['[a-]', ['a', '-'], ['b']],
    ['[-a]', ['a', '-'], ['b']],
    ['[a\\]b]', ['a', ']', 'b'], ['\\']],
    ['[a\\-c]', ['a', '-', 'c'], ['b', '\\']],
    ['[.-0]', ['.', '0'], ['/']],
    ['x[!a]y', ['xby'], ['x/y']],
    ['[α-ω]', ['β'], ['b', 'Β']],
    ['[😀-😂]', ['😁'], ['😃']],
    ['\\*', ['*'], ['a', '\\*']],
    ['\\{a,b\\}', ['{a,b}'], ['a', 'b']],
    ['{a\\,b,c}', ['a,b', 'c'], ['a', 'b']],
    ['[{a,b}]', ['{', 'a', ',', 'b', '}'], ['[a]']],
    ['\\a\\/b', ['a/b'], []],
    ['/a', ['a'], ['b/a']],
    ['a//b', ['a/b'], ['ab', 'a/x/b']],
    ['a/', ['a'], ['a/b', 'aa']],
    ['e\u0301*', ['\u00e9', '\u00e9t\u00e9'], ['e']],
    ['...', ['...'], ['..a']],
    ['.*', ['.a', '.git'], ['a', '.git/x']],
    ['$&(a|b)+^', ['$&(a|b)+^'], ['a']],
    ['constructor', ['constructor'], ['__proto__']],
  ])('%s', (pattern, yes, no) => {
    const parsed = glob(pattern)
    for (const path of yes) expect(matches(parsed, path), `${path} matches`).toBe(true)
    for (const path of no) expect(matches(parsed, path), `${path} does not match`).toBe(false)
  })

  it('ignores case when asked to', () => {
    const parsed = glob('Read*.[m-n]D/Ä?', { caseSensitive: false })
    expect(matches(parsed, 'README.md/äß')).toBe(true)
    expect(matches(parsed, 'readme.Nd/ÄX')).toBe(true)
    expect(matches(parsed, 'readme.od/ÄX')).toBe(false)
    expect(matches(glob('[!a]', { caseSensitive: false }), 'A')).toBe(false)
  })
})

describe('canMatchBelow', () => {
  it.each<[string, string[], string[]]>([
    ['a/*.md', ['', 'a'], ['b', 'a/b', 'a/x.md', 'aa']],
    ['a/**', ['', 'a', 'a/b', 'a/b/c'], ['b', 'ab']],
    ['**/*.md', ['', 'a', 'a/b', 'a.md'], []],
    ['{a,b/c}/d', ['', 'a', 'b', 'b/c'], ['c', 'b/d', 'a/d']],
    ['a', [''], ['a', 'b']],
    ['.a/*', ['', '.a'], ['a']],
    ['😀/*', ['😀'], ['a']],
  ])('%s', (pattern, yes, no) => {
    const parsed = glob(pattern)
    expect(yes.filter((folder) => !canMatchBelow(parsed, folder))).toEqual([])
    expect(no.filter((folder) => canMatchBelow(parsed, folder))).toEqual([])
  })
})

describe('parseGlob', () => {
  it.each([
    ['', 'it is empty'],
    ['[bad', 'the [ at character 1 is never closed'],
    ['ab[]', 'the [ at character 3 is never closed'],
    ['[!]', 'the [ at character 1 is never closed'],
    ['[a\\]', 'the [ at character 1 is never closed'],
    ['a{b', 'the { at character 2 is never closed'],
    ['{a,{b}', 'the { at character 1 is never closed'],
    ['a\\', 'the \\ at character 2 has nothing after it'],
    ['x[a/b]', 'the [ at character 2 holds a /, which no class matches'],
    ['[[:alpha:]]', 'the [ at character 1 holds a named class, which is unknown'],
    ['[c-a]', 'the range c-a at character 1 is empty'],
    ['a/../b', 'the segment .. at character 3 is in no path'],
    ['./a', 'the segment . at character 1 is in no path'],
    ['\ud800', 'it holds half of a surrogate pair'],
    ['a'.repeat(1025), 'it is longer than 1024 characters'],
    ['\u0958'.repeat(600), 'it is longer than 1024 characters'], // NFC makes two of each
    ['{'.repeat(9), 'braces are nested more than 8 deep at character 9'],
  ])('refuses %j', (pattern, reason) => {
    expect(parseGlob(pattern)).toEqual({ ok: false, error: reason })
  })

  it('accepts input at the limits', () => {
    expect(parseGlob('a'.repeat(1024)).ok).toBe(true)
    expect(matches(glob(`${'{'.repeat(8)}a${'}'.repeat(8)}`), 'a')).toBe(true)
  })
})

describe('the prefix and the literals of a pattern', () => {
  it.each([
    ['src/lib/*.ts', 'src/lib', 'src/lib'],
    ['src/**', 'src', 'src'],
    ['src/a.ts', 'src/a.ts', 'src/a.ts'],
    ['src/a*', 'src', 'src/a'],
    ['src*', '', 'src'],
    ['/src//lib/', 'src/lib', 'src/lib'],
    ['**/node_modules/**', '', 'node_modules'],
    ['*.config.{js,ts}', '', '.config.'],
    ['a/{b,c}/d', 'a', 'a'],
    ['a{/b,c}/de', '', 'de'],
    ['\\*x', '*x', '*x'],
    ['*', '', null],
    ['?[a]{b,c}', '', null],
  ])('%s', (pattern, prefix, literal) => {
    expect(literalPrefix(glob(pattern))).toBe(prefix)
    expect(globToLiteral(glob(pattern))).toBe(literal)
  })

  it('excludes letters that have another case', () => {
    const parsed = glob('src/2024-*', { caseSensitive: false })
    expect(literalPrefix(parsed)).toBe('')
    expect(globToLiteral(parsed)).toBe('2024-')
    const sharp = glob('ß/1', { caseSensitive: false })
    expect(matches(sharp, 'ẞ/1')).toBe(true)
    expect(globToLiteral(sharp)).toBe('1')
  })
})

// The oracle: braces expanded, both sides cut at slashes, stars by trying everything.
type Token = string | readonly (readonly Token[])[]

const options = { maxDepth: 2, depthIdentifier: 'glob' }
const { tokens } = fc.letrec<{ token: Token; tokens: Token[] }>((tie) => ({
  token: fc.oneof(
    options,
    fc.constantFrom('a', 'b', '/', '*', '**', '?', '[ab]', '[!a]'),
    fc.array(tie('tokens'), { minLength: 1, maxLength: 3 }),
  ),
  tokens: fc.array(tie('token'), { maxLength: 6 }),
}))
const paths = fc
  .array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((segments) => segments.join('/'))

function write(list: readonly Token[]): string {
  let text = ''
  for (const token of list) {
    const piece = typeof token === 'string' ? token : `{${token.map(write).join()}}`
    // Stars that were drawn apart must not become two stars by standing together.
    text += text.endsWith('*') && piece.startsWith('*') ? `[ab]${piece}` : piece
  }
  return text
}

function expand(pattern: string): string[][] {
  const found = pattern.match(/\*\*|\[.*?\]|./g) ?? []
  let at = 0
  const sequences = (): string[][] => {
    let all: string[][] = [[]]
    for (; at < found.length && found[at] !== ',' && found[at] !== '}'; at++) {
      const next = found[at] === '{' ? alternatives() : [[found[at] ?? '']]
      all = all.flatMap((left) => next.map((right) => [...left, ...right]))
    }
    return all
  }
  const alternatives = (): string[][] => {
    const all: string[][] = []
    do {
      at++
      all.push(...sequences())
    } while (found[at] === ',')
    return all
  }
  return sequences()
}

function segmentsOf(tokens: readonly string[]): string[][] {
  const segments: string[][] = [[]]
  for (const token of tokens) {
    if (token === '/') segments.push([])
    else segments.at(-1)?.push(token)
  }
  return segments.filter((segment) => segment.length > 0)
}

function fitsPath(pattern: readonly string[][], path: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (!first) return path.length === 0
  if (first.every((token) => token === '**')) {
    return path.some((_, at) => fitsPath(rest, path.slice(at))) || fitsPath(rest, [])
  }
  const [segment, ...below] = path
  return segment !== undefined && fitsSegment(first, segment) && fitsPath(rest, below)
}

function fitsSegment(tokens: readonly string[], text: string): boolean {
  const [first, ...rest] = tokens
  if (first === undefined) return text === ''
  if (first.startsWith('*')) {
    return fitsSegment(rest, text) || (text !== '' && fitsSegment(tokens, text.slice(1)))
  }
  const one = { a: 'a', b: 'b', '?': 'ab', '[ab]': 'ab', '[!a]': 'b' }[first] ?? ''
  return text !== '' && one.includes(text.charAt(0)) && fitsSegment(rest, text.slice(1))
}

/** How many patterns the expansion makes. */
function countOf(list: readonly Token[]): number {
  const counts = list.map((token) =>
    typeof token === 'string' ? 1 : token.reduce((sum, option) => sum + countOf(option), 0),
  )
  return counts.reduce((product, count) => product * count, 1)
}

const patterns = tokens.filter((list) => list.length > 0 && countOf(list) < 100).map(write)

describe('laws', () => {
  it('matches what the expanded patterns match, with the prefix and the literals', () => {
    fc.assert(
      fc.property(patterns, fc.array(paths, { maxLength: 10 }), (pattern, list) => {
        const parsed = glob(pattern)
        const all = expand(pattern).map(segmentsOf)
        for (const path of list) {
          const expected = all.some((one) => fitsPath(one, path.split('/')))
          expect(matches(parsed, path), `${pattern} and ${path}`).toBe(expected)
          if (!expected) continue
          expect(`/${path}/`.startsWith(`/${literalPrefix(parsed)}/`.replace('//', '/'))).toBe(true)
          expect(path).toContain(globToLiteral(parsed) ?? '')
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('reads any text without throwing, and escaped text as itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        const parsed = parseGlob(text)
        if (parsed.ok) matches(parsed.value, text)
        else expect(parsed.error).not.toBe('')
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const name = text.normalize('NFC').replaceAll('/', '')
        fc.pre(name !== '')
        expect(matches(glob(name.replace(/./gsu, '\\$&')), name)).toBe(true)
      }),
    )
  })
})

describe('cost', () => {
  const long = 'a'.repeat(1000)
  const deep = `${'a/'.repeat(500)}a`
  it.each([
    ['a few stars', '*a*a*a*a*a*b', long],
    ['many stars', `${'*a'.repeat(511)}b`, long],
    ['deep braces', `${'{a,{a,{a,{a,{a,b}}}}}'.repeat(48)}c`, long],
    ['braces of two lengths', `${'{a,aa}'.repeat(170)}c`, long],
    ['braces that may be empty', '{,a}'.repeat(255), `${long}b`],
    ['slashes', '/'.repeat(1024), long],
    ['many folders', `${'**/'.repeat(300)}b`, deep],
    ['many folders in braces', `${'{**,a}/'.repeat(140)}b`, deep],
    ['a place far from the end', `*a${'?'.repeat(900)}`, 'ab'.repeat(500)],
    ['classes far from the end', `*[ab]a${'[ab]'.repeat(200)}`, 'abbabaaabb'.repeat(100)],
  ])('%s take linear time', async (_what, pattern, path) => {
    const parsed = glob(pattern)
    await expectWithin(1000, () => {
      matches(parsed, path)
      matches(parsed, path)
    })
  })

  it('stays correct when its cache is full', () => {
    const parsed = glob('**/*a????????????')
    let text = 1
    for (let round = 0; round < 5000; round++) {
      text = (text * 48271) % 2147483647
      const path = text.toString(2).replaceAll('0', 'a').replaceAll('1', 'b')
      expect(matches(parsed, path)).toBe(path.at(-13) === 'a')
    }
  })
})
