/**
 * Faults of `polyfill/`, `host/`, `views/` and `scripts/`.
 *
 * @module
 */

import type { Fault } from './fault.ts'

export const PAGES: readonly Fault[] = [
  {
    name: 'polyfill: an unknown level asks for nothing',
    promise: 'An unknown approval level counts as `confirm`',
    file: 'polyfill/annex/approval-level.ts',
    before: "if (other < 0) return 'confirm'",
    after: 'if (other < 0) continue',
    tests: ['test/polyfill/annex/approval-level.test.ts'],
  },
  {
    name: 'polyfill: an approval of another origin counts',
    promise: 'A remembered approval is good for the tool of its own origin',
    file: 'polyfill/annex/approval-store.ts',
    before: "    own(decision, 'origin') === OWN_ORIGIN &&\n",
    after: '',
    tests: ['test/polyfill/annex/approval-store.test.ts'],
  },
  {
    name: 'polyfill: an approval holds for a changed tool',
    promise: 'A tool with any change counts as another tool',
    file: 'polyfill/annex/approval-store.ts',
    before: "    own(decision, 'definition') === definition &&\n",
    after: '',
    tests: ['test/polyfill/annex/approval-store.test.ts'],
  },
  {
    name: 'polyfill: a form of an aborted call is filled',
    promise: 'A form runs as the tool only while its call waits for it',
    file: 'polyfill/forms/execute.ts',
    before: '  signal.throwIfAborted()\n',
    after: '',
    tests: ['test/polyfill/forms.test.ts'],
  },
  {
    name: 'host: an app gives itself grants',
    promise: 'An app gives itself neither grants nor the declarations of the client of the page',
    file: 'host/view/requests.ts',
    before: '/^(?:granted_scopes$|allowed_scopes$|',
    after: '/^(?:granted_scopes$|',
    tests: ['test/host/view/view.test.ts'],
  },
  {
    name: 'host: an equal rule that allows wins',
    promise: 'Of two rules that are equally specific, the one that denies wins',
    file: 'host/consent/decide.ts',
    before: 'covers(b, a) && !covers(a, b)',
    after: 'covers(b, a)',
    tests: ['test/host/consent/decide.test.ts'],
  },
  {
    name: 'host: a denial holds for one spelling of a path',
    promise: 'A stored denial holds for every spelling of a path',
    file: 'host/consent/call-scopes.ts',
    before: 'return path.ok ? path.value : null',
    after: 'return path.ok ? (text as StorePath) : null',
    tests: ['test/host/consent/denials.test.ts'],
  },
  {
    name: 'host: a relative path is in no denied folder',
    promise: 'A stored denial holds for relative paths, which count from the default root',
    file: 'host/consent/denials.ts',
    before: 'isNeeded ? await readDefaultRoot(send) : null',
    after: "isNeeded ? ('/' as StorePath) : null",
    tests: ['test/host/consent/denials.test.ts'],
  },
  {
    name: 'host: a call is made without the preview that was shown',
    promise: 'In the console, a call applies exactly what the person was shown',
    file: 'host/consent/call-with-consent.ts',
    before: 'previewId === null ? {} : { [PREVIEW_META]: previewId }',
    after: '{}',
    tests: ['test/host/consent/consent.test.ts'],
  },
  {
    name: 'host: an app may send one message more',
    promise: 'An app cannot fill the conversation faster than a person reads it',
    file: 'host/console/conversation/conversation.ts',
    before: 'countRecent(messages, server) >= MAX_MESSAGES_AT_ONCE',
    after: 'countRecent(messages, server) > MAX_MESSAGES_AT_ONCE',
    tests: ['test/host/console/conversation.test.ts'],
  },
  {
    name: 'host: a request to a model is shown in part',
    promise: 'What a server asks of a model is shown as a whole, or refused',
    file: 'host/mcp/sampling.ts',
    before: 'messages.flatMap(blocksOf).length > MAX_BLOCKS',
    after: 'messages.length > MAX_BLOCKS',
    tests: ['test/host/mcp/sampling.test.ts'],
  },
  {
    name: 'views: hidden characters are hidden in a review',
    promise: 'Hidden characters are visible where a person decides',
    file: 'views/safe-text.tsx',
    before: 'typeof piece === \'string\' ? piece : <span class="hidden-char">{piece.name}</span>',
    after: "typeof piece === 'string' ? piece : ''",
    tests: ['test/views/review/review.test.ts'],
  },
  {
    name: 'views: a new row loses its quotes',
    promise: 'An app changes nothing of a file but what its user has changed',
    file: 'views/templates/edits/csv-edit.ts',
    before: "const newline = text.includes('\\r\\n') ? '\\r\\n' : '\\n'",
    after: "const newline = text.startsWith('\\r\\n') ? '\\r\\n' : '\\n'",
    tests: ['test/views/templates/edits.test.ts'],
  },
  {
    name: 'scripts: two processes use one data folder',
    promise: 'A data folder is used by one process at a time',
    file: 'scripts/data-folder.ts',
    before: "database.exec('BEGIN EXCLUSIVE')",
    after: "database.exec('BEGIN')",
    tests: ['test/data-folder.test.ts'],
  },
  {
    name: 'scripts: a counterexample passes in the second run',
    promise: 'A counterexample of a property fails the run at once',
    file: 'scripts/test/final-failure.ts',
    before: 'isCounterexample(error) || (isAttack(file) && isAssertion(error))',
    after: 'isAttack(file) && isAssertion(error)',
    tests: ['test/second-run.test.ts'],
  },
  {
    name: 'scripts: a test that is absent from the second run passes',
    promise: 'What failed has to run and pass in the second run',
    file: 'scripts/test/second-run.ts',
    before: 'if (second === undefined || isFinal(first)) return first',
    after:
      "if (second === undefined) return { ...first, state: 'passed' }\n  if (isFinal(first)) return first",
    tests: ['test/second-run.test.ts'],
  },
]
