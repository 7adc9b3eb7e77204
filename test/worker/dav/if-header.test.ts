/** The header `If`: its two forms, tokens, entity tags and Not. */

import { holds, parseIf, tokensIn, type State } from '#worker/dav/if-header.ts'
import { MAX_DAV_HEADER, MAX_IF_CONDITIONS } from '#worker/dav/limits.ts'
import { describe, expect, it } from 'vitest'

const STATES: Readonly<Record<string, State>> = {
  '': { tag: '"one"', tokens: ['urn:lock'] },
  '/other': { tag: '"two"', tokens: [] },
  '/none': { tag: null, tokens: [] },
}

function isMet(text: string): boolean {
  const lists = parseIf(text)
  if (!lists.ok) throw new Error(lists.error)
  return holds(lists.value, (resource) => STATES[resource ?? ''] ?? { tag: null, tokens: [] })
}

describe('holds', () => {
  it.each([
    ['(["one"])', true],
    ['(["two"])', false],
    // A weak tag is another one.
    ['([W/"one"])', false],
    ['(<urn:lock>)', true],
    ['(<urn:lock> ["one"])', true],
    ['(<urn:lock>["two"])', false],
    ['(["two"]) (["one"])', true],
    ['(["two"])(<urn:other>)', false],
    ['(Not ["one"])', false],
    ['(Not ["two"] <urn:lock>)', true],
    ['(not<urn:other>)', true],
    ['(Not <DAV:no-lock>)', true],
    ['(<DAV:no-lock>)', false],
    ['</other> (["two"])', true],
    ['</other> (["one"])', false],
    ['</other> (["one"]) (["two"])', true],
    ['</none> (["one"]) </other> (["two"])', true],
    ['</none> (Not ["one"])', true],
    ['</other> (<urn:lock>)', false],
    ['  ( ["one"] ) ', true],
  ])('%s: %s', (text, met) => {
    expect(isMet(text)).toBe(met)
  })
})

it('names the tokens that it submits', () => {
  const lists = parseIf('</a> (<urn:1> ["x"]) (Not <urn:2>) </b> (<urn:3>)')
  expect(lists.ok && tokensIn(lists.value)).toEqual(['urn:1', 'urn:2', 'urn:3'])
})

describe('is refused', () => {
  it.each([
    '',
    '()',
    '(',
    '(["one"]',
    '["one"]',
    '</a>',
    '</a> </b> (["one"])',
    '(["one"]) </a> (["one"])',
    '(one)',
    '("one")',
    '(Not)',
    '(Notx ["one"])',
    '(["one"]) x',
    `(${'<urn:1>'.repeat(MAX_IF_CONDITIONS + 1)})`,
    `(["${'x'.repeat(MAX_DAV_HEADER)}"])`,
  ])('%s', (text) => {
    expect(parseIf(text).ok).toBe(false)
  })

  it('no list of the longest length', () => {
    expect(parseIf(`(${'<urn:1>'.repeat(MAX_IF_CONDITIONS)})`).ok).toBe(true)
  })
})
