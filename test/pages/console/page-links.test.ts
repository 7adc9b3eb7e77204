/**
 * How one person gives a file to another: from Files to a link, to the page behind it, and to the end of the link.
 *
 * Screenshots are written to the folder that `SCREENSHOTS` names.
 */

import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, inApp, putFile, visit } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'
import { PHONE } from '../../support/pages/waiting-drafts.ts'

const server = useServer()
const browser = useBrowser()

const REPORT = `# Report of the year

A short text with *emphasis*, **weight**, \`code\` and a [link to the numbers](numbers.csv).

> This is a quote.

| Quarter | Sales | Note |
| :-- | --: | :-- |
| First | 1,204 | as expected |
| Second | 987 | less than hoped |

- [x] Written
- [ ] Read

![The curve](curve.svg)

\`\`\`ts
export const add = (a: number, b: number) => a + b // sums two
\`\`\`
`

const CURVE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100" width="300" height="100">
<path d="M5 90C80 80 120 20 295 10" fill="none" stroke="#1a56c4" stroke-width="4"/></svg>`

const NUMBERS = `Name,Born,City\n${Array.from({ length: 30 }, (_, at) => `Person ${at},${1960 + at},"City, ${at}"`).join('\n')}\n`

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) })
}

async function fill(): Promise<void> {
  await putFile(server.url, '/report/README.md', REPORT)
  await putFile(server.url, '/report/curve.svg', CURVE)
  await putFile(server.url, '/report/numbers.csv', NUMBERS)
  await putFile(server.url, '/report/src/add.ts', 'export const add = 1\n'.repeat(40))
  await putFile(server.url, '/report/.env', 'SECRET=1')
}

/** Makes a link in the dialog that is open, and returns its URL. */
async function makeLink(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Share with people' })
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  await page.getByText(WORDS.linkShownOnce).waitFor()
  const url = await page.getByRole('region', { name: 'Link to the page' }).textContent()
  await shoot(page, 'made')
  await page.getByRole('button', { name: WORDS.copiedLink }).click()
  return url ?? ''
}

it.each([
  ['light', {}],
  ['dark, 400 px', { ...PHONE, colorScheme: 'dark' }],
] as const)('leads from a folder in Files to its page, and ends it: %s', async (look, options) => {
  await fill()
  const page = await visit(browser.open, server.url, '#/files?path=/report', options)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await shoot(page, `dialog, ${look}`)
  const url = await makeLink(page)

  const reader = await browser.open(url, options)
  await reader.getByRole('heading', { name: 'Report of the year' }).waitFor()
  expect(await reader.locator('body').textContent()).not.toContain('.env')
  const curve = reader.getByRole('img', { name: 'The curve' })
  await curve.scrollIntoViewIfNeeded()
  await expect
    .poll(() =>
      curve.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
    )
    .toBe(300)
  await reader.evaluate('scrollTo(0, 0)')
  await shoot(reader, `folder, ${look}`)
  await reader.getByRole('link', { name: 'link to the numbers' }).click()
  await reader.getByRole('cell', { name: 'City, 29' }).waitFor()
  await shoot(reader, `table, ${look}`)
  const saved = reader.waitForEvent('download')
  await reader.getByRole('link', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toBe('numbers.csv')
  await reader.goto(`${url}src/add.ts`)
  await shoot(reader, `code, ${look}`)
  await reader.goto(`${url}README.md`)
  await shoot(reader, `markdown, ${look}`)

  await goTo(page, '#/sessions')
  const list = page.getByRole('list', { name: 'Pages for people' })
  await list.getByText('opened 4 times').waitFor()
  await list.scrollIntoViewIfNeeded()
  await shoot(page, `sessions, ${look}`)
  await list.getByRole('button', { name: /End now/ }).click()
  await expect.poll(() => list.count()).toBe(0)
  const gone = await reader.goto(url)
  expect(gone?.status()).toBe(404)
  await shoot(reader, `gone, ${look}`)
})

it('shares the file that is selected in the file browser, as it is shown there', async () => {
  await fill()
  const page = await visit(browser.open, server.url, '#/files/browser?path=/report/README.md')
  await inApp(page).getByRole('button', { name: 'Share with people' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share with people' })
  expect(await dialog.getByLabel('File or folder').inputValue()).toBe('/report/README.md')
  await putFile(server.url, '/report/README.md', 'changed meanwhile')
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  await dialog.getByText(/Look at it again/).waitFor()
})
