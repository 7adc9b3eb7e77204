import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import {
  appears,
  goTo,
  holdDiffs,
  inApp,
  inDiff,
  putFile,
  readText,
  sees,
  settles,
  toolLink,
  visit,
} from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

it('opens the console, which cannot be framed', async () => {
  const answer = await fetch(server.url)
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  const page = await browser.open(server.url)
  expect(await page.title()).toBe('Edgewise')
  await page.context().close()
})

it('violates no policy of its own on load', async () => {
  const page = await browser.open('about:blank')
  const violations: string[] = []
  await page.exposeFunction('noteViolation', (what: string) => violations.push(what))
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      Reflect.get(window, 'noteViolation')(`${effectiveDirective} ${blockedURI}`),
    )
  })
  await page.goto(server.url)
  await sees(page, 'Read and change files anywhere in this workspace.')
  expect(violations).toEqual([])
  await page.context().close()
})

it('leads from a first visit to a previewed change, and to its undo', async () => {
  const page = await visit(browser.open, server.url)
  await sees(page, 'No files')
  await sees(page, 'Read and change files anywhere in this workspace.')

  await page.getByRole('link', { name: 'Write a first file' }).click()
  await page.getByRole('heading', { name: 'Write a file', level: 1 }).waitFor()
  expect(await page.locator('.intentline').textContent()).toBe('Write to hello.md')
  const apply = page.getByRole('button', { name: 'Apply' })
  expect(await apply.isDisabled()).toBe(true)

  await page.getByRole('button', { name: 'Preview' }).click()
  await sees(page, WORDS.previewed)
  await appears(inDiff(page).getByText('Written from the console.').first())
  expect(await readText(server.url, '/hello.md')).toBeNull()

  await apply.click()
  await sees(page, WORDS.applied)
  expect(await readText(server.url, '/hello.md')).toBe('# Hello\n\nWritten from the console.\n')

  await page.getByRole('link', { name: WORDS.seeChange }).click()
  await page.getByRole('heading', { name: 'Write to /hello.md', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: WORDS.undoQuestion })
  await dialog.getByRole('button', { name: WORDS.undo }).click()
  await sees(page, 'Undone: Write to /hello.md')
  expect(await readText(server.url, '/hello.md')).toBeNull()

  await goTo(page, '#/activity')
  await sees(page, 'Undo: Write to /hello.md')
  await page.context().close()
})

it('applies no stale preview, and shows a new one', async () => {
  await putFile(server.url, '/stale.txt', 'one\n')
  const hash = toolLink('write_file', { path: '/stale.txt', content: 'two\n' })
  const page = await visit(browser.open, server.url, hash)
  await page.getByRole('button', { name: 'Preview' }).click()
  await sees(page, WORDS.previewed)
  await putFile(server.url, '/stale.txt', 'changed meanwhile\n')
  await page.getByRole('button', { name: 'Apply' }).click()
  await sees(page, 'Nothing was applied: the file has changed since the preview.')
  expect(await readText(server.url, '/stale.txt')).toBe('changed meanwhile\n')
  await appears(inDiff(page).getByText('changed meanwhile').first())
  await page.getByRole('button', { name: 'Apply' }).click()
  await sees(page, WORDS.applied)
  expect(await readText(server.url, '/stale.txt')).toBe('two\n')
  await page.context().close()
})

