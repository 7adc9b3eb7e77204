import { character } from '../../support/core/character.ts'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import {
  compilePattern,
  MAX_PATTERN_STEPS,
  type Pattern,
  type PatternOptions,
} from '#worker/search/pattern.ts'
import { unlimited } from '#worker/search/meter.ts'
import { foldForIndex, requiredTrigrams, toMatchQuery } from '#worker/search/trigrams.ts'
import { expectWithin } from '../../support/core/expect-within.ts'

function pattern(text: string, options: Partial<PatternOptions> = {}): Pattern {
  const compiled = compilePattern(text, { case: 'auto', ...options })
  if (!compiled.ok) throw new Error(compiled.error)
  return compiled.value
}

function refusal(text: string, options: Partial<PatternOptions> = {}): string {
  const compiled = compilePattern(text, { case: 'auto', ...options })
  return compiled.ok ? `compiles: ${text}` : compiled.error
}

describe('case', () => {
  it.each([
    ['foo', false],
    ['Foo', true],
    ['É', true],
    ['foo\\S\\W\\D\\B', false],
    ['foo\\pL\\p{Lu}\\P{Greek}', false],
    ['foo[[:upper:]]', false],
    ['[^A-Z]x', true],
    ['[\\S\\x4a]', true],
    ['[\\x6A]', false],
    ['\\x41', true],
    ['\\x6A', false],
    ['\\x{4A}', true],
    ['\\101', true],
    ['(?P<Name>foo)', false],
    ['(?U)foo', false],
    ['\\QFoo\\E', true],
    ['\\Afoo\\z', false],
  ])('of %s is sensitive if it names a capital letter: %s', (text, caseSensitive) => {
    expect(pattern(text).caseSensitive).toBe(caseSensitive)
  })

  it('is sensitive for a pattern without literal letters, so a class of capitals matches capitals only', () => {
    expect(pattern('\\p{Lu}').testLine('a')).toBe(false)
    expect(pattern('^[[:upper:]]+$').testLine('ab')).toBe(false)
  })

  it('sensitivity can be set explicitly', () => {
    expect(pattern('foo', { case: true }).testLine('FOO')).toBe(false)
    expect(pattern('Foo', { case: false }).testLine('fOO')).toBe(true)
    expect(pattern('(?i)Foo', { case: true }).testLine('fOO')).toBe(true)
    expect(pattern('K', { case: false }).testLine('\u212a')).toBe(true)
  })
})

describe('a literal', () => {
  it.each(['a.b', '(', '[', '\\', '\\d', 'a{2}', '^$', '', 'x|y', '😀', '\ud83d'])(
    'matches itself: %j',
    (text) => {
      const literal = pattern(text, { literal: true })
      expect(literal.testLine(`so ${text} there`)).toBe(true)
      if (text !== '') expect(literal.testLine('nothing of it')).toBe(false)
    },
  )

  it('has smart case too', () => {
    expect(pattern('\\S', { literal: true }).caseSensitive).toBe(true)
  })
})

describe('a line', () => {
  it('has its own start and end, for every kind of anchor', () => {
    for (const text of ['^b$', '\\Ab\\z', '(?-m)^b$', '(?m)^b$', '(?s)^b$']) {
      expect(pattern(text).testLine('b'), text).toBe(true)
      expect(pattern(text).testLine('ab'), text).toBe(false)
      expect(pattern(text).testText('a\nb\nc'), text).toBe(true)
      expect(pattern(text).testText('a\r\nb\r\nc'), text).toBe(true)
      expect(pattern(text).testText('c\nb\r'), text).toBe(true)
    }
  })

  it('is matched by the empty pattern', () => {
    expect(pattern('').testLine('')).toBe(true)
    expect(pattern('').testText('a')).toBe(true)
  })

  it('can be a file name', () => {
    expect(pattern('\\.tsx?$').testLine('index.ts')).toBe(true)
    expect(pattern('\\.tsx?$').testLine('index.tsv')).toBe(false)
  })

  it('may contain a lone surrogate', () => {
    expect(pattern('^.b$').testLine('\ud83db')).toBe(true)
    expect(pattern('\ud83d').testText('a\n\ud83d\n')).toBe(true)
    expect(pattern('^.$').testLine('😀')).toBe(true)
  })
})

