/**
 * Faults of `worker/auth/`, `worker/front/` and `worker/sessions/`: who is calling, and with what.
 *
 * @module
 */

import type { Fault } from './fault.ts'

export const SIGN_IN: readonly Fault[] = [
  {
    name: 'auth: the use of a code is counted as that of a refresh token',
    promise: 'Codes are single-use, whatever is sent beside them',
    file: 'worker/auth/protocol.ts',
    before: "form?.get('grant_type') === 'refresh_token' ? form.get('refresh_token') : null",
    after: "form?.get('refresh_token') ?? null",
    tests: ['test/platform/auth/revocation.test.ts'],
  },
  {
    name: 'auth: an older refresh token is valid while it is fresh',
    promise: 'Refresh tokens are valid once, and again for a minute until the next one is used',
    file: 'worker/auth/single-use.ts',
    before: 'return isLast && now - first',
    after: 'return at >= 0 && now - first',
    tests: ['test/platform/auth/revocation.test.ts'],
  },
  {
    name: 'auth: a refused refresh token ends nothing',
    promise:
      'Using a refresh token twice ends the grant, also if it is an older token that is refused',
    file: 'worker/auth/protocol.ts',
    before: 'answer.status === 400 ? await findReplayedGrant(token, watched) : null',
    after: 'answer.status === 401 ? await findReplayedGrant(token, watched) : null',
    tests: ['test/platform/auth/revocation.test.ts'],
  },
  {
    name: 'auth: the document of a client named in a header costs nothing',
    promise: 'The requests that registration causes are limited, wherever the client is named',
    file: 'worker/auth/protocol.ts',
    before: "[form?.get('client_id') ?? '', userOf(headers)].some(isDocument)",
    after: "[form?.get('client_id') ?? ''].some(isDocument) && userOf(headers) === ''",
    tests: ['test/platform/auth/limits.test.ts'],
  },
  {
    name: 'auth: attempts from many addresses are not counted together',
    promise:
      "The owner's secret is protected against brute force: fifty attempts for all, then a slow rate",
    file: 'worker/auth/attempts.ts',
    before: '    if (!isKnown) shared.left += uses\n',
    after: '',
    tests: ['test/platform/auth/limits.test.ts', 'test/worker/access/closed.test.ts'],
  },
  {
    name: 'auth: a program of Windows receives a code',
    promise: 'An authorization code goes to no scheme of no client',
    file: 'worker/auth/redirect-schemes.ts',
    before: 'scheme === undefined || ACCEPTED.test(scheme)',
    after: "scheme === undefined || ACCEPTED.test(scheme) || scheme.startsWith('ms-')",
    tests: ['test/worker/auth/redirect-schemes.test.ts'],
  },
  {
    name: 'auth: an answer to another consent page counts',
    promise: 'Consent grants the rows that were shown and selected, and nothing else',
    file: 'worker/auth/consent-answer.ts',
    before: "fields.get('shown') === digestOffer(shown)",
    after: "fields.has('shown')",
    tests: ['test/worker/auth/consent.test.ts'],
  },
  {
    name: 'auth: a folder outside of the rows can be added',
    promise: 'The owner can only add a folder to a consent page that lies in a requested one',
    file: 'worker/auth/consent-rows.ts',
    before: 'if (!own.some((row) => isWithin(folder.value, row.folder)))',
    after: 'if (own.length === 0)',
    tests: ['test/worker/auth/consent.test.ts'],
  },
  {
    name: 'auth: right-to-left letters move the digits of a path',
    promise: 'Two different paths look different where the owner consents',
    file: 'worker/encoding/visible-html.ts',
    before: '<bdi dir="${piece.dir}">${piece.run}</bdi>',
    after: '<b>${piece.run}</b>',
    tests: ['test/worker/encoding/visible-html.test.ts'],
  },
  {
    name: 'auth: a name of a client closes its quotes',
    promise: 'Nothing in the name of a client reads as words of the consent page',
    file: 'worker/encoding/visible-html.ts',
    before: 'shown.replace(QUOTES, (quote) => `[${numberOf(quote)}]`)',
    after: 'shown',
    tests: ['test/worker/encoding/claimed-name.test.ts'],
  },
  {
    name: 'auth: a forwarded request is one of this machine',
    promise: 'Without an owner a request that was forwarded is refused',
    file: 'worker/auth/gate.ts',
    before: '  if (header === null) return LOCAL\n',
    after: "  if (header !== '') return LOCAL\n",
    tests: ['test/worker/access/closed.test.ts'],
  },
  {
    name: 'auth: others use up the attempts of the owner',
    promise: 'A browser that has signed in before has attempts of its own',
    file: 'worker/auth/attempts.ts',
    before: 'isKnown ? 0 : refillBucket(shared, all, time)',
    after: 'refillBucket(shared, all, time)',
    tests: ['test/worker/auth/devices.test.ts'],
  },
  {
    name: 'auth: a client names its own address',
    promise: 'No client chooses the address by which its attempts are counted',
    file: 'worker/auth/sender.ts',
    before: "env.DISK ? null : request.headers.get('cf-connecting-ip')",
    after: "env.DISK && request.headers.get('cf-connecting-ip')",
    tests: ['test/worker/access/closed.test.ts'],
  },
  {
    name: 'front: a header of the front is accepted from outside',
    promise: 'Headers that only the front may set are removed from requests',
    file: 'worker/sessions/identity-headers.ts',
    before: 'if (isForged(request)) for (const name of IDENTITY_HEADERS) headers.delete(name)',
    after: 'for (const name of IDENTITY_HEADERS) if (name in identity) headers.delete(name)',
    tests: ['test/worker/sessions/identity-headers.test.ts'],
  },
  {
    name: 'front: a page of another port is trusted',
    promise: 'A page of another origin or port changes nothing and reads nothing',
    file: 'worker/front/guard.ts',
    before: 'return origin === ownOrigin(request) ||',
    after:
      'return URL.parse(origin)?.hostname === URL.parse(request.url)?.hostname || origin === ownOrigin(request) ||',
    tests: ['test/worker/mcp/bad-input.test.ts'],
  },
  {
    name: 'front: the URL parser decides what a host is',
    promise: 'A request with a malformed Host is refused',
    file: 'worker/http.ts',
    before: 'const isWellFormed = HOST.test(header) && HOST.test(authority) &&',
    after: 'const isWellFormed =',
    tests: ['test/worker/front/host.test.ts'],
  },
  {
    name: 'front: an app opens the sandbox again',
    promise:
      "An app's requests reach only what its server declared: it cannot open the page with a policy of its own",
    file: 'worker/front/sandbox.ts',
    before: "if (request.headers.get('sec-fetch-site') === 'same-origin') return respondEmpty(403)",
    after: '',
    tests: ['test/worker/front/sandbox.test.ts'],
  },
  {
    name: 'front: a name of a workspace may end in a line break',
    promise:
      'The name of a workspace means the same in an address, a link, a token and on the consent page',
    file: 'worker/workspace-name.ts',
    before: 'new RegExp(`^${WORKSPACE_NAME}$`)',
    after: "new RegExp(`^${WORKSPACE_NAME}$`, 'm')",
    tests: ['test/worker/workspace-name.test.ts'],
  },
  {
    name: 'sessions: a session outlives the one above it',
    promise: 'A session is valid only while all above it are',
    file: 'worker/sessions/sessions.ts',
    before: 'if (!parent || chain.length > MAX_DELEGATION_DEPTH) return null',
    after: 'if (!parent) break\n    if (chain.length > MAX_DELEGATION_DEPTH) return null',
    tests: ['test/worker/sessions/delegate.test.ts'],
  },
  {
    name: 'sessions: the policy of a session above is forgotten',
    promise: 'A sub-agent never has more access than its creator, at any depth',
    file: 'worker/access/caller.ts',
    before: '  if (policy !== null)\n',
    after: '  if (policy !== null && isLast)\n',
    tests: ['test/worker/sessions/delegate.test.ts'],
  },
  {
    name: 'sessions: a link forgets what its call denied',
    promise: 'The session of a link keeps every restriction of the call that made it',
    file: 'worker/access/caller.ts',
    before: 'parseScopes(inherited?.denied ?? [])',
    after: 'parseScopes(parent === null ? (inherited?.denied ?? []) : [])',
    tests: [
      'test/worker/sessions/delegation.laws.test.ts',
      'test/worker/access/access.laws.test.ts',
    ],
  },
  {
    name: 'sessions: one principal uses up the sessions of others',
    promise: 'No principal uses up the sessions of others: it loses its own oldest ones',
    file: 'worker/sessions/make-room.ts',
    before: 'where: `budget = ? AND initialize',
    after: 'where: `? IS NOT NULL AND initialize',
    tests: ['test/platform/call/budgets.test.ts'],
  },
]
