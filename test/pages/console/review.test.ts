/**
 * The review of a draft: every difference is on the page before anything is decided, risky files first, with marks of
 * what was viewed. `waiting.test.ts` has the decisions.
 */

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { appears, putFile, readText, sees, settles } from '../../support/pages/console-actions.ts'
import {
  button,
  call,
  lines,
  select,
  useWaitingDrafts,
  write,
} from '../../support/pages/waiting-drafts.ts'

const { server, connectAgent, openDraft } = useWaitingDrafts()

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('')

const fileAt = (page: Page, path: string) => page.locator(`.draftfiles > li[data-path="${path}"]`)

const viewed = (page: Page, path: string) => page.getByRole('checkbox', { name: `Viewed ${path}` })

/** A draft with a rewrite, a secret, a deleted folder, a look-alike path, a move and plain edits. */
async function manyKinds(label: string): Promise<void> {
  await putFile(server.url, '/k/security.md', numbers(60))
  await putFile(server.url, '/k/plain.md', 'Hello *you*.\n')
  await putFile(server.url, '/k/code.py', 'if x:\n  one()\n')
  await putFile(server.url, '/k/old/a.txt', 'a\n')
  await putFile(server.url, '/k/old/b.txt', 'b\n')
  await putFile(server.url, '/k/from.txt', 'moved\n')
  const agent = await connectAgent(label)
  await write(agent, '/k/security.md', 'Nothing.\n')
  await write(agent, '/k/plain.md', 'Hello **all**.\n')
  await write(agent, '/k/code.py', 'if x:\n    one()\n')
  await call(agent, 'delete_file', { path: '/k/old' })
  await call(agent, 'move_file', { from: '/k/from.txt', to: '/k/to.txt' })
  await write(agent, '/k/.env', 'KEY=1\n')
  await write(agent, '/k/раypal.md', 'x\u200by\n')
}

