/**
 * Faults of `core/`: paths, scopes, rules, what is shown of hidden characters, limits.
 *
 * @module
 */

import type { Fault } from './fault.ts'

export const CORE: readonly Fault[] = [
  {
    name: 'core: a path keeps its dots',
    promise: 'No path leads outside the workspace: `..` is resolved before anything is compared',
    file: 'core/path.ts',
    before: String.raw`/^(?:\/[\w-][\w.-]*)+$/`,
    after: String.raw`/^(?:\/[\w.-]+)+$/`,
    tests: ['test/core/path.test.ts'],
  },
  {
    name: 'core: a folder contains its namesakes',
    promise: '`/ab` is not below `/a`, so that access to a folder does not open folders beside it',
    file: 'core/path.ts',
    before: 'path === folder || path.startsWith(`${folder}/`)',
    after: 'path === folder || path.startsWith(folder)',
    tests: ['test/core/path.test.ts'],
  },
  {
    name: 'core: a path may be one byte longer',
    promise: 'A path has at most MAX_PATH_BYTES bytes',
    file: 'core/path.ts',
    before: 'utf8Length(path) > MAX_PATH_BYTES',
    after: 'utf8Length(path) > MAX_PATH_BYTES + 1',
    tests: ['test/core/path.test.ts'],
  },
  {
    name: 'core: a scope for a folder covers the whole workspace',
    promise: 'A grant covers what it names',
    file: 'core/scope.ts',
    before: 'return wanted.path !== null && isWithin(wanted.path, held.path)',
    after: 'return wanted.path === null || isWithin(wanted.path, held.path)',
    tests: ['test/core/scope.laws.test.ts'],
  },
  {
    name: 'core: a wildcard inside a scope is accepted',
    promise: 'A `*` in a scope is allowed only at its end, where it widens nothing unseen',
    file: 'core/scope.ts',
    before: "if (word === '*') return err('a * is allowed only at the end, after an action')",
    after: "if (word === '*') continue",
    tests: ['test/core/scope.laws.test.ts'],
  },
  {
    name: 'core: an inherited member counts',
    promise:
      'Names such as `__proto__` and `constructor` are ordinary names: only own members count',
    file: 'core/json.ts',
    before: 'return Object.hasOwn(record, name) ? record[name] : undefined',
    after: 'return record[name]',
    tests: ['test/core/json.test.ts'],
  },
  {
    name: 'core: an allow list wins over a deny list',
    promise: 'Denied paths are invisible, whatever else matches',
    file: 'core/policy/judge.ts',
    before: "if (isHit(compiled, below, path, 'deny')) return 'blocked'",
    after:
      "if (below.wide.allow.length === 0 && isHit(compiled, below, path, 'deny')) return 'blocked'",
    tests: ['test/core/policy.test.ts'],
  },
  {
    name: 'core: a nested root escapes a blocked folder',
    promise: 'What a policy blocks is denied with everything below it',
    file: 'core/policy/compiled.ts',
    before: 'blocked: above.blocked || compiled.blocked.has(folder)',
    after: 'blocked: (!isRoot && above.blocked) || compiled.blocked.has(folder)',
    tests: ['test/core/policy.test.ts'],
  },
  {
    name: 'core: an entry of the rules ends the lists of the entries above it',
    promise: 'What the owner adds to the rules never opens a path to a session that exists',
    file: 'core/policy/rules.ts',
    before: 'return rulesWith(config, restrictionsOfEntries(config.roots))',
    after: 'return rulesWith(config, restrictionsOfEntries(config.roots, true))',
    tests: ['test/core/policy.test.ts', 'test/worker/access/nested-rules.test.ts'],
  },
  {
    name: 'core: a folder of a policy narrows the deepest entry that contains it',
    promise: 'A session that a policy restricts to folders sees no other folder of their root',
    file: 'core/policy/read.ts',
    before: 'topmost(rules.roots).find(',
    after: 'rules.roots.findLast(',
    tests: ['test/core/policy.test.ts', 'test/worker/access/nested-rules.test.ts'],
  },
  {
    name: 'core: a step on a folder ignores the levels below it',
    promise:
      'No client changes a file at the level `review` or `confirm` by moving or deleting its folder',
    file: 'core/policy/approvals.ts',
    before: 'isWithin(path, folder) || isWithin(folder, path))',
    after: 'isWithin(path, folder))',
    tests: ['test/core/approvals.test.ts'],
  },
  {
    name: 'core: a policy raises a limit',
    promise: 'A policy never permits more than the owner and the session do',
    file: 'core/policy/read.ts',
    before: 'if (!limit.ok || !isHigher(limit.value, current)) return limit',
    after: 'return limit',
    tests: ['test/core/policy.test.ts'],
  },
  {
    name: 'core: a policy turns read_only off',
    promise: 'Where `read_only` is set, only the owner removes it',
    file: 'core/policy/read.ts',
    before: 'if (!readOnly.ok || readOnly.value || !current) return readOnly',
    after: 'return readOnly',
    tests: ['test/core/policy.test.ts', 'test/worker/access/read-only.test.ts'],
  },
  {
    name: 'core: the rules of callers are never dropped',
    promise: 'The rules that callers send do not use up the memory of an object',
    file: 'core/cache-budget.ts',
    before: 'if (held <= maxWords) return',
    after: 'if (words <= maxWords) return',
    tests: ['test/core/cache-budget.test.ts'],
  },
  {
    name: 'core: a blank Braille pattern looks like a space',
    promise: 'No invisible character is hidden in a review',
    file: 'core/visible.ts',
    before: String.raw`\p{Default_Ignorable_Code_Point}\u2800]`,
    after: String.raw`\p{Default_Ignorable_Code_Point}]`,
    tests: ['test/core/visible.test.ts'],
  },
  {
    name: 'core: a long line loses its end without a count',
    promise: 'A long line shows or counts every character',
    file: 'core/diff/layout.ts',
    before: 'for (const place of [...places, text.length]) {',
    after: 'for (const place of places.length > 0 ? places : [text.length]) {',
    tests: ['test/core/diff/layout.test.ts'],
  },
  {
    name: 'core: an app names a source with a directive in it',
    promise: "An app's requests reach only what its server declared",
    file: 'core/csp.ts',
    before: String.raw`(?:\/[\w.~%/-]*)?$/i`,
    after: String.raw`(?:\/[\w.~%/-]*)?/i`,
    tests: ['test/core/csp.test.ts'],
  },
]
