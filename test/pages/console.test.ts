import { expect, it } from 'vitest'
import { useServer } from '../e2e/server.ts'
import { useBrowser } from './browser.ts'
import { goTo, inApp, putFile, readText, sees, toolLink, visit } from './console-visit.ts'

const server = useServer()
const browser = useBrowser()

it('opens the console, which nobody may frame', async () => {
  const answer = await fetch(server.url)
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  const page = await browser.open(server.url)
  expect(await page.title()).toBe('Edgewise')
  await page.context().close()
})

it('leads from a first visit to a change that was seen before it was made, and back', async () => {
  const page = await visit(browser.open, server.url)
  await sees(page, 'It is empty')
  await sees(page, 'Read and change files anywhere in this workspace.')

  await page.getByRole('link', { name: 'Write a first file' }).click()
  await page.getByRole('heading', { name: 'Write a file', level: 1 }).waitFor()
  expect(await page.locator('.intentline').textContent()).toBe('Write to hello.md')
  const apply = page.getByRole('button', { name: 'Apply' })
  expect(await apply.isDisabled()).toBe(true)

  await page.getByRole('button', { name: 'Preview' }).click()
  await sees(page, 'What would be done')
  await inApp(page).getByText('Written from the console.').first().waitFor()
  expect(await readText(server.url, '/hello.md')).toBeNull()

  await apply.click()
  await sees(page, 'Applied.')
  expect(await readText(server.url, '/hello.md')).toBe('# Hello\n\nWritten from the console.\n')

  await page.getByRole('link', { name: 'See it in Activity' }).click()
  await page.getByRole('heading', { name: 'Write to hello.md', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo this change?' })
  await dialog.getByRole('button', { name: 'Undo it' }).click()
  await sees(page, 'Undone: Write to hello.md')
  expect(await readText(server.url, '/hello.md')).toBeNull()

  await goTo(page, '#/activity')
  await sees(page, 'Undo: Write to hello.md')
  await page.context().close()
})

it('refuses to apply what is no longer what was shown, and shows it anew', async () => {
  await putFile(server.url, '/stale.txt', 'one\n')
  const hash = toolLink('write_file', { path: '/stale.txt', content: 'two\n' })
  const page = await visit(browser.open, server.url, hash)
  await page.getByRole('button', { name: 'Preview' }).click()
  await sees(page, 'What would be done')
  await putFile(server.url, '/stale.txt', 'changed meanwhile\n')
  await page.getByRole('button', { name: 'Apply' }).click()
  await sees(page, 'Nothing was applied: the file has changed since the preview.')
  expect(await readText(server.url, '/stale.txt')).toBe('changed meanwhile\n')
  await inApp(page).getByText('changed meanwhile').first().waitFor()
  await page.getByRole('button', { name: 'Apply' }).click()
  await sees(page, 'Applied.')
  expect(await readText(server.url, '/stale.txt')).toBe('two\n')
  await page.context().close()
})

it('makes an edit by keyboard alone', async () => {
  await putFile(server.url, '/keys.txt', 'old\n')
  const page = await visit(browser.open, server.url)
  await page.keyboard.press('Control+k')
  // Nobody types into what is not there yet.
  await page.locator('[role=combobox]:focus').waitFor()
  await page.keyboard.type('write_file')
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Write a file' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Write a file', level: 1 }).waitFor()
  await page.keyboard.press('Tab')
  await tabTo(page, 'path')
  await page.keyboard.type('/keys.txt')
  await tabTo(page, 'content')
  await page.keyboard.type('new')
  await tabTo(page, 'Preview')
  await page.keyboard.press('Enter')
  await sees(page, 'What would be done')
  await tabTo(page, 'Apply')
  await page.keyboard.press('Enter')
  await sees(page, 'Applied.')
  expect(await readText(server.url, '/keys.txt')).toBe('new')
  await page.context().close()

  /** Presses Tab until the focus is on what is called so. */
  async function tabTo(at: typeof page, name: string): Promise<void> {
    for (let step = 0; step < 80; step++) {
      const label = await at.evaluate(() => {
        const { activeElement: element } = document
        const labels = element instanceof HTMLElement && 'labels' in element ? element.labels : null
        const first = labels instanceof NodeList ? labels[0]?.textContent : null
        return `${element?.ariaLabel ?? ''} ${first ?? ''} ${element?.textContent ?? ''}`.trim()
      })
      if (label.toLowerCase().startsWith(name.toLowerCase())) return
      await at.keyboard.press('Tab')
    }
    throw new Error(`Tab does not lead to ${name}`)
  }
})

