/** What a sync decides for one file: every combination of what both sides had and have. */

import { describe, expect, it } from 'vitest'
import {
  decide,
  isSame,
  makePlan,
  type Action,
  type Choice,
  type Known,
  type LocalFile,
  type Proposal,
  type RemoteFile,
} from '../scripts/sync/plan.ts'
import { contentOf } from './support/sync/server.ts'

const CHOICE: Choice = {
  take: null,
  pulls: true,
  pushes: true,
  isFirst: false,
  hasCopy: () => true,
}

const TEXTS = [null, 'a', 'b', 'c'] as const

const localOf = (text: string | null, executable = false): LocalFile | null =>
  text === null
    ? null
    : { ...contentOf(text, executable), size: 1, path: 'f', stamp: `${text}${executable}` }

const remoteOf = (text: string | null, executable = false): RemoteFile | null =>
  text === null ? null : { ...contentOf(text, executable), size: 1, version: 7 }

const knownOf = (base: string | null, remote: string | null, more: Partial<Known> = {}): Known => ({
  base: base === null ? null : contentOf(base),
  remote: remoteOf(remote),
  ...more,
})

const COMBINATIONS = TEXTS.flatMap((base) =>
  TEXTS.flatMap((local) => TEXTS.map((remote) => ({ base, local, remote }))),
)

const typeOf = (
  base: string | null,
  local: string | null,
  remote: string | null,
  choice = CHOICE,
) => decide(knownOf(base, remote), localOf(local), choice).type

const fromOf = (action: Action) => ('from' in action ? action.from : undefined)

describe.each(COMBINATIONS)('base $base, here $local, there $remote', ({ base, local, remote }) => {
  const known = knownOf(base, remote)
  const file = localOf(local)

  it('replaces only what both sides had, or what one side deleted', () => {
    const { type } = decide(known, file, CHOICE)
    if (type === 'pull') expect(local === base || local === null).toBe(true)
    if (type === 'push') expect(remote === base || remote === null).toBe(true)
    if (type === 'agree' || type === 'none') expect(local).toBe(remote)
  })

  it('deletes only what both sides had', () => {
    const action = decide(known, file, CHOICE)
    if (action.type === 'pull' && action.from === null) expect(local).toBe(base)
    if (action.type === 'push' && action.from === null) expect(remote).toBe(base)
  })

  it('does nothing exactly where both sides are equal', () => {
    const { type } = decide(known, file, CHOICE)
    expect(type === 'agree' || type === 'none').toBe(local === remote)
  })

  it('is equal afterwards, whichever side wins', () => {
    for (const take of ['local', 'remote'] as const) {
      const action = decide(known, file, { ...CHOICE, take })
      if (local === remote) continue
      expect(['push', 'pull']).toContain(action.type)
      expect(isSame(fromOf(action) ?? null, action.type === 'push' ? file : known.remote)).toBe(
        true,
      )
    }
  })

  it('transfers nothing in the direction that was not asked for', () => {
    const pull = decide(known, file, { ...CHOICE, pushes: false })
    const push = decide(known, file, { ...CHOICE, pulls: false })
    expect(pull.type).not.toBe('push')
    expect(push.type).not.toBe('pull')
  })

  it('asks on a first run instead of keeping both', () => {
    const first = decide({ ...known, base: null }, file, { ...CHOICE, isFirst: true })
    expect(first.type).not.toBe('conflict')
    const differs = local !== null && remote !== null && local !== remote
    expect(first.type === 'choose').toBe(differs)
  })
})

it('keeps a change where the other side deleted', () => {
  expect(typeOf('a', 'b', null)).toBe('push')
  expect(typeOf('a', null, 'b')).toBe('pull')
})

it('compares the executable bit', () => {
  const known = knownOf('a', 'a')
  expect(decide(known, localOf('a', true), CHOICE).type).toBe('push')
  expect(decide({ ...known, remote: remoteOf('a', true) }, localOf('a'), CHOICE).type).toBe('pull')
})

