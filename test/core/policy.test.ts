import { describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG, readConfig } from '#core/config.ts'
import { isWithin, parsePath, rebase, resolvePath, type StorePath } from '#core/path.ts'
import {
  clientRulesOf,
  formatRules,
  isImmutable,
  isOpen,
  isPlain,
  judge,
  meet,
  reaches,
  readPolicy,
  restrict,
  rulesOf,
  type Requester,
  type Rules,
} from '#core/policy.ts'
import vectors from '../vectors/policy.json' with { type: 'json' }
import {
  addingToTheRulesNeverOpens,
  given,
  judgeAgreesWithThePlainReading,
  modelsGetNoMoreFields,
  restrictIsAMeet,
  restrictNeverWidens,
  untrustedPoliciesAreReadOrRefused,
  subtreesAreJudgedSoundly,
} from '../support/core/policy-laws.ts'
import { expectWithin } from '../support/core/expect-within.ts'

interface Vector {
  readonly id: string
  readonly title: string
  readonly config: unknown
  readonly files: Readonly<Record<string, string | undefined>>
  readonly policy?: unknown
  readonly requester?: string
  readonly requires?: readonly string[]
  readonly call: { readonly name: string; readonly arguments: Arguments }
  readonly expected: Expected
}
interface Arguments {
  readonly path?: string
  readonly root?: string
  readonly from?: string
  readonly to?: string
  readonly limit?: number
}
interface Expected {
  readonly outcome: string
  readonly code?: string | number
  readonly message?: string
  readonly message_prefix?: string
  readonly matches?: readonly string[]
  readonly count?: number
  readonly truncated?: boolean
  readonly requested_scopes?: null
}

const rulesFor = (config: unknown) => rulesOf(given(readConfig(config, DEFAULT_CONFIG)))
const path = (text: string) => parsePath(text)

function under(rules: Rules, ...policies: readonly unknown[]): Rules {
  return policies.reduce<Rules>(
    (held, policy) => restrict(held, given(readPolicy(policy, held, 'human'))),
    rules,
  )
}

function refusal(policy: unknown, rules: Rules, requester: Requester = 'human'): string {
  const read = readPolicy(policy, rules, requester)
  return read.ok ? 'it is accepted' : read.error.message
}

describe('vectors', () => {
  const rows: readonly Vector[] = vectors
  const decidable = rows.filter(({ requires }) => !requires?.includes('links')) // there are none

  it.each(decidable)('$id: $title', ({ expected, ...row }) => {
    const rules = rulesFor(row.config)
    const requester = row.requester === 'llm' ? 'llm' : 'human'
    if (expected.outcome === 'error') {
      const message = refusal(row.policy, rules, requester)
      if (expected.message !== undefined) expect(message).toBe(expected.message)
      else expect(message).toContain(expected.message_prefix ?? 'find_limit')
      return
    }
    const read = 'policy' in row ? readPolicy(row.policy, rules, requester) : null
    const held = read ? restrict(rules, given(read)) : rules
    if (expected.requested_scopes === null) expect(held.underPolicy).toBe(true)
    expect(outcomeOf(row, held)).toMatchObject(wanted(expected))
  })

  it('are nearly all decided in core', () => expect(decidable.length).toBeGreaterThan(30))
})

function wanted({ outcome, code, matches, count, truncated }: Expected) {
  const found = count === undefined ? {} : { count, truncated }
  return { code: outcome === 'ok' ? null : code, ...found, ...(matches ? { matches } : {}) }
}

