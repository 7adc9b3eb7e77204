/** What a notice says in words: counts, names that are claims, and nothing that a name could pass for. */

import { hasHidden } from '#core/visible.ts'
import { describeSummary } from '#worker/notifier/sentence.ts'
import { MAX_NAME_LENGTH, type Summary } from '#worker/notifier/summary.ts'
import { describe, expect, it } from 'vitest'

const SUMMARY: Summary = {
  workspace: 'default',
  isNews: true,
  changes: 3,
  requests: 0,
  apps: 0,
  skills: 0,
  applied: 0,
  from: ['claude-code'],
  others: 0,
  url: '/#/waiting',
}

const tell = (facts: Partial<Summary>) => describeSummary({ ...SUMMARY, ...facts })

it.each([
  [{}, '3 changes wait for you', 'From "claude-code".'],
  [{ changes: 1 }, '1 change waits for you', 'From "claude-code".'],
  [{ from: [] }, '3 changes wait for you', 'Open the console to see it.'],
  [
    { changes: 0, requests: 1, from: [] },
    '1 access request waits for you',
    'Open the console to see it.',
  ],
  [
    { requests: 2, apps: 1, skills: 0, from: ['a', 'b'], others: 1 },
    '3 changes, 2 access requests and 1 app wait for you',
    'From "a", "b" and 1 other.',
  ],
  [
    { changes: 1, applied: 4, from: ['a'], others: 2 },
    '1 change waits for you',
    '4 changes were applied. From "a" and 2 others.',
  ],
  [{ changes: 0, applied: 1, from: [] }, '1 change was applied', 'Open the console to see it.'],
  [{ changes: 0, from: [] }, 'Nothing waits for you', 'Open the console to see it.'],
  [{ workspace: 'team' }, '3 changes wait for you in "team"', 'From "claude-code".'],
  [
    { from: ['a', 'b', 'c', 'd', 'e'], others: 1 },
    '3 changes wait for you',
    'From "a", "b", "c" and 3 others.',
  ],
] satisfies [Partial<Summary>, string, string][])('tells %j', (facts, title, body) => {
  expect(tell(facts)).toEqual({ title, body })
})

describe('a name', () => {
  it('is quoted, so that it cannot pass for the sentence', () => {
    const { body } = tell({ from: ['you". Approved by "the owner'] })
    expect(body).toBe(String.raw`From "you\". Approved by \"the owner".`)
  })

  it('is written with the names of its hidden characters', () => {
    const { body } = tell({ from: ['a\u202eb\u200b\r\nBcc: x@example.com'] })
    expect(body).toBe('From "a[RLO]b[ZWSP][CR][LF]Bcc: x@example.com".')
  })

  it.each([
    ['x'.repeat(1_000)],
    ['"'.repeat(1_000)],
    ['\u202e'.repeat(1_000)],
    ['😀'.repeat(1_000)],
    [`${'x'.repeat(MAX_NAME_LENGTH - 1)}\u{1F600}\u{1F600}`],
    ['\ud800'.repeat(1_000)],
  ])('is cut, and whole characters stay: %j', (name) => {
    const { body } = tell({ from: [name] })
    expect(Array.from(body).length).toBeLessThanOrEqual('From "".'.length + MAX_NAME_LENGTH + 1)
    expect(body).toContain('…".')
    expect(hasHidden(body)).toBe(false)
    expect(body.isWellFormed()).toBe(true)
    expect(body.match(/\[/g)?.length).toBe(body.match(/\]/g)?.length)
  })

  it('of the longest length is whole', () => {
    const name = 'x'.repeat(MAX_NAME_LENGTH)
    expect(tell({ from: [name] }).body).toBe(`From "${name}".`)
  })

  it('of a workspace is a claim as well', () => {
    expect(tell({ workspace: 'a\n"b' }).title).toBe(
      String.raw`3 changes wait for you in "a[LF]\"b"`,
    )
  })
})
