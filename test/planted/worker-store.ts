/**
 * Faults of `worker/audit/`, `worker/encoding/`, `worker/errors/`, `worker/observe/`, `worker/search/`,
 * `worker/store/` and `worker/webhook/`.
 *
 * @module
 */

import type { Fault } from './fault.ts'

export const STORE: readonly Fault[] = [
  {
    name: 'audit: an entry is not chained to the one before',
    promise: 'A chain of hashes reveals changed and missing entries',
    file: 'worker/audit/chain.ts',
    before: "hash('sha256', `${before}\\n${entry}`, 'hex')",
    after: "hash('sha256', `${before.length}\\n${entry}`, 'hex')",
    tests: ['test/worker/audit/chain.test.ts'],
  },
  {
    name: 'audit: entries that are missing at the end are not noticed',
    promise: 'The audit log reveals missing entries, also the newest ones',
    file: 'worker/audit/chain.ts',
    before: 'if (seq !== end.head) return',
    after: 'if (seq > end.head) return',
    tests: ['test/worker/audit/chain.test.ts', 'test/worker/audit/audit.test.ts'],
  },
  {
    name: 'audit: an entry may be larger than its limit',
    promise: 'No session fills the audit log with large entries',
    file: 'worker/audit/entry.ts',
    before: 'if (text.length <= MAX_AUDIT_ENTRY) return text',
    after: 'if (entry.intent.length <= MAX_AUDIT_ENTRY) return text',
    tests: ['test/worker/audit/chain.test.ts'],
  },
  {
    name: 'encoding: a quote ends an attribute',
    promise: 'Names, contents and arguments are text in every page',
    file: 'worker/encoding/html.ts',
    before: String.raw`text.replace(/[&<>"']/g,`,
    after: String.raw`text.replace(/[&<>']/g,`,
    tests: ['test/worker/encoding/html.test.ts'],
  },
  {
    name: 'errors: a missing scope is answered with 404',
    promise: 'A caller without the scope gets a status that clients know',
    file: 'worker/errors/problem.ts',
    before: 'kindOf(problem).status',
    after: 'Math.min(kindOf(problem).status, 404)',
    tests: ['test/worker/errors.test.ts', 'test/worker/api/drafts.test.ts'],
  },
  {
    name: 'observe: a route is logged as it was requested',
    promise: 'The log contains no secret, no path and no argument',
    file: 'worker/observe/request.ts',
    before: 'KNOWN.has(first) ? first : UNKNOWN',
    after: 'first.length < 64 ? first : UNKNOWN',
    tests: ['test/worker/observe/observe.test.ts', 'test/worker/observe/requests.test.ts'],
  },
  {
    name: 'search: a pattern may unfold into any number of steps',
    promise: 'No pattern makes a call run without end',
    file: 'worker/search/pattern.ts',
    before: 'if (steps <= MAX_PATTERN_STEPS) return null',
    after: 'if (steps <= MAX_PATTERN_STEPS || tokens.length > 0) return null',
    tests: ['test/worker/search/pattern.test.ts'],
  },
  {
    name: 'search: a search in a draft shows what the draft has replaced',
    promise: 'A draft shows its own state of a file, and not the one below it',
    file: 'worker/search/candidates.ts',
    before: 'WHERE d.draft = ${draft} AND d.path = f.path)',
    after: "WHERE d.draft = ${draft} AND d.path = f.path AND d.mime = '')",
    tests: ['test/worker/drafts/drafts.test.ts'],
  },
  {
    name: 'store: the sweep deletes what is still being uploaded',
    promise: 'The sweep deletes no object of an upload in progress, however slow',
    file: 'worker/store/sweep.ts',
    before: 'for (const key of arriving)\n',
    after: 'for (const key of [...arriving].slice(1))\n',
    tests: ['test/worker/store/objects.test.ts', 'test/platform/archive/slow-import.test.ts'],
  },
  {
    name: 'store: the version of a checkpoint is dropped',
    promise: 'No version that a path had at a checkpoint is dropped',
    file: 'worker/store/retention.ts',
    before: 'checkpoint >= version && checkpoint < end',
    after: 'checkpoint > version && checkpoint < end',
    tests: ['test/worker/store/checkpoint-model.laws.test.ts'],
  },
  {
    name: 'store: a store of a newer release is opened',
    promise: 'An older release damages nothing: a newer store is refused',
    file: 'worker/store/schema.ts',
    before: 'if (at > MIGRATIONS.length) throw',
    after: 'if (at > 2 * MIGRATIONS.length) throw',
    tests: ['test/worker/store/migrate.test.ts'],
  },
  {
    name: 'webhook: a notice follows a redirect',
    promise: 'The receiver of the webhook can send this server to no other address',
    file: 'worker/webhook/send.ts',
    before: "redirect: 'manual'",
    after: "redirect: 'follow'",
    tests: ['test/platform/webhook/webhook.test.ts'],
  },
  {
    name: 'webhook: the time of a notice is not signed',
    promise:
      'A notice is signed as Standard Webhooks has it, so that it cannot be sent again later',
    file: 'worker/webhook/send.ts',
    before: '`${id}.${timestamp}.${body}`',
    after: '`${id}.${body}`',
    tests: ['test/platform/webhook/webhook.test.ts'],
  },
]
