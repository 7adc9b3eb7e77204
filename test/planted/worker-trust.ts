/**
 * Faults of `worker/trust/`: what the owner lets pass for a time.
 *
 * @module
 */

import type { Fault } from './fault.ts'

const EFFECT = ['test/worker/trust/effect.test.ts']
const LIFE = ['test/worker/trust/life.test.ts']
const ATTACKS = ['test/worker/trust/attacks.test.ts']
const OWNER = ['test/worker/trust/owner.test.ts']

const IN_SCOPE = 'What passes is in the folder, by the tools and of the session that were shown'

export const TRUST: readonly Fault[] = [
  {
    name: 'trust: only the first path of a change has to be in the folder',
    promise: IN_SCOPE,
    file: 'worker/trust/decide.ts',
    before: 'places.every((path)',
    after: 'places.slice(0, 1).every((path)',
    tests: EFFECT,
  },
  {
    name: 'trust: a file from which lines were taken out passes',
    promise: 'A file from which the owner took lines out waits',
    file: 'worker/trust/kinds.ts',
    before: 'const bringsBack = question.hasLeftOut(path)',
    after: "const bringsBack = question.hasLeftOut(path) && path === '/'",
    tests: ['test/worker/trust/effect.test.ts'],
  },
  {
    name: 'trust: every tool passes',
    promise: IN_SCOPE,
    file: 'worker/trust/decide.ts',
    before: 'tools.includes(question.tool)',
    after: "tools.join() !== ''",
    tests: EFFECT,
  },
  {
    name: 'trust: another session passes',
    promise: IN_SCOPE,
    file: 'worker/trust/decide.ts',
    before: 'session === question.session',
    after: "session !== ''",
    tests: EFFECT,
  },
  {
    name: 'trust: the levels of others are lowered as well',
    promise: 'Trust lowers only the review of the owner',
    file: 'worker/trust/decide.ts',
    before: 'near.length === 0 || isHeld(question.access.approvalUnderTrust(places))',
    after: 'near.length === 0 || question.access.isOwner',
    tests: EFFECT,
  },
  {
    name: 'trust: callers of a link share it',
    promise: 'Trust is of one connection, never of callers that may be several',
    file: 'worker/trust/trusts.ts',
    before: 'found !== null && found.initialize !== null && found.transfer === null',
    after: 'found !== null && found.transfer === null',
    tests: EFFECT,
  },
  {
    name: 'trust: what concerns a waiting draft passes',
    promise: 'What concerns a waiting draft waits',
    file: 'worker/access/apply.ts',
    before: 'if (draft && parts.drafts.concerns(draft, paths))',
    after: 'if (draft && !isHeld(level) && parts.drafts.concerns(draft, paths))',
    tests: EFFECT,
  },
  {
    name: 'trust: what cannot be compared passes',
    promise: 'Content that cannot be compared counts as risky',
    file: 'worker/trust/kinds.ts',
    before: 'readsContent && !lines ? [...shown, ...BY_CONTENT] : shown',
    after: 'shown',
    tests: ATTACKS,
  },
  {
    name: 'trust: content that the caller may not read is compared',
    promise: 'An answer tells nothing of content that the caller may not read',
    file: 'worker/trust/kinds.ts',
    before: 'if (entry && !question.access.canRead(path)) return RISKS',
    after: '',
    tests: ATTACKS,
  },
  {
    name: 'trust: files below a moved folder have no kinds',
    promise: 'Everything below a moved folder is taken into account',
    file: 'worker/trust/kinds.ts',
    before: "if (top?.type !== 'folder') return entries",
    after: 'if (entries.length >= 0) return entries',
    tests: ATTACKS,
  },
  {
    name: 'trust: a clock that is set back prolongs it',
    promise: 'A clock that jumps never extends trust',
    file: 'worker/trust/trusts.ts',
    before: "if (isSetBack) return 'clock'",
    after: '',
    tests: LIFE,
  },
  {
    name: 'trust: its time does not end it',
    promise: 'Trust ends by its time',
    file: 'worker/trust/trusts.ts',
    before: "if (now >= until) return 'time'",
    after: '',
    tests: LIFE,
  },
  {
    name: 'trust: a lost passkey leaves it in force',
    promise: 'Removing the passkey that approved trust ends it',
    file: 'worker/trust/trusts.ts',
    before: "return passkey !== null && !passkeys.has(passkey) ? 'passkey' : null",
    after: 'return null',
    tests: LIFE,
  },
  {
    name: 'trust: a digest is good twice',
    promise: 'A digest is good for one gift',
    file: 'worker/trust/trusts.ts',
    before: 'writeSetting(context.storage.sql, GIVEN, String(countGiven(context) + 1))',
    after: '',
    tests: OWNER,
  },
  {
    name: 'trust: it is given without what was shown',
    promise: 'Trust is what was shown',
    file: 'worker/trust/trusts.ts',
    before: "if (shown.value.digest !== by.digest) return err('changed')",
    after: '',
    tests: OWNER,
  },
  {
    name: 'trust: a passkey is not asked for',
    promise: 'Trust needs a passkey where an approval does',
    file: 'worker/trust/trusts.ts',
    before: "if (context.passkeys.isMissing('approve', by.passkey)) return err('passkey')",
    after: '',
    tests: LIFE,
  },
  {
    name: 'events: trust stays when a draft moves',
    promise: 'Trust never moves, and ends with the draft that does',
    file: 'worker/events.ts',
    before: 'events.draftMoved.on(trusts.endMoved)',
    after: '',
    tests: LIFE,
  },
  {
    name: 'events: the end of a session leaves its trust in the log',
    promise: 'The end of trust is in the audit log at once',
    file: 'worker/events.ts',
    before: 'events.sessionEnded.on(trusts.endSession)',
    after: '',
    tests: LIFE,
  },
]
