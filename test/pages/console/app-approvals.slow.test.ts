/** An app from files, in the whole console: it waits, is approved, is opened, changes, and waits again. */

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import {
  allowReads,
  appears,
  goTo,
  inApp,
  putFile,
  readText,
  sees,
  toolLink,
  visit,
} from '../../support/pages/console-actions.ts'
import { inProject } from '../../../scripts/settings.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

/** A page that lists the paths of its data. */
const PAGE = `<!doctype html><html lang="en"><title>Notes</title><h1>Notes</h1><ul></ul>
<script>
  const tell = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  addEventListener('message', ({ data: { id, method, params } }) => {
    if (id === 1) tell({ method: 'ui/notifications/initialized' })
    if (method !== 'ui/notifications/tool-result') return
    for (const { path, text } of params.structuredContent.files) {
      const item = document.createElement('li')
      item.textContent = path + ': ' + text
      document.querySelector('ul').append(item)
    }
  })
  const appInfo = { name: 'notes', version: '1' }
  const params = { appInfo, appCapabilities: {}, protocolVersion: '2026-01-26' }
  tell({ id: 1, method: 'ui/initialize', params })
</script>`

const takeScreenshot = async (page: Page, name: string) => {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

it('is served after the owner has approved it, until a file changes', async () => {
  await putFile(server.url, '/notes/a.md', 'alpha')
  await putFile(server.url, '/.apps/notes/index.html', PAGE)
  const manifest = { title: 'Notes', description: 'All notes of the team.', data: ['notes/*.md'] }
  await putFile(server.url, '/.apps/notes/app.json', JSON.stringify(manifest))

  const page = await visit(browser.open, server.url, '#/waiting')
  await page.getByRole('heading', { name: 'Apps', level: 2 }).waitFor()
  await expect.poll(() => page.title()).toBe('(1) Waiting for you · Edgewise')
  await sees(page, 'its own, which is code')
  await page.getByRole('button', { name: '/.apps/notes/app.json' }).click()
  await appears(page.locator('.difflines').getByText('All notes of the team.').first())
  const whole = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open the file after' }).click()
  expect(await (await whole).locator('body').textContent()).toContain('All notes of the team.')
  await (await whole).close()
  // The buttons fade in once they can be used.
  await expect.poll(() => faultsOf(page)).toEqual([])
  await takeScreenshot(page, 'apps-waiting')
  await page.getByRole('button', { name: /^Approve the app/ }).click()
  await sees(page, 'approved')
  await expect.poll(() => page.title()).toBe('Waiting for you · Edgewise')

  await goTo(page, toolLink('open_notes', {}))
  await page
    .getByRole('button', { name: /^Run|^Call|^Read/ })
    .first()
    .click()
  await appears(inApp(page).getByText('/notes/a.md: alpha'))
  await takeScreenshot(page, 'apps-opened')

  await putFile(server.url, '/.apps/notes/index.html', 'changed')
  await goTo(page, '#/waiting')
  await sees(page, 'Its files have changed since you approved it.')
  await takeScreenshot(page, 'apps-changed')
  await page.context().close()
})

/** Approves the only app that waits, and opens it by its tool. */
async function approveAndOpen(name: string): Promise<Page> {
  const page = await visit(browser.open, server.url, '#/waiting')
  await page.getByRole('button', { name: /^Approve the app/ }).click()
  await expect.poll(() => page.title()).toBe('Waiting for you · Edgewise')
  allowReads(page)
  await goTo(page, toolLink(`open_${name}`, {}))
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  return page
}

it('works as the documentation shows it', async () => {
  const text = readFileSync(inProject('docs/apps.md'), 'utf8')
  const [, manifest = ''] = /echo '([^']+)' > \.apps\/notes\/app\.json/.exec(text) ?? []
  const [, html = ''] = /<<'PAGE'\n([^]+?)\nPAGE\n/.exec(text) ?? []
  await putFile(server.url, '/notes/a.md', 'alpha')
  await putFile(server.url, '/.apps/notes/app.json', manifest)
  await putFile(server.url, '/.apps/notes/index.html', html)
  const page = await approveAndOpen('notes')
  await appears(inApp(page).getByText('/notes/a.md'))
  await page.context().close()
})

