/**
 * Faults of `worker/drafts/`, `worker/requests/` and `worker/passkeys/`: what the owner decides.
 *
 * @module
 */

import type { Fault } from './fault.ts'

export const DECISIONS: readonly Fault[] = [
  {
    name: 'drafts: a decision is not bound to what was shown',
    promise: 'What is applied is what was shown: a decision names the revision',
    file: 'worker/drafts/decide.ts',
    before: 'revisionOf(shownOf(replay.entries, last), parts.store) === revision',
    after: "revisionOf(shownOf(replay.entries, last), parts.store) !== ''",
    tests: ['test/worker/drafts/drafts.test.ts', 'test/worker/api/drafts.test.ts'],
  },
  {
    name: 'drafts: a change at confirm is approved with others',
    promise: 'A change at the level `confirm` is approved on its own',
    file: 'worker/drafts/selection.ts',
    before: 'return confirmed && chosen.length > 1',
    after: 'return confirmed && chosen.length > 2',
    tests: ['test/worker/drafts/drafts.test.ts', 'test/worker/drafts/permissions.test.ts'],
  },
  {
    name: 'drafts: a change keeps a level that the rules have raised since',
    promise:
      'The level of a change is that of the proposal or of the rules of now, whichever is stricter',
    file: 'worker/drafts/replay.ts',
    before: "return isRaised ? { ...proposal, level: 'confirm' } : proposal",
    after: 'return isRaised ? { ...proposal } : proposal',
    tests: ['test/worker/drafts/permissions.test.ts', 'test/worker/drafts/drafts.test.ts'],
  },
  {
    name: 'drafts: an approval that fails is applied in part',
    promise: 'A decision is whole: one change that cannot be applied rolls back all',
    file: 'worker/drafts/decide.ts',
    before: 'parts.store.transaction(work)',
    after: 'work()',
    tests: ['test/worker/drafts/decide.test.ts'],
  },
  {
    name: 'drafts: a change beside a draft is applied before it',
    promise: 'Changes of the same files are decided together or in their order',
    file: 'worker/access/apply.ts',
    before: "return draft && drafts.concerns(draft, paths) ? 'review' : null",
    after: 'return null',
    tests: ['test/worker/drafts/attacks.test.ts'],
  },
  {
    name: 'drafts: drafts of others are not counted towards the quota',
    promise: 'Every quota holds for every kind of write',
    file: 'worker/drafts/drafts.ts',
    before: 'versions: MAX_DRAFT_CHANGES, heldBytes }',
    after: 'versions: MAX_DRAFT_CHANGES, heldBytes: Math.min(heldBytes, 0) }',
    tests: ['test/worker/drafts/decide.test.ts'],
  },
  {
    name: 'requests: a permission is good for other paths',
    promise: 'A permission is for one caller, tool, arguments and resolved paths',
    file: 'worker/requests/permit-call.ts',
    before: 'digestOf([account().digest, paths])',
    after: 'digestOf([account().digest, paths.length])',
    tests: ['test/worker/requests/attacks.test.ts', 'test/worker/requests/requests.test.ts'],
  },
  {
    name: 'requests: a permission is used twice',
    promise: 'What the owner allows for a call works once',
    file: 'worker/requests/permit-call.ts',
    before: "if (tool.kind !== 'change' || !metadata.preview) requests.use(allowed.id)",
    after: "if (tool.kind !== 'change' && !metadata.preview) requests.use(allowed.id)",
    tests: ['test/worker/requests/requests.test.ts'],
  },
  {
    name: 'requests: other rules are opened than were shown',
    promise: 'An access request opens no more than the owner was shown',
    file: 'worker/requests/requests.ts',
    before: 'const isPossible = isShown && waysOf',
    after: 'const isPossible = (isShown || roots.length > 0) && waysOf',
    tests: ['test/worker/requests/attacks.test.ts'],
  },
  {
    name: 'requests: a link outlives what was allowed for its call',
    promise: 'What the owner allowed for a call opens nothing beyond it',
    file: 'worker/requests/permit-call.ts',
    before: "  if (tool.kind === 'act') return null\n",
    after: '',
    tests: ['test/worker/requests/attacks.test.ts', 'test/worker/requests/requests.test.ts'],
  },
  {
    name: 'passkeys: a challenge is good for every decision',
    promise: 'An answer of a passkey is good for one decision',
    file: 'worker/passkeys/challenges.ts',
    before: "JSON.stringify(['edgewise passkey', workspace, act, nonce])",
    after: "JSON.stringify(['edgewise passkey', workspace, act[0], nonce])",
    tests: ['test/worker/passkeys/attacks.test.ts'],
  },
  {
    name: 'passkeys: a challenge does not expire',
    promise: 'An answer of a passkey is good for five minutes',
    file: 'worker/passkeys/challenges.ts',
    before: 'row !== null && row.expires > now && challengeFor',
    after: 'row !== null && challengeFor',
    tests: ['test/worker/passkeys/attacks.test.ts', 'test/worker/passkeys/passkeys.test.ts'],
  },
  {
    name: 'passkeys: a signature without verification of the user is accepted',
    promise: 'The approval needs a signature with user verification',
    file: 'worker/passkeys/verify.ts',
    before: 'requireUserVerification: true,\n    credential: {',
    after: 'requireUserVerification: false,\n    credential: {',
    tests: ['test/worker/passkeys/attacks.test.ts'],
  },
  {
    name: 'passkeys: a removed passkey still proves',
    promise: 'A passkey that was removed approves nothing',
    file: 'worker/passkeys/passkeys.ts',
    before: 'proof && passkeys.some(({ id }) => id === proof.id)',
    after: "proof && passkeys.some(({ id }) => id !== '')",
    tests: ['test/worker/passkeys/passkeys.test.ts'],
  },
  {
    name: 'passkeys: rules lose an immutable pattern without a passkey',
    promise: 'Rules that let agents change more without asking need a passkey',
    file: 'worker/passkeys/loosening.ts',
    before: "hasLost('deny') || hasLost('immutable') ||",
    after: "hasLost('deny') ||",
    tests: ['test/worker/passkeys/loosening.test.ts'],
  },
]