function outcomeOf({ call, files }: Pick<Vector, 'call' | 'files'>, rules: Rules) {
  const { name, arguments: sent } = call
  const at = (text = '.') => absolute(text, rules)
  const all = Object.keys(files).map((text) => path(text))
  const below = (folder: StorePath) => [folder, ...all.filter((one) => isWithin(one, folder))]
  switch (name) {
    case 'find_files':
      return found(rules, at(sent.root), below(at(sent.root)).slice(1), sent.limit)
    case 'write_file':
      return { code: changing(rules, [at(sent.path)]) }
    case 'delete_file':
      return { code: changing(rules, below(at(sent.path))) }
    case 'move_file': {
      const moved = below(at(sent.from))
      const places = moved.map((one) => rebase(one, at(sent.from), at(sent.to)))
      return { code: changing(rules, [...moved, ...places]) }
    }
    default:
      return { code: using(rules, at(sent.path)) }
  }
}

function absolute(text: string, rules: Rules): StorePath {
  return given(resolvePath(text, rules.defaultRoot))
}

function using(rules: Rules, one: StorePath): string | null {
  const verdict = judge(rules, one)
  if (verdict === 'permitted') return null
  return verdict === 'outside' ? 'PATH_OUTSIDE_ROOT' : 'PATH_BLOCKED'
}

function changing(rules: Rules, all: readonly StorePath[]): string | null {
  const refused = all.map((one) => using(rules, one)).find((code) => code !== null)
  return refused ?? (all.some((one) => isImmutable(rules, one)) ? 'PATH_IMMUTABLE' : null)
}

function found(rules: Rules, root: StorePath, all: readonly StorePath[], asked = Infinity) {
  const matches = all.filter((one) => judge(rules, one) === 'permitted')
  const limit = Math.min(asked, rules.limits.find_limit || Infinity)
  const shown = matches.slice(0, limit)
  const truncated = shown.length < matches.length
  return { code: using(rules, root), matches: shown, count: shown.length, truncated }
}

describe('laws', () => {
  it('restrict is a meet, seen as data', () => restrictIsAMeet(500))
  it('restrict never widens, in any number of steps', () => restrictNeverWidens(500))
  it('adding to the rules never opens a path', () => addingToTheRulesNeverOpens(500))
  it('judge agrees with the oracle', () => judgeAgreesWithThePlainReading(500))
  it('subtrees are judged soundly', () => subtreesAreJudgedSoundly(500))
  it('a model may set no more fields than a person', () => modelsGetNoMoreFields(500))
  it('an untrusted policy is read or refused', () => untrustedPoliciesAreReadOrRefused(500))
})

