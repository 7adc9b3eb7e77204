/** Random rules: whatever needs no passkey permits no path with less approval than the rules before it. */

import { APPROVAL_LEVELS } from '#core/approval.ts'
import { DEFAULT_CONFIG, readConfig, type Config } from '#core/config.ts'
import { parsePath, type StorePath } from '#core/path.ts'
import { approvalOf, isImmutable, judge, rulesOf } from '#core/policy.ts'
import { isLoosened } from '#worker/passkeys/loosening.ts'
import { expect, it } from 'vitest'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'

const TEXTS = ['/', '/a', '/a/b', '/a/b/c', '/a/b/c/f.x', '/a/f.x', '/d', '/d/g.x', '/e', '/e/b/f']

const PATHS = TEXTS.map((text) => parsePath(text))

const level = fc.constantFrom(...APPROVAL_LEVELS)
const globs = fc.array(fc.constantFrom('*', '**', '*.x', 'b', 'b/**', '**/c', 'a/**'), {
  maxLength: 2,
})
// Two entries for one folder are common here.
const folder = fc.constantFrom('/', '/a', '/a', '/a/b')
const lists = { approval: level, deny: globs, allow: globs, immutable: globs }
const root = fc.record({ path: folder, ...lists }, { requiredKeys: ['path'] })
const config = fc.record(
  {
    roots: fc.array(root, { minLength: 1, maxLength: 3 }),
    ...{ approval: level, allow_escape: fc.boolean(), read_only: fc.boolean() },
  },
  { requiredKeys: ['roots'] },
)

/** Rules, and others that are entirely new, or differ in the lists and the level of one entry. */
const changes = fc.tuple(config, config, fc.nat(5)).map(([before, other, at]) => {
  const [{ path: _, ...changed } = {}] = other.roots
  const roots = before.roots.map((one, index) => (index === at ? { ...one, ...changed } : one))
  return { before, after: at < 3 ? { ...before, roots } : other }
})

function read(given: object): Config {
  const read = readConfig(given, DEFAULT_CONFIG)
  if (!read.ok) throw new Error(read.error[0].message)
  return read.value
}

/** How much a change of each path is held; what cannot be changed counts like `confirm`. */
function strengthsOf(config: Config): number[] {
  const rules = rulesOf(config)
  const isClosed = (path: StorePath) =>
    judge(rules, path) !== 'permitted' || isImmutable(rules, path)
  return PATHS.map((path) =>
    APPROVAL_LEVELS.indexOf(isClosed(path) ? 'confirm' : approvalOf(rules, path)),
  )
}

it('rules that need no passkey are nowhere looser', () => {
  const law = fc.property(changes, (given) => {
    const [before, after] = [read(given.before), read(given.after)]
    if (isLoosened(before, after)) return
    const held = strengthsOf(before)
    // A root can be neither moved nor deleted.
    const isRoot = (path: StorePath) => after.roots.some((root) => root.path === path)
    const now = strengthsOf(after)
    const lost = PATHS.filter((path, at) => (now[at] ?? 0) < (held[at] ?? 0) && !isRoot(path))
    expect(lost).toEqual([])
  })
  fc.assert(law, runs(1_000))
})
