/**
 * Waiting for you: what an agent proposes is decided by a person, by mouse and by keyboard.
 * `waiting.slow.test.ts` has what can come between, and what else the page shows.
 */

import { describe, expect, it } from 'vitest'
import { faultsOf } from '../../support/pages/console-axe.ts'
import {
  appears,
  goTo,
  putFile,
  readText,
  sees,
  setConfig,
  settles,
  visit,
} from '../../support/pages/console-actions.ts'
import {
  button,
  call,
  isOff,
  lines,
  select,
  tabTo,
  useWaitingDrafts,
  write,
} from '../../support/pages/waiting-drafts.ts'

const { server, browser, connectAgent, openDraft } = useWaitingDrafts()

describe('deciding by mouse', () => {
  it('opens on what waits, shows a diff, approves a file, and undoes the approval', async () => {
    await putFile(server.url, '/docs/a.md', 'one\ntwo\n')
    const agent = await connectAgent('Docs agent')
    await call(agent, 'edit_file', { path: '/docs/a.md', edits: [{ find: 'two', replace: 'TWO' }] })
    await write(agent, '/docs/b.md', 'fresh\n')

    const page = await browser.open(server.url)
    await page.getByRole('heading', { name: 'Docs agent', level: 1 }).waitFor()
    await expect.poll(() => page.title()).toBe('(2) Waiting for you · Edgewise')
    await page.getByRole('navigation', { name: 'Pages' }).getByText('2', { exact: true }).waitFor()
    await page.getByText('2 calls of the agent, in its order').click()
    await sees(page, 'Edit /docs/a.md')

    await appears(lines(page).getByText('TWO').first())
    expect(await readText(server.url, '/docs/a.md')).toBe('one\ntwo\n')

    await select(page, '/docs/a.md').check()
    await button(page, 'Approve selected').click()
    await sees(page, '1 change approved and applied.')
    expect(await readText(server.url, '/docs/a.md')).toBe('one\nTWO\n')
    expect(await readText(server.url, '/docs/b.md')).toBeNull()
    await expect.poll(() => page.title()).toBe('(1) Waiting for you · Edgewise')

    await button(page, 'Approve all').click()
    await page.getByRole('heading', { name: 'Waiting for you', level: 1 }).waitFor()
    await sees(page, 'Nothing waits')
    expect(await readText(server.url, '/docs/b.md')).toBe('fresh\n')
    await expect.poll(() => page.title()).toBe('Waiting for you · Edgewise')

    await setConfig(server.url, {})
    await button(page, 'Undo').click()
    await button(page, 'Undo the change').click()
    await sees(page, /^Undone: Approval of 1 change/)
    expect(await readText(server.url, '/docs/b.md')).toBeNull()

    await goTo(page, '#/activity')
    await sees(page, /approved by you/)
    await page.getByRole('radio', { name: 'Proposed' }).check()
    await expect.poll(() => page.getByText('proposed', { exact: true }).count()).toBe(2)
    await page.context().close()
  })

  it('turns down with a note, which the agent reads', async () => {
    const agent = await connectAgent('Writer')
    await write(agent, '/title.md', 'x\n')
    const page = await openDraft('Writer')
    await button(page, 'Turn down all…').click()
    const dialog = page.getByRole('alertdialog', { name: 'Turn down 1 change?' })
    await dialog.getByLabel('Note to the agent').fill('Keep the <b>title</b>.')
    await button(page, 'Turn down').click()
    await sees(page, '1 change turned down.')
    expect(await readText(server.url, '/title.md')).toBeNull()
    expect(await call(agent, 'list_roots', {})).toContain('Keep the <b>title</b>.')
    await page.context().close()
  })

  it('selects a moved file as one', async () => {
    await putFile(server.url, '/move/from.txt', 'text\n')
    const agent = await connectAgent('Mover')
    await call(agent, 'move_file', { from: '/move/from.txt', to: '/move/to.txt' })
    await write(agent, '/move/alone.txt', 'x\n')
    const page = await openDraft('Mover')
    await button(page, '/move/from.txt → /move/to.txt').waitFor()
    await select(page, '/move/to.txt').click()
    expect(await select(page, '/move/alone.txt').isChecked()).toBe(false)
    await sees(page, '1 file selected')
    await button(page, 'Approve selected').click()
    await sees(page, '1 change approved and applied.')
    expect(await readText(server.url, '/move/to.txt')).toBe('text\n')
    await page.context().close()
  })

  it('approves changes that need a confirmation one at a time', async () => {
    await setConfig(server.url, { approval: 'confirm' })
    const agent = await connectAgent('Careful')
    await write(agent, '/one.txt', '1\n')
    await write(agent, '/two.txt', '2\n')
    const page = await visit(browser.open, server.url, '#/waiting')
    await page.getByRole('list', { name: 'Drafts' }).getByRole('link').click()
    await page.getByRole('button', { name: 'Turn down all…' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: /^Approve this change ?: Write to \/one.txt$/ }).click()
    await sees(page, '1 change approved and applied.')
    expect(await readText(server.url, '/one.txt')).toBe('1\n')
    expect(await readText(server.url, '/two.txt')).toBeNull()
    expect(await isOff(page, 'Approve all')).toBe(true)
    await page.getByRole('button', { name: /^Turn down… ?Write to \/two.txt$/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn down' }).click()
    await sees(page, '1 change turned down.')
    expect(await readText(server.url, '/two.txt')).toBeNull()
    await page.context().close()
  })
})

describe('by keyboard alone', () => {
  it('moves, selects, shows the diff and approves', async () => {
    const agent = await connectAgent('Keys')
    for (const name of ['a', 'b', 'c']) await write(agent, `/keys/${name}.txt`, `${name}\n`)
    const page = await visit(browser.open, server.url, '#/waiting')
    await page.getByRole('list', { name: 'Drafts' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.press('Escape')
    await tabTo(page, 'a.card')
    await page.keyboard.press('Enter')
    await button(page, 'Approve all').waitFor()
    await tabTo(page, '.draftfiles input')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    expect(await select(page, '/keys/b.txt').isChecked()).toBe(true)
    await appears(lines(page).getByText('b', { exact: true }).first())
    // A letter only moves the focus.
    await page.keyboard.press('a')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Approve')
    expect(await readText(server.url, '/keys/b.txt')).toBeNull()
    await settles(page)
    await page.keyboard.press('Enter')
    await sees(page, '1 change approved and applied.')
    expect(await readText(server.url, '/keys/b.txt')).toBe('b\n')
    expect(await readText(server.url, '/keys/a.txt')).toBeNull()
    await page.context().close()
  })
})
