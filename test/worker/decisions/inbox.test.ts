/** The inbox: all kinds of what waits for the owner have one time to decide, and one count. */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { recordOf } from '#core/json.ts'
import { createInbox, earliest, endDue, type WaitingKind } from '#worker/decisions/inbox.ts'
import { describe, expect, it } from 'vitest'
import { findApp, writeApp } from '../../support/worker/apps.ts'
import { held, write } from '../../support/worker/held-draft.ts'

const NONE: WaitingKind = { countWaiting: () => 0 }

const inboxOf = (kinds: Partial<Record<'changes' | 'requests' | 'apps' | 'skills', WaitingKind>>) =>
  createInbox(
    { current: { ...DEFAULT_CONFIG, draft_ttl_seconds: 60 } },
    { changes: NONE, requests: NONE, apps: NONE, skills: NONE, ...kinds },
  )

describe('an inbox', () => {
  it('counts each kind, and all', async () => {
    const inbox = inboxOf({
      changes: { countWaiting: () => 4 },
      requests: { countWaiting: () => 2 },
      apps: { countWaiting: () => Promise.resolve(1) },
      skills: { countWaiting: () => Promise.resolve(3) },
    })
    expect(await inbox.count()).toEqual({ waiting: 10, requests: 2, apps: 1, skills: 3 })
  })

  it('ends each kind by the time to decide of the rules, and returns when the next is due', () => {
    const asked: number[][] = []
    const ending = (next: number | null): WaitingKind => ({
      countWaiting: () => 0,
      expire: (...times) => {
        asked.push(times)
        return next
      },
    })
    expect(inboxOf({ changes: ending(9_000), requests: ending(5_000) }).expire(1_000)).toBe(5_000)
    expect(asked).toEqual([
      [1_000, 60_000],
      [1_000, 60_000],
    ])
    expect(inboxOf({ changes: ending(null) }).expire(1_000)).toBeNull()
  })
})

it('ends what is due, and nothing that is not', () => {
  const ended: number[] = []
  const next = endDue(
    [5, 20, 10, 11],
    10,
    (due) => due,
    (due) => ended.push(due),
  )
  expect(ended).toEqual([5, 10])
  expect(next).toBe(11)
  expect([earliest([]), earliest([null]), earliest([3, null, 2])]).toEqual([null, null, 2])
})

it('has what waits of a workspace', async () => {
  const workspace = await held({}, { approval: 'review' })
  await write(workspace, '/a.md', 'a\n')
  await write(workspace, '/b.md', 'b\n')
  await writeApp(workspace, 'chart', { 'index.html': '<p>Chart</p>' })
  expect((await findApp(workspace, 'chart'))?.['state']).toBe('waiting')
  const list = recordOf(await (await workspace.fetch('/drafts')).json())
  expect(list).toMatchObject({ waiting: 3, requests: 0, apps: 1 })
})
