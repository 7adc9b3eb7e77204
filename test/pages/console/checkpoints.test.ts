/** Checkpoints on the activity page: create one, compare with it, restore a folder or everything, delete it. */

import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import {
  appears,
  inDiff,
  putFile,
  readText,
  sees,
  visit,
} from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

const NAME = 'Before <b>the rewrite</b>'

it('are created, compared, restored and deleted', async () => {
  await putFile(server.url, '/docs/a.md', 'one\n')
  await putFile(server.url, '/b.md', 'one\n')
  const page = await visit(browser.open, server.url, '#/activity')
  const section = page.getByRole('region', { name: 'Checkpoints' })
  const name = section.getByLabel('Name of a new checkpoint')
  await expect.poll(() => section.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
  await name.fill(NAME)
  await name.press('Enter')
  await section.getByRole('link', { name: `Compare with ${NAME}` }).waitFor()
  await expect.poll(() => name.inputValue()).toBe('')

  await putFile(server.url, '/docs/a.md', 'two\n')
  await putFile(server.url, '/b.md', 'two\n')
  await section.getByRole('link', { name: /Compare/ }).click()
  await appears(
    inDiff(page)
      .getByText(/^2 files\b/)
      .first(),
  )
  await page.getByLabel('File or folder').fill('/docs')
  await page.getByLabel('File or folder').press('Enter')
  await expect.poll(() => inDiff(page).getByRole('listitem').count()).toBe(1)

  await page.getByRole('button', { name: 'Restore this folder' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`/docs, as at “${NAME}”`).waitFor()
  expect(await readText(server.url, '/docs/a.md')).toBe('two\n')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await sees(page, /^Restored: /)
  expect(await readText(server.url, '/docs/a.md')).toBe('one\n')
  expect(await readText(server.url, '/b.md')).toBe('two\n')

  await page.getByRole('link', { name: 'See the change' }).click()
  await sees(page, /Restore \/docs to the checkpoint/)
  await page.getByRole('link', { name: 'Activity' }).first().click()
  await section.getByRole('button', { name: /Restore/ }).click()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect.poll(() => readText(server.url, '/b.md')).toBe('one\n')

  await section.getByRole('button', { name: /Delete/ }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click()
  await expect.poll(() => section.getByRole('listitem').count()).toBe(0)
  expect(await (await fetch(`${server.url}/checkpoints`)).json()).toEqual({ checkpoints: [] })
  await page.context().close()
})
