/** The review in a host: what it renders, and the actions of the user. */

import { quoteValue } from '#core/quote.ts'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { describe, expect, it, vi } from 'vitest'
import { hostV1, until, windowOf } from '../../support/views/host-frame.ts'
import { readDrawn } from '../../support/views/read-drawn.ts'
import {
  edited,
  openReview,
  refusal,
  resourcesOf,
  resultWith,
  untilText,
  type Review,
} from '../../support/views/review-frame.ts'

const before = Array.from({ length: 300 }, (_, i) => `line ${i + 1} as it was`).join('\n') + '\n'
const after = before
  .replace('line 10 as it was', 'line 10 as it is')
  .replace('line 200 as it was\n', '')
const FILE = edited('/notes/a.md', before, after)
const INPUT = { path: '/notes/a.md', edits: [{ find: 'x', replace: 'y' }] }

const rows = (review: Review, selector = 'tr') => [...review.document.querySelectorAll(selector)]
const cells = (row: Element | undefined) =>
  [...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent)
const untilRows = (review: Review) => until(() => rows(review).length > 0)

async function openPreview(
  setup: Parameters<typeof openReview>[0] = {},
  result: CallToolResult = resultWith({ files: [FILE] }),
): Promise<Review> {
  const review = await openReview(setup)
  await review.host.sendToolInput({ arguments: INPUT })
  await review.host.sendToolResult(result)
  await until(() => review.document.querySelector('h1') !== null)
  return review
}

describe('before there is a result', () => {
  const tool = {
    name: 'write_file',
    title: 'Write a file',
    inputSchema: { type: 'object' as const },
    _meta: { 'dev.edgewise/tool': { intentTemplate: 'Write {path} [with {content}]' } },
  }

  it('shows the intent as far as it is known, then that the call runs', async () => {
    const review = await openReview({ context: { toolInfo: { tool } } })
    expect(review.text()).toContain('Waiting for a change')
    await review.host.sendToolInputPartial({ arguments: { path: '/no' } })
    await untilText(review, 'Write /no')
    expect(review.text()).toContain('Being written')
    await review.host.sendToolInput({ arguments: { path: '/notes.md', content: 'hello' } })
    await untilText(review, 'Write /notes.md with hello')
    expect(review.text()).toContain('Running')
  })

  it('shows that the call was cancelled, and why', async () => {
    const review = await openReview({ context: { toolInfo: { tool } } })
    await review.host.sendToolInputPartial({ arguments: { path: '/notes.md' } })
    await review.host.sendToolCancelled({ reason: 'Denied by the user' })
    await untilText(review, /Cancelled[^]*Denied by the user[^]*Write \/notes.md/)
  })
})

it('works in the older official host as well', async () => {
  const review = await openPreview({
    connect: hostV1,
    call: () => resultWith({ id: 'change-2', files: [FILE], applied: true }),
  })
  await untilRows(review)
  ;(await review.button('Apply this change')).click()
  await untilText(review, 'Applied')
  expect(await review.host.teardownResource({})).toEqual({})
})

describe('a result without a change', () => {
  it('is shown as text', async () => {
    const review = await openReview()
    await review.host.sendToolResult({ content: [{ type: 'text', text: 'one\ntwo' }] })
    await untilText(review, /Done[^]*one\ntwo/)
  })

  it('is shown as a failure if it has isError', async () => {
    const review = await openReview()
    await review.host.sendToolResult(refusal('FILE_NOT_FOUND', 'There is no /a'))
    await untilText(review, /Failed[^]*There is no \/a/)
    expect(review.text()).not.toContain('FILE_NOT_FOUND')
    expect(review.document.querySelector('[role=alert]')).not.toBeNull()
  })
})

