/** Saving the rules: beside another window that saves them as well, slowly, and by the keyboard. */

import type { Page } from 'playwright'
import { afterEach, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { sees, setConfig, visit } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

afterEach(() => setConfig(server.url, {}))

const config = async (): Promise<unknown> => (await fetch(`${server.url}/config`)).json()

const open = async () => {
  const page = await visit(browser.open, server.url, '#/rules')
  page.setDefaultTimeout(10_000)
  await level(page).waitFor()
  return page
}

const level = (page: Page) => page.getByLabel('Approval', { exact: true })
const saveButton = (page: Page) => page.locator('.savebar').getByRole('button').last()

/** Presses Save in the form, and in the question. */
async function save(page: Page): Promise<void> {
  await saveButton(page).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()
}

it('leaves what was saved in another window meanwhile', async () => {
  const page = await open()
  await level(page).selectOption('review')
  await setConfig(server.url, { read_only: true })
  await save(page)
  await sees(page, /The rules were saved/)
  expect(await config()).toMatchObject({ read_only: true, approval: 'review' })
  await sees(page, 'Nothing may be changed.')
  await page.context().close()
})

it('asks about the rules as they are by then', async () => {
  const page = await open()
  await level(page).selectOption('review')
  await setConfig(server.url, { approval: 'confirm' })
  await saveButton(page).click()
  await sees(page, 'approval: confirm → review')
  await page.context().close()
})

it('names every pattern that changes, by folder and rule, and none that stays', async () => {
  const many = Array.from({ length: 60 }, (_, at) => `private-${at}/**`)
  const rules = (...deny: string[]) => ({ roots: [{ path: '/', deny: [...many, ...deny] }] })
  await setConfig(server.url, rules('payroll.csv'))
  const page = await open()
  await page.getByRole('button', { name: 'Remove' }).last().waitFor()
  const last = page.getByRole('group', { name: 'Deny' }).getByRole('textbox').last()
  await last.fill('payroll.txt')
  await saveButton(page).click()
  const question = page.getByRole('alertdialog')
  const lines = await question.locator('.plainbox').innerText()
  expect(lines).toContain('roots / deny payroll.csv: set → not set')
  expect(lines).toContain('roots / deny payroll.txt: not set → set')
  expect(lines).not.toContain('private-')
  await page.context().close()
})

it('asks again where they change while it asks', async () => {
  const page = await open()
  await level(page).selectOption('review')
  await saveButton(page).click()
  await sees(page, '1 rule changes.')
  await setConfig(server.url, { read_only: true, approval: 'confirm' })
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Save' }).click()
  await sees(page, 'The rules were changed elsewhere meanwhile. 1 rule changes.')
  await sees(page, 'approval: confirm → review')
  expect(await config()).toMatchObject({ read_only: true, approval: 'confirm' })
  await question.getByRole('button', { name: 'Save' }).click()
  await sees(page, /The rules were saved/)
  expect(await config()).toMatchObject({ read_only: true, approval: 'review' })
  await page.context().close()
})

it('saves once, and keeps what is edited while it saves', async () => {
  const page = await open()
  const gate = Promise.withResolvers<void>()
  let sent = 0
  await page.route(/\/config$/, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    sent++
    await gate.promise
    await route.continue()
  })
  await level(page).selectOption('review')
  await save(page)
  await sees(page, 'Saving…')
  await saveButton(page).press('Enter')
  await page.getByLabel('Passkey', { exact: true }).selectOption('all')
  gate.resolve()
  await sees(page, /The rules were saved/)
  await sees(page, '1 rule changes.')
  expect(sent).toBe(1)
  const chosen = page.getByLabel('Passkey', { exact: true }).locator('option:checked')
  expect(await chosen.textContent()).toBe('all')
  expect(await config()).toMatchObject({ approval: 'review', passkey: 'confirm' })
  await page.context().close()
})

it('leaves the focus on Save', async () => {
  const page = await open()
  await level(page).selectOption('review')
  await save(page)
  await sees(page, 'No changes')
  expect(await saveButton(page).evaluate((each) => each === document.activeElement)).toBe(true)
  await page.context().close()
})
