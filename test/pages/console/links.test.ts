/** Links of the console that run something, and inputs that are saved. */

import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { putFile, readText, sees, toolLink, visit } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

it('runs a tool by a link only if it reads, and once', async () => {
  await putFile(server.url, '/a.txt', 'one\n')
  const read = `${toolLink('read_file', { path: '/a.txt' })}&run=1`
  const page = await visit(browser.open, server.url, read)
  await page.locator('[data-testid=result][data-state=done]').waitFor()
  await expect.poll(() => page.url()).not.toContain('run=1')

  const write = `${toolLink('write_file', { path: '/a.txt', content: 'two\n' })}&run=1`
  await page.evaluate((hash) => (location.hash = hash), write)
  await page.getByRole('heading', { name: 'Write a file' }).waitFor()
  await expect.poll(() => page.url()).not.toContain('run=1')
  await page.waitForTimeout(500)
  expect(await page.getByTestId('result').count()).toBe(0)
  expect(await readText(server.url, '/a.txt')).toBe('one\n')
  await page.context().close()
})

it('sends nothing to a path of this origin that is no endpoint of a workspace', async () => {
  for (const at of [
    '/apps/board/withdraw',
    '/signout',
    '/w/other/import?to=/',
    '/mcp/../passkeys/begin',
  ]) {
    const sent: string[] = []
    const page = await browser.open('about:blank')
    page.on('request', (one) => {
      if (one.method() !== 'GET') sent.push(new URL(one.url()).pathname)
    })
    await page.goto(`${server.url}/?at=${encodeURIComponent(at)}#/connect`)
    await sees(page, 'Another server')
    await expect.poll(() => sent).toContain('/mcp')
    expect(
      sent.filter((path) => path !== '/mcp'),
      at,
    ).toEqual([])
    await page.context().close()
  }
})

it('saves an input with its description and request options', async () => {
  const page = await visit(browser.open, server.url, toolLink('read_file', { path: '/a.txt' }))
  await page.getByText('Request options').click()
  await page.getByLabel('Granted scopes').fill('read:file:/other')
  await page
    .getByRole('group', { name: 'Policy' })
    .first()
    .getByRole('button', { name: 'As JSON' })
    .click()
  const policy = page.getByRole('group', { name: 'Policy' }).first().getByRole('textbox')
  await policy.fill('{"find_limit":7}')
  await page.getByRole('button', { name: 'Saved inputs' }).click()
  await page.getByLabel('Name of this input').fill('Elsewhere')
  await page.getByRole('textbox', { name: /^Description/ }).fill('Reads from another folder')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByLabel('Granted scopes').fill('')
  await policy.fill('{}')

  await page.getByRole('button', { name: 'Saved inputs' }).click()
  const dialog = page.getByRole('dialog', { name: 'Saved inputs' })
  await expect.poll(() => dialog.textContent()).toContain('Reads from another folder')
  await dialog.getByRole('button', { name: 'Elsewhere', exact: true }).click()
  await expect.poll(() => page.getByLabel('Granted scopes').inputValue()).toBe('read:file:/other')
  await expect.poll(() => policy.inputValue()).toContain('"find_limit": 7')
  await page.context().close()
})

it('fills the arguments with an example, and keeps what is there', async () => {
  await putFile(server.url, '/mine.txt', 'one\n')
  const page = await visit(browser.open, server.url, toolLink('move_file', { from: '/mine.txt' }))
  const fields = page.getByRole('form', { name: 'Arguments' })
  const to = fields.getByRole('textbox', { name: /^To/ })
  expect(await to.inputValue()).toBe('')
  await fields.getByRole('button', { name: 'Fill with an example' }).click()
  await expect.poll(() => to.inputValue()).toBe('example')
  expect(await fields.getByRole('textbox', { name: /^From/ }).inputValue()).toBe('/mine.txt')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.locator('[data-testid=result][data-state=previewed]').waitFor()
  await page.context().close()
})
