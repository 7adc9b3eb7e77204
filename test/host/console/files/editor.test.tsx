/** The editor: what is saved, what survives, and what happens if the file was changed meanwhile. */

import { Files } from '#host/console/files/files.tsx'
import { closeEditing, editingOf, unsavedPaths } from '#host/console/files/editing.ts'
import { revision } from '#host/console/connect/connection.ts'
import { queue } from '#host/console/questions/queue.ts'
import { route } from '#host/console/shell/route.ts'
import { toasts } from '#host/console/ui/toasts.tsx'
import axe from 'axe-core'
import { disconnect, fakeFiles, type FakeFiles } from '../../../support/host/fake-files.ts'
import { pressDecision } from '../../../support/host/press-decision.ts'
import { render } from 'preact'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'

const root = document.createElement('main')
let files: FakeFiles

const style = Object.assign(document.createElement('link'), {
  ...{ rel: 'stylesheet', href: '/host/console/style.css' },
})

beforeAll(async () => {
  const loaded = new Promise((resolve) => style.addEventListener('load', resolve))
  document.head.append(style)
  await loaded
})

afterAll(() => style.remove())

beforeEach(() => document.body.append(root))

afterEach(() => {
  for (const path of ['/a.ts', '/b.ts']) closeEditing(path)
  render(null, root)
  root.remove()
  disconnect()
  toasts.value = []
  queue.value = []
  location.hash = ''
  vi.unstubAllGlobals()
})

const TEXT = '\ufeffone\r\ntwo\r\nthree\r\nfour\r\nfive\r\n'

async function go(path: string): Promise<void> {
  location.hash = `#/files?path=${encodeURIComponent(path)}`
  await expect.poll(() => route.value.query['path']).toBe(path)
}

const field = () => root.querySelector<HTMLTextAreaElement>('.codefield textarea')
const value = () => field()?.value
const text = () => root.textContent
const button = (name: string) => page.getByRole('button', { name, exact: true })
const decision = (name: string) => () =>
  [...root.querySelectorAll<HTMLElement>('.decides')].find((one) => one.textContent.includes(name))

async function open(): Promise<void> {
  files = fakeFiles({ '/a.ts': TEXT, '/b.ts': 'b\n' })
  await go('/a.ts')
  render(<Files />, root)
  await button('Edit').click()
  await expect.poll(value).toBe('one\ntwo\nthree\nfour\nfive\n')
}

/** Replaces the text of a line by typing. */
async function typeOver(line: string, next: string): Promise<void> {
  const at = value()?.indexOf(line) ?? -1
  field()?.focus()
  field()?.setSelectionRange(at, at + line.length)
  await userEvent.keyboard(next)
}

it('saves edits of lines, which keep the endings and the byte order mark', async () => {
  await open()
  await typeOver('two', 'TWO')
  await expect.poll(text).toContain('Not saved yet.')
  await pressDecision(decision('Save'))
  await expect.poll(() => files.textOf('/a.ts')).toBe(TEXT.replace('two', 'TWO'))
  expect(files.calls).toEqual([
    {
      tool: 'edit_file',
      args: { path: '/a.ts', edits: [{ find: 'two\n', replace: 'TWO\n' }], if_version: 1 },
    },
  ])
  await expect.poll(text).toContain('No unsaved changes.')
  expect(editingOf('/a.ts')?.source.version).toBe(3)
})

it('saves with a key, and not by a script', async () => {
  await open()
  await typeOver('one', 'ONE')
  field()?.dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true, bubbles: true }))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(files.calls).toEqual([])
  await userEvent.keyboard('{Control>}s{/Control}')
  await expect.poll(() => files.calls.length).toBe(1)
})

it('overwrites nothing that was changed since, shows both, and merges them', async () => {
  await open()
  await typeOver('two', 'TWO')
  files.put('/a.ts', TEXT.replace('five', 'FIVE'))
  await pressDecision(decision('Save'))
  await expect.poll(text).toContain('This file was changed while you were editing it.')
  expect(files.textOf('/a.ts')).toContain('FIVE')
  expect(files.textOf('/a.ts')).not.toContain('TWO')
  expect(value()).toContain('TWO')
  await expect.poll(text).toContain('FIVE')
  const { violations } = await axe.run(root, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] })
  expect(violations.map(({ id }) => id)).toEqual([])
  await button('Merge both').click()
  await expect.poll(value).toBe('one\nTWO\nthree\nfour\nFIVE\n')
  await pressDecision(decision('Save'))
  const merged = TEXT.replace('two', 'TWO').replace('five', 'FIVE')
  await expect.poll(() => files.textOf('/a.ts')).toBe(merged)
})

