/** A new app in the console: its preview follows the settings, and it is served once it was created and approved. */

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import {
  appears,
  goTo,
  inApp,
  putFile,
  readText,
  sees,
  setConfig,
  toolLink,
  visit,
} from '../../support/pages/console-actions.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'

const server = useServer()
const browser = useBrowser()

const BOARD = '## To do\n\n- [ ] Water plants\n\n## Done\n'

const takeScreenshot = async (page: Page, name: string, fullPage = true) => {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage })
}

const manifestIn = (page: Page) => page.getByTestId('app-manifest')
const createIn = (page: Page) => page.getByTestId('create-app')

/** Replaces a text in `app.json`. */
async function edit(page: Page, before: string, after: string): Promise<void> {
  const text = await manifestIn(page).inputValue()
  expect(text).toContain(before)
  await manifestIn(page).fill(text.replace(before, after))
}

const isReady = (page: Page) =>
  expect.poll(() => page.getByTestId('app-preview').getAttribute('data-state')).toBe('ready')

const appsOf = async () => {
  const listed = await (await fetch(`${server.url}/apps`)).text()
  return JSON.parse(listed)
}

it('is previewed with the files of the workspace, created, approved and opened', async () => {
  await putFile(server.url, '/tasks/week.md', BOARD)
  const page = await visit(browser.open, server.url, '#/apps')
  await page.getByTestId('new-app-link').click()
  await page.getByRole('heading', { name: 'New app', level: 1 }).waitFor()
  await page.getByTestId('app-data').fill('/tasks/*.md')
  await appears(inApp(page).getByText('Water plants'))
  await page.getByTestId('app-name').fill('week')
  await expect.poll(() => page.getByTestId('app-title').inputValue()).toBe('Week')
  await expect.poll(() => page.url()).toContain('?template=kanban&name=week&data=%2Ftasks%2F*.md')

  await edit(page, '"draggable": true', '"columns": [{ "id": 7 }]')
  await page.getByTestId('app-problems').getByText('app.json/config/columns/0/id').waitFor()
  await sees(page, 'This is their last valid state')
  expect(await createIn(page).isDisabled()).toBe(true)
  await appears(inApp(page).getByText('Water plants'))
  await takeScreenshot(page, 'new-app-problem')
  await edit(page, '"id": 7', '"id": "to do", "title": "Later"')
  await sees(page, 'With your files.')
  await appears(inApp(page).getByRole('heading', { name: 'Later' }))
  expect(await page.getByTestId('app-problems').locator('li').count()).toBe(0)

  await putFile(server.url, '/tasks/week.md', BOARD.replace('Water plants', 'Feed the cat'))
  await appears(inApp(page).getByText('Feed the cat'))
  await isReady(page)
  expect(await faultsOf(page)).toEqual([])
  await takeScreenshot(page, 'new-app')
  expect(await appsOf()).toEqual({ waiting: 0, left: 0, apps: [] })

  await createIn(page).click()
  await page.getByRole('heading', { name: 'Waiting for you', level: 1 }).waitFor()
  await page.getByRole('heading', { name: 'Week', level: 3 }).waitFor()
  expect(await appsOf()).toMatchObject({ waiting: 1, apps: [{ name: 'week', state: 'waiting' }] })
  await takeScreenshot(page, 'new-app-waiting')
  const app = page.getByRole('article').filter({ hasText: 'Week' })
  await app.getByRole('button', { name: /^Approve the app/ }).click()
  await app.getByText('approved').waitFor()
  await goTo(page, '#/apps')
  await page.getByRole('button', { name: 'Week' }).click()
  await page.getByTestId('app').waitFor()
  await page.context().close()
})

it('changes nothing in its preview', async () => {
  await putFile(server.url, '/plan.md', BOARD)
  const link = `#/apps/new?${new URLSearchParams({ template: 'kanban', data: '/plan.md', name: 'plan' }).toString()}`
  const page = await visit(browser.open, server.url, link)
  await inApp(page).getByLabel('Column of Water plants').selectOption('Done')
  await appears(inApp(page).getByText('This is a preview, which changes nothing'))
  await takeScreenshot(page, 'new-app-refused')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await readText(server.url, '/plan.md')).toBe(BOARD)
  await page.context().close()
})

it('shows the files that the approved app shows', async () => {
  const paths = [
    'notes/a.md',
    'notes/deep/b.md',
    'notes/.c.md',
    'notes/d.txt',
    'top.md',
    'x/top.md',
  ]
  for (const path of paths) await putFile(server.url, `/${path}`, path)
  const page = await visit(browser.open, server.url, '#/apps/new?template=tree-view&name=paths')
  const manifest = {
    ...{ template: 'tree-view', data: ['/notes/**/*.md', '*.md', '/x/{top,none}.md', '/gone/*'] },
    config: { expandLevel: 9 },
  }
  await manifestIn(page).fill(JSON.stringify(manifest))
  const tree = inApp(page).getByRole('tree')
  await tree.getByText('b.md').waitFor()
  const shown = await tree.getByRole('treeitem').allInnerTexts()
  expect(shown.join()).toContain('.c.md')
  expect(shown.join()).not.toContain('d.txt')
  await createIn(page).click()
  const app = page.getByRole('article').filter({ hasText: 'paths' })
  await app.getByRole('button', { name: /^Approve the app/ }).click()
  await expect.poll(async () => JSON.stringify(await appsOf())).toContain('"state":"approved"')
  await goTo(page, toolLink('open_paths', {}))
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await tree.getByText('b.md').waitFor()
  expect(await tree.getByRole('treeitem').allInnerTexts()).toEqual(shown)
  await page.context().close()
})

