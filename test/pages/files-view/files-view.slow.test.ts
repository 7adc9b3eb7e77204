/** The file browser in an official host, operated as a user would, against the real product. @module */

import { readFileSync } from 'node:fs'
import type { Frame, Page } from 'playwright'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFiles } from '../../support/e2e/files.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import {
  callTool,
  useFilesView,
  useHostPage,
  type HostOptions,
} from '../../support/pages/files-view.ts'

const host = useHostPage()
const server = useServer(() => ({ EDGEWISE_ORIGINS: host.origin }))
const browser = useBrowser()
const { put, read, get } = createFiles(server)
const { show } = useFilesView(server, browser, host)

const SOURCE = `/** Greets.
 * @module */
export function greet(name: string): string {
  // loudly
  return \`Hello \${name}\`
}
`
const AXE = new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url)
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAARCAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAn/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AKpgB//Z',
  'base64',
)

beforeAll(async () => {
  await put('/src/main.ts', SOURCE)
  await put('/src/lib/util.ts', 'export const answer = 42\n')
  await put('/src/dot.png', new Uint8Array(PNG))
  await put('/named/jpeg.png', new Uint8Array(JPEG))
  await put('/named/no-ending', new Uint8Array(PNG))
  await put(
    '/named/404.jpg',
    '<!DOCTYPE html>\n<script>document.title = "run"</script>\n<p>Not Found</p>\n',
  )
  await put('/named/stub.png', new Uint8Array(PNG.subarray(0, 18)))
  await put('/named/empty.png', '')
  await put('/src/plan.svg', '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>')
  await put('/src/blob.bin', new Uint8Array([0, 1, 255]))
  await put('/src/nothing.txt', '')
  await put('/big.log', Array.from({ length: 50_000 }, (_, n) => `line ${n + 1}`).join('\n'))
  await put('/README.md', '# Edgewise\n')
  await callTool(server, 'write_file', { path: '/README.md', content: '# Edgewise\n\nFiles.\n' })
})

let page: Page
let view: Frame

async function open(options: HostOptions = {}, pageOptions: Parameters<typeof show>[1] = {}) {
  ;({ page, view } = await show(options, pageOptions))
  await view.waitForSelector('[role=treeitem]')
}

afterEach(() => page.context().close())

const row = (name: string) => view.getByRole('treeitem', { name })
const button = (name: string) => view.getByRole('button', { name, exact: true })
const notice = () => view.locator('.notice')
const toolsCalled = () => page.evaluate<string[]>('host.calls.map(({ name }) => name)')

/** Returns the title of the focused element. */
const focused = () => view.evaluate<string>('document.activeElement.title')