it('makes an edit by keyboard alone', async () => {
  await putFile(server.url, '/keys.txt', 'old\n')
  const page = await visit(browser.open, server.url)
  await page.keyboard.press('Control+k')
  // The field may not be there yet.
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
  await sees(page, WORDS.previewed)
  await tabTo(page, 'Apply')
  await settles(page)
  await page.keyboard.press('Enter')
  await sees(page, WORDS.applied)
  expect(await readText(server.url, '/keys.txt')).toBe('new')
  await page.context().close()

  /** Presses Tab until the focus is on the element of that name. */
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

it('has an address for each page, tool call and change', async () => {
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
  await sees(again, 'Page not found')
  await page.context().close()
  await again.context().close()
})

it('imports the chosen files, and shows a report', async () => {
  const page = await visit(browser.open, server.url, '#/?do=import')
  const files = [
    { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('first\n') },
    { name: `${'long'.repeat(30)}.txt`, mimeType: 'text/plain', buffer: Buffer.from('second\n') },
  ]
  await page.getByLabel('Choose files or an archive').setInputFiles(files)
  await sees(page, '2 files, 13 bytes.')
  await page.getByLabel('Target folder').fill('/imported')
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await sees(page, /2 files imported/)
  expect(await readText(server.url, '/imported/a.txt')).toBe('first\n')
  expect(await readText(server.url, `/imported/${'long'.repeat(30)}.txt`)).toBe('second\n')
  await page.context().close()
})

it('reports changed files after a change, and not after a preview', async () => {
  await putFile(server.url, '/shown.txt', 'old')
  const page = await visit(browser.open, server.url, '#/files/browser')
  const app = inApp(page)
  await app.getByText('shown.txt').first().waitFor()
  const file = { name: 'shown.txt', mimeType: 'text/plain', buffer: Buffer.from('new') }
  await app.locator('input[type=file]').setInputFiles(file)
  await app.getByRole('dialog').getByRole('button', { name: 'Upload' }).click()
  // The question shows a preview of what replacing the file would do.
  const replace = app.getByRole('dialog').getByRole('button', { name: 'Replace', exact: true })
  await replace.waitFor()
  expect(await page.getByText('The workspace was changed').count()).toBe(0)
  // Nothing can be allowed before the preview is drawn.
  const release = await holdDiffs(page)
  await replace.click()
  const apply = page.getByRole('button', { name: 'Apply this preview' })
  await apply.waitFor()
  await page.waitForTimeout(1_500)
  expect(await apply.isDisabled()).toBe(true)
  release()
  await apply.click()
  await sees(page, 'The workspace was changed')
  expect(await readText(server.url, '/shown.txt')).toBe('new')
  await page.context().close()
})

it('does not scroll to a result again after the person has scrolled', async () => {
  const link = toolLink('write_file', { path: '/late.txt', content: 'line\n'.repeat(80) })
  const page = await visit(browser.open, server.url, link)
  const release = await holdDiffs(page)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await sees(page, WORDS.previewed)
  await page.mouse.move(600, 300)
  await page.mouse.wheel(0, -5_000)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  release()
  await appears(inDiff(page).getByText('line').first())
  await page.waitForTimeout(500)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.context().close()
})

it('opens the file of its address in the file browser, with one button for the full screen', async () => {
  await putFile(server.url, '/deep/main.ts', 'export const answer = 42\n')
  const page = await visit(browser.open, server.url, '#/files/browser?path=/deep/main.ts')
  await appears(inApp(page).getByText('export const answer = 42'))
  await appears(inApp(page).getByText('1 line · TypeScript'))
  const own = page.locator('mcp-view').getByRole('button', { name: 'Full screen' })
  expect(await own.count()).toBe(1)
  expect(await inApp(page).getByRole('button', { name: 'Full screen' }).count()).toBe(0)
  expect(await page.locator('mcp-view header b').textContent()).toBe('Files')
  await page.context().close()
})

it('shows the file of its address in a narrow window, where there is room for one pane', async () => {
  await putFile(server.url, '/deep/narrow.ts', 'export const answer = 43\n')
  const viewport = { width: 400, height: 800 }
  const page = await visit(browser.open, server.url, '#/files/browser?path=/deep/narrow.ts', {
    viewport,
  })
  await appears(inApp(page).getByText('export const answer = 43'))
  await inApp(page).getByRole('button', { name: 'Back to the list' }).click()
  await appears(inApp(page).getByText('narrow.ts').first())
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
  await page.getByLabel(WORDS.agentName).fill('Reader')
  await page.getByRole('checkbox', { name: /^Read-only/ }).click()
  await sees(page, 'Reader may do everything that the rules allow, but change nothing.')
  await page.getByRole('button', { name: WORDS.makeLink }).click()
  await page.getByRole('button', { name: WORDS.copiedLink }).click()
  const reader = page.getByRole('article', { name: 'Reader' })
  await reader.getByText('May do everything that the rules allow, but change nothing.').waitFor()
  const transfer = page.getByRole('article', { name: 'upload link' })
  await transfer.getByText('Not used yet.').waitFor()
  await page.context().close()
})

it('says how many sessions are not listed', async () => {
  const page = await visit(browser.open, server.url, '#/tools')
  await page.route('**/sessions', async (route) => {
    const listed: unknown = await (await route.fetch()).json()
    await route.fulfill({ json: { ...Object(listed), left: 7 } })
  })
  await goTo(page, '#/sessions')
  await sees(
    page,
    '7 more sessions are not listed: links that you made and sign-ins come first. A session below another one ends with it.',
  )
  await page.context().close()
})

it('shows changes of others', async () => {
  const page = await visit(browser.open, server.url, '#/activity')
  await page.getByRole('list').first().waitFor()
  await putFile(server.url, '/from-elsewhere.txt', 'x')
  await sees(page, 'Upload /from-elsewhere.txt')
  await page.context().close()
})

it('shows the arguments of its address, also when the same tool is open', async () => {
  await putFile(server.url, '/first.txt', 'the first\n')
  const page = await visit(browser.open, server.url, toolLink('read_file', { path: '/first.txt' }))
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('tabpanel').getByText('the first').first().waitFor()
  await goTo(page, toolLink('read_file', { path: '/second.txt' }))
  await sees(page, 'Read /second.txt')
  expect(await page.getByLabel('Path').inputValue()).toBe('/second.txt')
  expect(await page.getByRole('tabpanel').count()).toBe(0)
  await page.goBack()
  await expect.poll(() => page.getByLabel('Path').inputValue()).toBe('/first.txt')
  await page.context().close()
})

it('says what a call would do before it confirms it, and asks about no call that cannot be made', async () => {
  const page = await visit(browser.open, server.url, toolLink('delegate', { scopes: ['read'] }))
  const question = page.getByRole('alertdialog', { name: 'Run “Delegate access”?' })
  await page.getByRole('button', { name: 'Run' }).click()
  expect(await question.count()).toBe(0)
  await page.getByLabel('Label').fill('Helper')
  await page.getByRole('button', { name: 'Run' }).click()
  await question.getByText('Give Helper access to read anything for 1 hour').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.context().close()
})

it('shows what a tool writes about its call and its result, as Markdown', async () => {
  const args = { label: '**Docs** agent', scopes: ['read:file:/docs'] }
  const page = await visit(browser.open, server.url, toolLink('delegate', args))
  const items = page.getByTestId('input-text').getByRole('listitem')
  await expect
    .poll(() => items.allInnerTexts())
    .toEqual([
      'The link is for **Docs** agent.',
      'It permits only read:file:/docs.',
      'It ends with your session at the latest.',
    ])
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByRole('button', { name: 'Run the tool' }).click()
  const output = page.getByTestId('output-text')
  await output.waitFor()
  expect(await output.locator('pre').innerText()).toMatch(/^http:\S+\/s\/\S+\/mcp$/)
  await page.context().close()
})

it('keeps its other pages when one cannot be drawn, and draws that one again', async () => {
  await putFile(server.url, '/changed.md', 'a change to list')
  const page = await visit(browser.open, server.url)
  await page.evaluate(() => {
    const { prototype } = Intl.DateTimeFormat
    const own = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {}
    const get = () => {
      throw new Error('This browser writes no dates')
    }
    Object.defineProperty(prototype, 'format', { ...own, get })
    Object.assign(window, { mend: () => Object.defineProperty(prototype, 'format', own) })
  })
  await goTo(page, '#/activity')
  await sees(page, 'This page cannot be drawn')
  await goTo(page, '#/tools')
  await sees(page, 'search_files')
  await goTo(page, '#/activity')
  await sees(page, 'This page cannot be drawn')
  await page.evaluate(() => Reflect.get(window, 'mend')())
  await page.getByRole('button', { name: 'Draw it again' }).click()
  await sees(page, '/changed.md')
  await page.context().close()
})
