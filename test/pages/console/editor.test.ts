/** A person edits a file in the console while an agent changes it; and a folder is created, filled and emptied by keyboard. */

import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { putFile, readText, sees, setConfig, visit } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

/** Reads a file with its byte order mark. */
async function readExactly(path: string): Promise<string> {
  const answer = await fetch(`${server.url}/files${path}`)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())
}

it('edits a file, merges what an agent has changed meanwhile, and keeps endings and mark', async () => {
  await putFile(server.url, '/plan.md', '\ufeff# Plan\r\n\r\none\r\ntwo\r\nthree\r\n')
  const page = await visit(browser.open, server.url, '#/files?path=/plan.md')
  await page.getByRole('button', { name: 'Edit' }).click()
  const field = page.getByRole('textbox', { name: 'Text of /plan.md' })
  await expect.poll(() => field.inputValue()).toBe('# Plan\n\none\ntwo\nthree\n')
  await page.keyboard.press('Control+End')
  await page.keyboard.type('four')
  await page.keyboard.press('Control+s')
  await sees(page, 'Saved')
  await expect
    .poll(() => readExactly('/plan.md'))
    .toBe('\ufeff# Plan\r\n\r\none\r\ntwo\r\nthree\r\nfour')
  await putFile(server.url, '/plan.md', '\ufeff# The plan\r\n\r\none\r\ntwo\r\nthree\r\nfour')
  await page.keyboard.type(' and five')
  await page.getByRole('button', { name: 'Save' }).click()
  await sees(page, 'This file was changed while you were editing it.')
  expect(await readText(server.url, '/plan.md')).not.toContain('five')
  await page.getByRole('button', { name: 'Merge both' }).click()
  await expect.poll(() => field.inputValue()).toContain('# The plan\n')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => readExactly('/plan.md'))
    .toBe('\ufeff# The plan\r\n\r\none\r\ntwo\r\nthree\r\nfour and five')
  await page.getByRole('button', { name: 'Close' }).click()
  await sees(page, 'The plan')
  await page.context().close()
})

it('saves in one press where the rules ask for a review, and leaves nothing that waits', async () => {
  await putFile(server.url, '/config.yaml', 'a: 1\nb: 2\n')
  const page = await visit(browser.open, server.url, '#/files?path=/config.yaml')
  await setConfig(server.url, { roots: [{ path: '/', approval: 'review' }] })
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('c: 3\n')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => readText(server.url, '/config.yaml')).toBe('a: 1\nb: 2\nc: 3\n')
  await setConfig(server.url, {})
  await sees(page, 'No unsaved changes.')
  expect(await page.title()).not.toContain('(1)')
  await page.context().close()
})

it('creates, renames and deletes by keyboard, and the deletion can be undone', async () => {
  const page = await visit(browser.open, server.url, '#/files')
  await page.getByRole('button', { name: 'New folder' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Name').fill('drafts')
  await page.keyboard.press('Enter')
  await sees(page, 'An empty folder')
  await page.getByRole('button', { name: 'New file' }).press('Enter')
  await page.getByRole('dialog').getByLabel('Name').fill('note.txt')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Text of /drafts/note.txt' }).waitFor()
  await page.keyboard.type('hello')
  await page.keyboard.press('Control+s')
  await expect.poll(() => readText(server.url, '/drafts/note.txt')).toBe('hello')
  await page.getByRole('navigation', { name: 'Folders' }).getByText('drafts').click()
  await page.getByRole('link', { name: 'note.txt' }).press('F2')
  await page.getByLabel('New name').fill('letter.txt')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'letter.txt' }).press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await sees(page, 'An empty folder')
  await page.getByRole('link', { name: 'See or undo it' }).click()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo the change' }).click()
  await expect.poll(() => readText(server.url, '/drafts/letter.txt')).toBe('hello')
  await page.context().close()
})
