/**
 * Faults of `worker/call/`, `worker/changes/`, `worker/mcp/` and `worker/tools/`: calls, previews, notifications.
 *
 * @module
 */

import type { Fault } from './fault.ts'

export const CALLS: readonly Fault[] = [
  {
    name: 'call: a state is not bound to its call',
    promise: 'A client cannot borrow the state of a call that waits',
    file: 'worker/call/request-state.ts',
    before: 'JSON.stringify([text, ...bound])',
    after: 'JSON.stringify([text, bound.length])',
    tests: ['test/platform/call/confirm.test.ts'],
  },
  {
    name: 'call: a sentence names a path as it was written',
    promise:
      'The sentence by which the owner decides names what is done, however the arguments are written',
    file: 'worker/call/audit-note.ts',
    before: 'return withoutMiddle(path?.ok ? path.value : value)',
    after: 'return withoutMiddle(path?.ok ? value : value)',
    tests: ['test/worker/changes/changes.test.ts'],
  },
  {
    name: 'call: a preview is applied',
    promise: 'A preview changes nothing',
    file: 'worker/call/change.ts',
    before: '...again, dryRun: true })',
    after: '...again })',
    tests: ['test/worker/changes/changes.test.ts'],
  },
  {
    name: 'call: a caller that may not read an app learns of it',
    promise: 'A caller that may not read the folder of an app does not learn of it',
    file: 'worker/call/understand.ts',
    before: 'if (tool.app && !access.value.canRead(tool.app.folder)) return unknownTool(name)',
    after: '',
    tests: ['test/worker/apps/app-tool.test.ts', 'test/worker/apps/apps.test.ts'],
  },
  {
    name: 'changes: another plan is applied than was previewed',
    promise: 'A call that names a preview applies what it showed',
    file: 'worker/changes/preview-table.ts',
    before: 'isOwn && row.digest === digestOf(steps) &&',
    after: 'isOwn && steps.length > 0 &&',
    tests: ['test/worker/changes/changes.test.ts', 'test/worker/changes/preview.laws.test.ts'],
  },
  {
    name: 'changes: a preview is applied by another session',
    promise: 'A preview is valid only for its caller',
    file: 'worker/changes/preview-table.ts',
    before: 'const isOwn = row !== null && row.session === (session?.id ?? null)',
    after: "const isOwn = row !== null && session?.id !== ''",
    tests: ['test/worker/access/previews.test.ts', 'test/worker/changes/changes.test.ts'],
  },
  {
    name: 'changes: a preview over a draft is shown to others',
    promise: 'A preview that was made over a draft is read by its session alone',
    file: 'worker/changes/preview-table.ts',
    before: 'if (draft === null && reader.session === null) return true',
    after: 'if (reader.session === null) return true',
    tests: ['test/worker/drafts/attacks.test.ts'],
  },
  {
    name: 'changes: an undo overwrites what came later',
    promise: 'An undo loses no later change of the same file',
    file: 'worker/changes/undo.ts',
    before: 'if (foreign) return err(',
    after: 'if (foreign && versions.size > 1) return err(',
    tests: ['test/worker/changes/changes.test.ts'],
  },
  {
    name: 'mcp: a stream is notified of a file that was denied since',
    promise: 'No stream shows a path that access denies',
    file: 'worker/mcp/notifications.ts',
    before: 'if (!isSeen(uri, access)) continue',
    after: "if (uri === '') continue",
    tests: ['test/platform/mcp/listen.test.ts', 'test/platform/access/leaks.test.ts'],
  },
  {
    name: 'mcp: every stream is notified of a changed list',
    promise: 'A stream is notified of a changed list only if what its caller may read came or went',
    file: 'worker/mcp/list-changes.ts',
    before: 'return compared.some((path) => access.canRead(path))',
    after: 'return compared.length > 0',
    tests: ['test/platform/mcp/listen.test.ts'],
  },
  {
    name: 'mcp: the draft of another session is notified',
    promise: 'The changes of a draft are notified to its own session only',
    file: 'worker/mcp/notifications.ts',
    before: "kind === 'new' || listener.draft !== owner",
    after: "kind === 'new'",
    tests: ['test/platform/mcp/draft-resource.test.ts'],
  },
  {
    name: 'mcp: a principal has any number of subscriptions',
    promise: 'No principal uses up the subscriptions of others',
    file: 'worker/mcp/subscriptions.ts',
    before: 'count >= MAX_SUBSCRIPTIONS || share >= MAX_PRINCIPAL_SUBSCRIPTIONS',
    after: 'count >= MAX_SUBSCRIPTIONS || share < 0',
    tests: ['test/platform/call/budgets.test.ts'],
  },
  {
    name: 'tools: text is appended without the scope to read',
    promise:
      'Editing requires the read scope: a caller that can only write learns no existing content',
    file: 'worker/tools/write-file.ts',
    before: '[writingAt(path, if_version)] : [rewriting(path)]',
    after: '[writingAt(path, if_version)] : [writingAt(path, if_version)]',
    tests: ['test/worker/auth/grants.test.ts', 'test/worker/access/writes.test.ts'],
  },
  {
    name: 'tools: a text that occurs twice is edited',
    promise:
      'An edit is refused unless its text occurs exactly once, also where occurrences overlap',
    file: 'worker/tools/edit-file.ts',
    before: 'findIn(text, at + 1, meter) !== -1',
    after: 'findIn(text, at + find.length, meter) !== -1',
    tests: ['test/worker/tools/tools.test.ts', 'test/worker/search/hostile-text.slow.test.ts'],
  },
  {
    name: 'changes: a change of the mode alone is none',
    promise: 'An approval applies what was shown',
    file: 'worker/changes/describe.ts',
    before: 'one.blob === other.blob && one.executable === other.executable',
    after: 'one.blob === other.blob',
    tests: ['test/worker/changes/executable.test.ts'],
  },
  {
    name: 'changes: an undo does not bring the executable bit back',
    promise: 'An undo takes back all that a change did, or nothing',
    file: 'worker/changes/undo.ts',
    before: 'content, mtime, executable }',
    after: 'content, mtime }',
    tests: ['test/worker/changes/executable.test.ts'],
  },
]