it('keeps a page, a tool with its arguments and a change under addresses of their own', async () => {
  await putFile(server.url, '/deep/link.txt', 'x\n')
  const page = await visit(browser.open, server.url, '#/activity?path=/deep')
  await page.getByRole('link', { name: 'Upload /deep/link.txt' }).click()
  await page.getByRole('heading', { name: 'Upload /deep/link.txt', level: 1 }).waitFor()
  const { href } = new URL(page.url())
  const again = await browser.open(href)
  await again.getByRole('heading', { name: 'Upload /deep/link.txt', level: 1 }).waitFor()
  expect(await again.title()).toBe('Activity · Edgewise')

  await goTo(again, toolLink('read_file', { path: '/deep/link.txt' }))
  await again.reload()
  expect(await again.locator('.intentline').textContent()).toContain('/deep/link.txt')
  await again.getByRole('button', { name: 'Run' }).click()
  await again.getByRole('tabpanel').getByText('x').first().waitFor()

  await goTo(again, '#/nowhere')
  await sees(again, 'There is no such page')
  await page.context().close()
  await again.context().close()
})

it('imports what is chosen, with its report', async () => {
  const page = await visit(browser.open, server.url, '#/?do=import')
  const files = [
    { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('first\n') },
    { name: `${'long'.repeat(30)}.txt`, mimeType: 'text/plain', buffer: Buffer.from('second\n') },
  ]
  await page.getByLabel('Choose files or an archive').setInputFiles(files)
  await sees(page, '2 files, 13 bytes.')
  await page.getByLabel('Into the folder').fill('/imported')
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await sees(page, /2 files imported/)
  expect(await readText(server.url, '/imported/a.txt')).toBe('first\n')
  expect(await readText(server.url, `/imported/${'long'.repeat(30)}.txt`)).toBe('second\n')
  await page.context().close()
})

it('says that files were changed when they were, and not for a preview', async () => {
  await putFile(server.url, '/shown.txt', 'old')
  const page = await visit(browser.open, server.url, '#/files')
  const app = inApp(page)
  await app.getByText('shown.txt').first().waitFor()
  const file = { name: 'shown.txt', mimeType: 'text/plain', buffer: Buffer.from('new') }
  await app.locator('input[type=file]').setInputFiles(file)
  await app.getByRole('dialog').getByRole('button', { name: 'Upload' }).click()
  // The question shows a preview of what replacing the file would do.
  const replace = app.getByRole('dialog').getByRole('button', { name: 'Replace', exact: true })
  await replace.waitFor()
  expect(await page.getByText('The workspace was changed').count()).toBe(0)
  await replace.click()
  await page.getByRole('button', { name: 'Apply what is shown' }).click()
  await sees(page, 'The workspace was changed')
  expect(await readText(server.url, '/shown.txt')).toBe('new')
  await page.context().close()
})

it('makes a read-only link, and shows a transfer link that was made', async () => {
  const params = { name: 'transfer_link', arguments: { path: '/sent.bin', direction: 'upload' } }
  await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }).then((answer) => answer.text())
  const page = await visit(browser.open, server.url, '#/sessions?do=new')
  await page.getByLabel('Who is it for').fill('Reader')
  await page.getByRole('checkbox', { name: /^Read-only/ }).click()
  await sees(page, 'Reader may do all that you may, but change nothing.')
  await page.getByRole('button', { name: 'Make the link' }).click()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  const reader = page.getByRole('article', { name: 'Reader' })
  await reader.getByText('May do all that you may, but change nothing.').waitFor()
  const transfer = page.getByRole('article', { name: 'upload link' })
  await transfer.getByText('Not used yet.').waitFor()
  await page.context().close()
})

it('hears of what others do', async () => {
  const page = await visit(browser.open, server.url, '#/activity')
  await page.getByRole('list').first().waitFor()
  await putFile(server.url, '/from-elsewhere.txt', 'x')
  await sees(page, 'Upload /from-elsewhere.txt')
  await page.context().close()
})