describe('readPolicy', () => {
  const rules = rulesFor({
    roots: [{ path: '/lib' }, { path: '/w', default: true }, { path: '/w/sub' }],
    find_limit: 200,
    read_max_bytes: 0,
    approval: 'notify',
  })
  const entry = (fields: object) => ({ roots: [{ path: '/w', ...fields }] })

  it.each<[unknown, string]>([
    [null, 'policy must be an object'],
    [[], 'policy must be an object'],
    ['{}', 'policy must be an object'],
    [true, 'policy must be an object'],
    [undefined, 'policy must be an object'],
    [{ allow_escape: false }, 'unknown policy key: allow_escape'],
    [{ history_versions: 1 }, 'unknown policy key: history_versions'],
    [{ max_file_bytes: 1 }, 'unknown policy key: max_file_bytes'],
    [{ preview_ttl_seconds: 1 }, 'unknown policy key: preview_ttl_seconds'],
    [{ nonsense: 1 }, 'unknown policy key: nonsense'],
    [JSON.parse('{"__proto__":{"roots":[]}}'), 'unknown policy key: __proto__'],
    [{ toString: 1 }, 'unknown policy key: toString'],
    [{ find_limit: '5' }, 'find_limit must be a non-negative integer'],
    [{ find_limit: -1 }, 'find_limit must be a non-negative integer'],
    [{ find_limit: 1.5 }, 'find_limit must be a non-negative integer'],
    [{ find_limit: 201 }, 'find_limit must not be higher than 200'],
    [{ find_limit: 0 }, 'find_limit must not be higher than 200'],
    [{ find_limit: null }, 'find_limit must not be higher than 200'],
    [{ approval: 'none' }, 'approval must not be less strict than notify'],
    [{ approval: 'often' }, 'approval must be one of none, notify, review, confirm'],
    [{ roots: null }, 'roots must be an array'],
    [{ roots: {} }, 'roots must be an array'],
    [{ roots: ['/w'] }, 'root entries must be objects'],
    [{ roots: [null] }, 'root entries must be objects'],
    [{ roots: [{}] }, 'root.path is required'],
    [{ roots: [JSON.parse('{"__proto__":{"path":"/w"}}')] }, 'root.path is required'],
    [{ roots: [{ path: 1 }] }, 'root.path must be a string'],
    [entry({ default: undefined }), 'policy roots must not include default'],
    [entry({ binding_leases: false }), 'policy roots must not include binding_leases'],
    [entry({ deny: 'a' }), 'root.deny must be an array'],
    [entry({ allow: {} }), 'root.allow must be an array'],
    [entry({ immutable: null }), 'root.immutable must be an array'],
    [entry({ allow: ['a', 1] }), 'root.allow must contain strings only'],
    [entry({ approval: 'often' }), 'root.approval must be one of none, notify, review, confirm'],
    [entry({ blocked: 'true' }), 'root.blocked must be a boolean'],
    [entry({ depth: 1 }), 'unknown root field: depth'],
    [entry({ deny: ['ok', '[bad'] }), 'invalid glob [bad: the [ at character 1 is never closed'],
    [entry({ allow: [''] }), 'invalid glob : it is empty'],
    [{ roots: [{ path: '/elsewhere' }] }, 'policy root not found: /elsewhere'],
    [{ roots: [{ path: '../../etc' }] }, 'policy root not found: ../../etc'],
    [{ roots: [{ path: '/w2' }] }, 'policy root not found: /w2'],
    [{ roots: [{ path: '' }] }, 'policy root not found: '],
    [{ roots: [{ path: '/' }] }, 'policy root not found: /'],
    [entry({ blocked: true }), 'policy cannot block the default root'],
    [{ roots: [{ path: '.', blocked: true }] }, 'policy cannot block the default root'],
    [{ roots: new Array(101).fill({ path: '/w' }) }, 'roots must not hold more than 100 entries'],
    [entry({ deny: new Array(201).fill('a') }), 'root.deny must not hold more than 200 patterns'],
    [
      { roots: new Array(6).fill({ path: '/w', deny: new Array(200).fill('a') }) },
      'roots must not hold more than 1000 patterns',
    ],
    [
      entry({ deny: new Array(50).fill('a'.repeat(1001)) }),
      'the patterns of roots must not be longer than 50000 characters in all',
    ],
  ])('refuses %j: %s', (policy, reason) => {
    expect(refusal(policy, rules)).toBe(reason)
  })

  it('lets a model set the fields that are not reserved for a person', () => {
    expect(refusal({ find_limit: 5 }, rules, 'llm')).toBe('find_limit may only be set by a person')
    expect(refusal({ read_max_bytes: 5 }, rules, 'llm')).toContain('read_max_bytes')
    const policy = { roots: [{ path: '/w/a', deny: ['x'] }], approval: 'confirm' }
    expect(readPolicy(policy, rules, 'llm').ok).toBe(true)
  })

  it('lowers ceilings and tightens approval, and leaves the rest', () => {
    const limits = { find_limit: 200, read_max_bytes: null, search_summary_top: 3 }
    const held = under(rules, { ...limits, approval: 'review' }, { read_max_bytes: 7 }, {})
    expect(held.limits).toEqual({ ...rules.limits, search_summary_top: 3, read_max_bytes: 7 })
    expect(held.approval).toBe('review')
    expect(refusal({ read_max_bytes: 8 }, held)).toBe('read_max_bytes must not be higher than 7')
    expect(refusal({ approval: 'notify' }, held)).toContain('approval')
  })

  it('does not change any prototype', () => {
    const text = '{"roots":[{"path":"/w","deny":["a"]}],"__proto__":{"polluted":true}}'
    expect(refusal(JSON.parse(text), rules)).toBe('unknown policy key: __proto__')
    expect('polluted' in {}).toBe(false)
  })
})

