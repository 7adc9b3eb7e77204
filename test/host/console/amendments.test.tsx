/** Amending a draft on its page: what is left out and edited, what the buttons say, and what an approval sends. */

import { DraftPage } from '#host/console/drafts/draft.tsx'
import { setReviewOption } from '#host/console/drafts/review-options.ts'
import { editText } from '#host/console/amendments/amendment.ts'
import { toasts } from '#host/console/ui/toasts.tsx'
import { endWork, nameDraft, setAmendment } from '#host/console/amendments/work.ts'
import { digestOfText } from '#host/console/amendments/digest.ts'
import type { ChangedFile, DraftContents, ProposedChange } from '#core/owner/answers/drafts.ts'
import { diffTexts } from '#core/diff/hunks.ts'
import { recordOf } from '#core/json.ts'
import axe from 'axe-core'
import { fakeOwner, type SentAct } from '../../support/host/fake-owner.ts'
import { pressDecision } from '../../support/host/press-decision.ts'
import { render } from 'preact'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'

const middle = 'a line\r\n'.repeat(20)

/** The texts of each file before and after the draft, as bytes of text; null where there is no file. */
type Texts = Readonly<
  Record<string, readonly [before: string | null, after: string | null | Uint8Array]>
>

const TEXTS: Texts = {
  '/a.txt': [`one\r\n${middle}two\r\n`, `ONE\r\n${middle}TWO\r\n`],
  '/b.txt': [null, 'new\n'],
  '/gone.txt': ['old\n', null],
}

const root = document.createElement('main')

const style = Object.assign(document.createElement('link'), {
  ...{ rel: 'stylesheet', href: '/host/console/style.css' },
})

beforeAll(async () => {
  const loaded = new Promise((resolve) => style.addEventListener('load', resolve))
  document.head.append(style)
  await loaded
})

afterAll(() => style.remove())

beforeEach(() => {
  localStorage.clear()
  document.body.append(root)
})

afterEach(async () => {
  render(null, root)
  root.remove()
  endWork(nameDraft('d1'), null)
  setReviewOption({ layout: 'unified', ignoresSpace: false })
  vi.unstubAllGlobals()
  document.documentElement.style.colorScheme = ''
  await page.viewport(1200, 900)
})

const decode = (text: string | null | Uint8Array) => (typeof text === 'string' ? text : '')

function fileOf(path: string, [before, after]: Texts[string], group: number): ChangedFile {
  const change = before === null ? 'added' : after === null ? 'deleted' : 'changed'
  const { added, removed } = diffTexts(before ?? '', decode(after)).stats
  return {
    ...{
      path,
      type: 'file',
      change,
      group,
      digest: `digest of ${path}`,
      added,
      removed,
      risks: [],
    },
    ...{ before: before?.length ?? null, after: after?.length ?? null },
    mark: path.padEnd(64, '0'),
  }
}

const changeOf = (group: number, more: Partial<ProposedChange> = {}): ProposedChange => ({
  ...{ id: `c${group}`, tool: 'write_file', intent: 'Write', at: 0, level: 'review', paths: [] },
  ...{ group, digest: `digest ${group}`, conflict: null },
  ...more,
})

function contentsOf(texts: Texts, more: Partial<DraftContents> = {}): DraftContents {
  const files = Object.entries(texts).map(([path, pair], group) => fileOf(path, pair, group))
  return {
    ...{ id: 'd1', actor: 'Agent', principal: 'local', session: 's', label: 'Agent', client: null },
    ...{ reason: '', opened: 0, touched: 0, expires: 9e12, ended: false, shared: false },
    ...{ receivers: [], revision: 'r1', changes_left_out: 0, files, files_left_out: 0 },
    ...{ risky: 0, added: 3, removed: 3, changes: files.map((_, group) => changeOf(group)) },
    ...more,
  }
}

interface Shown {
  readonly texts?: Texts
  readonly contents?: (round: number) => DraftContents
  /** The status of the bytes of files. */
  readonly status?: () => number
  readonly left?: number
}