describe('reading', () => {
  beforeEach(() => open())

  it('loads folders on demand, highlights a file, and shows images, binary and empty files by content', async () => {
    expect(await toolsCalled()).toEqual(['list_roots', 'list_folder'])
    await row('src').click()
    await row('main.ts').click()
    await view.locator('.l').first().waitFor()
    expect(await view.locator('.code').innerText()).toContain('return `Hello ${name}`')
    await expect.poll(() => view.locator('.keyword').allInnerTexts()).toContain('export')
    await expect.poll(() => view.locator('.comment').allInnerTexts()).toContain('// loudly')

    for (const name of ['dot.png', 'plan.svg']) {
      await row(name).click()
      const image = view.getByRole('img', { name })
      await image.waitFor()
      await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.complete)).toBe(true)
      expect(await image.getAttribute('src')).toMatch(/^data:image\//)
    }
    await row('blob.bin').click()
    await view.getByText('application/octet-stream, 3 bytes').waitFor()
    await row('nothing.txt').click()
    await view.getByText('This file is empty.').waitFor()

    await row('named').click()
    for (const [name, type] of [
      ['jpeg.png', 'image/jpeg'],
      ['no-ending', 'image/png'],
    ] as const) {
      await row(name).click()
      const image = view.getByRole('img', { name, exact: true })
      await image.waitFor()
      expect(await image.getAttribute('src')).toMatch(new RegExp(`^data:${type};base64,`))
      await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1)
    }
    await row('404.jpg').click()
    await view.getByText('3 lines').waitFor()
    expect(await view.locator('.code').innerText()).toContain('<p>Not Found</p>')
    expect(await view.getByRole('img', { name: '404.jpg' }).count()).toBe(0)
    await row('stub.png').click()
    await view.getByText('This file is not text and cannot be shown.').waitFor()
    await row('empty.png').click()
    await view.getByText('This file is empty.').waitFor()
  })

  it('reads only the visible part of a long file, and goes to a line', async () => {
    await row('big.log').click()
    await view.getByText('50,000 lines').waitFor()
    await view.getByLabel('Go to line').fill('40123')
    await page.keyboard.press('Enter')
    await view.getByText('line 40123', { exact: true }).waitFor()
    expect(await view.locator('.l').count()).toBeLessThan(1_000)
    const reads = (await toolsCalled()).filter((name) => name === 'read_file')
    expect(reads.length).toBeLessThan(12)
    await button('Wrap lines').click()
    await view.getByText('line 40123', { exact: true }).waitFor()
  })

  it('finds by name and by content, with the keyboard only', async () => {
    await row('src').focus()
    await page.keyboard.press('/')
    await page.keyboard.type('util')
    await view.getByRole('option', { name: 'src/lib/util.ts' }).waitFor()
    await page.keyboard.press('Enter')
    await view.getByText('export const answer = 42').waitFor()
    expect(await view.getByRole('combobox').inputValue()).toBe('util')
    await button('Contents').click()
    await view.getByRole('combobox').fill('hello $')
    await view.getByText('1 line in 1 file').first().waitFor()
    expect(await view.locator('mark').allInnerTexts()).toEqual(['Hello $'])
    await view.getByRole('combobox').press('ArrowDown')
    await page.keyboard.press('Enter')
    await view.locator('.here').waitFor()
    expect(await view.locator('.here').getAttribute('data-n')).toBe('5')
    await view.getByRole('combobox').press('Escape')
    await row('src').waitFor()
  })

  it('shows the error of a pattern', async () => {
    await button('Contents').click()
    await button('Regular expression').click()
    await view.getByRole('combobox').fill('(')
    await button('Try again').waitFor()
    expect(await view.locator('.empty.danger').innerText()).toMatch(/a \( is not closed/)
  })
})