describe('judge', () => {
  const rules = rulesFor({
    roots: [
      { path: '/w', deny: ['**/.env'], immutable: ['dist/**'] },
      { path: '/w/sub', allow: ['**/*.ts'] },
      { path: '/lib' },
    ],
  })
  const check = (held: Rules, table: Readonly<Record<string, string>>) => {
    const judged = Object.keys(table).map((text) => [text, judge(held, path(text))])
    expect(Object.fromEntries(judged)).toEqual(table)
  }
  const [yes, no, out] = ['permitted', 'blocked', 'outside']

  it('applies the lists of every entry above a path', () =>
    check(rules, {
      '/': out,
      '/x': out,
      '/wide': out,
      '/w': yes,
      '/w/.env': no,
      '/w/a/.env': no,
      '/w/.env/a': yes,
      '/w/sub': yes,
      '/w/sub/.env': no,
      '/w/sub/a.ts': yes,
      '/w/sub/a': no,
      '/lib/.env': yes,
    }))

  it('opens nothing by an entry inside a denied or allowed folder', () => {
    const inner = { path: '/contracts' }
    const denied = rulesFor({ roots: [{ path: '/', deny: ['contracts/**'] }, inner] })
    check(denied, { '/': yes, '/a': yes, '/contracts': no, '/contracts/a': no })
    const allowed = rulesFor({ roots: [{ path: '/', allow: ['docs/**'] }, inner] })
    check(allowed, { '/docs/a': yes, '/contracts': no, '/contracts/a': no })
    const fixed = rulesFor({ roots: [{ path: '/', immutable: ['contracts/**'] }, inner] })
    expect(isImmutable(fixed, path('/contracts/a'))).toBe(true)
  })

  it('applies the deepest entry only, in a configuration of a client', () => {
    const roots = [
      { path: '/w', deny: ['**/x'], immutable: ['**'] },
      { path: '/w/sub', allow: ['x'] },
    ]
    const client = clientRulesOf(given(readConfig({ roots }, DEFAULT_CONFIG)))
    check(client, { '/w/x': no, '/w/a': yes, '/w/sub': yes, '/w/sub/x': yes, '/w/sub/a': no })
    expect(['/w/a', '/w/sub', '/w/sub/x'].map((one) => isImmutable(client, path(one)))).toEqual([
      true,
      false,
      false,
    ])
    const denied = under(client, { roots: [{ path: '/w', deny: ['sub/**'] }] })
    check(denied, { '/w': yes, '/w/a': yes, '/w/sub': no, '/w/sub/x': no })
    check(under(client, { roots: [{ path: '/w/a' }] }), {
      '/w/a': yes,
      '/w/sub': no,
      '/w/sub/x': no,
    })
  })

  it('narrows a root to the folders that are named, whatever entries are in it', () =>
    check(under(rules, { roots: [{ path: 'a/b' }, { path: '/w/c/' }, { path: '/w' }] }), {
      '/w': yes,
      '/w/a': no,
      '/w/a/b': yes,
      '/w/a/b/c': yes,
      '/w/a/bc': no,
      '/w/c': yes,
      '/w/d': no,
      '/w/sub': no,
      '/w/sub/a.ts': no,
      '/lib/a': yes,
    }))

  it('narrows a root to an entry of the rules in it', () => {
    const held = under(rules, { roots: [{ path: '/w/sub' }] })
    check(held, { '/w': yes, '/w/a': no, '/w/sub': yes, '/w/sub/a.ts': yes, '/w/sub/a': no })
    const bare = rulesFor({ roots: [{ path: '/w' }, { path: '/lib' }] })
    check(under(bare, { roots: [{ path: '/w/sub' }] }), { '/w/a': no, '/w/sub/a': yes })
  })

  it('narrows to what all policies have in common', () => {
    const a = { roots: [{ path: '/w/a' }, { path: '/w/b/c' }] }
    const b = { roots: [{ path: '/w/a/d' }, { path: '/w/b' }] }
    check(under(rules, a, b), { '/w': yes, '/w/a': no, '/w/a/d': yes, '/w/b': no, '/w/b/c/x': yes })
    const none = under(rules, { roots: [{ path: '/w/a' }] }, { roots: [{ path: '/w/b' }] })
    check(none, { '/w': yes, '/w/a': no, '/w/b': no, '/w/sub/a.ts': no, '/lib/a': yes })
  })

  it('applies block, deny, immutable and allow to nested entries', () => {
    const lists = { deny: ['sub/x.ts'], allow: ['a', 'sub/*'], immutable: ['sub/**'] }
    const held = under(rules, { roots: [{ path: '/w', ...lists }] })
    check(held, { '/w/a': yes, '/w/b': no, '/w/sub/x.ts': no, '/w/sub/a.ts': yes, '/w/sub': no })
    check(held, { '/w/sub/deep/a.ts': no })
    expect(isImmutable(held, path('/w/sub/a.ts'))).toBe(true)
    expect(isImmutable(held, path('/w/sub'))).toBe(true)
    const other = rulesFor({ roots: [{ path: '/lib' }, { path: '/w' }, { path: '/w/sub' }] })
    const closed = under(other, { roots: [{ path: '/w', blocked: true }] })
    check(closed, { '/lib': yes, '/w': no, '/w/a': no, '/w/sub': no, '/w/sub/a': no })
  })

  it('removes a blocked folder without narrowing', () => {
    const blocked = { path: '/w/private', blocked: true, allow: ['x'] }
    const held = under(rules, { roots: [blocked, { path: '/w', blocked: false }] })
    check(held, { '/w/a': yes, '/w/private': no, '/w/private/x': no, '/w/privates': yes })
  })

  it('reads the patterns of an entry relative to its path', () => {
    const src = { path: '/w/src', allow: ['*.ts'], deny: ['no.ts'], immutable: ['**'] }
    const held = under(rules, { roots: [src, { path: '/w/docs' }] })
    check(held, {
      '/w/src': yes, // else nothing could be listed from it
      '/w/src/a.ts': yes,
      '/w/src/a.js': no,
      '/w/src/no.ts': no,
      '/w/docs/a.js': yes,
    })
    expect(isImmutable(held, path('/w/src'))).toBe(true)
    expect(isImmutable(held, path('/w/docs/a.js'))).toBe(false)
    const shut = under(rules, { roots: [{ path: '/w/src', deny: ['**'] }] })
    check(shut, { '/w': yes, '/w/src': no, '/w/src/a': no })
  })

  it('requires a match in every allow list, and ignores an empty one', () => {
    const both = [
      { path: '/w', allow: ['a*'] },
      { path: '/w', allow: ['*b'] },
      { path: '/w', allow: [] },
    ]
    const table = { '/w/ab': yes, '/w/a': no, '/w/b': no }
    check(under(rules, { roots: both }), table)
    check(under(rules, { roots: [both[0]] }, { roots: [both[1]] }), table)
  })

  it('applies every pattern of a long list', () => {
    const deny = Array.from({ length: 200 }, (_, index) => `**/n${index}`)
    const held = under(rules, { roots: [{ path: '/w', deny }] })
    const judged = (index: number) => judge(held, path(`/w/a/n${index}`))
    expect([0, 63, 64, 65, 127, 128, 199].map(judged)).toEqual(new Array(7).fill('blocked'))
    expect([200, 2000].map(judged)).toEqual(new Array(2).fill('permitted'))
  })

  it('permits paths outside all roots only without a policy', () => {
    const free = rulesFor({ roots: [{ path: '/w' }], allow_escape: true })
    check(free, { '/': yes, '/x': yes, '/w/a': yes })
    check(under(free, {}), { '/': out, '/x': out, '/w/a': yes })
  })

  it('requires both lists of two entries for one root', () => {
    const twice = rulesFor({
      roots: [
        { path: '/w', allow: ['a*'] },
        { path: '/w/', allow: ['*b'] },
      ],
    })
    check(twice, { '/w/ab': yes, '/w/a': no, '/w/b': no })
    expect(twice.roots).toEqual(['/w'])
  })

  it('treats composed and decomposed text alike', () => {
    const held = under(rules, { roots: [{ path: '/w/e\u0301', deny: ['u\u0308'] }] })
    check(held, { '/w/\u00e9/a': yes, '/w/\u00e9/\u00fc': no })
  })

  it('counts a character outside the first plane as one', () => {
    const held = under(rules, { roots: [{ path: '/w', deny: ['?b/?c', '\u{1f600}?'] }] })
    check(held, {
      '/w/\u{1f600}b/\u{1f600}c': no,
      '/w/\u{1f600}\u{1f600}': no,
      '/w/\u{1f600}bb': yes,
    })
  })
})

