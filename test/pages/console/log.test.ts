import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { allowReads, goTo, sees, toolLink, visit } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

it('shows every message with its answer, filtered, paused, exported and cleared', async () => {
  const page = await visit(browser.open, server.url, toolLink('find_files', { pattern: 'needle' }))
  allowReads(page)
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('tab', { name: 'Text for the model' }).click()
  await sees(page, 'Nothing found')
  await goTo(page, '#/log')
  await page.getByLabel('Text').fill('needle')
  const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  await expect.poll(() => messages.count()).toBeLessThan(4)

  await messages.filter({ hasText: 'sent' }).first().getByRole('link').click()
  await page.getByRole('heading', { name: 'tools/call request' }).waitFor()
  expect(await page.getByRole('region', { name: 'Message content' }).textContent()).toContain(
    'needle',
  )
  await page.getByRole('link', { name: 'See the response' }).click()
  await page.getByRole('heading', { name: 'tools/call response' }).waitFor()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ direction: /sent|received/ })
  expect(download.suggestedFilename()).toMatch(/\.jsonl$/)

  await page.getByLabel('Text').fill('')
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Clear' }).click()
  await sees(page, WORDS.noMessages)
  await goTo(page, '#/tools/list_roots')
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('heading', { name: 'Result' }).waitFor()
  await goTo(page, '#/log')
  await sees(page, WORDS.noMessages)
  await page.context().close()
})
