/**
 * What a server asks the person, as dialogs of the console: in the newer era by results that require
 * input, in the older one by requests of the server. Whatever the person does, the server learns that
 * and no more.
 */

import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import type { Site } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { startElicitationServer } from '../../support/pages/elicitation-server.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { startEverything } from '../../support/pages/reference-server.ts'
import { goTo, sees, toolLink, visit } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

/** Looks at a server, and runs one of its tools. */
async function asked(url: string, tool: string, args = {}): Promise<Page> {
  const page = await visit(browser.open, server.url, '#/connect')
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('region', { name: /Your bank|Everything/ }).waitFor()
  await rerun(page, tool, args)
  return page
}

async function rerun(page: Page, tool: string, args = {}): Promise<void> {
  await goTo(page, toolLink(tool, args))
  const run = page.getByRole('button', { name: /^Run/ })
  const asks = (await run.textContent())?.includes('…')
  await run.click()
  if (asks)
    await page.getByRole('alertdialog').getByRole('button', { name: WORDS.runAnyway }).click()
}

const question = (page: Page) => page.getByRole('dialog', { name: /asks you/ })

/** Presses a button of the question as soon as it can be pressed. */
const press = (page: Page, name: string) => question(page).getByRole('button', { name }).click()

/** Closes the question by Escape, although something was entered. */
async function discard(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await sees(page, WORDS.discard)
  await press(page, 'Discard')
}

/** The answer that the tool reports. */
async function answers(page: Page): Promise<unknown> {
  const text = page.getByRole('tabpanel').getByRole('region', { name: 'Text' }).first()
  return JSON.parse((await text.textContent()) ?? '')
}

describe('the newer era', () => {
  let asker: Site
  beforeAll(async () => void (asker = await startElicitationServer()))
  afterAll(() => asker.close())
  const ask = (tool: string) => asked(`${asker.url}/mcp`, tool)

  it('names the server by its address, and sends the form', async () => {
    const page = await ask('ask_name')
    const dialog = question(page)
    await dialog.getByText('Who are you?').waitFor()
    const host = new URL(asker.url).host
    await dialog.getByRole('heading', { name: `${host} asks you for information` }).waitFor()
    expect(await dialog.textContent()).not.toContain('Your bank')
    await dialog.getByLabel('Name').fill('Ada')
    await press(page, WORDS.sendAnswer)
    await sees(page, /action/)
    expect(await answers(page)).toEqual([
      { kind: 'elicit', action: 'accept', content: { name: 'Ada' } },
    ])
    await page.context().close()
  })

  it('sends no invalid form, and marks the invalid field', async () => {
    const page = await ask('ask_name')
    const name = question(page).getByLabel('Name')
    await press(page, WORDS.sendAnswer)
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => name.evaluate((each) => each === document.activeElement)).toBe(true)
    await name.fill('A')
    await press(page, WORDS.sendAnswer)
    expect(await question(page).count()).toBe(1)
    await name.fill('Al')
    await press(page, WORDS.sendAnswer)
    await sees(page, /"Al"/)
    await page.context().close()
  })

  it.each([
    ['decline', (page: Page) => press(page, 'Decline')],
    ['cancel', discard],
  ])('shows %s, and reveals no secret', async (action, act) => {
    const page = await ask('ask_defaults')
    await question(page).getByLabel('City').fill('Bergen')
    await act(page)
    await sees(page, /action/)
    expect(await answers(page)).toEqual([{ kind: 'elicit', action }])
    expect(await question(page).count()).toBe(0)
    await page.context().close()
  })

  it('starts with the defaults, which are a valid answer', async () => {
    const page = await ask('ask_defaults')
    expect(await question(page).getByLabel('City').inputValue()).toBe('Oslo')
    await press(page, WORDS.sendAnswer)
    await sees(page, /action/)
    const content = { city: 'Oslo', trees: 3, kind: 'pear' }
    expect(await answers(page)).toEqual([{ kind: 'elicit', action: 'accept', content }])
    await page.context().close()
  })

  it('keeps numbers within their bounds', async () => {
    const page = await ask('ask_defaults')
    await question(page).getByLabel('Trees').fill('10')
    await press(page, WORDS.sendAnswer)
    await question(page).getByText('At most 9').waitFor()
    await question(page).getByLabel('Trees').fill('9')
    await press(page, WORDS.sendAnswer)
    await sees(page, /"trees":9/)
    await page.context().close()
  })

  it('offers choices by their titles, one or several', async () => {
    const page = await ask('ask_choices')
    const dialog = question(page)
    await dialog.getByLabel('One').selectOption({ label: 'Pears' })
    await dialog.getByLabel('Old').selectOption({ label: 'Why' })
    await dialog.getByLabel('green').check()
    await dialog.getByLabel('yellow').check()
    const yes = dialog.getByRole('button', { name: WORDS.sendAnswer })
    await expect.poll(() => yes.isEnabled()).toBe(true)
    expect(await faultsOf(page)).toEqual([])
    await press(page, WORDS.sendAnswer)
    await sees(page, /action/)
    const content = { one: 'p', some: ['green', 'yellow'], old: 'y' }
    expect(await answers(page)).toEqual([{ kind: 'elicit', action: 'accept', content }])
    await page.context().close()
  })

  it('shows one question at a time', async () => {
    const page = await ask('ask_twice')
    await question(page).getByText('1 more question').waitFor()
    await question(page).getByLabel('Name').fill('Ada')
    await press(page, WORDS.sendAnswer)
    await question(page).getByText('The second question').waitFor()
    expect(await question(page).count()).toBe(1)
    await press(page, 'Decline')
    await sees(page, /action/)
    expect(await answers(page)).toEqual([
      { kind: 'elicit', action: 'accept', content: { name: 'Ada' } },
      { kind: 'elicit', action: 'decline' },
    ])
    await page.context().close()
  })

  it('opens a page only on a click, and shows its host', async () => {
    const page = await ask('ask_visit')
    const opened: string[] = []
    page.context().on('page', (other) => opened.push(other.url()))
    await question(page).getByText('A page of pay.localhost:9 opens in another tab:').waitFor()
    await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('dialog button')].at(-1)?.click(),
    )
    expect(opened).toEqual([])
    const tab = page.context().waitForEvent('page')
    await press(page, WORDS.openPage)
    expect(await (await tab).evaluate('opener')).toBe(null)
    await sees(page, /"action":"accept"/)
    await page.context().close()
  })

  it('opens no script URL', async () => {
    const page = await ask('ask_script')
    await question(page).getByText(WORDS.notWebAddress).waitFor()
    await page.waitForTimeout(700) // The buttons are ready after half a second.
    expect(await question(page).getByRole('button', { name: WORDS.openPage }).isEnabled()).toBe(
      false,
    )
    await press(page, 'Decline')
    await sees(page, /"action":"decline"/)
    await page.context().close()
  })

  it('closes the question when the call is cancelled, and returns the focus', async () => {
    const page = await ask('ask_name')
    await question(page).waitFor()
    await goTo(page, '#/tools')
    await page.keyboard.press('Escape')
    await expect.poll(() => question(page).count()).toBe(0)
    await page.context().close()
  })
})