describe('whole subtrees', () => {
  const open = rulesFor({ roots: [{ path: '/w' }] })
  const on = (held: Rules, ask: (rules: Rules, folder: StorePath) => boolean, folders: string[]) =>
    folders.filter((folder) => ask(held, path(folder)))

  it('opens permitted subtrees and their ancestors only', () => {
    const all = ['/', '/w', '/w/a', '/w/a/b', '/w/c', '/x', '/w/c/d']
    const reached = (policy: object) => on(under(open, { roots: [policy] }), reaches, all)
    expect(reached({ path: '/w/a/b' })).toEqual(['/', '/w', '/w/a', '/w/a/b'])
    expect(reached({ path: '/w', allow: ['a/*/x'] })).toEqual(['/', '/w', '/w/a', '/w/a/b'])
    expect(reached({ path: '/w', deny: ['a/**'] })).toEqual(['/', '/w', '/w/c', '/w/c/d'])
    expect(reached({ path: '/w', deny: ['a'] })).toEqual(all.filter((one) => one !== '/x'))
    expect(reached({ path: '/w/c', blocked: true })).toEqual(['/', '/w', '/w/a', '/w/a/b'])
    expect(reached({ path: '/w/a', allow: ['b/x'] })).toEqual(['/', '/w', '/w/a', '/w/a/b'])
    const deep = { path: '/w/a/b', deny: ['**'] }
    expect(reached(deep)).toEqual(['/', '/w'])
  })

  it('finds what a policy opens below a root of a client in which other lists apply', () => {
    const roots = [{ path: '/', allow: ['*'] }, { path: '/a/b' }]
    const client = clientRulesOf(given(readConfig({ roots }, DEFAULT_CONFIG)))
    const held = under(client, { roots: [{ path: '/a/b/c' }] })
    expect(on(held, reaches, ['/a', '/a/b', '/a/b/c', '/a/x'])).toEqual(['/a', '/a/b', '/a/b/c'])
  })

  it('knows where no path has to be checked by itself', () => {
    const all = ['/w', '/w/a', '/w/a/b', '/w/dist', '/w/dist/x']
    const free = (policy: object) => on(under(open, { roots: [policy] }), isOpen, all)
    expect(on(open, isOpen, ['/', ...all])).toEqual(all)
    expect(free({ path: '/w', immutable: ['dist/**'] })).toEqual(['/w/a', '/w/a/b'])
    expect(free({ path: '/w', deny: ['*/x'] })).toEqual(['/w/a/b'])
    expect(free({ path: '/w', allow: ['a/**'] })).toEqual(['/w/a', '/w/a/b'])
    expect(free({ path: '/w/a' })).toEqual(['/w/a', '/w/a/b'])
    expect(free({ path: '/w/a/b', blocked: true })).toEqual(['/w/dist', '/w/dist/x'])
    const inner = { path: '/w/a/b', immutable: ['x'] }
    const both = under(open, { roots: [{ path: '/w/a' }, inner] })
    expect(on(both, isOpen, all)).toEqual([])
    const nested = rulesFor({ roots: [{ path: '/w' }, { path: '/w/a' }] })
    expect(on(nested, isOpen, all)).toEqual(all)
    const restricted = under(nested, { roots: [{ path: '/w/a/b' }] })
    expect(on(restricted, isOpen, all)).toEqual(['/w/a/b'])
  })

  it('is uniform with one root and no refused path', () => {
    expect(isPlain(rulesOf(DEFAULT_CONFIG))).toBe(true)
    expect(isPlain(under(open, { find_limit: 1 }))).toBe(true)
    expect(isPlain(rulesFor({ roots: [{ path: '/w' }, { path: '/x' }] }))).toBe(false)
    expect(isPlain(rulesFor({ roots: [{ path: '/w', immutable: ['a'] }] }))).toBe(false)
    expect(isPlain(under(open, { roots: [{ path: '/w/a' }] }))).toBe(false)
  })
})