/** Shows a draft over a server that has its texts. */
function show({
  texts = TEXTS,
  contents = () => contentsOf(texts),
  status = () => 200,
  left = 0,
}: Shown = {}): SentAct[] {
  let round = 0
  const sent = fakeOwner({
    show_draft: () => contents(round++),
    list_passkeys: {
      passkeys: [],
      rule: 'none',
      host: 'localhost',
      needs_secret: false,
      removal_seconds: 0,
    },
    list_drafts: { waiting: 0, requests: 0, apps: 0, skills: 0, drafts: [] },
    approve_draft: { approval: 'a', decided: 3, left },
    turn_down_draft: { approval: null, decided: 3, left },
  })
  const answer = fetch
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    const url = new URL(address, location.href)
    const path = url.searchParams.get('path') ?? ''
    const [before, after] = texts[path] ?? [null, null]
    if (url.pathname.endsWith('/file')) {
      expect(url.searchParams.get('digest')).toBe(`digest of ${path}`)
      const text = url.searchParams.get('side') === 'before' ? before : after
      const body = typeof text === 'string' ? text : text && new Uint8Array(text)
      return new Response(body, { status: status() })
    }
    if (!url.pathname.endsWith('/diff')) return answer(address, init)
    const { hunks } = diffTexts(before ?? '', decode(after))
    const paths = { from: before === null ? null : path, to: after === null ? null : path }
    return Response.json({ file: { ...paths, hunks }, digest: 'd' })
  })
  render(<DraftPage id="d1" />, root)
  return sent
}

const section = (path: string) => root.querySelector<HTMLElement>(`[data-path="${path}"]`)
const hunksOf = (path: string) => [...(section(path)?.querySelectorAll('.diffhunk') ?? [])]
const labels = (path: string) => hunksOf(path).map((hunk) => hunk.getAttribute('aria-label'))
const headOf = (path: string) => section(path)?.querySelector('.filehead')?.textContent
const approve = () => root.querySelector<HTMLElement>('[data-approve]')
const marks = () => approve()?.querySelector('small')?.textContent
const isDrawn = (path: string) =>
  expect.poll(() => section(path)?.querySelector('.difflines tr')).toBeTruthy()
const field = () => root.querySelector<HTMLTextAreaElement>('.textfield textarea')

async function leaveOut(path: string, at: number): Promise<void> {
  await isDrawn(path)
  const count = hunksOf(path).length
  await userEvent.click(
    page
      .getByRole('button', { name: `Leave out Change ${at + 1} of ${count}`, exact: true })
      .first(),
  )
  await expect.poll(() => labels(path)[at]).toContain('left out')
}

async function edit(path: string, text: string): Promise<void> {
  await isDrawn(path)
  await userEvent.click(page.getByRole('button', { name: `Edit ${path}`, exact: true }))
  await expect.poll(() => document.activeElement === field() && field() !== null).toBe(true)
  await userEvent.fill(field() ?? root, text)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.poll(field).toBeNull()
}

const named = (name: string | RegExp) => () =>
  [...root.querySelectorAll('button')].find(({ textContent }) =>
    typeof name === 'string' ? textContent.startsWith(name) : name.test(textContent),
  )

const decisions = (sent: readonly SentAct[]) => sent.map(({ name, body }) => ({ name, body }))

const plain = (text: string) => text.replaceAll('\r', '')

/** Whether the browser leaves the page without a question. */
const leaves = () => dispatchEvent(new Event('beforeunload', { cancelable: true }))

const RESULT = `one\r\n${middle}TWO\r\n`