describe('a change', () => {
  it('is rendered with line numbers, marks and text for screen readers', async () => {
    const review = await openPreview({ width: 600 })
    await untilRows(review)
    expect(review.text()).toMatch(/Preview[^]*Nothing has been changed yet[^]*Edit \/notes\/a.md/)
    expect(review.text()).toContain('+1')
    expect(review.document.querySelector('.linecounts')?.textContent).toContain('1 line added')

    const removed = rows(review, 'tr.d')[0]
    const added = rows(review, 'tr.i')[0]
    expect(cells(removed)).toEqual(['10', '', '−', 'line 10 as it was'])
    expect(cells(added)).toEqual(['', '10', '+', 'line 10 as it is'])
    expect(removed?.querySelector('mark')?.textContent).toBe('was')
    expect(removed?.querySelector('.s')?.getAttribute('aria-label')).toBe('removed')
    expect(added?.querySelector('.s')?.getAttribute('aria-label')).toBe('added')
    expect(review.text()).toMatch(/6 unchanged lines[^]*183 unchanged lines/)
  })

  it('is shown side by side in a wide frame, and as the user chooses', async () => {
    const review = await openPreview({ width: 1_000 })
    await untilRows(review)
    const changed = rows(review, 'tr[data-change]')[0]
    expect(cells(changed)).toEqual([
      ...['10', '−', 'line 10 as it was'],
      ...['10', '+', 'line 10 as it is'],
    ])
    review.frame.style.width = '500px'
    await until(() => rows(review, 'tr.d').length > 0)
    ;(await review.button('Side by side')).click()
    await until(() => rows(review, 'tr.d').length === 0 && rows(review, 'td.r').length > 0)
    windowOf(review.frame).localStorage.clear()
  })

  it('shows all of a long line when the user asks for it', async () => {
    const old = `${'a'.repeat(9_000)}\n`
    const next = `start ${'b'.repeat(4_000)};evil\u202e();${'c'.repeat(4_000)}\n`
    const review = await openPreview({}, resultWith({ files: [edited('/long.js', old, next)] }))
    await untilRows(review)
    const line = () => review.document.querySelector('td.c.i, tr.i td.c')
    expect(line()?.textContent).not.toContain('evil')
    review.document
      .querySelectorAll<HTMLElement>('.i button.linenote')
      .forEach((one) => one.click())
    expect(line()?.textContent).toBe(next.trimEnd().replace('\u202e', 'RLO'))
    expect(review.document.activeElement?.textContent).toContain('evil')
  })

  it('reads omitted lines from its resource', async () => {
    const result = resultWith({ files: [FILE], leaveOut: true })
    const review = await openPreview({ read: resourcesOf([FILE]) }, result)
    await untilRows(review)
    expect(rows(review, 'tr[data-change]')).toHaveLength(2)
  })

  it('shows an error when the lines cannot be read', async () => {
    const result = resultWith({ files: [FILE], leaveOut: true })
    await untilText(await openPreview({}, result), 'Cannot read the lines')
    const without = await openPreview({ capabilities: { serverTools: {} } }, result)
    await untilText(without, 'too many lines to show')
  })

  it('shows moved, deleted, new and binary files', async () => {
    const files = [
      { from: '/a.md', to: '/b/c.md', binary: false, hunks: [] },
      { from: '/old.bin', to: null, binary: true, hunks: [] },
      { from: null, to: '/empty', binary: false, hunks: [] },
      { ...edited('/new.md', '', 'no end'), from: null },
    ]
    const result = resultWith({ files, more: 7 })
    const review = await openPreview({ read: resourcesOf(files, 7) }, result)
    await untilText(review, '7 more files not listed')
    await untilRows(review)
    const heads = rows(review, '.file-head').map((head) => head.textContent.replace(/\s+/g, ' '))
    expect(heads[0]).toMatch(/Moved.*a\.md.*→.*b\/c\.md.*content unchanged/)
    expect(heads[1]).toMatch(/Deleted.*old\.bin.*not shown line by line/)
    expect(heads[2]).toMatch(/New.*empty/)
    expect(heads[3]).toMatch(/New.*new\.md/)
    expect(cells(rows(review, 'tr.i')[0])).toEqual(['', '1', '+', 'no endno newline at the end'])
  })

  it('folds and opens a file', async () => {
    const review = await openPreview()
    await untilRows(review)
    const head = review.document.querySelector<HTMLElement>('.file-head button')
    head?.click()
    await until(() => rows(review).length === 0)
    expect(head?.getAttribute('aria-expanded')).toBe('false')
    head?.click()
    await untilRows(review)
  })

  it('shows untrusted content as text, and hidden characters by name', async () => {
    const evil = '<img src=x onerror="parent.hacked = 1">'
    const file = edited(`/${evil}\u202e.md`, 'a\n', `${evil}\u200b\n`)
    const result = resultWith({ files: [file], intent: `Edit ${evil}` })
    const review = await openPreview({}, result)
    await untilRows(review)
    expect(review.document.querySelector('img')).toBeNull()
    expect(review.document.querySelector('h1')?.textContent).toBe(`Edit ${evil}`)
    const named = rows(review, '.hidden-char').map((name) => name.textContent)
    expect(named).toEqual(expect.arrayContaining(['RLO', 'ZWSP']))
    expect('hacked' in window).toBe(false)
  })
})