describe('a conflict', () => {
  const copied = { conflict: { ...contentOf('c'), copy: 'f.from-edgewise-7' } }

  it('is copied once, and stays one while the copy is there', () => {
    expect(decide(knownOf('a', 'c'), localOf('b'), CHOICE)).toMatchObject({ isNew: true })
    expect(decide(knownOf('a', 'c', copied), localOf('b'), CHOICE)).toMatchObject({
      type: 'conflict',
      isNew: false,
    })
  })

  it('ends with the local file when the copy is removed', () => {
    const gone = { ...CHOICE, hasCopy: () => false }
    expect(decide(knownOf('a', 'c', copied), localOf('b'), gone).type).toBe('push')
  })

  it('is a new one when the workspace has changed again', () => {
    const gone = { ...CHOICE, hasCopy: () => false }
    expect(decide(knownOf('a', 'd', copied), localOf('b'), gone)).toMatchObject({ isNew: true })
  })
})

describe('what was sent and waits', () => {
  const proposal = (state: Proposal['state'], text: string | null): { proposal: Proposal } => ({
    proposal: {
      state,
      content: text === null ? null : contentOf(text),
      draft: 'd',
      at: 0,
    },
  })

  it.each(TEXTS)('is neither sent again nor replaced, with %s in the workspace', (remote) => {
    const known = knownOf('a', remote, proposal('waits', 'b'))
    expect(decide(known, localOf('b'), CHOICE).type).toBe('wait')
    expect(decide(knownOf('a', remote, proposal('waits', null)), null, CHOICE).type).toBe('wait')
  })

  it('is sent again when the file is changed again', () => {
    expect(decide(knownOf('a', 'a', proposal('waits', 'b')), localOf('c'), CHOICE).type).toBe(
      'push',
    )
    expect(decide(knownOf('a', 'b', proposal('sending', 'b')), localOf('c'), CHOICE).type).toBe(
      'push',
    )
  })

  it('stays here after it was turned down, until the person takes the other', () => {
    const known = knownOf('a', 'a', proposal('declined', 'b'))
    expect(decide(known, localOf('b'), CHOICE).type).toBe('declined')
    expect(decide(known, localOf('b'), { ...CHOICE, take: 'remote' })).toMatchObject({
      type: 'pull',
      from: { hash: contentOf('a').hash },
    })
    expect(decide(known, localOf('c'), CHOICE).type).toBe('push')
  })

  it('is a conflict after it was turned down and the workspace changed', () => {
    const known = knownOf('a', 'c', proposal('declined', 'b'))
    expect(decide(known, localOf('b'), CHOICE).type).toBe('conflict')
  })

  it('is sent once more when a crash has lost the answer, and a conflict if others were first', () => {
    expect(decide(knownOf('a', 'a', proposal('sending', 'b')), localOf('b'), CHOICE).type).toBe(
      'push',
    )
    expect(decide(knownOf('a', 'b', proposal('sending', 'b')), localOf('b'), CHOICE).type).toBe(
      'push',
    )
    expect(decide(knownOf('a', 'c', proposal('sending', 'b')), localOf('b'), CHOICE).type).toBe(
      'conflict',
    )
  })
})

it('plans all files of either side, in order, and leaves out what is equal', () => {
  const known = new Map([
    ['equal', knownOf('a', 'a')],
    ['there', knownOf(null, 'b')],
  ])
  const here = localOf('a')
  const file = localOf('c')
  if (!here || !file) throw new Error('They have texts')
  const plan = makePlan(
    known,
    new Map([
      ['here', file],
      ['equal', here],
    ]),
    CHOICE,
  )
  expect([...plan].map(([name, { type }]) => [name, type])).toEqual([
    ['here', 'push'],
    ['there', 'pull'],
  ])
})