describe('a hunk', () => {
  it('is left out in words, taken again, and approved as what is left', async () => {
    const sent = show()
    await isDrawn('/a.txt')
    expect(labels('/a.txt')).toEqual(['Change 1 of 2', 'Change 2 of 2'])
    await leaveOut('/a.txt', 0)
    expect(hunksOf('/a.txt')[0]?.textContent).toContain('Left out: these lines stay as they are')
    expect(headOf('/a.txt')).toContain('amended by you')
    expect(headOf('/a.txt')).toContain('+1 1 line added −1 1 line removed')
    await userEvent.click(page.getByRole('button', { name: 'Take again Change 1 of 2' }))
    expect(labels('/a.txt')).toEqual(['Change 1 of 2', 'Change 2 of 2'])
    expect(headOf('/a.txt')).not.toContain('amended')
    await leaveOut('/a.txt', 0)
    await expect.poll(marks).toBe('1 amended, 3 not viewed')
    await pressDecision(approve)
    await expect.poll(() => sent).toHaveLength(1)
    expect(decisions(sent)).toEqual([
      {
        name: 'approve_draft',
        body: {
          ...{ revision: 'r1', reason: '', unseen: [] },
          amended: [
            {
              ...{ path: '/a.txt', hash: await digestOfText(RESULT) },
              edits: [{ at: 1, remove: 1, insert: 'one\r\n' }],
            },
          ],
        },
      },
    ])
  })

  it('is left out by a key, with the focus on its lines', async () => {
    show()
    await isDrawn('/a.txt')
    await isDrawn('/gone.txt')
    await userEvent.keyboard('n')
    const first = document.activeElement
    expect(first?.matches('[data-path="/a.txt"] tr[data-change]')).toBe(true)
    await userEvent.keyboard('l')
    await expect.poll(() => labels('/a.txt')[0]).toContain('left out')
    expect(document.activeElement).toBe(first)
    await userEvent.keyboard('l')
    expect(labels('/a.txt')[0]).toBe('Change 1 of 2')
    await userEvent.keyboard('{Tab}{Tab}')
    expect(document.activeElement?.textContent).toContain('Leave out Change 2')
  })

  it('is looked at before the key leaves it out', async () => {
    show()
    await isDrawn('/a.txt')
    await userEvent.keyboard('l')
    expect(document.activeElement?.matches('tr[data-change]')).toBe(true)
    expect(labels('/a.txt')[0]).toBe('Change 1 of 2')
  })

  it('is left out whole, so not while white space is hidden', async () => {
    show()
    await isDrawn('/a.txt')
    setReviewOption({ ignoresSpace: true })
    await expect.poll(() => hunksOf('/a.txt')).toEqual([])
    await isDrawn('/a.txt')
    expect(hunksOf('/a.txt')).toEqual([])
  })

  it('of a text that is not valid UTF-8 stays, with the reason', async () => {
    const after = new Uint8Array([0xff, 0xfe, 0x61, 0x00])
    show({ texts: { '/a.txt': ['a\n', after] } })
    await isDrawn('/a.txt')
    await userEvent.keyboard('nl')
    await expect.poll(() => toasts.value.at(-1)?.text).toContain('not valid UTF-8')
    expect(labels('/a.txt')).toEqual(['Change 1 of 1'])
  })

  it('of a file that changed meanwhile stays, and nothing can be decided', async () => {
    show({ status: () => 409 })
    await isDrawn('/a.txt')
    await userEvent.keyboard('nl')
    await expect.poll(() => root.querySelector('.noticeline')?.textContent).toContain('no longer')
    expect(approve()?.getAttribute('aria-disabled')).toBe('true')
    expect(labels('/a.txt')).toEqual(['Change 1 of 2', 'Change 2 of 2'])
  })
})

