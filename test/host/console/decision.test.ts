import { expect, it } from 'vitest'
import type { ReadGround } from '#core/grounds.ts'
import { groundsOf, reasonOf } from '#host/console/activity/decision.ts'

const OWNER = { text: 'owner', principal: 'owner', session: null }

it.each<[ReadGround[], string]>([
  [[{ kind: 'configuration' }], 'the rules of the workspace'],
  [[{ kind: 'owner' }], 'you, by hand'],
  [[{ kind: 'owner' }, { kind: 'secret' }], 'you, by hand and the owner’s secret'],
  [[{ kind: 'transfer_link', session: '1' }], 'a transfer link'],
  [
    [
      { kind: 'approval', by: 'owner', draft: 'd' },
      { kind: 'amended', files: 1 },
    ],
    'the approval of owner and an amendment of 1 file by the owner',
  ],
  [[{ kind: 'amended', files: 2 }], 'an amendment of 2 files by the owner'],
  [[{ kind: 'revoked' }], 'its tokens, which were revoked or used twice'],
  [
    [
      { kind: 'configuration' },
      { kind: 'session', label: 'A; the person' },
      { kind: 'grant', scopes: ['write:file:/a'] },
      { kind: 'policy' },
      { kind: 'preview', id: '1' },
    ],
    'the rules of the workspace, the session “A; the person”, a grant of write:file:/a, ' +
      'a policy that came with the call and the preview that was seen before',
  ],
  [
    [{ kind: 'grant', scopes: ['read', 'write'], left_out: 2 }],
    'a grant of read, write and 2 more',
  ],
  [[{ kind: 'text', text: 'configuration; session A' }], 'configuration; session A'],
  [[], ''],
])('%j', (grounds, words) => expect(groundsOf({ grounds, actor: OWNER })).toBe(words))

it('names the owner by the address that Cloudflare Access has proved', () => {
  const actor = { ...OWNER, email: 'ada@example.com' }
  const grounds = [{ kind: 'owner' }, { kind: 'passkey', id: '1', label: 'Phone' }] as const
  expect(groundsOf({ grounds, actor })).toBe('ada@example.com, by hand and the passkey “Phone”')
})

it('says why something was refused, also for a reason that it does not know', () => {
  const refused = (code: string): { grounds: ReadGround[] } => ({
    grounds: [{ kind: 'refused', code }, { kind: 'configuration' }],
  })
  expect(reasonOf(refused('PATH_BLOCKED'))).toBe('Access to the path is denied.')
  expect(reasonOf(refused('NEW_ONE'))).toBe('It was refused: NEW_ONE.')
  expect(groundsOf({ ...refused('PATH_BLOCKED'), actor: OWNER })).toBe('the rules of the workspace')
  expect(reasonOf({ grounds: [{ kind: 'configuration' }] })).toBe('')
  expect(reasonOf({ grounds: [{ kind: 'text', text: 'PATH_BLOCKED; configuration' }] })).toBe('')
})