describe('rules as data', () => {
  it('are the same in any order of composition', () => {
    const rules = rulesFor({ roots: [{ path: '/w', deny: ['b', 'a', 'b'] }] })
    const first = { roots: [{ path: '/w/a/b' }, { path: '/w/a', allow: ['y', 'x', 'y'] }] }
    const second = { roots: [{ path: '/w', deny: ['a'] }], find_limit: 3 }
    const held = under(rules, first, second)
    expect(formatRules(held)).toEqual(formatRules(under(rules, second, first)))
    expect(formatRules(held)).toMatchObject({
      roots: ['/w'],
      defaultRoot: '/w',
      narrowings: [{ root: '/w', folders: ['/w/a'] }],
      allow: [{ base: '/w/a', endsAtRoots: false, patterns: ['x', 'y'] }],
      deny: [
        { base: '/w', endsAtRoots: false, pattern: 'a' },
        { base: '/w', endsAtRoots: false, pattern: 'b' },
      ],
      limits: { find_limit: 3, read_max_bytes: 17_000 },
      underPolicy: true,
    })
    expect(JSON.parse(JSON.stringify(formatRules(held)))).toEqual(formatRules(held))
  })

  it('contain no nested folders', () => {
    const rules = rulesFor({ roots: [{ path: '/' }, { path: '/w', default: true }] })
    const blocked = ['/w/a-b', '/w/a/b', '/w/a', '/'].map((path) => ({ path, blocked: true }))
    expect(under(rules, { roots: blocked.slice(0, 3) }).blocked).toEqual(['/w/a', '/w/a-b'])
    expect(under(rules, { roots: blocked }).blocked).toEqual(['/'])
  })

  it('meet in one policy that has both', () => {
    const rules = rulesFor({ roots: [{ path: '/w' }] })
    const read = (policy: unknown) => given(readPolicy(policy, rules, 'human'))
    const [a, b] = [read({ find_limit: 3 }), read({ roots: [{ path: '/w/a' }], find_limit: 2 })]
    const both = restrict(rules, meet(a, b))
    expect(formatRules(both)).toEqual(formatRules(restrict(restrict(rules, b), a)))
  })

  it('judge ten thousand paths under fifty entries in time', async () => {
    const rules = rulesFor({ roots: [{ path: '/w', deny: ['**/.env'] }] })
    const entries = Array.from({ length: 50 }, (_, index) => ({
      path: index % 2 === 0 ? '/w' : `/w/d${index}`,
      deny: [`**/secret-${index}*`, `**/{a,b}${index}/**/*.key`],
      immutable: [`**/dist${index}/**`],
    }))
    const held = under(rules, { roots: entries })
    const paths = Array.from({ length: 10_000 }, (_, index) =>
      path(`/w/d${index % 50}/src/module-${index % 100}/component-${index}.test.ts`),
    )
    const judgeAll = () => {
      for (const one of paths) judge(held, one)
    }
    await expectWithin(1000, judgeAll) // about 30 where this was written
  })
})