describe('a text', () => {
  it('is edited with its line endings, and drawn as its difference from before', async () => {
    const sent = show()
    await edit('/a.txt', `one\n${plain(middle)}TWO!\nthree\n`)
    await expect.poll(() => labels('/a.txt')).toEqual(['Change 1 of 1'])
    await expect
      .poll(() => section('/a.txt')?.querySelector('.difflines')?.textContent)
      .toContain('three')
    expect(headOf('/a.txt')).toContain('+2 2 lines added −1 1 line removed')
    expect(document.activeElement?.textContent).toBe('Edit /a.txt')
    await pressDecision(approve)
    await expect.poll(() => sent).toHaveLength(1)
    const result = `one\r\n${middle}TWO!\r\nthree\r\n`
    expect(sent[0]?.body).toMatchObject({
      amended: [
        {
          ...{ path: '/a.txt', hash: await digestOfText(result) },
          edits: [
            { at: 1, remove: 1, insert: 'one\r\n' },
            { at: 22, remove: 1, insert: 'TWO!\r\nthree\r\n' },
          ],
        },
      ],
    })
  })

  it('keeps its byte order mark, which is not in the field', async () => {
    const sent = show({ texts: { '/a.txt': ['\ufefffirst\nx\n', '\ufeffFIRST\nx\n'] } })
    await isDrawn('/a.txt')
    await userEvent.click(page.getByRole('button', { name: 'Edit /a.txt' }))
    await expect.poll(() => field()?.value).toBe('FIRST\nx\n')
    await userEvent.fill(field() ?? root, 'second\nx\n')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await pressDecision(approve)
    await expect.poll(() => sent).toHaveLength(1)
    expect(sent[0]?.body).toMatchObject({
      amended: [
        {
          edits: [{ at: 1, remove: 1, insert: '\ufeffsecond\n' }],
          hash: await digestOfText('\ufeffsecond\nx\n'),
        },
      ],
    })
  })

  it('has a hunk with a byte order mark, which is left out', async () => {
    show({ texts: { '/a.txt': ['\ufefffirst\nx\n', '\ufeffFIRST\nx\n'] } })
    await leaveOut('/a.txt', 0)
  })

  it('is edited after hunks were left out, and hunks of it are left out after that', async () => {
    show()
    await leaveOut('/a.txt', 0)
    await userEvent.click(page.getByRole('button', { name: 'Edit /a.txt' }))
    await expect.poll(() => field()?.value).toBe(plain(RESULT))
    await userEvent.fill(field() ?? root, plain(`zero\n${RESULT}`))
    await userEvent.click(page.getByRole('button', { name: 'Save edits' }))
    await expect.poll(() => labels('/a.txt')).toEqual(['Change 1 of 2', 'Change 2 of 2'])
    await leaveOut('/a.txt', 1)
    expect(headOf('/a.txt')).toMatch(/changed\+1 1 line added ?amended/)
  })

  it('of an added file can be edited, but no hunk of it left out; a deleted one stays', async () => {
    const sent = show()
    await isDrawn('/b.txt')
    await isDrawn('/gone.txt')
    expect([...hunksOf('/b.txt'), ...hunksOf('/gone.txt')]).toEqual([])
    expect(section('/gone.txt')?.querySelector('[data-edit]')).toBeNull()
    await edit('/b.txt', 'new and better\n')
    await pressDecision(approve)
    await expect.poll(() => sent).toHaveLength(1)
    expect(sent[0]?.body).toMatchObject({
      amended: [{ path: '/b.txt', edits: [{ at: 1, remove: 1, insert: 'new and better\n' }] }],
    })
  })

  it('is there again after its file was folded, and keeps a decision back until it is saved', async () => {
    const sent = show()
    await isDrawn('/a.txt')
    await userEvent.keyboard('ne')
    await expect.poll(field).not.toBeNull()
    await userEvent.fill(field() ?? root, 'other\n')
    render(null, root)
    render(<DraftPage id="d1" />, root)
    await expect.poll(() => field()?.value).toBe('other\n')
    expect(leaves()).toBe(false)
    await pressDecision(approve)
    await expect
      .poll(() => root.querySelector('.noticeline')?.textContent)
      .toContain('Save or discard your edits of 1 file first')
    expect(sent).toEqual([])
  })

  it('is asked about before Escape discards it', async () => {
    show()
    await isDrawn('/a.txt')
    const open = async () => {
      await userEvent.keyboard('e')
      await expect.poll(() => field() !== null && document.activeElement === field()).toBe(true)
    }
    await userEvent.keyboard('j')
    await open()
    await userEvent.keyboard('{Escape}')
    await expect.poll(field).toBeNull()
    await open()
    await userEvent.keyboard('x{Escape}')
    expect(root.querySelector('.textfield')?.textContent).toContain('Discard what you typed?')
    expect(document.activeElement?.textContent).toBe('Keep editing')
    await userEvent.keyboard('{Enter}')
    expect(document.activeElement).toBe(field())
    await userEvent.keyboard('{Escape}')
    await userEvent.click(page.getByRole('button', { name: 'Discard', exact: true }))
    expect(field()).toBeNull()
    expect(document.activeElement?.textContent).toBe('Edit /a.txt')
    expect(marks()).toBe('3 not viewed')
  })

  it.each<[string, Uint8Array | string, Partial<ChangedFile>]>([
    ['not valid UTF-8', new Uint8Array([0x61, 0xff, 0x62]), {}],
    ['not valid UTF-8', 'a\0b', {}],
    ['larger than 1 MiB', 'a', { after: 1_048_577 }],
    ['larger than 1 MiB', 'a'.repeat(1_048_577), {}],
    ['its lines are not shown', 'a', { unseen: true }],
  ])('that cannot be edited says why: %s', async (reason, after, facts) => {
    const texts: Texts = { '/a.txt': ['a\n', after] }
    const { files, ...more } = contentsOf(texts)
    show({
      texts,
      contents: () => ({ ...more, files: files.map((file) => ({ ...file, ...facts })) }),
    })
    await userEvent.click(page.getByRole('button', { name: 'Edit /a.txt' }))
    await expect.poll(() => section('/a.txt')?.textContent).toContain(reason)
    expect(field()).toBeNull()
    await userEvent.click(page.getByRole('button', { name: 'Close', exact: true }))
    expect(section('/a.txt')?.textContent).not.toContain(reason)
  })

  it('that became too large is not saved', async () => {
    show()
    await isDrawn('/b.txt')
    await userEvent.click(page.getByRole('button', { name: 'Edit /b.txt' }))
    await expect.poll(field).not.toBeNull()
    const area = field()
    if (area) area.value = 'a'.repeat(1_048_577)
    area?.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await userEvent.click(page.getByRole('button', { name: 'Save edits' }))
    await expect.poll(() => section('/b.txt')?.textContent).toContain('larger than 1 MiB')
    expect(field()).not.toBeNull()
  })
})