it('shows a template over a file, follows it, and says that files are missing', async () => {
  await putFile(server.url, '/tasks/board.md', '## To Do\n\n- [ ] Water plants\n\n## Done\n')
  const manifest = {
    ...{ template: 'kanban', data: ['tasks/*.md'], write: ['tasks/board.md'] },
    config: { title: 'Tasks' },
  }
  await putFile(server.url, '/.apps/tasks/app.json', JSON.stringify(manifest))
  const page = await approveAndOpen('tasks')
  const card = inApp(page).getByText('Water plants')
  await card.waitFor()
  await takeScreenshot(page, 'apps-kanban')
  await putFile(server.url, '/tasks/board.md', '## To Do\n\n- [ ] Feed the cat\n\n## Done\n')
  await appears(inApp(page).getByText('Feed the cat'))

  for (let more = 0; more < 100; more++) await putFile(server.url, `/tasks/${more}.md`, '')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await appears(inApp(page).getByText('Some files are not shown.'))
  expect(await readText(server.url, '/tasks/board.md')).toContain('Feed the cat')
  await page.context().close()
})

it('shows the results of a tool, as the documentation shows it, until its approval is taken back', async () => {
  const text = readFileSync(inProject('docs/apps.md'), 'utf8')
  const [, manifest = ''] = /echo '([^']+)' > \.apps\/results\/app\.json/.exec(text) ?? []
  await putFile(server.url, '/notes/a.md', 'alpha')
  await putFile(server.url, '/tools/search_files/ui/ui.meta.json', manifest)
  const page = await visit(browser.open, server.url, '#/waiting')
  allowReads(page)
  await sees(page, 'Shows each result of')
  await takeScreenshot(page, 'apps-for-tool')
  await page.setViewportSize({ width: 400, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await takeScreenshot(page, 'apps-for-tool-dark-400')
  await expect.poll(() => faultsOf(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.getByRole('button', { name: /^Approve the app.*Results/ }).click()
  await page.getByRole('button', { name: /^Take back the approval.*Results/ }).waitFor()

  const search = toolLink('search_files', { pattern: 'alpha' })
  const run = async () => {
    await goTo(page, search)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
  }
  await run()
  const table = inApp(page).getByRole('grid')
  await appears(table.getByText('notes/a.md'))
  await inApp(page).getByRole('searchbox', { name: 'Filter rows' }).waitFor()
  await takeScreenshot(page, 'apps-for-tool-result')

  await goTo(page, '#/waiting')
  await page.getByRole('button', { name: /^Take back the approval.*Results/ }).click()
  await page.getByRole('button', { name: /^Approve the app.*Results/ }).waitFor()
  await run()
  await appears(inApp(page).getByText('a.md').first())
  const filter = inApp(page).getByRole('searchbox', { name: 'Filter rows' })
  await expect.poll(() => filter.count()).toBe(0)
  await takeScreenshot(page, 'apps-for-tool-own-view')
  await page.context().close()
})

it('is listed as soon as it waits', async () => {
  const page = await visit(browser.open, server.url, '#/waiting')
  await page.getByRole('heading', { name: 'Notes', level: 3 }).waitFor()
  await putFile(server.url, '/.apps/late/index.html', PAGE)
  // It moves no card that is shown until the person asks for it.
  await page.getByRole('button', { name: 'Show 1 new' }).click()
  await page.getByRole('heading', { name: 'late', level: 3 }).waitFor()
  await page.context().close()
})

it('is decided on a phone, in the dark', async () => {
  await putFile(server.url, '/.apps/board/app.json', JSON.stringify({ data: ['../x'] }))
  const viewport = { width: 400, height: 800 }
  const page = await visit(browser.open, server.url, '#/waiting', { viewport, colorScheme: 'dark' })
  await sees(page, 'leaves the workspace')
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(400)
  expect(await faultsOf(page)).toEqual([])
  await takeScreenshot(page, 'apps-phone')
  await page.context().close()
})

it('names hidden characters in its title, wherever that is shown', async () => {
  const title = 'Bo\u202eard'
  await putFile(server.url, '/.apps/turned/index.html', PAGE)
  await putFile(server.url, '/.apps/turned/app.json', JSON.stringify({ title }))
  const page = await visit(browser.open, server.url, '#/waiting')
  await page.getByRole('button', { name: /^Approve the app.*Bo ?RLO ?ard/ }).click()
  await sees(page, 'approved')
  await goTo(page, toolLink('open_turned', {}))
  const shown = async () => (await page.locator('body').innerText()) + (await page.title())
  await page
    .getByRole('heading', { name: /Bo ?RLO ?ard/ })
    .first()
    .waitFor()
  expect(await shown()).not.toContain('\u202e')
  await goTo(page, '#/apps?uri=ui://default/turned')
  await page
    .getByTestId('app')
    .getByRole('heading', { name: /Bo ?RLO ?ard/ })
    .waitFor()
  expect(await shown()).not.toContain('\u202e')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: WORDS.palette }).fill('turned')
  await page
    .getByRole('option', { name: /turned/ })
    .first()
    .waitFor()
  expect(await shown()).not.toContain('\u202e')
  await page.context().close()
})