describe('the legacy era', () => {
  let everything: Site
  let url = ''
  beforeAll(async () => {
    everything = await startEverything()
    url = everything.url
  })
  afterAll(() => everything.close())

  it('fills in every kind of field, and sends valid values', async () => {
    const page = await asked(url, 'trigger-elicitation-request')
    const dialog = question(page)
    await dialog.getByRole('textbox', { name: /^String(?! with)/ }).fill('Ada')
    await dialog.getByLabel('String with email format').fill('no address')
    await press(page, WORDS.sendAnswer)
    expect(await dialog.count()).toBe(1)
    await dialog.getByLabel('String with email format').fill('ada@example.org')
    await dialog.getByLabel('Piano').check()
    await dialog
      .getByLabel('Titled Single Select Enum', { exact: true })
      .selectOption('Wonder Woman')
    await press(page, WORDS.sendAnswer)
    await sees(page, /User provided the requested information/)
    const raw = (await page.getByRole('tabpanel').textContent()) ?? ''
    const result: unknown = JSON.parse(/Raw result: (\{[^]*\})/.exec(raw)?.[1] ?? '')
    expect(result).toMatchObject({
      action: 'accept',
      content: {
        name: 'Ada',
        email: 'ada@example.org',
        firstLine: 'It was a dark and stormy night.',
        integer: 42,
        untitledMultipleSelectEnum: ['Guitar', 'Piano'],
        titledSingleSelectEnum: 'hero-3',
        titledMultipleSelectEnum: ['fish-1'],
        legacyTitledEnum: 'pet-1',
      },
    })
    await rerun(page, 'trigger-elicitation-request')
    await question(page).waitFor()
    await page.keyboard.press('Escape')
    await sees(page, /User cancelled/)
    await page.context().close()
  })

  it('opens the page that a call needs, and lets the person repeat the call', async () => {
    const args = { url: 'http://pay.localhost:9/till', errorPath: true }
    const page = await asked(url, 'trigger-url-elicitation', args)
    await question(page)
      .getByText(/^A page of /)
      .waitFor()
    const tab = page.context().waitForEvent('page')
    await press(page, WORDS.openPage)
    await tab
    await sees(page, /Complete the page in the other tab, then run the tool again/)
    await page.context().close()
  })

  it('declares no roots, so no tool asks for them', async () => {
    const page = await asked(url, 'echo', { message: 'hello' })
    await sees(page, 'Echo: hello')
    await goTo(page, '#/tools')
    const tools = await page.getByRole('link').allTextContents()
    expect(tools.join(' ')).toContain('trigger-elicitation-request')
    expect(tools.join(' ')).not.toMatch(/get-roots-list/)
    await page.context().close()
  })

  it('has no timeout for the person', async () => {
    const page = await visit(browser.open, server.url, '#/connect')
    await page.clock.install()
    await page.getByLabel('Address').fill(url)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('region', { name: /Everything/ }).waitFor()
    await rerun(page, 'trigger-elicitation-request')
    await question(page).waitFor()
    await page.clock.fastForward(300_000)
    await question(page)
      .getByRole('textbox', { name: /^String(?! with)/ })
      .fill('Ada')
    await page.clock.fastForward(1_000)
    await press(page, WORDS.sendAnswer)
    await sees(page, /User provided the requested information/)
    await page.context().close()
  })

  it('closes the question when its server is gone', async () => {
    const page = await asked(url, 'trigger-elicitation-request')
    await question(page).waitFor()
    await everything.close()
    await expect.poll(() => question(page).count()).toBe(0)
    await sees(page, WORDS.callFailed)
    await page.context().close()
  })
})
