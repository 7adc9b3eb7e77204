/** Escape in a dialog: it discards nothing that was entered without a question, and is no question where nothing was. */

import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import type { Site } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, sees, toolLink, visit } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'
import { startElicitationServer } from '../../support/pages/elicitation-server.ts'

const server = useServer()
const browser = useBrowser()

const dialog = (page: Page) => page.locator('dialog[open]')
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })

const hasFocus = (element: Locator) =>
  expect.poll(() => element.evaluate((each) => each === document.activeElement)).toBe(true)

/** Presses Escape in a field, and waits for the question. */
async function pressEscape(page: Page, field: Locator): Promise<void> {
  await hasFocus(field)
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('alert').getByText(WORDS.discard).waitFor()
  await hasFocus(button(page, WORDS.keepEditing))
}

describe('the question of a server', () => {
  let asker: Site
  beforeAll(async () => void (asker = await startElicitationServer()))
  afterAll(() => asker.close())

  async function ask(): Promise<{ page: Page; name: Locator }> {
    const page = await visit(browser.open, server.url, '#/connect')
    await page.getByLabel('Address').fill(`${asker.url}/mcp`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('region', { name: /Your bank/ }).waitFor()
    await goTo(page, toolLink('ask_name', {}))
    await page.getByRole('button', { name: /^Run/ }).click()
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: WORDS.runAnyway })
    await confirm.or(dialog(page).getByLabel('Name')).waitFor()
    if (await confirm.isVisible()) await confirm.click()
    return { page, name: dialog(page).getByLabel('Name') }
  }

  it('keeps the answer until the person discards it', async () => {
    const { page, name } = await ask()
    await name.fill('A long answer')
    await pressEscape(page, name)
    // Escape answers the question as it does everywhere: nothing happens.
    await page.keyboard.press('Escape')
    await hasFocus(name)
    expect(await name.inputValue()).toBe('A long answer')
    await pressEscape(page, name)
    await page.keyboard.press('Enter')
    await hasFocus(name)
    await pressEscape(page, name)
    await button(page, 'Discard').click()
    await sees(page, /"action":"cancel"/)
    expect(await dialog(page).count()).toBe(0)
    await page.context().close()
  })

  it('keeps an answer that is no valid JSON yet', async () => {
    const { page, name } = await ask()
    await name.waitFor()
    await button(page, 'As JSON').click()
    const json = dialog(page).getByRole('textbox').first()
    await json.fill('{ "name": "A long')
    await pressEscape(page, json)
    await page.context().close()
  })

  it('is closed at once where nothing was entered', async () => {
    const { page, name } = await ask()
    await name.focus()
    await hasFocus(name)
    await page.keyboard.press('Escape')
    await sees(page, /"action":"cancel"/)
    await page.context().close()
  })
})

it.each([
  ['a new session link', '#/sessions?do=new', WORDS.agentName],
  ['an import', '#/?do=import', 'Target folder'],
])('%s keeps what was entered', async (_name, hash, label) => {
  const page = await visit(browser.open, server.url, hash)
  const field = dialog(page).getByLabel(label)
  await field.fill('/somewhere')
  await pressEscape(page, field)
  await button(page, WORDS.keepEditing).click()
  expect(await field.inputValue()).toBe('/somewhere')
  await pressEscape(page, field)
  await button(page, 'Discard').click()
  await expect.poll(() => dialog(page).count()).toBe(0)
  await page.context().close()
})

it('an import stays when no file was chosen', async () => {
  const page = await visit(browser.open, server.url, '#/?do=import')
  // As the browser tells it, to every element around the field as well.
  const cancel = (field: Element) => field.dispatchEvent(new Event('cancel', { bubbles: true }))
  await dialog(page).locator('input[type=file]').first().evaluate(cancel)
  const folder = dialog(page).getByLabel('Target folder')
  await folder.fill('/somewhere')
  await dialog(page).locator('input[type=file]').first().evaluate(cancel)
  expect(await dialog(page).getByText(WORDS.discard).count()).toBe(0)
  expect(await folder.inputValue()).toBe('/somewhere')
  await page.context().close()
})

it('saved inputs ask about a name that was not saved, and about nothing else', async () => {
  const page = await visit(browser.open, server.url, toolLink('read_file', { path: '/a' }))
  await page.getByRole('button', { name: 'Saved inputs' }).click()
  const name = dialog(page).getByLabel('Name of this input')
  await name.fill('Mine')
  await pressEscape(page, name)
  await button(page, WORDS.keepEditing).click()
  await button(page, 'Save').click()
  await button(page, 'Mine').waitFor()
  await name.focus()
  await hasFocus(name)
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog(page).count()).toBe(0)
  await page.context().close()
})
