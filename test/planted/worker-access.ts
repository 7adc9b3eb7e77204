/**
 * Faults of `worker/access/`: what a caller sees and may change.
 *
 * @module
 */

import type { Fault } from './fault.ts'

export const ACCESS: readonly Fault[] = [
  {
    name: 'access: the steps of a change are not checked again',
    promise: 'No route changes a path that access denies: each step is checked when it is written',
    file: 'worker/access/apply.ts',
    before: '  const refused = refusalOf(proposal.steps)\n  if (refused) return err(refused)\n',
    after: '',
    tests: ['test/worker/access/access.laws.test.ts'],
  },
  {
    name: 'access: a change is applied with rules of before',
    promise: 'A slow request body gives no additional access',
    file: 'worker/access/apply.ts',
    before: "if (!parts.isCurrent(access, session)) return err({ reason: 'access_changed' })",
    after: '',
    tests: ['test/platform/api/slow-body.test.ts'],
  },
  {
    name: 'access: a problem names a hidden path',
    promise: 'Denied paths are invisible: no name, no count, no match, no hint',
    file: 'worker/access/apply.ts',
    before: 'err(withoutHidden(applied.error, proposal.steps, access))',
    after: 'err(applied.error)',
    tests: ['test/worker/access/writes.test.ts', 'test/platform/access/leaks.test.ts'],
  },
  {
    name: 'access: the version of a folder tells of hidden files',
    promise: 'Denied paths are invisible: no name, no count, no match, no hint',
    file: 'worker/access/file-view.ts',
    before: 'if (view.access.isOpenBelow(path)) return view.store.versionOf(path)',
    after: 'return view.store.versionOf(path)',
    tests: ['test/worker/access/access.laws.test.ts', 'test/platform/access/leaks.test.ts'],
  },
  {
    name: 'access: a search counts hidden files',
    promise:
      'A search tells a caller nothing of files that it may not read, neither their number nor their content',
    file: 'worker/access/file-view.ts',
    before: ': { count: null, files: seenFiles(files, access) }',
    after: ': { count, files: seenFiles(files, access) }',
    tests: ['test/worker/access/search-progress.test.ts'],
  },
  {
    name: 'access: a walk reads what is hidden',
    promise:
      'What a caller may not read does not change how many rows its searches, lists and completions read',
    file: 'worker/access/file-view.ts',
    before: 'store.walk(folder, { ...options, within })',
    after: 'store.walk(folder, { ...options })',
    tests: ['test/platform/access/costs.test.ts'],
  },
  {
    name: 'access: history names what a change touched beside the file',
    promise: 'Denied paths are invisible, in history as well',
    file: 'worker/access/history-view.ts',
    before: ': withoutNames(version, path),',
    after: ': seenRecord(view, version),',
    tests: ['test/platform/access/leaks.test.ts', 'test/worker/access/reference-holes.test.ts'],
  },
  {
    name: 'access: a copy names its source',
    promise: 'Denied paths are invisible: the sentence of a copy does not name its hidden source',
    file: 'worker/access/history-view.ts',
    before: "if (access.unrestricted || change.tool !== 'copy_file') return change",
    after: 'return change',
    tests: ['test/platform/access/leaks.test.ts', 'test/worker/access/reference-holes.test.ts'],
  },
  {
    name: 'access: a policy keeps what the owner allowed',
    promise: 'A policy makes every grant void (rule L18 of mcp4h)',
    file: 'worker/access/access.ts',
    before: 'return ok(new Access(withoutAllowed(ceiling), inner, NO_GRANTS, { judging }))',
    after: 'return ok(new Access(ceiling, inner, NO_GRANTS, { judging }))',
    tests: ['test/worker/access/allowed.laws.test.ts', 'test/worker/requests/requests.test.ts'],
  },
  {
    name: 'access: a permission of the owner lifts the scopes of a token',
    promise: 'What the owner allows a session opens no path that another rule or a token refuses',
    file: 'worker/access/ceiling.ts',
    before: '(index < allowed.lists && covers(allowed))',
    after: '(index <= allowed.lists && covers(allowed))',
    tests: ['test/worker/access/allowed.laws.test.ts'],
  },
  {
    name: 'access: a link with a policy gets roots that are added later',
    promise: 'What the owner adds to the rules never opens a path to a session that exists',
    file: 'worker/access/caller.ts',
    before: 'if (inherited?.roots) ceiling = ok(withKeptRoots(ceiling.value, inherited.roots))',
    after: '',
    tests: [
      'test/worker/access/nested-rules.test.ts',
      'test/worker/access/later-rules.laws.test.ts',
    ],
  },
  {
    name: 'access: a policy restricts the roots of the owner in the area of a client',
    promise: "A policy is read against the roots of the caller's own configuration",
    file: 'worker/access/ceiling.ts',
    before: 'const rules = innermost(ceiling)\n  const read',
    after: 'const [rules] = ceiling.layers\n  const read',
    tests: ['test/worker/access/nested-rules.test.ts'],
  },
  {
    name: 'access: a client sets a field of the owner',
    promise: "A client's configuration never permits more than the owner and the session do",
    file: 'worker/access/client-config.ts',
    before:
      'looseFault(fields) ?? ownerFault(fields, config, outer.owner) ?? widerFault(config, outer)',
    after: 'looseFault(fields) ?? widerFault(config, outer)',
    tests: ['test/worker/access/client-config.test.ts'],
  },
  {
    name: 'access: an invalid denied scope is ignored',
    promise: 'A call is refused if what it should deny is unknown',
    file: 'worker/access/metadata.ts',
    before: "    else if (key === 'denied_scopes') return null\n",
    after: '',
    tests: ['test/worker/access/scopes.test.ts'],
  },
  {
    name: 'access: rules that cannot be read grant what was deployed',
    promise: 'An invalid configuration that another release stored grants no access',
    file: 'worker/access/owner-config.ts',
    before: 'read.ok ? read.value : withoutAccess(deployed)',
    after: 'read.ok ? read.value : deployed',
    tests: ['test/worker/api/unreadable-rules.test.ts'],
  },
  {
    name: 'access: draft_status names requests for refused paths',
    promise: 'No access request is named to a request that may not touch its paths',
    file: 'worker/access/draft-view.ts',
    before: '.filter((one) => mayName(one, access))',
    after: '',
    tests: ['test/worker/requests/requests.test.ts'],
  },
  {
    name: 'access: a copy names its source for ever',
    promise: 'A copy names its source only while its session may read it',
    file: 'worker/access/history-view.ts',
    before: '!access.isRestrictedByRequest && !namesHidden(change, access)',
    after: '!access.isRestrictedByRequest',
    tests: ['test/platform/access/leaks.test.ts'],
  },
  {
    name: 'access: the owner allows a path outside the folders of flags',
    promise:
      'A flag of `npm start` is not widened by what is stored, sent, allowed, imported or undone',
    file: 'worker/access/access.ts',
    before: "    if (this.#isOutOfBounds(path)) return 'blocked'\n",
    after: '',
    tests: ['test/worker/access/flags.test.ts'],
  },
  {
    name: 'access: a stored configuration replaces what flags restrict',
    promise:
      'A flag of `npm start` is not widened by what is stored, sent, allowed, imported or undone',
    file: 'worker/access/owner-config.ts',
    before: '    wanted = next.value\n    current = inForce(wanted)\n',
    after: '    wanted = next.value\n    current = wanted\n',
    tests: ['test/worker/access/flags.test.ts'],
  },
]
