/** A change that waits for approval: the review says so, follows it, and offers only the page of the owner. */

import type { CallToolResult } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { until } from '../../support/views/host-frame.ts'
import {
  edited,
  openReview,
  resultWith,
  untilText,
  type ReviewSetup,
} from '../../support/views/review-frame.ts'

const FILE = edited('/notes/a.md', 'one\n', 'two\n')
const CHANGE = { id: 'change-1', files: [FILE] }
const URL_OF_ALL = 'https://files.example/#/waiting'

function heldResult(): CallToolResult {
  const result = resultWith(CHANGE)
  const { preview: _preview, ...meta } = result._meta ?? {}
  const change = { ...Object(meta['dev.edgewise/change']), expires_at: null }
  const draft = { id: 'draft-1', state: 'open', changes: 1, url: URL_OF_ALL }
  return { ...result, _meta: { 'dev.edgewise/change': change, 'dev.edgewise/draft': draft } }
}

/** What a server with a draft says of a decision. */
interface Decided {
  readonly outcome: string
  readonly note: string
  readonly changes?: number
  readonly ids?: readonly string[]
}

/** A server with a draft, which can be decided. */
function draftServer() {
  let decisions: Decided[] = []
  const reads: string[] = []
  const read = (uri: string) => {
    reads.push(uri)
    if (uri === 'edgewise://draft') {
      const common = { draft: 'draft-1', changes: 1, paths: ['/notes/a.md'] }
      return JSON.stringify({
        draft: null,
        decisions: decisions.map((one) => ({ ...common, ...one })),
      })
    }
    const isGone = decisions.some(({ outcome }) => outcome === 'turned_down')
    if (isGone || !uri.endsWith('.json')) return null
    return JSON.stringify({ files: [FILE], more: 0, applied: decisions.length > 0 })
  }
  const decide = (outcome: string, note = '') => (decisions = [{ outcome, note }])
  const say = (...more: Decided[]) => (decisions = more)
  return { read, reads, decide, say }
}

async function openHeld(setup: ReviewSetup = {}) {
  const review = await openReview(setup)
  await review.host.sendToolInput({ arguments: { path: '/notes/a.md' } })
  await review.host.sendToolResult(heldResult())
  await until(() => review.document.querySelector('h1')?.textContent === 'Edit /notes/a.md')
  return review
}

describe('a change that waits', () => {
  it('has no button to apply it, and opens the page of its owner', async () => {
    const review = await openHeld({ capabilities: { serverTools: {}, openLinks: {} } })
    const opened: string[] = []
    review.host.onopenlink = async ({ url }) => {
      opened.push(url)
      return {}
    }
    expect(review.text()).toContain('Waits for approval')
    for (const name of [/apply/i, /approve/i, /preview/i, /undo/i])
      expect(review.has(name)).toBe(false)
    const button = await review.button('Open to decide')
    button.click()
    await expect.poll(() => opened).toEqual([`${URL_OF_ALL}/draft-1/change-1`])
    expect(review.calls).toEqual([])
  })

  it('shows the address where the host opens no links', async () => {
    const review = await openHeld({ capabilities: { serverTools: {} } })
    const button = await review.button('Open to decide')
    button.click()
    await untilText(review, `${URL_OF_ALL}/draft-1/change-1`)
  })

  it('becomes applied, and can be undone', async () => {
    const { read, reads, decide } = draftServer()
    const review = await openHeld({ read })
    await expect.poll(() => reads.length).toBeGreaterThan(1)
    expect(review.text()).toContain('Waits for approval')
    decide('approved')
    await expect.poll(() => review.text()).toContain('Applied')
    expect(review.has('Undo')).toBe(true)
    expect(review.has('Open to decide')).toBe(false)
  })

  it('becomes turned down, with the note', async () => {
    const { read, decide } = draftServer()
    const review = await openHeld({ read })
    decide('turned_down', 'Keep the title.')
    await expect.poll(() => review.text()).toMatch(/Turned down[^]*Keep the title\./)
    expect(review.has(/apply|undo/i)).toBe(false)
  })

  const down = (note: string, ids: readonly string[], changes = ids.length) => {
    return { outcome: 'turned_down', note, changes, ids }
  }

  it.each([
    ['of an older decision', [down('Other.', ['c2']), down('Mine.', ['c0', 'change-1'])]],
    [
      'of the decision that lists only a part',
      [down('Other.', ['c2']), down('Mine.', ['c0'], 200)],
    ],
  ])('becomes turned down, with the note %s', async (_, decided) => {
    const { read, say } = draftServer()
    const review = await openHeld({ read })
    say({ outcome: 'approved', note: 'Fine.', ids: ['c3'] }, ...decided)
    await expect.poll(() => review.text()).toMatch(/Turned down[^]*Mine\./)
  })
})