it('is refused by a change between the preview and its application', async () => {
  await open()
  await typeOver('two', 'TWO')
  files.beforeNext = () => files.put('/a.ts', TEXT.replace('two', 'zwei'))
  await pressDecision(decision('Save'))
  await expect.poll(text).toContain('This file was changed while you were editing it.')
  expect(files.textOf('/a.ts')).toContain('zwei')
  await button('Keep my text').click()
  await pressDecision(decision('Save'))
  await expect.poll(() => files.textOf('/a.ts')).toBe(TEXT.replace('two', 'TWO'))
})

it('takes their text only by a press that counts', async () => {
  await open()
  await typeOver('two', 'TWO')
  files.put('/a.ts', TEXT.replace('one', 'eins'))
  await pressDecision(decision('Save'))
  await pressDecision(decision('Use their text'))
  await expect.poll(value).toBe('eins\ntwo\nthree\nfour\nfive\n')
  await expect.poll(text).toContain('The text of the workspace is shown.')
})

it('loses nothing when the workspace changes, when the file goes, and when another page is shown', async () => {
  await open()
  await typeOver('two', 'TWO')
  files.put('/a.ts', 'other\n')
  revision.value++
  await expect.poll(text).toContain('This file was changed in the workspace.')
  expect(value()).toContain('TWO')
  files.remove('/a.ts')
  revision.value++
  await expect.poll(text).toContain('This file was deleted in the workspace.')
  expect(value()).toContain('TWO')
  await go('/b.ts')
  await expect.poll(text).toContain('Unsaved text:')
  expect(unsavedPaths()).toEqual(['/a.ts'])
  await go('/a.ts')
  await expect.poll(value).toContain('TWO')
  const leaving = new Event('beforeunload', { cancelable: true })
  dispatchEvent(leaving)
  expect(leaving.defaultPrevented).toBe(true)
  await button('Decide').click()
  await button('Save as a new file').click()
  await pressDecision(decision('Save'))
  await expect.poll(() => files.textOf('/a.ts')).toContain('TWO')
})

it('asks before it discards what was typed', async () => {
  await open()
  await button('Close').click()
  await expect.poll(() => editingOf('/a.ts')).toBeNull()
  await button('Edit').click()
  await expect.poll(value).toContain('one')
  await typeOver('one', 'ONE')
  await button('Discard…').click()
  await expect.poll(() => queue.value).toMatchObject([{ kind: 'yes' }])
  expect(editingOf('/a.ts')?.typed).toContain('ONE')
})

it('indents with Tab, is left with Escape and Tab, and undoes with the keys of the browser', async () => {
  await open()
  field()?.focus()
  field()?.setSelectionRange(0, 0)
  await userEvent.keyboard('{Tab}')
  expect(value()).toBe('  one\ntwo\nthree\nfour\nfive\n')
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(value()).toBe('one\ntwo\nthree\nfour\nfive\n')
  await userEvent.keyboard('{Escape}{Tab}')
  expect(document.activeElement).not.toBe(field())
})

it('finds a text, marks it, and replaces it', async () => {
  await open()
  field()?.focus()
  await userEvent.keyboard('{Control>}f{/Control}')
  await page.getByLabelText('Find', { exact: true }).fill('three')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => root.querySelector('.codelines mark')?.textContent).toBe('three')
  await expect.poll(text).toContain('1 of 1')
  await page.getByLabelText('Replace with').fill('3')
  await button('Replace').click()
  await expect.poll(value).toBe('one\ntwo\n3\nfour\nfive\n')
  await page.getByLabelText('Find', { exact: true }).click()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => document.activeElement).toBe(field())
})

it('draws the letters of the lines exactly where those of the field are', async () => {
  await open()
  const drawn = root.querySelector('.codelines > div > div')?.getBoundingClientRect()
  const area = field()?.getBoundingClientRect()
  expect(drawn?.top).toBe(area?.top)
  const padding = Number.parseFloat(getComputedStyle(field() ?? root).paddingInlineStart)
  expect(drawn?.left).toBeCloseTo((area?.left ?? 0) + padding, 1)
  expect(root.querySelectorAll('.codenumbers > div > div')).toHaveLength(6)
})