describe('amendments', () => {
  it('are undone at once', async () => {
    show()
    await edit('/b.txt', 'better\n')
    expect(leaves()).toBe(false)
    await userEvent.click(page.getByRole('button', { name: 'Undo amendment /b.txt' }))
    expect(document.activeElement?.textContent).toBe('Edit /b.txt')
    expect(marks()).toBe('3 not viewed')
    expect(leaves()).toBe(true)
    await isDrawn('/b.txt')
    await expect
      .poll(() => section('/b.txt')?.querySelector('.difflines')?.textContent)
      .toContain('new')
  })

  it('are sent with a selection only as far as their files are selected', async () => {
    const contents = (round: number) => contentsOf(TEXTS, { revision: `r${round + 1}` })
    const sent = show({ contents, left: 1 })
    await leaveOut('/a.txt', 0)
    await edit('/b.txt', 'better\n')
    await userEvent.click(page.getByRole('checkbox', { name: 'Select /b.txt' }))
    await expect.poll(marks).toBe('1 amended, 1 not viewed')
    await pressDecision(approve)
    await expect.poll(() => sent).toHaveLength(1)
    const { amended, ...others } = recordOf(sent[0]?.body)
    expect(others).toEqual({
      ...{ revision: 'r1', reason: '', unseen: [], groups: [1], digest: 'digest 1' },
    })
    expect(amended).toMatchObject([{ path: '/b.txt' }])
    await expect
      .poll(() => root.querySelector('.decided')?.textContent)
      .toContain('Approved 3 changes, 1 amended.')
    // What was decided is done, and what was not is kept.
    await expect.poll(marks).toBe('1 amended, 3 not viewed')
    expect(headOf('/a.txt')).toContain('amended by you')
  })

  it('are another thing to decide, and move no button', async () => {
    show()
    await isDrawn('/gone.txt')
    await expect.poll(() => approve()?.getAttribute('aria-disabled')).toBe('false')
    const placeOf = () => {
      const { top, bottom, right } = approve()?.getBoundingClientRect() ?? new DOMRect()
      return { top, bottom, right }
    }
    const before = placeOf()
    await userEvent.keyboard('nl')
    await expect.poll(marks).toBe('1 amended, 3 not viewed')
    expect(approve()?.getAttribute('aria-disabled')).toBe('true')
    expect(placeOf()).toEqual(before)
    await expect.poll(() => approve()?.getAttribute('aria-disabled')).toBe('false')
    await userEvent.keyboard('l')
    await expect.poll(marks).toBe('3 not viewed')
    expect(approve()?.getAttribute('aria-disabled')).toBe('true')
  })

  it('of a unit with a decision of its own are sent with it', async () => {
    const changes = [changeOf(0, { level: 'confirm' }), changeOf(1), changeOf(2)]
    const sent = show({ contents: () => contentsOf(TEXTS, { changes }) })
    await leaveOut('/a.txt', 1)
    const button = named('Approve this change')
    await expect.poll(() => button()?.textContent).toContain('Approve this change, 1 amended')
    expect(marks()).toBe('2 not viewed')
    await pressDecision(button)
    await expect.poll(() => sent).toHaveLength(1)
    expect(sent[0]?.body).toMatchObject({
      ...{ groups: [0], digest: 'digest 0' },
      amended: [{ path: '/a.txt', edits: [{ at: 22, remove: 1, insert: 'two\r\n' }] }],
    })
  })

  it('are no part of turning down, whose question says so', async () => {
    const sent = show()
    await leaveOut('/a.txt', 0)
    await pressDecision(() => root.querySelector<HTMLElement>('[data-turn-down]'))
    const dialog = () => document.querySelector('dialog')
    await expect.poll(() => dialog()?.textContent).toContain('amendments of 1 file are dropped')
    await pressDecision(() => dialog()?.querySelector<HTMLElement>('.button.danger'))
    await expect.poll(() => sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ name: 'turn_down_draft' })
    expect(recordOf(sent[0]?.body)['amended']).toBeUndefined()
    expect(leaves()).toBe(true)
  })

  it('stay with files that are as they were, and are named where files have changed', async () => {
    const other = (): DraftContents => {
      const { files, ...more } = contentsOf(TEXTS)
      const [first, ...rest] = files
      return {
        ...more,
        revision: 'r2',
        files: first ? [{ ...first, digest: 'other' }, ...rest] : [],
      }
    }
    show({ contents: (round) => (round === 0 ? contentsOf(TEXTS) : other()) })
    await leaveOut('/a.txt', 0)
    await edit('/b.txt', 'better\n')
    await userEvent.click(page.getByRole('button', { name: 'Show the current state' }))
    await expect
      .poll(() => root.querySelector('.review .note')?.textContent)
      .toMatch(/amendments of 1 file were dropped.*\/a\.txt/)
    expect(headOf('/a.txt')).not.toContain('amended')
    expect(headOf('/b.txt')).toContain('amended by you')
    await userEvent.click(root.querySelector('.review .note button') ?? root)
    await expect.poll(() => root.querySelector('.review .note')).toBeNull()
  })

  it('of more files than one approval can have are decided in parts', async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 21 }, (_, at) => [`/${at}.txt`, ['a\n', 'b\n']] as const),
    )
    const sent = show({ texts })
    await isDrawn('/0.txt')
    for (const { path, digest } of contentsOf(texts).files)
      setAmendment(nameDraft('d1'), { path, digest }, editText('b\n', 'a\n', 'c\n'))
    await pressDecision(approve)
    await expect
      .poll(() => root.querySelector('.noticeline')?.textContent)
      .toContain('at most 20 files')
    expect(sent).toEqual([])
  })
})

describe.each(['light', 'dark'])('in %s', (scheme) => {
  it.each([1_200, 400])('passes the checks of axe at %s px', async (width) => {
    await page.viewport(width, 900)
    document.documentElement.style.colorScheme = scheme
    show()
    await isDrawn('/a.txt')
    await userEvent.keyboard('nl')
    await expect.poll(() => labels('/a.txt')[0]).toContain('left out')
    await userEvent.click(page.getByRole('button', { name: 'Edit /b.txt' }))
    await expect.poll(field).not.toBeNull()
    await userEvent.keyboard('x')
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
    const { violations } = await axe.run(root, { resultTypes: ['violations'] })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  })
})
