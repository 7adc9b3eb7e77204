/** The files page: folders in columns, files as they read and as their source, and what can be made of them. */

import { Files } from '#host/console/files/files.tsx'
import { closeEditing, unsavedPaths } from '#host/console/files/editing.ts'
import { findTarget } from '#host/console/files/rendered.tsx'
import { sortEntries } from '#host/console/files/entry-table.tsx'
import { Undo } from '#host/console/activity/undo.tsx'
import { revision } from '#host/console/connect/connection.ts'
import { route } from '#host/console/shell/route.ts'
import { toasts } from '#host/console/ui/toasts.tsx'
import { parsePath } from '#core/path.ts'
import axe from 'axe-core'
import { disconnect, fakeFiles, type FakeFiles } from '../../../support/host/fake-files.ts'
import { pressDecision } from '../../../support/host/press-decision.ts'
import { render } from 'preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'

const root = document.createElement('main')
let files: FakeFiles

const FILES = {
  '/Notes.md':
    '# Notes\n\nSee [more](docs/a.md) and [web](https://e.test/x), ![Icon](i.png) ![far](https://e.test/t.png) [run](javascript:run)\n',
  '/docs/a.md': 'a\n',
  '/code.ts': 'const a = 1 // x\n',
  '/odd.txt': 'pay \u202eecila\n',
  '/bin.dat': new Uint8Array([0, 255, 1]),
  '/i.png': new Uint8Array([0x89, 0x50, 0, 0]),
  '/empty.txt': '',
}

beforeEach(() => document.body.append(root))

afterEach(() => {
  for (const path of unsavedPaths()) closeEditing(path)
  render(null, root)
  root.remove()
  disconnect()
  toasts.value = []
  location.hash = ''
  vi.unstubAllGlobals()
})

async function show(path = '/', contents: Parameters<typeof fakeFiles>[0] = FILES): Promise<void> {
  files = fakeFiles(contents)
  location.hash = path === '/' ? '#/files' : `#/files?path=${encodeURIComponent(path)}`
  await expect.poll(() => route.value.path[0]).toBe('files')
  render(
    <>
      <Files />
      <Undo />
    </>,
    root,
  )
}

const text = () => root.textContent
const button = (name: string) => page.getByRole('button', { name, exact: true })

describe('a folder', () => {
  it('has names, sizes and dates in columns, folders first, and no accessibility faults', async () => {
    await show()
    await expect.element(page.getByRole('table')).toBeVisible()
    const names = [...root.querySelectorAll('tbody tr')].map((row) => row.getAttribute('data-path'))
    expect(names).toEqual([
      ...['/docs', '/bin.dat', '/code.ts', '/empty.txt', '/i.png', '/Notes.md', '/odd.txt'],
    ])
    expect(root.querySelector('[data-path="/code.ts"] .size')?.textContent).toBe('17 bytes')
    await button('Size').click()
    expect(root.querySelector('th.size')?.getAttribute('aria-sort')).toBe('descending')
    expect(root.querySelectorAll('tbody tr')[1]?.getAttribute('data-path')).toBe('/Notes.md')
    const { violations } = await axe.run(root, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it('takes files that are dropped, and says what would be imported where', async () => {
    await show('/docs')
    await expect.element(page.getByRole('table')).toBeVisible()
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['one'], 'one.txt'))
    dataTransfer.items.add(new File(['three'], 'two.txt'))
    const drop = (type: string) =>
      root
        .querySelector('.dropzone')
        ?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
    drop('dragenter')
    await expect.poll(text).toContain('Drop to import into')
    drop('drop')
    await expect.poll(text).toContain('2 files, 8 bytes.')
    await expect.element(page.getByLabelText('Target folder')).toHaveValue('/docs')
  })

  it('shows a large one page by page in the order of the server, and does not sort a part', async () => {
    const pageOf = (from: number, next: string | null) => ({
      entries: [`b${from}`, `a${from}`].map((name) => ({
        ...{ name, type: 'file', version: 1, mtime: 0, size: 1 },
      })),
      next,
    })
    await show()
    vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
      if (init.method === 'HEAD') return new Response(null)
      const after = new URL(url, location.href).searchParams.get('after')
      return Response.json(after === null ? pageOf(0, 'a0') : pageOf(1, null))
    })
    revision.value++
    await expect.poll(text).toContain('more below')
    expect(root.querySelectorAll('thead button')).toHaveLength(0)
    const names = () =>
      [...root.querySelectorAll('tbody tr')].map((row) => row.getAttribute('data-path'))
    expect(names()).toEqual(['/b0', '/a0'])
    await button('Show more').click()
    await expect.poll(names).toEqual(['/a0', '/a1', '/b0', '/b1'])
    expect(root.querySelectorAll('thead button')).toHaveLength(3)
  })

  it('offers its zip at the address of the export', async () => {
    await show('/docs')
    const link = page.getByRole('link', { name: 'Download as zip' })
    await expect.element(link).toHaveAttribute('href', '/export/docs?format=zip')
  })

  it('creates a file and opens it in the editor', async () => {
    await show('/docs')
    await button('New file').click()
    await userEvent.keyboard('new/b.txt')
    await button('Create').click()
    await expect.element(page.getByRole('textbox', { name: /^Text of/ })).toBeVisible()
    expect(files.textOf('/docs/new/b.txt')).toBe('')
    expect(files.calls).toEqual([
      { tool: 'write_file', args: { path: '/docs/new/b.txt', content: '', if_version: 0 } },
    ])
    closeEditing('/docs/new/b.txt')
  })

  it('says why a name is not taken, and keeps the dialog', async () => {
    await show()
    await button('New file').click()
    await userEvent.keyboard('code.ts')
    await button('Create').click()
    await expect.poll(text).toContain('Cannot create the file')
    expect(files.calls).toEqual([])
  })

  it('renames with F2, at the version that is listed', async () => {
    await show()
    await expect.element(page.getByRole('table')).toBeVisible()
    root.querySelector<HTMLElement>('[data-path="/code.ts"] a')?.focus()
    await userEvent.keyboard('{F2}')
    await page.getByLabelText('New name').fill('main.ts')
    await button('Rename').click()
    await expect.poll(() => files.textOf('/main.ts')).not.toBeNull()
    expect(files.calls).toEqual([
      { tool: 'move_file', args: { from: '/code.ts', to: '/main.ts', if_version: 3 } },
    ])
  })

  it('moves into a folder that is picked', async () => {
    await show()
    await page.getByRole('button', { name: 'Actions for code.ts' }).click()
    await button('Move…').click()
    await page.getByRole('group', { name: 'Folders' }).getByRole('button', { name: 'docs' }).click()
    await button('Move here').click()
    await expect.poll(() => files.textOf('/docs/code.ts')).not.toBeNull()
  })

  it('deletes after a preview and a press that counts', async () => {
    await show()
    await expect.element(page.getByRole('table')).toBeVisible()
    root.querySelector<HTMLElement>('[data-path="/odd.txt"] a')?.focus()
    await userEvent.keyboard('{Delete}')
    await pressDecision(() =>
      [...document.querySelectorAll<HTMLElement>('dialog .decides')].find(
        (one) => one.textContent === ' Delete',
      ),
    )
    await expect.poll(() => files.textOf('/odd.txt')).toBeNull()
    expect(toasts.value.at(-1)).toMatchObject({ linkText: 'See or undo it' })
  })
})

