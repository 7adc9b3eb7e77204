/** Trust for a time on the pages of the console: what is suggested, shown and sent. */

import type { GivenTrust } from '#core/owner/answers/trust.ts'
import type { ShownSession } from '#core/owner/answers/sessions.ts'
import { Changes } from '#host/console/activity/change-list.tsx'
import { parseChanges } from '#host/console/activity/changes.ts'
import { SessionNode } from '#host/console/sessions/session-tree.tsx'
import { folderOf, timeOf } from '#host/console/trust/suggest.ts'
import { LetPass } from '#host/console/trust/trust-dialog.tsx'
import { AllTrust } from '#host/console/trust/trust-list.tsx'
import { recordOf } from '#core/json.ts'
import { render } from 'preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { fakeOwner, type SentAct } from '../../support/host/fake-owner.ts'
import { pressDecision } from '../../support/host/press-decision.ts'

const root = document.createElement('main')
let sent: readonly SentAct[]

const NAMES = { label: 'You', client: 'a "b" pass until 2099' }

const GIVEN: GivenTrust = {
  ...{ id: 't', session: 's', ...NAMES, folder: '/f', tools: ['write_file'], kinds: ['deletion'] },
  ...{ given: 0, until: Date.now() + 3_600_000 },
}

let given: readonly GivenTrust[]

beforeEach(() => {
  document.body.append(root)
  given = [GIVEN]
  sent = fakeOwner({
    list_trust: () => ({ trusts: [...given] }),
    preview_trust: ({ body }) => {
      const digest = JSON.stringify(body)
      return Response.json({ ...recordOf(body), ...NAMES, digest })
    },
    give_trust: () => ({ trusts: [GIVEN] }),
    end_trust: () => {
      given = []
      return null
    },
  })
})

afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
})

const fileAt = (path: string) => ({
  ...{ path, type: 'file' as const, change: 'added' as const, before: null, after: 1, group: 0 },
  ...{ digest: '', mark: '', risks: [] },
})

const changeBy = (tool: string) => ({
  ...{ id: tool, tool, intent: '', at: 0, level: 'review' as const, paths: [], group: 0 },
  conflict: null,
})

const CONTENTS = {
  ...{ session: 's', shared: false, ended: false },
  changes: ['write_file', 'edit_file', 'write_file'].map(changeBy),
  files: ['/f/x/a', '/f/x/b/c'].map(fileAt),
}

const button = (name: string) =>
  [...root.querySelectorAll('button')].find(({ textContent }) => textContent.includes(name))

const press = (name: string) => pressDecision(() => button(name))

const bodyOf = (name: string) => recordOf(sent.findLast((act) => act.name === name)?.body)

describe('what is suggested', () => {
  it.each([
    [['/a'], '/'],
    [['/f/a'], '/f'],
    [['/f/x/a', '/f/x/b/c'], '/f/x'],
    [['/f/x/a', '/f/y/a'], '/f'],
    [['/f/a', '/fa/b'], '/'],
    [['/f/x', '/f/x/y'], '/f'],
  ])('the folder of %j is %s', (paths, folder) =>
    expect(folderOf({ files: paths.map(fileAt) })).toBe(folder),
  )

  it('a move counts with both ends', () =>
    expect(folderOf({ files: [{ ...fileAt('/f/a'), from: '/g/a' }] })).toBe('/'))

  it('no time is longer than a day, and tonight is the next midnight', () => {
    const evening = new Date(2026, 5, 1, 20, 30).getTime()
    expect(timeOf('tonight', evening)).toBe(new Date(2026, 5, 2).getTime())
    for (const choice of ['hour', 'hours', 'tonight', 'day'] as const)
      expect(timeOf(choice, evening) - evening).toBeLessThan(86_400_000)
  })
})

describe('the dialog', () => {
  it('sends what the server showed, with its digest, by a press alone', async () => {
    render(<LetPass contents={CONTENTS} />, root)
    await userEvent.click(button('Let similar changes pass') ?? root)
    await expect.poll(() => root.querySelector('.trustsentence')?.textContent).toContain('/f/x')
    const boxes = [...root.querySelectorAll<HTMLInputElement>('dialog [type=checkbox]')]
    expect(boxes.filter(({ checked }) => checked)).toHaveLength(2)
    expect(root.querySelectorAll('.trustsentence q.claimed')).toHaveLength(2)
    button('Let them pass')?.click()
    expect(bodyOf('give_trust')).toEqual({})
    await press('Let them pass')
    await expect.poll(() => root.querySelector('dialog')).toBeNull()
    expect(bodyOf('give_trust')).toMatchObject({
      ...{ session: 's', folder: '/f/x', tools: ['edit_file', 'write_file'], kinds: [] },
      digest: expect.stringContaining('/f/x'),
    })
    expect(bodyOf('give_trust')).not.toHaveProperty('label')
  })

  it('shows again what was changed, and sends nothing in between', async () => {
    render(<LetPass contents={CONTENTS} />, root)
    await userEvent.click(button('Let similar changes pass') ?? root)
    const [folder] = root.querySelectorAll<HTMLInputElement>('dialog input.code')
    if (!folder) throw new Error('Expected a field for the folder')
    await userEvent.fill(folder, '/f')
    await userEvent.click(root.querySelectorAll('dialog [type=checkbox]')[2] ?? root)
    await expect
      .poll(() => root.querySelector('.trustsentence')?.textContent)
      .toContain('with deletions')
    await press('Let them pass')
    await expect.poll(() => bodyOf('give_trust')['folder']).toBe('/f')
    expect(bodyOf('give_trust')['kinds']).toEqual(['deletion'])
  })

  it('is not there for callers that may be several, with the reason', () => {
    render(<LetPass contents={{ ...CONTENTS, shared: true }} />, root)
    expect(root.querySelector('button')).toBeNull()
    expect(root.textContent).toContain('may be several')
  })
})

describe('what is in force', () => {
  it('is listed under the rules, with the time left and a button that ends it', async () => {
    render(<AllTrust />, root)
    await expect.poll(() => root.textContent).toContain('1 hour left')
    expect(root.querySelectorAll('q.claimed')).toHaveLength(2)
    await press('End now')
    await expect.poll(() => root.textContent).toContain('Nothing.')
    expect(sent.map(({ name }) => name)).toEqual(['end_trust'])
  })

  it('is shown with its session alone', () => {
    const sessionAt = (id: string): ShownSession => ({
      ...{
        id,
        parent: null,
        principal: 'p',
        label: id,
        kind: 'client',
        policy: null,
        config: null,
      },
      ...{ scopes: null, allowed: [], created: 0, expires: null },
    })
    const nodes = ['s', 'other'].map((id) => ({ row: sessionAt(id), children: [] }))
    const show = (node: (typeof nodes)[number]) => (
      <SessionNode key={node.row.id} node={node} trusts={[GIVEN]} onGone={() => {}} />
    )
    render(<ul>{nodes.map(show)}</ul>, root)
    expect(root.querySelectorAll('[data-end-trust]')).toHaveLength(1)
  })
})

it('an applied change says until when similar changes pass', () => {
  const row = { id: '1', version: 1, at: '2026-01-01T00:00:00Z', tool: 'write_file', actor: 'x' }
  const tonight = new Date().setHours(23, 59, 0, 0)
  render(<Changes changes={parseChanges([{ ...row, trust: tonight }])} />, root)
  expect(root.textContent).toMatch(/passed by trust until (23.59|11.59)/)
})
