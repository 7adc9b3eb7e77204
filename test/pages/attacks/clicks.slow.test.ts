/**
 * A script in the console's page that presses buttons: what changes something, gives access or
 * takes it away needs a gesture of the person, and a click of a script is none.
 */

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, sees, toolLink } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

const put = (path: string, body: string) =>
  fetch(`${server.url}/files${path}`, { method: 'PUT', body })
const exists = async (path: string) => (await fetch(`${server.url}/files${path}`)).ok

async function open(hash: string): Promise<Page> {
  const page = await browser.open(`${server.url}/`)
  await page.locator('.dot.ready').first().waitFor({ state: 'attached' })
  await goTo(page, hash)
  return page
}

/** Presses a button, by its text, in every way that a script has. No gesture of a test is near. */
async function pressByScript(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: label }).last().waitFor()
  const session = await page.context().newCDPSession(page)
  const expression = `(async () => {
    const found = [...document.querySelectorAll('button')].filter((one) => (one.ariaLabel ?? one.textContent).trim() === ${JSON.stringify(label)})
    const button = found.at(-1)
    await new Promise((settled) => setTimeout(settled, 800))
    button.click()
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
      button.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, cancelable: true }))
    button.focus()
    for (const type of ['keydown', 'keypress', 'keyup'])
      for (const key of ['Enter', ' ']) button.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true }))
    button.form?.requestSubmit()
    if (button.type === 'submit') button.form?.requestSubmit(button)
    button.form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    const handlers = Object.values(button).find((value) => typeof value?.clickfalse === 'function')
    handlers?.clickfalse({ isTrusted: true, currentTarget: button, preventDefault() {} })
    await new Promise((settled) => setTimeout(settled, 800))
  })()`
  await session.send('Runtime.evaluate', { expression, awaitPromise: true })
  await session.detach()
}

it('applies no preview', async () => {
  await put('/kept.txt', 'kept\n')
  const page = await open(toolLink('delete_file', { path: '/kept.txt' }))
  await page.getByRole('button', { name: 'Preview' }).click()
  await sees(page, WORDS.previewed)
  await pressByScript(page, 'Apply')
  expect(await exists('/kept.txt')).toBe(true)
  await page.getByRole('button', { name: 'Apply' }).click()
  await sees(page, WORDS.applied)
  expect(await exists('/kept.txt')).toBe(false)

  await goTo(page, '#/activity')
  await page.getByRole('button', { name: /^Undo/ }).first().click()
  await page.getByRole('button', { name: WORDS.undo }).and(page.locator(':enabled')).waitFor()
  await pressByScript(page, WORDS.undo)
  expect(await exists('/kept.txt')).toBe(false)
  await page.getByRole('button', { name: WORDS.undo }).click()
  await sees(page, /Undone/)
  expect(await exists('/kept.txt')).toBe(true)
  await page.context().close()
})

it('applies nothing without a preview either', async () => {
  await put('/direct.txt', 'kept\n')
  const page = await open(toolLink('delete_file', { path: '/direct.txt' }))
  await page.locator('summary').last().click()
  await page.getByLabel(/Allow Apply without a preview/).check()
  await pressByScript(page, 'Apply without a preview')
  expect(await exists('/direct.txt')).toBe(true)
  await page.context().close()
})

const sessions = async (page: Page) =>
  (await page.context().request.get(`${server.url}/sessions`)).text()

it('runs no tool that has no preview', async () => {
  const page = await open(toolLink('delegate', { label: 'by script' }))
  await pressByScript(page, 'Run…')
  expect(await sessions(page)).not.toContain('by script')
  await pressByScript(page, WORDS.runAnyway)
  expect(await sessions(page)).not.toContain('by script')
  await page.getByRole('button', { name: WORDS.runAnyway }).click()
  await expect.poll(() => sessions(page)).toContain('by script')
  await page.context().close()
})

it('accepts Enter in a field as a gesture', async () => {
  const page = await open(toolLink('read_file', { path: '/nowhere.txt' }))
  await page.locator('form input').first().press('Enter')
  await sees(page, /nowhere/)
  await page.getByRole('alert').first().waitFor()
  await page.context().close()
})

it('makes no link', async () => {
  const page = await open('#/sessions?do=new')
  await page.getByLabel(WORDS.agentName).fill('Made by script')
  await pressByScript(page, WORDS.makeLink)
  expect(await sessions(page)).not.toContain('Made by script')
  await page.context().close()
})

it('imports nothing', async () => {
  const page = await open('#/?do=import')
  const files = [{ name: 'in.txt', mimeType: 'text/plain', buffer: Buffer.from('in\n') }]
  await page.getByLabel('Choose files or an archive').setInputFiles(files)
  await pressByScript(page, 'Import')
  expect(await exists('/in.txt')).toBe(false)
  await page.context().close()
})

it('saves no rules', async () => {
  const page = await open('#/rules')
  await page.getByLabel('Approval', { exact: true }).selectOption({ label: 'confirm' })
  await page.getByRole('button', { name: 'Save…' }).click()
  await pressByScript(page, 'Save')
  const config: unknown = await (await fetch(`${server.url}/config`)).json()
  expect(config).toMatchObject({ approval: 'none' })
  await page.context().close()
})

it('deletes no decision', async () => {
  const rule = {
    id: 'one',
    server: `${server.url}/mcp`,
    decision: 'deny',
    scope: 'write',
    duration: 'always',
    madeAt: 1,
    expiresAt: 9e15,
  }
  const page = await open('#/rules')
  await page.evaluate(
    (text) => localStorage.setItem('edgewise.rules', text),
    JSON.stringify([rule]),
  )
  await page.reload()
  await pressByScript(page, 'Forget: deny write')
  expect(await page.evaluate(() => localStorage.getItem('edgewise.rules'))).toContain('"one"')
  await page.context().close()
})
