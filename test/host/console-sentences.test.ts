import { describe, expect, it } from 'vitest'
import {
  firstAndRest,
  sentencesOf,
  sessionSentence,
  type Piece,
} from '#host/console/state/sentences.ts'

const text = (pieces: readonly Piece[]) =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.code)).join('')

const said = (config: Record<string, unknown>) =>
  firstAndRest(sentencesOf(config))[0].map(({ tone, pieces }) => `${tone}: ${text(pieces)}`)

describe('a configuration in sentences', () => {
  it('says that everything is open when it is', () => {
    expect(said({ roots: [{ path: '/' }] })[0]).toBe(
      'may: Read and change files anywhere in this workspace.',
    )
  })

  it('names the folders, and what is outside of them', () => {
    expect(said({ roots: [{ path: '/docs' }, { path: '/notes' }] }).slice(0, 2)).toEqual([
      'may: Read and change files in /docs and /notes.',
      'not: Everything else is out of reach.',
    ])
    expect(said({ roots: [{ path: '/docs' }], allow_escape: true })[1]).toBe(
      'may: Use paths outside of these folders too, without asking.',
    )
  })

  it('says that nothing may be changed when it is read-only', () => {
    expect(said({ roots: [{ path: '/' }], read_only: true }).slice(0, 2)).toEqual([
      'may: Read files anywhere in this workspace.',
      'not: Nothing may be changed.',
    ])
  })

  it('says what each list hides or keeps', () => {
    const roots = [{ path: '/docs', allow: ['*.md'], deny: ['a', 'b'], immutable: ['*.lock'] }]
    expect(said({ roots }).slice(2, 5)).toEqual([
      'not: In /docs, only what matches *.md may be used.',
      'not: In /docs, what matches a or b is hidden and may not be used.',
      'not: In /docs, what matches *.lock may be read, and not changed.',
    ])
  })

  it.each([
    ['none', 'plain: No approval level is set. '],
    ['notify', 'plain: The approval level is notify. '],
    ['review', 'plain: The approval level is review. '],
    ['confirm', 'plain: The approval level is confirm. '],
  ])('names the approval level %s, and says that the server holds nothing', (approval, start) => {
    const NOT_HELD =
      'The server does not hold changes for approval yet: it applies them at once. A client may ask you first.'
    expect(said({ roots: [{ path: '/' }], approval })).toContain(start + NOT_HELD)
  })

  it('reads 0 as no limit', () => {
    const [, rest] = firstAndRest(sentencesOf({ roots: [{ path: '/' }] }))
    const all = rest.map(({ pieces }) => text(pieces)).join(' ')
    expect(all).toContain('A file may have any size.')
    expect(all).toContain('Every version of each file can be brought back.')
  })
})

describe('a session in a sentence', () => {
  it.each([
    [{ scopes: null, policy: null }, 'May do all that you may.'],
    [{ scopes: null, policy: null, parent: 'x' }, 'May do all that the session above it may.'],
    [{ scopes: ['read:file'], policy: null }, 'May read every file.'],
    [{ scopes: null, policy: { read_only: true } }, 'May do all that you may, but change nothing.'],
    [
      { scopes: ['read', 'write:file:/docs'], policy: { roots: [{ path: '/docs' }] } },
      'May read every file and change /docs, within /docs.',
    ],
    [
      {
        scopes: null,
        policy: null,
        transfer: { path: '/a', direction: 'upload' as const, uses: 1 },
      },
      'May upload /a, and nothing else. Used 1 time.',
    ],
    [{ scopes: ['execute:cli:safe'], policy: null }, 'May use execute:cli:safe.'],
  ])('%j', (wish, sentence) => {
    expect(text(sessionSentence(wish))).toBe(sentence)
  })
})
