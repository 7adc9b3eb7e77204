import { describe, expect, it } from 'vitest'
import { FIELD_NAMES, FIELDS } from '#core/config/fields.ts'
import { DEFAULT_CONFIG, formatConfig } from '#core/config.ts'
import {
  firstAndRest,
  sentencesOf,
  sessionSentence,
  type Piece,
} from '#host/console/rules/config-sentences.ts'

const text = (pieces: readonly Piece[]) =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.code)).join('')

const describeConfig = (config: Record<string, unknown>) =>
  firstAndRest(sentencesOf(config))[0].map(({ tone, pieces }) => `${tone}: ${text(pieces)}`)

describe('a configuration in sentences', () => {
  const OTHER: Readonly<Record<string, unknown>> = {
    roots: [{ path: '/docs' }],
    approval: 'review',
    read_only: true,
    allow_escape: true,
    passkey: 'all',
    import_hosts: ['files.example.com'],
  }
  const described = FIELD_NAMES.filter((name) => FIELDS[name].sentence !== null)

  it.each(described)('shows the value of %s, as its entry says', (name) => {
    const base = { ...formatConfig(DEFAULT_CONFIG), roots: [{ path: '/notes' }] }
    const changed = { ...base, [name]: OTHER[name] ?? 7 }
    expect(sentencesOf(changed)).not.toEqual(sentencesOf(base))
  })

  it('says that everything is open when it is', () => {
    expect(describeConfig({ roots: [{ path: '/' }] })[0]).toBe(
      'may: Read and change files anywhere in this workspace.',
    )
  })

  it('names the folders, and what is outside of them', () => {
    expect(describeConfig({ roots: [{ path: '/docs' }, { path: '/notes' }] }).slice(0, 2)).toEqual([
      'may: Read and change files in /docs and /notes.',
      'not: Everything else is out of reach.',
    ])
    expect(describeConfig({ roots: [{ path: '/docs' }], allow_escape: true })[1]).toBe(
      'may: Use paths outside of these folders too, without asking.',
    )
  })

  it('says that nothing may be changed when it is read-only', () => {
    expect(describeConfig({ roots: [{ path: '/' }], read_only: true }).slice(0, 2)).toEqual([
      'may: Read files anywhere in this workspace.',
      'not: Nothing may be changed.',
    ])
  })

  it('says what each list hides or keeps', () => {
    const roots = [{ path: '/docs', allow: ['*.md'], deny: ['a', 'b'], immutable: ['*.lock'] }]
    expect(describeConfig({ roots }).slice(2, 5)).toEqual([
      'not: In /docs, only what matches *.md may be used.',
      'not: In /docs, what matches a or b is hidden and may not be used.',
      'not: In /docs, what matches *.lock may be read, and not changed.',
    ])
  })

  it('says where leases are binding', () => {
    const described = (path: string) => describeConfig({ roots: [{ path, binding_leases: true }] })
    expect(described('/')).toContain('not: What one agent has leased may not be changed by others.')
    expect(described('/docs')).toContain(
      'not: In /docs, what one agent has leased may not be changed by others.',
    )
  })

  it.each([
    ['none', 'plain: Changes are applied at once.'],
    ['notify', 'plain: Changes are applied at once, and you are notified.'],
    ['review', 'plain: Changes wait until you approve them.'],
    ['confirm', 'plain: Changes wait until you approve them.'],
  ])('says what a change does at the approval level %s', (approval, sentence) => {
    expect(describeConfig({ roots: [{ path: '/' }], approval })).toContain(sentence)
    const roots = [{ path: '/' }, { path: '/docs', approval }]
    const inFolder = sentence.replace('plain: C', 'plain: In /docs, c')
    const described = describeConfig({ roots })
    if (approval === 'none') expect(described.join(' ')).not.toContain('In /docs')
    else expect(described).toContain(inFolder)
  })

  it('says nothing of a folder that does not raise the level', () => {
    const roots = [
      { path: '/docs', approval: 'confirm' },
      { path: '/docs/sub/', approval: 'notify' },
      { path: '/notes', approval: 'none' },
      { path: '/\u0007', approval: 'confirm' },
      { path: '/x', approval: 'unknown' },
    ]
    expect(describeConfig({ roots, approval: 'notify' }).slice(-2)).toEqual([
      'plain: Except in the folders below, changes are applied at once, and you are notified.',
      'plain: In /docs, changes wait until you approve them.',
    ])
  })

  it.each([
    [604_800, 'A change can wait for approval, for at most 7 days.'],
    [0, 'A change can wait for approval.'],
  ])('says how long a change waits: %i', (draft_ttl_seconds, sentence) => {
    const [, rest] = firstAndRest(sentencesOf({ roots: [{ path: '/' }], draft_ttl_seconds }))
    expect(rest.map(({ pieces }) => text(pieces))).toContain(sentence)
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
    [{ scopes: null, policy: null }, 'May do everything that the rules allow.'],
    [
      { scopes: null, policy: null, parent: 'x' },
      'May do everything that the session above it may.',
    ],
    [{ scopes: ['read:file'], policy: null }, 'May read every file.'],
    [
      { scopes: null, policy: { read_only: true } },
      'May do everything that the rules allow, but change nothing.',
    ],
    [
      { scopes: ['read', 'write:file:/docs'], policy: { roots: [{ path: '/docs' }] } },
      'May read every file and change /docs, within /docs.',
    ],
    [
      {
        scopes: null,
        policy: null,
        transfer: { path: '/a', direction: 'upload' as const },
        uses: 1,
      },
      'May upload /a, and nothing else. Used 1 time.',
    ],
    [{ scopes: ['execute:cli:safe'], policy: null }, 'May use execute:cli:safe.'],
  ])('%j', (wish, sentence) => {
    expect(text(sessionSentence(wish))).toBe(sentence)
  })
})
