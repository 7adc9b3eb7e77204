import { expect, it } from 'vitest'
import { readGrounds, type Ground } from '#core/grounds.ts'

const GROUNDS: readonly Ground[] = [
  { kind: 'refused', code: 'PATH_BLOCKED' },
  { kind: 'configuration' },
  { kind: 'session', label: 'A; preview 1' },
  { kind: 'grant', scopes: ['write:file:/a'] },
  { kind: 'grant', scopes: ['read'], left_out: 2 },
  { kind: 'policy' },
  { kind: 'preview', id: '1' },
  { kind: 'transfer_link', session: '1' },
  { kind: 'amended', files: 2 },
  { kind: 'trust', id: '1', until: 2 },
  { kind: 'passkey', id: '1', label: 'Phone' },
  { kind: 'owner' },
  { kind: 'secret' },
  { kind: 'revoked' },
]

it('reads every ground as it was stored', () => {
  expect(readGrounds(JSON.parse(JSON.stringify(GROUNDS)))).toEqual(GROUNDS)
})

it.each([
  ['configuration; session A', [{ kind: 'text', text: 'configuration; session A' }]],
  ['', []],
  [undefined, []],
  [{ kind: 'owner' }, []],
  [[null, 'owner', { kind: 1 }, {}], []],
  [[{ kind: 'of a later release', x: 1 }], [{ kind: 'text', text: 'of a later release' }]],
  [[{ kind: 'session', label: 7 }], [{ kind: 'session', label: '' }]],
  [[{ kind: 'grant', scopes: ['read', 7], left_out: '3' }], [{ kind: 'grant', scopes: ['read'] }]],
  [[{ kind: 'amended', files: '2' }], [{ kind: 'amended', files: 0 }]],
  [[{ kind: 'owner', more: 1 }], [{ kind: 'owner' }]],
])('reads %j', (value, grounds) => expect(readGrounds(value)).toEqual(grounds))