describe('the edge of a word', () => {
  it.each([
    ['\\büber\\b', 'Mann über Bord', 'Mann Überbord'],
    ['\\bслово\\b', 'это слово.', 'словом'],
    ['\\bслово', 'слово', 'ослово'],
    ['größe\\b', 'Größe', 'größen'],
    ['(?:a|\\böl)\\b', 'ein öl', 'möln'],
    ['(\\bé|x)', 'é', 'né'],
    ['\\bfoé\\b', 'a foé', 'foée'],
    ['\\s\\bé', 'a é', 'aé'],
    ['é\\b ', 'é a', 'éa'],
    ['^\\bé$', 'é', 'aé'],
  ])('%s is in %s, and not in %s', (text, line, other) => {
    expect(pattern(text).testLine(line)).toBe(true)
    expect(pattern(text).testText(`x\n${line}\ny`)).toBe(true)
    expect(pattern(text).testLine(other)).toBe(false)
  })
})

describe('a refusal', () => {
  it.each([
    ['a\\nb', 'line break'],
    ['a\nb', 'line break'],
    ['\\x0a', 'line break'],
    ['\\012', 'line break'],
    ['a(?=b)', 'look-ahead'],
    ['a(?!b)', 'look-ahead'],
    ['(?<=a)b', 'look-behind'],
    ['(?<!a)b', 'look-behind'],
    ['(a)\\1', 'at character 4'],
    ['(?P<n>a)(?P=n)', 'back-references'],
    ['\\k<n>', 'back-references'],
    ['(?>a)', 'atomic'],
    ['a++', 'possessive'],
    ['a**', '"**" at character 2'],
    ['foo(', '\\('],
    ['foo)', '\\)'],
    ['[a', '\\['],
    ['*a', '"*" at character 1'],
    ['a{2,1}', 'counts'],
    ['a{1001}', '"{1001}" at character 2'],
    ['b\\h', 'at character 2'],
    ['[z-a]', '"z-a" at character 2'],
    ['\\p{Foo}', 'class'],
    ['a\\', '\\'],
    ['\\Z', '$'],
    ['\\u0041', '\\x{41}'],
    ['(?x)a', '"(?x" at character 1'],
    ['(?P<n', 'name'],
    ['x'.repeat(1001), '1000'],
  ])('of %j has the message: %s', (text, words) => {
    expect(refusal(text)).toContain(words)
    expect(refusal(text)).toMatch(/^Cannot search for ".*[^.]$/)
  })

  it('of a literal happens only for a line break', () => {
    expect(refusal('a\nb', { literal: true })).toContain('a\\nb')
  })

  it('of a pattern that expands too far happens before anything is built', () => {
    const large = ['a{1000}{1000}', '(?:a{1000}){1000}', `(?:${'[^a]?'.repeat(180)}){1000}`]
    const nested = `${'(?:'.repeat(100)}a${'{9}){9}'.repeat(50)}`
    for (const text of [...large, nested, '(a{1,30}){1,30}{1,30}', '((a{40,}){40,})']) {
      expect(refusal(text), text).toContain(String(MAX_PATTERN_STEPS))
    }
  })

  it('does not happen for common patterns', () => {
    for (const text of [
      '.{0,500}',
      '\\w{1,200}\\s',
      '(?:\\d{1,3}\\.){3}\\d{1,3}',
      'x'.repeat(1000),
    ]) {
      expect(compilePattern(text, { case: 'auto' }).ok, text).toBe(true)
    }
    expect(compilePattern(`${'('.repeat(499)}a${')'.repeat(499)}`, { case: 'auto' }).ok).toBe(true)
  })
})

it('parses nested repetitions without expanding them', () => {
  const nest = pattern(`${'(?:'.repeat(150)}abc.def${')+'.repeat(150)}`)
  expect(nest.parts.length).toBeLessThan(1000)
  expect(requiredTrigrams(nest)).toEqual(['abc', 'def'])
})

const LONG = 100_000

it.each(['(a+)+$', '(a|a)*b', '(.*)*x', '(a|aa)+[bc]', '(a*)*[xy]', '(?:a?){30}a{30}$'])(
  '%s takes linear time',
  async (text) => {
    const line = `${'a'.repeat(LONG)}!`
    await expectWithin(100, () => pattern(text).testLine(line))
    await expectWithin(100, () => pattern(text).testText(`\n${line}\n`))
  },
)

it.each(['a{1000}{1000}', '((a{100}){100}){100}', '(((a{1,30}){1,30}){1,30}){1,30}'])(
  '%s is refused at once',
  async (text) => {
    await expectWithin(100, () => refusal(text))
    expect(refusal(text)).toContain(String(MAX_PATTERN_STEPS))
  },
)

describe('trigrams', () => {
  it.each<[text: string, trigrams: string[] | null]>([
    ['Hello', ['hel', 'ell', 'llo']],
    ['ab', null],
    ['', null],
    ['.*', null],
    ['abc.def', ['abc', 'def']],
    ['ab+cd', ['bcd']],
    ['abc*de', null],
    ['abc?def', ['def']],
    ['abc{0}def', ['def']],
    ['(abc)+d', ['abc', 'bcd']],
    ['(?:ab){2}c', ['abc']],
    ['foo(?P<n>bar)', ['foo', 'oob', 'oba', 'bar']],
    ['foo|bar', null],
    ['x(foo|bar)yes', ['yes']],
    ['^foo\\b', ['foo']],
    ['\\.ts\\(', ['.ts', 'ts(']],
    ['\\x61bc', ['abc']],
    ['\\Qa.c\\E', ['a.c']],
    ['abc(?i)*', null], // the star is about the c
    ['aébc', null],
    ['[a]bcd', ['bcd']],
  ])('of %j', (text, trigrams) => {
    expect(requiredTrigrams(pattern(text))).toEqual(trigrams)
  })

  it('of a literal are all of it', () => {
    expect(requiredTrigrams(pattern('a.*b', { literal: true }))).toEqual(['a.*', '.*b'])
  })

  it('are a bounded number', () => {
    const long = Array.from({ length: 200 }, (_, at) => at).join('')
    expect(requiredTrigrams(pattern(long))?.length).toBeLessThanOrEqual(40)
  })

  it('give a query with the necessary quotes', () => {
    expect(toMatchQuery(['abc'])).toBe('"abc"')
    expect(toMatchQuery(['a"b', ' or'])).toBe('"a""b" AND " or"')
  })

  it('fold every character that matches an ASCII one when case is ignored', () => {
    const ascii = pattern('^[ -~]$', { case: false })
    const found: string[] = []
    for (let code = 0x80; code <= 0x10ffff; code++) {
      const char = String.fromCodePoint(code)
      if (ascii.testLine(char)) found.push(char)
    }
    expect(found).toEqual(['\u017f', '\u212a'])
    expect(foldForIndex('\u017fTR \u212aey')).toBe('str key')
  })
})

const CHARS = ['a', 'b', 'c', 'k', 's', 'B', 'K', '\u212a', '\u017f', 'é', '😀', '\ud83d', '"', ' ']
const ENDS = ['\n', '\n', '\r\n', '\r', '\n\n']

const texts = fc
  .array(fc.constantFrom(...CHARS, ...ENDS, 'abc', 'bca', 'sk'), { maxLength: 40 })
  .map((parts) => parts.join(''))

const { node: trees } = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(
      'a',
      'b',
      'c',
      'abc',
      'ks',
      'Ab',
      '.',
      '[ab]',
      '[^a]',
      '\\x61',
      '\\Qca\\E',
      '\\s',
    ),
    fc.constantFrom('^', '$', '\\b', '\\B', '\\A', '\\z', '', '(?i)', '(?-m)'),
    fc.tuple(tie('node'), tie('node')).map((both) => both.join('')),
    fc.tuple(tie('node'), tie('node')).map(([left, right]) => `(${left}|${right})`),
    fc
      .tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{0,1}', '{1,}', '{0}', '+?'))
      .map(([inner, sign]) => `(?:${inner})${sign}`),
    tie('node').map((inner) => `(?i:${inner})`),
  ),
}))
const soups = fc
  .array(
    fc.constantFrom(
      'abc',
      'k',
      '(',
      ')',
      '|',
      '*',
      '+',
      '?',
      '{',
      '{2}',
      '}',
      '[',
      '^',
      ']',
      '-',
      '\\',
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''))