it('shows no file that the rules hide from the console', async () => {
  await putFile(server.url, '/open/seen.md', 'seen')
  await putFile(server.url, '/open/vault/unseen.md', 'unseen')
  await setConfig(server.url, { roots: [{ path: '/', default: true, deny: ['open/vault/**'] }] })
  const link = { template: 'tree-view', data: '/open/**/*.md' }
  const hash = `#/apps/new?${new URLSearchParams(link).toString()}`
  const page = await visit(browser.open, server.url, hash)
  await appears(inApp(page).getByText('seen.md'))
  expect(await inApp(page).getByRole('tree').innerText()).not.toContain('unseen')
  await setConfig(server.url, {})
  await page.reload()
  await appears(inApp(page).getByText('unseen.md'))
  await page.context().close()
})

it('has sample data without a file, and no name that exists', async () => {
  await putFile(server.url, '/.apps/taken/index.html', '<p>Mine')
  const page = await visit(browser.open, server.url, '#/apps/new?template=progress&name=taken')
  await appears(inApp(page).getByText('Write the report').first())
  await sees(page, 'There is an app taken already')
  expect(await createIn(page).isDisabled()).toBe(true)
  await page.getByTestId('app-name').fill('Not a name')
  await sees(page, 'Use small letters')
  await page.getByTestId('app-name').fill('report')
  await expect.poll(() => createIn(page).isEnabled()).toBe(true)
  await page.route('**/files/.apps/report/app.json', async (route) => {
    // Another page is faster.
    await putFile(server.url, '/.apps/report/app.json', '{ "template": "kanban" }')
    await route.continue()
  })
  await createIn(page).click()
  await page
    .getByRole('alert')
    .filter({ hasText: '/.apps/report/app.json exists already' })
    .waitFor()
  expect(await readText(server.url, '/.apps/report/app.json')).toBe('{ "template": "kanban" }')
  await page.getByTestId('app-name').fill('report2')
  await expect.poll(() => createIn(page).isEnabled()).toBe(true)
  await createIn(page).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Waiting for you', level: 1 }).waitFor()
  expect(JSON.parse((await readText(server.url, '/progress/report2.json')) ?? '')).toMatchObject({
    percent: 50,
  })
  await page.context().close()
})

/** What only the page of a template has, by its label. */
const SHOWN = {
  Form: 'form',
  'Data table': '[role=columnheader], th',
  Tree: '[role=tree]',
  'Diff viewer': '.difflines',
}

it('previews the sample of each template, and asks before another one replaces edited settings', async () => {
  const page = await visit(browser.open, server.url, '#/apps/new')
  await appears(inApp(page).getByText('Collect ideas'))
  for (const [label, shown] of Object.entries(SHOWN)) {
    await page.getByLabel(label).check()
    await appears(inApp(page).locator(shown).first())
    await appears(inApp(page).getByRole('heading', { name: 'New app' }))
    await isReady(page)
    const alerts = await inApp(page).getByRole('alert').allTextContents()
    expect(alerts.join(''), label).toBe('')
    await takeScreenshot(page, `new-app-${label}`)
  }
  await page.getByLabel('Kanban board').check()
  await appears(inApp(page).getByText('Collect ideas'))
  await edit(page, '"draggable": true', '"draggable": false')
  await page.getByLabel('Progress').check()
  await sees(page, 'Your edits of app.json are lost.')
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await page.getByLabel('Kanban board').isChecked()).toBe(true)
  expect(await manifestIn(page).inputValue()).toContain('"draggable": false')
  await page.context().close()
})

it('is made on a phone, in the dark', async () => {
  const viewport = { width: 400, height: 800 }
  const page = await visit(browser.open, server.url, '#/apps/new', {
    viewport,
    colorScheme: 'dark',
  })
  await appears(inApp(page).getByText('Collect ideas'))
  await page.getByTestId('preview-note').evaluate((note) => note.scrollIntoView())
  await takeScreenshot(page, 'new-app-phone-preview', false)
  await manifestIn(page).fill('{ "template": "kanban", "data": ["../x"], "other": 1 }')
  await page.getByTestId('app-problems').getByText('app.json/data/0').waitFor()
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(400)
  expect(await faultsOf(page)).toEqual([])
  await takeScreenshot(page, 'new-app-phone')
  await page.context().close()
})
