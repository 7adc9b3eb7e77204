/**
 * Faults of `worker/dav/`: what WebDAV gives, and to whom.
 *
 * @module
 */

import type { Fault } from './fault.ts'

const PASSWORD = ['test/worker/dav/password.test.ts']
const ADDRESS = ['test/worker/dav/address.test.ts']
const LIMITS = ['test/worker/dav/limits.test.ts']
const LOCK = ['test/worker/dav/lock.test.ts']

export const DAV_FAULTS: readonly Fault[] = [
  {
    name: 'dav: a wrong password is checked without end',
    promise: 'Wrong passwords of WebDAV have a budget',
    file: 'worker/dav/passwords.ts',
    before: 'if (wait > 0) return wait',
    after: 'if (wait < 0) return wait',
    tests: PASSWORD,
  },
  {
    name: 'dav: a repeated wrong password uses the budget',
    promise: 'A client that repeats an ended link keeps no other client at its address out',
    file: 'worker/dav/passwords.ts',
    before: "if (wrong.has(hash)) return 'wrong'",
    after: "if (wrong.has('')) return 'wrong'",
    tests: PASSWORD,
  },
  {
    name: 'dav: a Destination on another server is taken for one here',
    promise: 'Destination leads to no other server',
    file: 'worker/dav/address.ts',
    before: 'if (url.host !== new URL(request.url).host)',
    after: "if (url.host === '')",
    tests: ADDRESS,
  },
  {
    name: 'dav: an encoded slash is one of the path',
    promise: 'No encoding leads out of a path',
    file: 'worker/dav/address.ts',
    before: "decoded.includes('/') || decoded === '.'",
    after: "decoded === '.'",
    tests: ADDRESS,
  },
  {
    name: 'dav: an unknown entity is accepted',
    promise: 'XML from outside expands and reads nothing',
    file: 'worker/xml/text.ts',
    before: "character === null ? 'it has an entity",
    after: "character === '' ? 'it has an entity",
    tests: ['test/worker/dav/xml.test.ts'],
  },
  {
    name: 'dav: a property is of all links',
    promise: 'No text reaches another caller past the review by WebDAV',
    file: 'worker/dav/properties.ts',
    before: 'WHERE session = ? AND path IN',
    after: "WHERE session <> ? || '-' AND path IN",
    tests: ['test/worker/dav/properties.test.ts'],
  },
  {
    name: 'dav: a file of an operating system becomes one of the workspace',
    promise: 'Files of operating systems never reach a draft',
    file: 'worker/dav/scratch.ts',
    before: 'if (!to.ok || !isScratch(to.value) ||',
    after: 'if (!to.ok ||',
    tests: ['test/worker/dav/scratch.test.ts'],
  },
  {
    name: 'dav: a lock needs no token from its own link',
    promise: 'A lock needs its token, because several programs share a link',
    file: 'worker/dav/locks.ts',
    before: "(lease.kind === 'lease' || submitted.includes(tokenOf(lease)))",
    after: "(lease.kind !== 'other' || submitted.includes(tokenOf(lease)))",
    tests: LOCK,
  },
  {
    name: 'dav: the token of a lock is shown to others',
    promise: 'The token of a lock is shown to its link alone',
    file: 'worker/dav/locks.ts',
    before: "isOwnLease(dav, lease) ? token : ''",
    after: "isDeep !== null ? token : ''",
    tests: LOCK,
  },
  {
    name: 'dav: a lock tells of what is hidden in a folder',
    promise: 'What may not be changed is refused before locks are looked at',
    file: 'worker/dav/context.ts',
    before: 'workspace.refusalOf(steps) ? null : refuseLocked',
    after: "intent === '' ? null : refuseLocked",
    tests: LOCK,
  },
  {
    name: 'dav: the token of one shared lock is enough for another file',
    promise: 'A shared lock keeps others from deleting its file with a folder',
    file: 'worker/dav/locks.ts',
    before: '!isSharedBy(shared, lease, place)',
    after: '!(shared.length > 0 && lease.isShared)',
    tests: LOCK,
  },
  {
    name: 'dav: a request with a late body has the access of before',
    promise: 'What a request learns is decided when its body is there',
    file: 'worker/dav/context.ts',
    before: 'if (!parts.callers.isCurrent(caller.access, caller.session))',
    after: "if (intent === '')",
    tests: ['test/worker/dav/late.test.ts'],
  },
  {
    name: 'dav: an answer has no end',
    promise: 'An answer is refused where it would fill the memory',
    file: 'worker/dav/multistatus.ts',
    before: 'if (length > MAX_MULTISTATUS_LENGTH)',
    after: 'if (length < 0)',
    tests: LIMITS,
  },
  {
    name: 'dav: a long namespace is repeated for each name',
    promise: 'XML from outside is bounded',
    file: 'worker/xml/parse.ts',
    before: 'if (text.length > maxInherited)',
    after: 'if (text.length < 0)',
    tests: LIMITS,
  },
  {
    name: 'dav: wrong passwords of others keep a right link out',
    promise: 'Wrong passwords keep out no link that is right',
    file: 'worker/dav/serve-dav.ts',
    before: "if (isWrong && verdict !== 'check')",
    after: "if (verdict !== 'check')",
    tests: PASSWORD,
  },
  {
    name: 'dav: another principal loses its files of operating systems',
    promise: 'The principal with the most bytes loses its oldest file',
    file: 'worker/dav/scratch.ts',
    before: '[...shares].toSorted(([, a], [, b]) => b - a)',
    after: '[...shares].toSorted(([, a], [, b]) => a - b)',
    tests: ['test/worker/dav/scratch.test.ts'],
  },
  {
    name: 'dav: a part of a file replaces the whole',
    promise: 'No part of a file is stored as the whole',
    file: 'worker/api/receive.ts',
    before: "if (!headers.has('content-range'))",
    after: "if (headers.get('content-range') !== '')",
    tests: ['test/worker/dav/put.test.ts'],
  },
]
