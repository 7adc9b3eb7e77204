/** The paths of which the webhook is notified: their patterns, and which changes alter them. */

import { MAX_GLOB_LENGTH } from '#core/glob.ts'
import { parsePath } from '#core/path.ts'
import { refuseMisconfigured } from '#worker/front/deployed-config.ts'
import { MAX_WATCHED_PATTERNS } from '#worker/outbox/limits.ts'
import { touchesWatched, watchedPaths, type AlteringStep } from '#worker/outbox/watched-paths.ts'
import { describe, expect, it } from 'vitest'
import { testEnv } from '../../support/worker/notifying-env.ts'

const read = (text: string) => watchedPaths(testEnv({ EDGEWISE_WEBHOOK_PATHS: text }))

const globs = (text: string) => {
  const read = watchedPaths(testEnv({ EDGEWISE_WEBHOOK_PATHS: text }))
  if (!read.ok) throw new Error(read.error)
  return read.value
}

describe('the patterns', () => {
  it.each([
    ['', []],
    ['docs/**', ['docs/**']],
    ['docs/**, *.md', ['docs/**', '*.md']],
    ['*.{ts,tsx},a/{b,{c,d}}/*', ['*.{ts,tsx}', 'a/{b,{c,d}}/*']],
    [String.raw`a\,b,c`, [String.raw`a\,b`, 'c']],
  ])('of %j', (text, patterns) => {
    expect(globs(text).map(({ pattern }) => pattern)).toEqual(patterns)
  })

  it('are at most so many, of a length', () => {
    expect(read(Array(MAX_WATCHED_PATTERNS).fill('a').join(',')).ok).toBe(true)
    expect(read('a'.repeat(MAX_GLOB_LENGTH)).ok).toBe(true)
  })

  it.each([
    Array(MAX_WATCHED_PATTERNS + 1)
      .fill('secret')
      .join(','),
    'secret'.padEnd(MAX_GLOB_LENGTH + 1, 'x'),
    'secret,,b',
    'secret,',
    '{secret',
    '[secret',
  ])('serve nothing as %s, and are not repeated', async (text) => {
    const refused = refuseMisconfigured(testEnv({ EDGEWISE_WEBHOOK_PATHS: text }))
    expect(refused?.status).toBe(503)
    const message = await refused?.text()
    expect(message).toContain('Cannot use EDGEWISE_WEBHOOK_PATHS:')
    expect(message).not.toContain('secret')
  })
})

describe('a change', () => {
  const path = (text: string) => parsePath(text)
  const put = (text: string): AlteringStep => ({ type: 'put', path: path(text) })
  const remove = (text: string): AlteringStep => ({ type: 'remove', path: path(text) })
  const move = (from: string, to: string): AlteringStep => ({
    ...{ type: 'move', from: path(from), to: path(to) },
  })

  it.each([
    ['docs/*.md', put('/docs/a.md'), true],
    ['docs/*.md', put('/docs/a/b.md'), false],
    ['docs/*.md', put('/docs'), false],
    ['docs/*.md', { type: 'folder', path: path('/docs/a.md') }, false],
    ['docs/*.md', remove('/docs/a.md'), true],
    ['docs/*.md', remove('/docs'), true],
    ['docs/*.md', remove('/doc'), false],
    ['docs/*.md', remove('/docs/a/b'), false],
    ['**/*.md', remove('/any'), true],
    ['docs/*.md', move('/x', '/docs/a.md'), true],
    ['docs/*.md', move('/docs/a.md', '/x'), true],
    ['docs/a/**', move('/docs', '/old'), true],
    ['docs/a/**', move('/old', '/docs'), true],
    ['docs/a/**', move('/one', '/two'), false],
    ['.hidden/*', put('/.hidden/a'), true],
  ] satisfies [string, AlteringStep, boolean][])('of %j by %j', (pattern, step, expected) => {
    expect(touchesWatched(globs(`nothing,${pattern}`), [put('/other'), step])).toBe(expected)
  })
})
