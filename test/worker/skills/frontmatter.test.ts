/** The frontmatter of `SKILL.md`: what JSON can say goes out as it was written, and all else is a problem. */

import { skillEntry } from '@modelcontextprotocol/server/ext/skills'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { MAX_FRONTMATTER_BYTES, MAX_FRONTMATTER_DEPTH } from '#worker/skills/limits.ts'
import { readFrontmatter } from '#worker/skills/frontmatter.ts'

const within = (yaml: string) => `---\n${yaml}\n---\n\n# Body\n`
const messageOf = (text: string) => {
  const read = readFrontmatter(text)
  return read.ok ? null : read.error[0]
}

describe('is read', () => {
  it.each<[string, unknown]>([
    ['a: 1', { a: 1 }],
    ['a: "1"\nb: yes\nc: ~\nd: true', { a: '1', b: 'yes', c: null, d: true }],
    ['a: [1, {b: c}]', { a: [1, { b: 'c' }] }],
    ['a: |\n  one\n  two', { a: 'one\ntwo\n' }],
    ['a: >-\n  one\n  two', { a: 'one two' }],
    ['a: "one\n  two"', { a: 'one two' }],
    ['a: 2026-01-01', { a: '2026-01-01' }],
    ['a:', { a: null }],
    ['<<: text', { '<<': 'text' }],
    ['constructor: x\ntoString: y', { constructor: 'x', toString: 'y' }],
  ])('%j', (yaml, expected) => {
    expect(readFrontmatter(within(yaml))).toEqual({ ok: true, value: expected })
  })

  it.each(['\ufeff---\na: 1\n---', '---\r\na: 1\r\n---\r\n', '---\na: 1\n--- \t\nb: 2\n---\n'])(
    'with the lines of %j',
    (text) => {
      expect(readFrontmatter(text)).toEqual({ ok: true, value: { a: 1 } })
    },
  )
})

describe('is a problem', () => {
  it.each([
    ['no frontmatter', '# Body\n', /must begin with a line/],
    ['an open one', '---\na: 1\n', /must begin with a line/],
    ['a text before it', ' ---\na: 1\n---\n', /must begin with a line/],
    ['nothing', within(''), /no list of/],
    ['a list', within('- a'), /no list of/],
    ['no YAML', within('a: ['), /no YAML/],
    ['a key twice', within('a: 1\na: 2'), /no YAML/],
    ['a tag of its own', within('a: !secret x'), /no YAML/],
    ['two documents', within('a: 1\n...\nb: 2'), /no YAML/],
    ['an alias', within('a: &x 1\nb: *x'), /is an alias/],
    ['a merge', within('a: &x {b: 1}\n<<: *x'), /is an alias/],
    ['a number as a key', within('1: a'), /no text/],
    ['a list as a key', within('? [a]\n: b'), /no text/],
    ['a prototype', within('__proto__: a'), /no text/],
    ['a number that is none', within('a: .nan'), /exactly/],
    ['infinity', within('a: -.inf'), /exactly/],
    ['an integer without an exact value', within('a: 9007199254740993'), /exactly/],
  ])('%s', (_what, text, message) => {
    expect(messageOf(text)?.message).toMatch(message)
  })

  it('has its place as a JSON pointer', () => {
    expect(messageOf(within('a: {b/c: [1, .nan]}'))?.pointer).toBe('/a/b~1c/1')
  })
})

describe('a limit', () => {
  it('is MAX_FRONTMATTER_BYTES bytes', () => {
    const yaml = (bytes: number) => `a: "${'é'.repeat((bytes - 6) / 2)}" `
    expect(new TextEncoder().encode(yaml(MAX_FRONTMATTER_BYTES))).toHaveLength(
      MAX_FRONTMATTER_BYTES,
    )
    expect(readFrontmatter(within(yaml(MAX_FRONTMATTER_BYTES))).ok).toBe(true)
    expect(messageOf(within(`${yaml(MAX_FRONTMATTER_BYTES)} `))?.message).toMatch(/more than/)
  })

  it.each(['[', '{a: '])('is MAX_FRONTMATTER_DEPTH levels of %j', (open) => {
    const close = open === '[' ? ']' : '}'
    const yaml = (levels: number) => `a: ${open.repeat(levels)}${close.repeat(levels)}`
    expect(readFrontmatter(within(yaml(MAX_FRONTMATTER_DEPTH - 1))).ok).toBe(true)
    expect(messageOf(within(yaml(MAX_FRONTMATTER_DEPTH)))?.message).toMatch(/deeper/)
    expect(messageOf(within(yaml(2_000)))?.message).toMatch(/deeper|no YAML/)
  })

  it.each([
    `a: ${'['.repeat(8_000)}`,
    `a: ${'{'.repeat(8_000)}`,
    `${'- '.repeat(7_000)}a`,
    `a: ${'&a '.repeat(5_000)}`,
    `a: ${'!'.repeat(16_000)}`,
    `${'? '.repeat(7_000)}a`,
    `a: "${'\\u0041'.repeat(2_600)}"`,
    Array.from({ length: 2_500 }, (_, index) => `${index.toString(36)}a: 1`).join('\n'),
    `a: |\n${' \n'.repeat(8_000)}`,
    `a: x${' '.repeat(16_000)}#`,
    `a: [${'a,'.repeat(8_000)}]`,
  ])('of time holds for a text of attack %#', (yaml) => {
    const start = performance.now()
    readFrontmatter(within(yaml))
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})

it('reads what the SDK reads as the SDK does', async () => {
  const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: false })
  const fields = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value, { maxKeys: 5 })
  await fc.assert(
    fc.asyncProperty(fields, async (extra) => {
      const { metadata: _m, compatibility: _c, ...rest } = extra
      const yaml = stringify({ ...rest, name: 'deploy', description: 'How' })
      const text = within(yaml.trimEnd())
      const known = await skillEntry('deploy', { 'SKILL.md': text }).catch(() => null)
      const read = readFrontmatter(text)
      // Each refuses what it cannot be sure of: the SDK some forms of YAML, and this reader numbers without an exact value.
      if (known && read.ok) expect(read.value).toEqual(known.frontmatter)
    }),
  )
})
