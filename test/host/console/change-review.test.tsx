/** The difference of a change, drawn in the page: each file and its lines, what is not shown, and what could not be read. */

import { Review } from '#host/console/activity/review.tsx'
import { connectionStatus, tools } from '#host/console/connect/connection.ts'
import { setReviewOption } from '#host/console/drafts/review-options.ts'
import { ConnectionError } from '#host/mcp/errors.ts'
import { parseCallResult, parseContents, parseTools } from '#host/mcp/parse.ts'
import type { Connection } from '#host/mcp/connection.ts'
import { diffTexts } from '#core/diff/hunks.ts'
import { CHANGE_META } from '#core/wire.ts'
import { fakeConnection } from '../../support/host/fake-connection.ts'
import { render, type ComponentProps } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'

const URI = 'ui://edit_file/c1'
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`)
const OLD = lines(40)
const NEW = OLD.with(19, 'twenty\n')
const { hunks } = diffTexts(OLD.join(''), NEW.join(''))

const FACTS = {
  ...{ tool: 'edit_file', intent: 'Edit "/a.txt"', applied: true, paths: ['/a.txt'], more: 0 },
  files: [{ from: '/a.txt', to: '/a.txt', binary: false, hunks }],
}

const root = document.createElement('main')

beforeEach(() => {
  document.body.append(root)
  tools.value = parseTools({
    tools: [{ name: 'read_file', inputSchema: { type: 'object' } }],
  }).items
})

afterEach(() => {
  render(null, root)
  root.remove()
  tools.value = []
  connectionStatus.value = { state: 'connecting' }
  setReviewOption({ layout: 'unified', ignoresSpace: false })
})

type Props = Partial<ComponentProps<typeof Review>>

/** Shows the review of a resource that has these facts, or cannot be read. */
function show(facts: object | Error, props: Props = {}, given: Partial<Connection> = {}): void {
  const readResource: Connection['readResource'] = async (uri) => {
    expect(uri).toBe(`${URI}.json`)
    if (facts instanceof Error) throw facts
    return parseContents({ contents: [{ uri, text: JSON.stringify(facts) }] })
  }
  const connection = fakeConnection({ readResource, ...given })
  connectionStatus.value = { state: 'ready', connection }
  render(<Review uri={URI} title="Diff" {...props} />, root)
}

const rows = () => [...root.querySelectorAll('.difflines tr')].map(({ className }) => className)
const text = () => root.innerText
const isDrawn = () => expect.poll(rows).toContain('i')

it('draws the lines of each file in the page, without a frame, and says when they are drawn', async () => {
  const onDrawn = vi.fn(() => expect(rows()).toContain('i'))
  show(FACTS, { onDrawn })
  await expect.poll(() => onDrawn.mock.calls.length).toBe(1)
  expect(root.querySelector('iframe, mcp-view')).toBeNull()
  expect(rows().filter((kind) => kind !== '')).toEqual(['d', 'i'])
  expect(text()).toContain('Applied')
  expect(text()).toContain('16 unchanged lines')
})

it('says nothing of the change that is beside it', async () => {
  show(FACTS, { isTitled: true })
  await isDrawn()
  expect(text()).not.toContain('Applied')
  expect(text().match(/\/a\.txt/g)).toHaveLength(1)
})

it('folds a file, and opens it again', async () => {
  show(FACTS)
  await isDrawn()
  const head = page.getByRole('button', { name: '/a.txt' })
  await head.click()
  expect(rows()).toEqual([])
  await head.click()
  await isDrawn()
})

it('draws two columns, and leaves out what differs in white space alone', async () => {
  const { hunks: spaces } = diffTexts('a b\n', 'a  b\n')
  const spaced = { from: '/b.txt', to: '/b.txt', binary: false, hunks: spaces }
  show({ ...FACTS, files: [...FACTS.files, spaced] })
  await expect.poll(() => rows().filter((kind) => kind === 'i').length).toBe(2)
  await page.getByText('Side by side').click()
  await expect.poll(() => root.querySelectorAll('.twosides').length).toBe(2)
  await page.getByRole('button', { name: 'Hide white space' }).click()
  await expect.element(page.getByText('Only white space differs, which is hidden.')).toBeVisible()
})

it('opens unchanged lines from the file, while it is the one of the change', async () => {
  let version = 7
  const call: Connection['call'] = async (name, args) => {
    expect([name, args]).toEqual(['read_file', { path: '/a.txt', start_line: 1, limit: 16 }])
    const content = OLD.slice(0, 16).map((line, at) => `${at + 1}: ${line.trimEnd()}`)
    const structuredContent = { content: content.join('\n'), total: 40, version }
    return parseCallResult({ content: [], structuredContent })
  }
  show(FACTS, { version: 6 }, { call })
  await isDrawn()
  const opener = page.getByRole('button', { name: 'Show 16 unchanged lines' })
  await opener.click()
  await expect.element(page.getByText('The file has changed since')).toBeVisible()
  version = 6
  await opener.click()
  await expect.poll(text).toContain('line 3\n')
})

it('cuts a long difference, and shows all of it on demand', async () => {
  const long = diffTexts('', lines(900).join(''))
  show({ ...FACTS, files: [{ from: null, to: '/long.txt', binary: false, hunks: long.hunks }] })
  await isDrawn()
  await expect.poll(() => rows().length).toBe(400)
  await page.getByRole('button', { name: 'Show 500 more lines' }).click()
  await expect.poll(() => rows().length).toBe(900)
})

it('says what is not shown, and what happens to files without lines', async () => {
  const bare = { binary: false, hunks: [] }
  show({
    ...FACTS,
    ...{ incomplete: true, forgotten: 2, more: 3, bytes: 2_000 },
    files: [
      { ...bare, from: '/old.txt', to: '/new.txt', bytes: 5 },
      { ...bare, from: '/gone.bin', to: null, binary: true, bytes: 1_500 },
      {
        ...bare,
        from: null,
        to: '/big.txt',
        binary: true,
        omitted: true,
        left_out: { added: 9, removed: 0 },
      },
      { ...bare, from: '/run', to: '/run', executable: { before: false, after: true } },
      { ...bare, from: '/form', to: '/form', endings: 'LF → CRLF', encoding: 'utf-8 → utf-16le' },
    ],
  })
  await expect.poll(text).toContain('becomes executable')
  for (const shown of [
    ...['8 files', '2 kB', '+9', 'moved', '1.5 kB', 'deleted', 'Not shown line by line.'],
    ...['Too large to be shown line by line.', 'Its content stays as it is.'],
    ...['Line endings: LF → CRLF.', 'Encoding: utf-8 → utf-16le.'],
    'History may no longer have all files of this change.',
    'Files that are not shown one by one: 3.',
    'Files that are not shown, as history no longer has their earlier state: 2.',
  ])
    expect(text()).toContain(shown)
})

it('shows the text of a document, and says that it is not all of it', async () => {
  const { hunks: letter } = diffTexts('', '# Letter\n')
  const file = { from: null, to: '/letter.docx', binary: false, extracted: true, bytes: 900 }
  show({ ...FACTS, files: [{ ...file, hunks: letter }] })
  await expect.poll(text).toContain('# Letter')
  expect(text()).toContain('The text of a document; its pictures and layout may differ as well.')
  expect(text()).toContain('not shown in full')
})

it('renders a page of a hundred files, and the others on demand', async () => {
  const files = Array.from({ length: 150 }, (_, at) => ({
    ...{ from: null, to: `/${at}.txt`, binary: false, hunks: diffTexts('', 'x\n').hunks },
  }))
  show({ ...FACTS, files })
  await isDrawn()
  expect(root.querySelectorAll('.draftfiles > li')).toHaveLength(100)
  await page.getByRole('button', { name: 'Next files' }).click()
  await expect.poll(() => root.querySelectorAll('.draftfiles > li').length).toBe(50)
})

const problem = (kind: 'protocol' | 'unreachable') =>
  new ConnectionError({
    ...{ kind, message: 'No such resource', advice: '', status: null, code: null, data: null },
    scopes: [],
  })

it('draws what the result has, if the resource cannot be read', async () => {
  const change = {
    ...{ id: 'c1', tool: 'edit_file', intent: 'Edit it', applied: false, review: URI, basis: 4 },
    ...{ hunks: hunks.map((hunk) => ({ path: '/a.txt', ...hunk })), stats: { files: 2 } },
  }
  const result = parseCallResult({ content: [], _meta: { [CHANGE_META]: change } })
  show(problem('protocol'), { result })
  await isDrawn()
  expect(text()).toContain('Preview · nothing has been changed yet')
  expect(text()).toContain('Files that are not shown one by one: 1.')
})

it('says that there is no diff, or that it cannot be read', async () => {
  const onDrawn = vi.fn()
  show(problem('protocol'), { onDrawn })
  await expect.element(page.getByText('There is no diff for this change.')).toBeVisible()
  expect(onDrawn).toHaveBeenCalledOnce()
  render(null, root)
  show(problem('unreachable'))
  await expect.poll(text).toContain('Cannot read the diff')
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

it('draws hostile paths and lines as text, with hidden characters by name', async () => {
  const evil = '<img src=x onerror="window.pwned=1">\u202e'
  const { hunks: bad } = diffTexts('', `${evil}\n`)
  show({
    ...FACTS,
    intent: `Write ${evil}`,
    tool: evil,
    files: [{ from: null, to: `/${evil}`, binary: false, hunks: bad }],
  })
  await isDrawn()
  expect(root.querySelector('img')).toBeNull()
  expect(root.querySelectorAll('.hidden-char').length).toBeGreaterThanOrEqual(4)
  expect(Reflect.get(window, 'pwned')).toBeUndefined()
})