describe('for any pattern and any text', () => {
  it('every matching line is found and contains the trigrams', () => {
    const sensitivity = fc.constantFrom('auto' as const, true, false)
    const check = (text: string, source: string, option: 'auto' | boolean) => {
      const compiled = compilePattern(source, { case: option })
      if (!compiled.ok) return
      const matching = text.split(/\r?\n|\r$/).filter((line) => compiled.value.testLine(line))
      // The empty string after a final newline is not a line.
      const last = /[\r\n]$/.test(text) || text === ''
      const [line] = last ? matching.filter((found) => found !== '') : matching
      if (line === undefined) return
      expect(compiled.value.testText(text)).toBe(true)
      const trigrams = requiredTrigrams(compiled.value) ?? []
      expect(trigrams.filter((trigram) => !foldForIndex(line).includes(trigram))).toEqual([])
    }
    fc.assert(fc.property(texts, fc.oneof(trees, soups), sensitivity, check), { numRuns: 3000 })
  })

  it('what is found without the engine is found by it', () => {
    const sensitivity = fc.constantFrom('auto' as const, true, false)
    const plain = fc.constantFrom(
      'ab',
      'Key',
      'key.',
      'abcabcabcabcabc',
      'ABcabcabcabcab',
      '\\.',
      'a.',
    )
    const words = fc.constantFrom(
      'ab',
      'AB',
      'key',
      'Key.',
      '\u212aey',
      'abcabcabcabcab',
      'c',
      '.',
      ' ',
    )
    const lines = fc.array(words, { maxLength: 8 }).map((found) => found.join(''))
    const check = (line: string, source: string, option: 'auto' | boolean, literal: boolean) => {
      const tested = pattern(source, { case: option, literal })
      const at = tested.seek(line, 0, unlimited())
      if (at >= 0 && tested.isFound(line, at)) expect(tested.testLine(line)).toBe(true)
    }
    fc.assert(fc.property(lines, plain, sensitivity, fc.boolean(), check), { numRuns: 3000 })
  })

  it.each([
    ['key', 'a KEY', true],
    ['Key', 'a key', false],
    ['abcabcabcabcabc', 'xabcabcabcabcabc', true],
    ['abcabcabcabcabc', 'xabcabcabcabcabd', false],
    ['k.y', 'key', false],
  ])('%j is found in %j without the engine: %s', (source, line, expected) => {
    const tested = pattern(source)
    const at = tested.seek(line, 0, unlimited())
    expect(tested.isFound(line, at)).toBe(expected)
  })

  it('compiling returns a result and never throws', () => {
    const anything = fc.oneof(soups, fc.string({ unit: character }), fc.string())
    const check = (text: string) => void compilePattern(text, { case: 'auto' })
    fc.assert(fc.property(anything, check), { numRuns: 1000 })
  })
})