describe('paths', () => {
  const ALIKE = [
    ['/t/א1', '/t/1א'],
    ['/t/a.txt', '/t/a.txt '],
    ['/t/b c', '/t/b  c'],
    ['/t/a', '/t\u2215a'],
  ]

  it.each(ALIKE)('draws the files %j and %j apart, from the root', async (one, other) => {
    const files = [one, other].map((path) => edited(path, 'a\n', 'b\n'))
    const review = await openPreview({}, resultWith({ files }))
    await untilRows(review)
    const [first, second] = rows(review, '.path').map(readDrawn)
    expect(first).toMatch(/^\/t/)
    expect(second).not.toBe(first)
  })

  it.each(ALIKE)('draws the sentences about %j and %j apart', async (one, other) => {
    const sentences: string[] = []
    for (const path of [one, other]) {
      const intent = `Move ${quoteValue(path)} to /b`
      const review = await openPreview({}, resultWith({ files: [FILE], intent }))
      await untilRows(review)
      sentences.push(readDrawn(rows(review, 'h1')[0] ?? review.document.body))
    }
    expect(sentences[0]).toMatch(/^Move \/t.* to \/b$/)
    expect(sentences[1]).not.toBe(sentences[0])
  })
})

describe('the user', () => {
  const applied = resultWith({ id: 'change-2', files: [FILE], applied: true })
  const undone = resultWith({
    id: 'change-3',
    tool: 'undo_change',
    files: [FILE],
    applied: true,
    version: 6,
  })

  it('applies exactly the preview, undoes it and redoes it', async () => {
    const call = vi.fn().mockReturnValueOnce(applied).mockReturnValue(undone)
    const review = await openPreview({ call })
    const updates: unknown[] = []
    review.host.onupdatemodelcontext = async ({ content }) => {
      updates.push(content)
      return {}
    }
    ;(await review.button('Apply this change')).click()
    await untilText(review, 'Applied')
    expect(review.calls[0]).toMatchObject({
      name: 'edit_file',
      arguments: INPUT,
      _meta: { 'dev.edgewise/preview': 'change-1' },
    })
    ;(await review.button('Undo')).click()
    await untilText(review, /Undone[^]*as they were before/)
    expect(review.calls[1]).toMatchObject({ name: 'undo_change', arguments: { id: 'change-2' } })
    ;(await review.button('Redo')).click()
    await untilText(review, 'Applied')
    expect(review.calls[2]).toMatchObject({ name: 'undo_change', arguments: { id: 'change-3' } })
    await until(() => updates.length === 3)
    expect(JSON.stringify(updates)).toMatch(/applied it.*undid this change.*redid this change/)
  })

  it('does not undo with the second click of a double click', async () => {
    const review = await openPreview({ call: () => applied })
    const button = await review.button('Apply this change')
    button.click()
    button.click()
    await until(() => review.has('Undo'))
    for (const again of review.document.querySelectorAll<HTMLElement>('.actions button'))
      again.click()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(review.calls).toHaveLength(1)
  })

  it('sees that the preview is out of date, and previews again', async () => {
    const fresh = resultWith({ id: 'change-9', files: [FILE], intent: 'Edit it again' })
    const call = vi
      .fn()
      .mockReturnValueOnce(refusal('PREVIEW_STALE', 'stale'))
      .mockReturnValue(fresh)
    const review = await openPreview({ call })
    ;(await review.button('Apply this change')).click()
    await untilText(review, /Out of date/)
    expect(review.has('Apply this change')).toBe(false)
    ;(await review.button('Preview again')).click()
    await untilText(review, /Preview[^]*Edit it again/)
    expect(review.calls[1]).toMatchObject({ arguments: INPUT, _meta: { preview: true } })
    expect(review.has('Apply this change')).toBe(true)
  })

  it('sees why a change was not applied', async () => {
    const call = vi.fn().mockReturnValue(refusal('PATH_OUTSIDE_ROOT', 'It lies outside'))
    const review = await openPreview({ call })
    ;(await review.button('Apply this change')).click()
    await untilText(review, /Failed[^]*Nothing has been changed[^]*It lies outside/)
    expect(review.text()).not.toContain('PATH_OUTSIDE_ROOT')
    expect(review.has('Preview again')).toBe(true)
  })

  it('sees the error of a host that rejects the call', async () => {
    const call = () => {
      throw new Error('Tools are switched off')
    }
    const review = await openPreview({ call })
    ;(await review.button('Apply this change')).click()
    await untilText(review, 'Tools are switched off')
    expect(review.has('Apply this change')).toBe(true)
  })

  it('keeps the applied state when the undo fails', async () => {
    const call = () => refusal('CHANGED_SINCE', 'It was changed after it')
    const review = await openPreview({ call }, applied)
    ;(await review.button('Undo')).click()
    await untilText(review, /Applied[^]*It was changed after it/)
    expect(review.text()).not.toContain('CHANGED_SINCE')
  })

  it('cannot apply an expired preview, nor anything if the host calls no tools', async () => {
    const over = resultWith({ files: [FILE], expires: new Date(Date.now() - 1).toISOString() })
    const review = await openPreview({}, over)
    await untilText(review, 'Expired')
    expect(review.has('Apply this change')).toBe(false)
    expect(review.has('Preview again')).toBe(true)

    const plain = await openPreview({ capabilities: {} })
    await untilRows(plain)
    expect(plain.document.querySelector('.actions, .diffgap button')).toBeNull()
  })

  it('opens unchanged lines, while the file is unchanged', async () => {
    const lines = (start: number, count: number) =>
      Array.from({ length: count }, (_, i) => `${start + i}: line ${start + i} as it was`)
    let version = 4
    const call = ({ arguments: args }: { arguments?: Record<string, unknown> | undefined }) => {
      const { start_line: start, limit } = args as { start_line: number; limit: number }
      const content = lines(start, Math.min(limit, 301 - start)).join('\n')
      return { content: [], structuredContent: { content, total: 300, version } }
    }
    const review = await openPreview({ call, width: 600 })
    await untilRows(review)
    ;(await review.button('Show 6 unchanged lines')).click()
    await until(() => cells(rows(review)[0])[3] === 'line 1 as it was')
    expect(cells(rows(review)[5])).toEqual(['6', '6', '', 'line 6 as it was'])

    ;(await review.button('↑ Show 100')).click()
    await untilText(review, /\b83 unchanged lines/)
    expect(review.calls[1]).toMatchObject({
      name: 'read_file',
      arguments: { path: '/notes/a.md', start_line: 97, limit: 100 },
    })
    // Behind the last hunk, only the file knows how many there are.
    ;(await review.button('Show more lines')).click()
    await until(() => cells(rows(review).at(-1))[3] === 'line 300 as it was')
    expect(cells(rows(review).at(-1)).slice(0, 2)).toEqual(['300', '299'])

    version = 7
    ;(await review.button('Show 83 unchanged lines')).click()
    await untilText(review, 'The file has changed since')
  })

  it('goes from change to change by keyboard', async () => {
    const review = await openPreview({ width: 600 })
    await untilRows(review)
    const focused = () => cells(review.document.activeElement ?? undefined).slice(0, 2)
    await until(() => {
      review.press('n')
      return review.document.activeElement?.tagName === 'TR'
    })
    expect(focused()).toEqual(['10', ''])
    review.press('j')
    expect(focused()).toEqual(['200', ''])
    review.press('n')
    expect(focused()).toEqual(['200', ''])
    review.press('k')
    expect(focused()).toEqual(['10', ''])
    review.press('v')
    await until(() => rows(review, 'td.r').length > 0)
    windowOf(review.frame).localStorage.clear()
    review.press('?')
    await until(() => review.document.querySelector('dialog[open]') !== null)
    expect(review.document.querySelector('dialog')?.textContent).toContain('Next change')
  })

  it('downloads the patch', async () => {
    const review = await openPreview({ read: resourcesOf([FILE]) })
    const downloads: unknown[] = []
    review.host.ondownloadfile = async ({ contents }) => {
      downloads.push(...contents)
      return {}
    }
    ;(await review.button('Download the patch')).click()
    await until(() => downloads.length === 1)
    expect(downloads[0]).toMatchObject({
      type: 'resource',
      resource: { uri: 'file:///a.md.diff', mimeType: 'text/x-diff' },
    })
    expect(JSON.stringify(downloads)).toContain('-line 10 as it was\\n+line 10 as it is')
  })
})
