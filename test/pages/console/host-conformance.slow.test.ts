/** The console as a host: the conformance app, opened as the view of a tool's result. */

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { use } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { startConformanceServer } from '../../support/pages/conformance-server.ts'
import { allowReads, inApp, sees } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()
const tables: unknown[] = []
const judge = use(() => startConformanceServer((table) => tables.push(table)))

interface Row {
  readonly id: string
  readonly status: string
}

/** The rows of the last table that the app has sent. */
const rows = () => (tables.at(-1) as { results: readonly Row[] } | undefined)?.results ?? []

async function connectTo(url: string): Promise<Page> {
  const page = await browser.open(`${server.url}/#/connect`)
  allowReads(page)
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('region', { name: /conformance/i }).waitFor()
  return page
}

it('passes every check, and shows what a model would receive', async () => {
  const page = await connectTo(judge().url)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => (location.hash = '#/tools/run_conformance'))
  await page.getByRole('button', { name: 'Run' }).click()

  const link = page.getByRole('alertdialog', { name: 'Open this address?' })
  const popup = page.context().waitForEvent('page')
  await link.waitFor()
  await page.waitForTimeout(400)
  await link.getByRole('button', { name: 'Open the page' }).click()
  await (await popup).close()
  const download = page.waitForEvent('download')
  const saving = page.locator('mcp-view').getByRole('alertdialog', { name: 'Save' })
  await saving.waitFor()
  await page.waitForTimeout(600)
  await saving.getByRole('button', { name: 'Save' }).click()
  expect((await download).suggestedFilename()).toBe('report.txt')

  await expect.poll(() => tables.length, { timeout: 80_000 }).toBeGreaterThan(0)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect
    .poll(() => rows().find(({ id }) => id === 'context/context-changed')?.status)
    .toBe('PASS')
  const wrong = rows().filter(({ status }) => status === 'FAIL' || status === 'TIMEOUT')
  expect(wrong).toEqual([])

  const pane = page.getByTestId('conversation')
  expect(await pane.getByTestId('message').allTextContents()).toEqual([
    expect.stringContaining('conformance: list'),
    expect.stringContaining('conformance: block'),
  ])
  const context = pane.getByTestId('model-context')
  expect(await context.allTextContents()).toEqual([expect.stringContaining('conformance: last')])
  await pane.getByRole('button', { name: 'Copy for a model' }).click()
  const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))
  expect(copied).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'conformance: list' }] },
    { role: 'user', content: [{ type: 'text', text: 'conformance: block' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'conformance: last' },
        { type: 'text', text: 'Data of the app "run_conformance": {"turn":2}' },
      ],
    },
  ])
  await page.reload()
  await sees(page, 'conformance: list')
  await page.context().close()
})

it('shows the state of a view, and opens one that closed itself again', async () => {
  const page = await connectTo(judge().url)
  await page.evaluate(() => (location.hash = '#/tools/run_conformance'))
  await page.getByRole('button', { name: 'Run' }).click()
  await page.locator('[data-testid=view][data-state=ready]').waitFor()
  const asked = page.getByRole('alertdialog', { name: 'Open this address?' })
  await asked.waitFor()
  await inApp(page)
    .locator('body')
    .evaluate(() => {
      const message = { jsonrpc: '2.0', method: 'ui/notifications/request-teardown', params: {} }
      window.parent.postMessage(message, '*')
    })
  await sees(page, 'The app closed itself.')
  await asked.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Open it again' }).click()
  await page.locator('[data-testid=view][data-state=ready]').waitFor()
  await page.context().close()
})