describe('changing', () => {
  beforeEach(() => open())

  it('previews a deletion, applies it, and undoes it', async () => {
    await put('/gone.txt', 'one\ntwo\n')
    await button('Refresh').click()
    await row('gone.txt').click()
    await button('Delete').click()
    const dialog = view.getByRole('dialog')
    await dialog.getByText('Delete /gone.txt').waitFor()
    expect(await dialog.locator('tr.d').count()).toBe(2)
    expect((await get('/gone.txt')).status).toBe(200)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await notice().getByText('Deleted gone.txt').waitFor()
    expect((await get('/gone.txt')).status).toBe(404)
    await row('gone.txt').waitFor({ state: 'detached' })

    await notice().getByRole('button', { name: 'Undo' }).click()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await row('gone.txt').waitFor()
    expect(await read('/gone.txt')).toBe('one\ntwo\n')
  })

  it('draws apart what would look alike, in the list, the heading and the questions', async () => {
    await put('/odd/a.txt', 'one\n')
    await put('/odd/a.txt%20', 'two\n')
    await button('Refresh').click()
    await row('odd').click()
    await view.locator('[data-path="/odd/a.txt "]').click()
    expect(await view.locator('[role=treeitem] .hidden-char').allTextContents()).toEqual(['SP'])
    const heading = view.locator('.heading h2')
    await heading.getByText('a.txtSP').waitFor()
    expect(await view.locator('.heading p').innerText()).toMatch(/· \/odd$/)
    await button('Delete').click()
    const dialog = view.getByRole('dialog')
    await dialog.locator('strong .hidden-char').waitFor()
    expect(await dialog.locator('h2').innerText()).toBe('Delete a.txtSP?')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  it('creates and renames files and folders', async () => {
    // Another name for a second try.
    const folder = `made-${crypto.randomUUID().slice(0, 4)}`
    const dialog = view.getByRole('dialog')
    await button('New folder').click()
    await dialog.getByRole('textbox').fill(folder)
    await dialog.getByRole('textbox').press('Enter')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await row(folder).click()
    await button('New file').click()
    await dialog.getByRole('textbox').fill('a.txt')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await view.getByRole('heading', { name: 'a.txt' }).waitFor()
    await button('Rename or move').click()
    await dialog.getByRole('textbox').fill('b.txt')
    await dialog.getByRole('textbox').press('Enter')
    await dialog.getByText(`Move /${folder}/a.txt to /${folder}/b.txt`).waitFor()
    await dialog.getByRole('button', { name: 'Move' }).click()
    await view.getByRole('heading', { name: 'b.txt' }).waitFor()
    expect((await get(`/${folder}/b.txt`)).status).toBe(200)
    expect((await get(`/${folder}/a.txt`)).status).toBe(404)
  })

  it('does not overwrite a concurrent change of an agent, and shows it instead', async () => {
    await put('/race.txt', 'mine\n')
    await button('Refresh').click()
    await row('race.txt').click()
    await button('Delete').click()
    const dialog = view.getByRole('dialog')
    await dialog.locator('tr.d').waitFor()
    await callTool(server, 'write_file', { path: '/race.txt', content: 'theirs\n' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText(/Nothing was changed/).waitFor()
    expect(await read('/race.txt')).toBe('theirs\n')
    await dialog.getByRole('button', { name: 'Preview again' }).click()
    await dialog.getByText('theirs').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await notice().getByText('Deleted race.txt').waitFor()
  })

  it('uploads several files, and confirms before it replaces one', async () => {
    await put('/up/one.txt', 'old\n')
    await button('Refresh').click()
    await row('up').click()
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })
    const files = [file('one.txt', 'new\n'), file('two.txt', 'two'), file('ü 3.txt', 'three')]
    await view.locator('input[type=file]').setInputFiles(files)
    const dialog = view.getByRole('dialog')
    await dialog.getByText('one.txt').waitFor()
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await dialog.getByRole('button', { name: 'Keep both' }).waitFor()
    expect(await dialog.locator('tr:is(.d, .i)').allInnerTexts()).toEqual([
      expect.stringContaining('old'),
      expect.stringContaining('new'),
    ])
    await dialog.getByRole('button', { name: 'Keep both' }).click()
    await notice().getByText('Uploaded 3 files').waitFor()
    expect(await read('/up/one.txt')).toBe('old\n')
    expect(await read('/up/one%20(2).txt')).toBe('new\n')
    expect(await read('/up/two.txt')).toBe('two')
    expect(await read('/up/%C3%BC%203.txt')).toBe('three')
  })

  it('shows the diff of each change, and restores a version', async () => {
    await row('README.md').click()
    await button('History').click()
    await view.locator('.history-entry').first().click()
    await expect.poll(() => view.locator('tr.i').count()).toBe(2)
    await button('All changes').click()
    await view.locator('.history-entry').last().click()
    await button('Restore this version').click()
    const dialog = view.getByRole('dialog')
    await expect.poll(() => dialog.locator('tr.d').count()).toBe(2)
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await notice().getByText('Restored README.md').waitFor()
    expect(await read('/README.md')).toBe('# Edgewise\n')
  })
})

describe('with the host', () => {
  it('hides actions that the host does not support', async () => {
    await open({
      capabilities: { serverTools: {} },
      context: { availableDisplayModes: ['inline'] },
    })
    await row('README.md').click()
    await button('Rename or move').waitFor()
    for (const name of ['Download', 'Share with the agent', 'Full screen', 'Copy'])
      expect(await button(name).count(), name).toBe(0)
    await row('src').click()
    await row('dot.png').click()
    await view.getByRole('img', { name: 'dot.png' }).waitFor()
  })

  it('shows an error when the host does not let views call tools', async () => {
    ;({ page, view } = await show({ capabilities: {} }))
    await view.getByText('does not let views call tools').waitFor()
  })

  it('requests no preview where the host would apply it', async () => {
    await put('/drop.txt', 'x')
    await open({ dropsMeta: true })
    await row('drop.txt').click()
    await button('Delete').click()
    const dialog = view.getByRole('dialog')
    await dialog.getByText('This host supports no previews').waitFor()
    expect((await get('/drop.txt')).status).toBe(200)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await notice().getByText('Deleted drop.txt').waitFor()
    expect((await get('/drop.txt')).status).toBe(404)
  })

  it('downloads through the host, and shares a path with the agent', async () => {
    await open()
    await row('big.log').click()
    await button('Share with the agent').click()
    await notice().getByText('Shared /big.log with the agent').waitFor()
    await button('Download').click()
    await notice().getByText('Downloaded big.log').waitFor()
    const requests = await page.evaluate<[string, Record<string, unknown>][]>('host.requests')
    expect(requests).toMatchObject([
      ['context', { structuredContent: { path: '/big.log', type: 'file' } }],
      ['download', { contents: [{ type: 'resource', resource: { uri: 'file:///big.log' } }] }],
    ])
  })

  it('opens the file that a tool read, and the results of a search', async () => {
    const result = await callTool(server, 'read_file', { path: 'src/main.ts', start_line: 4 })
    await open({ result: { content: [], ...result } })
    await view.getByRole('heading', { name: 'main.ts' }).waitFor()
    expect(await row('main.ts').getAttribute('aria-selected')).toBe('true')
    await page.context().close()

    const found = await callTool(server, 'search_files', { pattern: 'answer', root: 'src' })
    ;({ page, view } = await show({ result: { content: [], ...found } }))
    await view.getByRole('option').last().click()
    await view.getByText('export const answer = 42').first().waitFor()
  })

  it('refreshes on a notification of the host, and on request', async () => {
    await open()
    await put('/fresh.txt', 'x')
    await page.evaluate('host.bridge.sendResourceListChanged()')
    await row('fresh.txt').waitFor()
    await callTool(server, 'delete_file', { path: '/fresh.txt' })
    await button('Refresh').click()
    await row('fresh.txt').waitFor({ state: 'detached' })
  })

  it('shows that the server cannot be reached, and tries again', async () => {
    await open()
    await page.evaluate('host.gate = () => { throw new Error("Connection lost") }')
    await row('src').click()
    await view.getByText('Connection lost').first().waitFor()
    await page.evaluate('host.gate = null')
    await view.getByText('Connection lost').first().click()
    await row('main.ts').waitFor()
  })
})

describe('accessibility and size', () => {
  it('is operable with the keyboard', async () => {
    await open()
    await row('src').focus()
    await page.keyboard.press('Home')
    const first = await focused()
    await page.keyboard.press('ArrowDown')
    expect(await focused()).not.toBe(first)
    await page.keyboard.type('sr')
    expect(await focused()).toBe('src')
    await page.keyboard.press('ArrowRight')
    await row('main.ts').waitFor()
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('lib')
    await page.keyboard.press('ArrowLeft')
    expect(await focused()).toBe('src')
    await page.keyboard.press('ArrowLeft')
    await row('main.ts').waitFor({ state: 'detached' })
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await view.getByRole('heading', { name: await focused() }).waitFor()
    await view.getByRole('separator').focus()
    const before = Number(await view.getByRole('separator').getAttribute('aria-valuenow'))
    await page.keyboard.press('ArrowRight')
    const after = Number(await view.getByRole('separator').getAttribute('aria-valuenow'))
    expect(after).toBeGreaterThan(before)
  })

  it('has no axe violations in light and dark', async () => {
    await open({}, { bypassCSP: true })
    await view.addScriptTag({ content: readFileSync(AXE, 'utf8') })
    const faults = async (where: string) => {
      for (const theme of ['dark', 'light']) {
        await page.evaluate(`host.bridge.setHostContext({ theme: '${theme}' })`)
        await expect.poll(() => view.evaluate('document.documentElement.dataset.theme')).toBe(theme)
        // A colour that changes gradually has not arrived yet.
        await view.evaluate(
          'Promise.allSettled(document.getAnimations().map(({ finished }) => finished))',
        )
        const found = await view.evaluate<{ id: string; nodes: { html: string }[] }[]>(
          'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)',
        )
        const violations = found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
        expect(violations, `${where}, ${theme}`).toEqual([])
      }
    }
    await faults('tree')
    await row('src').click()
    await row('main.ts').click()
    await view.locator('.keyword').first().waitFor()
    await faults('text')
    await button('History').click()
    await view.locator('.history-entry').first().waitFor()
    await faults('history')
    await button('Delete').click()
    await view.locator('tr.d').first().waitFor()
    await faults('dialog')
    await page.keyboard.press('Escape')
    await button('Contents').click()
    await view.getByRole('combobox').fill('name')
    await view.locator('mark').first().waitFor()
    await faults('results')
  })

  it('shows one pane at a time in a narrow frame', async () => {
    await open({}, { viewport: { width: 400, height: 700 } })
    expect(await view.locator('.detail').isVisible()).toBe(false)
    await row('README.md').click()
    await view.getByText('Edgewise').first().waitFor()
    expect(await view.locator('.list').isVisible()).toBe(false)
    await button('Back to the list').click()
    expect(await view.locator('.list').isVisible()).toBe(true)
    await row('src').click()
    await button('Show the selection').click()
    await button('Delete').waitFor()
  })

  it('fills the screen on request', async () => {
    await open()
    await button('Full screen').click()
    const tall = () => view.locator('.page').evaluate((each: HTMLElement) => each.offsetHeight)
    await expect.poll(tall).toBe(720)
  })
})