describe('what a person sees', () => {
  it('is every difference, risky ones first and marked with why', async () => {
    await manyKinds('Kinds')
    const page = await openDraft('Kinds')
    const paths = await page
      .locator('.draftfiles > li')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-path')))
    const risky = ['/k/.env', '/k/old', '/k/security.md', '/k/раypal.md']
    expect(paths).toEqual([...risky, '/k/code.py', '/k/plain.md', '/k/to.txt'])
    await sees(page, '4 files to look at first')
    await appears(fileAt(page, '/k/.env').getByText('may hold secrets'))
    await appears(fileAt(page, '/k/security.md').getByText('rewritten'))
    await appears(fileAt(page, '/k/раypal.md').getByText('look-alike name'))
    await appears(fileAt(page, '/k/раypal.md').getByText('hidden characters'))
    await appears(fileAt(page, '/k/old').getByText('folder deleted with 2 files'))
    await appears(lines(page).getByText('KEY=1'))
    // What is far from the window is drawn once it comes near.
    await fileAt(page, '/k/раypal.md').scrollIntoViewIfNeeded()
    await appears(lines(page).getByText('ZWSP'))
    await button(page, '/k/old/a.txt 1 line removed').click()
    await appears(fileAt(page, '/k/old').locator('.difflines').getByText('a', { exact: true }))
    expect(await faultsOf(page)).toEqual([])
    await page.setViewportSize({ width: 400, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400)
    await page.context().close()
  })

  it('is drawn side by side, without white space, or rendered, where the person wants it', async () => {
    await manyKinds('Forms')
    const page = await openDraft('Forms')
    const code = fileAt(page, '/k/code.py')
    await code.scrollIntoViewIfNeeded()
    await appears(code.locator('.difflines tr.i').first())
    await page.getByText('Side by side', { exact: true }).click()
    await appears(code.locator('.difflines.twosides'))
    await button(page, 'Hide white space').click()
    await appears(code.getByText('Only white space differs, which is hidden.'))
    await fileAt(page, '/k/plain.md').getByText('Rendered', { exact: true }).click()
    await appears(fileAt(page, '/k/plain.md').locator('.markdown strong').getByText('all'))
    await page.reload()
    await button(page, 'Approve all').waitFor()
    await code.scrollIntoViewIfNeeded()
    await appears(code.locator('.difflines.twosides tr').first())
    await page.context().close()
  })

  it('is a long difference from its beginning, and all of it at a press', async () => {
    await write(await connectAgent('Long'), '/k/long.txt', numbers(1_200))
    const page = await openDraft('Long')
    await appears(lines(page).getByText('line 399', { exact: true }))
    expect(await lines(page).getByText('line 400', { exact: true }).count()).toBe(0)
    await button(page, 'Show 800 more lines').click()
    await appears(lines(page).getByText('line 1199', { exact: true }))
    await page.context().close()
  })
})

it('names both places of a move in a change that is shown alone', async () => {
  await putFile(server.url, '/s/important.md', 'important\n')
  const agent = await connectAgent('Mover')
  await call(agent, 'move_file', { from: '/s/important.md', to: '/s/note.md' })
  await write(agent, '/s/note.md', 'other\n')
  const page = await openDraft('Mover')
  await page.getByRole('button', { name: 'Show this change alone' }).first().click()
  const head = page.locator('.singlechange figcaption').first()
  await appears(head.getByText('/s/important.md'))
  await appears(head.getByText('moved'))
  await page.context().close()
})

it('keeps no opened lines of another form of a difference', async () => {
  const text = Array.from({ length: 120 }, (_, at) => `  line ${at + 1}\n`)
  await putFile(server.url, '/gap.txt', text.join(''))
  const agent = await connectAgent('Gaps')
  const next = text.with(19, '    line 20\n').with(59, '  LINE sixty\n')
  await write(agent, '/gap.txt', next.join(''))
  const page = await openDraft('Gaps')
  await page.getByRole('button', { name: 'Show 33 unchanged lines' }).click()
  await appears(lines(page).getByText('line 40', { exact: true }).first())
  await button(page, 'Hide white space').click()
  await appears(page.getByText('56 unchanged lines').first())
  expect(await lines(page).getByText('line 40', { exact: true }).count()).toBe(0)
  await page.context().close()
})

it('quotes the reason of the agent, on the card and above its changes', async () => {
  const agent = await connectAgent('Reasoner')
  await write(agent, '/r.md', 'r\n')
  await call(agent, 'respond_to_review', { reason: 'The <b>guide</b> was\u200b old.' })
  const page = await openDraft('Reasoner')
  await sees(page, /Its reason:/)
  expect(await page.locator('.reason').textContent()).toBe(
    'Its reason: The <b>guide</b> wasZWSPSPold.',
  )
  await page.getByRole('link', { name: 'Waiting for you', exact: true }).click()
  await sees(page, /Its reason:/)
  expect(await page.locator('.reason').textContent()).toBe(
    'Its reason: The <b>guide</b> wasZWSPSPold.',
  )
  await page.context().close()
})

describe('what was viewed', () => {
  it('is marked, counted beside the approval, kept, and falls off when the file changes', async () => {
    const agent = await connectAgent('Marks')
    for (const name of ['a', 'b', 'c']) await write(agent, `/v/${name}.md`, `${name}\n`)
    const page = await openDraft('Marks')
    await sees(page, '3 not viewed')
    await viewed(page, '/v/a.md').check()
    await viewed(page, '/v/b.md').check()
    await sees(page, '1 not viewed')
    expect(await button(page, '/v/a.md').getAttribute('aria-expanded')).toBe('false')
    await write(agent, '/v/b.md', 'other\n')
    await write(agent, '/v/d.md', 'd\n')
    await page.reload()
    await button(page, 'Approve all').waitFor()
    await sees(page, '3 not viewed')
    expect(await viewed(page, '/v/a.md').isChecked()).toBe(true)
    expect(await viewed(page, '/v/b.md').isChecked()).toBe(false)
    await appears(fileAt(page, '/v/b.md').getByText('changed since you looked'))
    await appears(fileAt(page, '/v/d.md').getByText('new since you looked'))
    expect(await page.getByText('since you looked').count()).toBe(2)
    await page.context().close()
  })
})

describe('by keys', () => {
  it('moves among files and changes, marks and selects, and decides nothing', async () => {
    await putFile(server.url, '/j/b.txt', numbers(40))
    const agent = await connectAgent('Reviewer')
    await write(agent, '/j/a.txt', 'a\n')
    const edits = [
      { find: 'line 3\n', replace: 'LINE 3\n' },
      { find: 'line 30\n', replace: 'LINE 30\n' },
    ]
    await call(agent, 'edit_file', { path: '/j/b.txt', edits })
    const page = await openDraft('Reviewer')
    await appears(lines(page).getByText('LINE 30').first())
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await page.keyboard.press('j')
    expect(await focused()).toBe('/j/a.txt')
    await page.keyboard.press('v')
    expect(await viewed(page, '/j/a.txt').isChecked()).toBe(true)
    await page.keyboard.press('j')
    expect(await focused()).toBe('/j/b.txt')
    await page.keyboard.press('x')
    expect(await select(page, '/j/b.txt').isChecked()).toBe(true)
    await page.keyboard.press('n')
    expect(await focused()).toContain('line 3')
    await page.keyboard.press('n')
    expect(await focused()).toContain('line 30')
    await page.keyboard.press('p')
    expect(await focused()).toContain('line 3')
    await page.keyboard.press('k')
    expect(await focused()).toBe('/j/b.txt')
    expect(await readText(server.url, '/j/a.txt')).toBeNull()
    await page.keyboard.press('a')
    await settles(page)
    await page.keyboard.press('Enter')
    await sees(page, '1 change approved and applied.')
    expect(await readText(server.url, '/j/b.txt')).toContain('LINE 30')
    expect(await readText(server.url, '/j/a.txt')).toBeNull()
    await page.context().close()
  })
})
