/** Actions by the keyboard whose button is gone after them: the focus goes to what is next to it. */

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, putFile, sees, settles, visit } from '../../support/pages/console-actions.ts'
import { addAuthenticator } from '../../support/pages/virtual-authenticator.ts'

const server = useServer()
const browser = useBrowser()

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Presses a button by Enter, as soon as it takes that. */
async function press(page: Page, name: string): Promise<void> {
  await expect.poll(() => button(page, name).isEnabled()).toBe(true)
  await button(page, name).focus()
  await settles(page)
  await page.keyboard.press('Enter')
}

/** Waits until something with a text has the focus. */
const focuses = (page: Page, name: string | RegExp) =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const at = document.activeElement
        return at === document.body ? '' : (at?.getAttribute('aria-label') ?? at?.textContent)
      }),
    )
    .toMatch(name)

it('passkeys: registered, kept and removed', async () => {
  const page = await visit(browser.open, server.url, '#/rules')
  await addAuthenticator(page)
  const register = async (name: string) => {
    await page.getByLabel('Name of the new passkey').fill(name)
    await press(page, 'Register a passkey')
  }
  await register('Phone')
  await button(page, 'Remove… Phone').waitFor()
  await focuses(page, 'Register a passkey')
  await register('Same phone')
  await sees(page, 'This device already has a passkey')
  await focuses(page, 'Register a passkey')
  await press(page, 'Remove… Phone')
  // Until the dialog is open, a key would reach its first button, which gets the focus then.
  await focuses(page, 'Cancel')
  await page.getByText('I have lost my passkeys').press('Enter')
  await press(page, 'Remove in 24 hours')
  await press(page, 'Keep the passkey')
  await button(page, 'Keep the passkey').waitFor({ state: 'detached' })
  await focuses(page, 'Rules')
  await press(page, 'Remove… Phone')
  await press(page, 'Remove with a passkey')
  await button(page, 'Remove… Phone').waitFor({ state: 'detached' })
  await focuses(page, 'Rules')
  await page.context().close()
})

it('apps: approved and taken back', async () => {
  const manifest = { title: 'Copy', template: 'progress', data: ['run.json'] }
  await putFile(server.url, '/.apps/copy/app.json', JSON.stringify(manifest))
  const page = await visit(browser.open, server.url, '#/waiting')
  await press(page, 'Approve the app : Copy')
  await focuses(page, /Copy.*approved/)
  await press(page, 'Take back the approval : Copy')
  await focuses(page, /Copy.*waits for you/)
  await goTo(page, '#/activity?path=/docs')
  await press(page, 'Clear the filters')
  await expect
    .poll(() =>
      page.getByLabel('File or folder').evaluate((field) => field === document.activeElement),
    )
    .toBe(true)
  await page.context().close()
})