it('sorts by what was asked for, and by names where that is equal', () => {
  const entry = (name: string, size: number | null, changed: number) => ({
    ...{ name, path: `/${name}`, version: 1, changed, size },
    type: size === null ? ('folder' as const) : ('file' as const),
  })
  const all = [entry('b10', 1, 3), entry('b2', 1, 1), entry('z', null, 9), entry('a', 5, 2)]
  const names = (order: Parameters<typeof sortEntries>[1]) =>
    sortEntries(all, order).map(({ name }) => name)
  expect(names({ by: 'name', isDown: false })).toEqual(['z', 'a', 'b2', 'b10'])
  expect(names({ by: 'size', isDown: true })).toEqual(['z', 'a', 'b2', 'b10'])
  expect(names({ by: 'changed', isDown: true })).toEqual(['z', 'b10', 'a', 'b2'])
})

describe('a file', () => {
  it('shows Markdown as it reads, with links and pictures of the workspace alone', async () => {
    await show('/Notes.md')
    await expect
      .element(page.getByRole('link', { name: 'more' }))
      .toHaveAttribute('href', '#/files?path=%2Fdocs%2Fa.md')
    expect(text()).toContain('(https://e.test/x)')
    expect(root.querySelectorAll('.rendered a')).toHaveLength(1)
    expect(text()).toContain('(javascript:run)')
    const sources = [...root.querySelectorAll('img')].map((one) => one.getAttribute('src'))
    expect(sources).toEqual(['/files/i.png?v=0'])
    await page.getByText('Source').click()
    await expect.poll(text).toContain('# Notes')
  })

  it('shows the source with numbers and colours, and hidden characters by name', async () => {
    await show('/code.ts')
    await expect.poll(() => root.querySelector('.sourcelines .keyword')?.textContent).toBe('const')
    render(null, root)
    await show('/odd.txt')
    await expect.poll(text).toContain('RLO')
  })

  it.each([
    ['/bin.dat', 'This file cannot be shown or edited here: it is not text.'],
    ['/i.png', 'A picture cannot be edited here.'],
  ])('says why %s has no editor', async (path, reason) => {
    await show(path)
    await expect.poll(text).toContain(reason)
    expect(page.getByRole('button', { name: 'Edit' }).elements()).toEqual([])
  })

  it('shows the beginning of a large one, and says why it has no editor', async () => {
    await show('/large.txt', { '/large.txt': 'line\n'.repeat(300_000) })
    await expect.poll(text).toContain('larger than 1 MiB')
    expect(text()).toContain('Show more')
    expect(page.getByRole('button', { name: 'Edit' }).elements()).toEqual([])
  })

  it('says that nothing is there', async () => {
    await show('/gone.txt')
    await expect.poll(text).toContain('Nothing is here')
  })
})

it.each([
  ['b.md', '/docs/b.md'],
  ['./b%20c.md#part', '/docs/b c.md'],
  ['../x.png?raw=1', '/x.png'],
  ['/top.md', '/top.md'],
  ['../../../etc', '/etc'],
  ['//e.test/x', null],
  ['https://e.test', null],
  ['javascript:alert(1)', null],
  ['JAVASCRIPT:alert(1)', null],
  ['data:text/html,x', null],
  ['#part', null],
  ['', null],
])('finds what a link of a text names: %j', (address, path) => {
  expect(findTarget(parsePath('/docs/a.md'), address)).toBe(path)
})
