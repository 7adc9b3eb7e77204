/** A stored denial in the console holds for an approved app, whichever way the app takes to the same files. */

import type { Frame, Page } from 'playwright'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { approveApp } from '../../support/pages/app-stages.ts'
import { STEADY_MS } from '../../support/pages/approval-dialog.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { allowReads, goTo, inApp, putFile, visit } from '../../support/pages/console-actions.ts'
import { frameWith, requestIn, SPY } from '../../support/pages/spy-app.ts'

const server = useServer()
const browser = useBrowser()

beforeAll(async () => {
  await putFile(server.url, '/.apps/spy/index.html', SPY)
  await approveApp(server.url, 'spy')
})

beforeEach(async () => {
  await putFile(server.url, '/team/plan.md', 'plan')
  await putFile(server.url, '/team/private/payroll.csv', 'SECRET')
})

const READING = 'read:file:/team/private'
const DENIED = [READING, 'write:file:/team/private']

/** Opens the app in a console that has stored denials under `/mcp`. */
async function openSpy(at = '', denied = DENIED): Promise<{ page: Page; spy: Frame }> {
  const page = await visit(browser.open, server.url, '#/rules')
  allowReads(page)
  const rules = denied.map((scope) => ({
    ...{ id: scope, server: `${server.url}/mcp`, decision: 'deny', scope },
    ...{ duration: 'always', madeAt: Date.now(), expiresAt: Date.now() + 600_000 },
  }))
  await page.evaluate((json) => localStorage.setItem('edgewise.rules', json), JSON.stringify(rules))
  await page.goto(`${server.url}/${at}#/apps`)
  await page.reload()
  await page.getByRole('button', { name: /spy.*ui:/s }).click()
  return { page, spy: await frameWith(page, 'Spy') }
}

const HIDDEN = /SECRET|payroll/

const ADDRESSES = ['', '?at=/w/default/mcp', '?at=/mcp%3Fx', '?at=/mcp']

it.each(ADDRESSES)('what an app reads has nothing of it: %s', async (at) => {
  const { page, spy } = await openSpy(at)
  const call = (name: string, args: object) =>
    requestIn(spy, 'tools/call', { name, arguments: args })
  const uri = 'file:///team/private/payroll.csv'
  const answers = [
    await requestIn(spy, 'resources/read', { uri }),
    await requestIn(spy, 'resources/list', {}),
    await call('read_file', { path: '/team/private/payroll.csv' }),
    await call('search_files', { pattern: 'SECR.T', root: '/' }),
    await call('search_files', { pattern: 'SECR.T' }),
    await call('search_files', { pattern: 'SECR.T', glob: ['team/private/**'] }),
    await call('find_files', { pattern: 'team/private/**' }),
    await call('find_files', { root: '/' }),
    await call('list_changes', {}),
    await call('list_folder', { path: '/team' }),
  ]
  for (const answer of answers) expect(answer).not.toMatch(HIDDEN)
  expect(await call('find_files', { root: '/' })).toContain('team/plan.md')
  expect(await requestIn(spy, 'resources/list', {})).toContain('plan.md')
  await page.context().close()
})

it('a change of a folder that contains it is refused before the person is asked', async () => {
  const { page, spy } = await openSpy()
  const attempts: [string, object][] = [
    ['move_file', { from: '/team', to: '/moved' }],
    ['delete_file', { path: '/team' }],
  ]
  for (const [name, args] of attempts)
    expect(await requestIn(spy, 'tools/call', { name, arguments: args })).toContain('PATH_BLOCKED')
  expect(await page.getByRole('alertdialog').count()).toBe(0)
  await page.context().close()
})

it('a copy of a folder leaves it out', async () => {
  const { page, spy } = await openSpy('', [READING])
  const args = { from: '/team', to: '/copy' }
  const copying = requestIn(spy, 'tools/call', { name: 'copy_file', arguments: args })
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: /^(Apply|Allow)/ }).click()
  await copying
  const found = await fetch(`${server.url}/files/copy/plan.md`)
  expect([found.status, await found.text()]).toEqual([200, 'plan'])
  expect((await fetch(`${server.url}/files/copy/private/payroll.csv`)).status).toBe(404)
  await page.context().close()
})

it('a download of a linked file does not have it', async () => {
  const { page, spy } = await openSpy()
  const link = { type: 'resource_link', uri: 'file:///team/private/payroll.csv', name: 'a' }
  const saving = requestIn(spy, 'ui/download-file', { contents: [link] })
  const save = page.getByRole('alertdialog', { name: 'Save' }).getByRole('button', { name: 'Save' })
  await save.waitFor()
  // The dialog ignores a click that was aimed at what it covers.
  await page.waitForTimeout(STEADY_MS)
  await save.click()
  expect(await saving).toContain('DENIED_BY_PERSON')
  await page.context().close()
})

it('the Files page still shows the folder to the person', async () => {
  const { page } = await openSpy('', ['read:file:/team'])
  await goTo(page, '#/files/browser')
  await inApp(page).getByText('team').first().waitFor()
  await page.context().close()
})
