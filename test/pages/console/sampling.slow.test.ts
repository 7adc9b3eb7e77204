/**
 * Servers and apps that ask for what a model would say: a person reads the prompt, writes the answer and
 * sends it, or refuses. Nothing is sent without that.
 */

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { use } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { appears, goTo, inApp, sees, toolLink, visit } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'
import { startElicitationServer } from '../../support/pages/elicitation-server.ts'
import { startEverything } from '../../support/pages/reference-server.ts'
import { startResourceServer } from '../../support/pages/resource-server.ts'

const server = useServer()
const browser = useBrowser()
const modern = use(startElicitationServer)
const everything = use(startEverything)

async function connectTo(url: string, options = {}): Promise<Page> {
  const page = await visit(browser.open, server.url, '#/connect', options)
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('region', { name: /Your bank|Everything|writer/i }).waitFor()
  return page
}

/** Runs a tool, and confirms that where the console asks. */
async function run(page: Page, tool: string, args = {}): Promise<void> {
  await goTo(page, toolLink(tool, args))
  const button = page.getByRole('button', { name: /^Run/ })
  const asks = (await button.textContent())?.includes('…')
  await button.click()
  if (asks)
    await page.getByRole('alertdialog').getByRole('button', { name: WORDS.runAnyway }).click()
}

/** Runs the tool of the modern server that requires the input of a model. */
async function askModern(options = {}): Promise<Page> {
  const page = await connectTo(`${modern().url}/mcp`, options)
  await run(page, 'ask_model')
  await question(page).waitFor()
  return page
}

const question = (page: Page) => page.getByRole('dialog', { name: /asks for a model’s answer/ })
const press = (page: Page, name: string) => question(page).getByRole('button', { name }).click()

it('shows the whole prompt, with hidden characters by their names', async () => {
  const page = await askModern()
  const dialog = question(page)
  const host = new URL(modern().url).host
  await dialog.getByRole('heading', { name: `${host} asks for a model’s answer` }).waitFor()
  const text = (await dialog.textContent()) ?? ''
  expect(text).not.toContain('Your bank')
  for (const part of ['You are terse', 'Say something', 'Please', 'at most 10 tokens', 'small'])
    expect(text).toContain(part)
  expect(text).toContain('speed 1')
  expect(text).not.toContain('\u202e')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await dialog.getByRole('button', { name: 'Copy the prompt' }).click()
  await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'System: You are terse\n\nUser: Say something\nhidden: \u202e\n\nAssistant: No\n\nUser: Please',
  )
  await page.context().close()
})

it('sends what the person wrote, and only when they press the button', async () => {
  const page = await askModern()
  const send = question(page).getByRole('button', { name: WORDS.sendAnswer })
  await page.waitForTimeout(700) // The buttons are ready after half a second.
  expect(await send.isEnabled()).toBe(false)
  await question(page).getByLabel('Answer', { exact: true }).fill('Something')
  await expect.poll(() => send.isEnabled()).toBe(true)
  await page.evaluate(() => {
    const button = [...document.querySelectorAll<HTMLElement>('dialog button')].at(-1)
    button?.click()
    button?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  })
  await page.waitForTimeout(300)
  expect(await question(page).count()).toBe(1)
  await question(page)
    .getByRole('textbox', { name: /^Model/ })
    .fill('my-model')
  await press(page, WORDS.sendAnswer)
  const raw = page.getByRole('tabpanel').getByRole('region', { name: 'Text' }).first()
  const [answer] = JSON.parse((await raw.textContent()) ?? '') as unknown[]
  expect(answer).toMatchObject({
    result: {
      role: 'assistant',
      content: { type: 'text', text: 'Something' },
      model: 'my-model',
      stopReason: 'endTurn',
    },
  })
  await page.context().close()
})

it.each([
  ['Refuse', (page: Page) => press(page, 'Refuse')],
  [
    'Escape',
    async (page: Page) => {
      await page.keyboard.press('Escape')
      await sees(page, WORDS.discard)
      await press(page, 'Discard')
    },
  ],
])('refuses by %s, and sends nothing that was typed', async (_name, act) => {
  const page = await askModern()
  await question(page).getByLabel('Answer', { exact: true }).fill('Secret')
  await act(page)
  await sees(page, WORDS.callFailed)
  expect(await question(page).count()).toBe(0)
  await sees(page, /rejected sampling request/)
  await page.context().close()
})

it('answers a server of the older era, without a timeout for the person', async () => {
  const page = await visit(browser.open, server.url, '#/connect')
  await page.clock.install()
  await page.getByLabel('Address').fill(everything().url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('region', { name: /Everything/ }).waitFor()
  await run(page, 'trigger-sampling-request', { prompt: 'A word', maxTokens: 7 })
  await question(page).getByText('Resource trigger-sampling-request context: A word').waitFor()
  expect(await question(page).textContent()).toContain('at most 7 tokens')
  await page.clock.fastForward(300_000)
  await question(page).getByLabel('Answer', { exact: true }).fill('Tree')
  await page.clock.fastForward(1_000)
  await press(page, WORDS.sendAnswer)
  await sees(page, /LLM sampling result/)
  expect(await page.getByRole('tabpanel').textContent()).toContain('Tree')
  await page.context().close()
})

it('closes the question when the call is cancelled', async () => {
  const page = await askModern()
  await page
    .getByRole('button', { name: 'Cancel', exact: true, includeHidden: true })
    .evaluate((each) => each instanceof HTMLElement && each.click())
  await expect.poll(() => question(page).count()).toBe(0)
  await page.context().close()
})

/** An app that asks with a content as soon as it runs, or again after a refusal, and shows what it gets. */
const appThat = (
  content: string,
  again = false,
) => `<!doctype html><meta charset="utf-8"><title>Writer</title><p id="out">…</p><script>
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const ask = () => {
    const params = { messages: [{ role: 'user', content: ${content} }], maxTokens: 9 }
    post({ id: 'ask', method: 'sampling/createMessage', params })
  }
  addEventListener('message', ({ data: { id, result, error } }) => {
    if (id === 'start') {
      post({ method: 'ui/notifications/initialized' })
      if (result.hostCapabilities.sampling) ask()
    }
    if (id === 'ask' && error && ${again}) setTimeout(ask, 100)
    if (id === 'ask') out.textContent = error ? 'No: ' + error.code : result.content.text
  })
  const params = { appInfo: { name: 'Writer', version: '1' }, appCapabilities: {} }
  post({ id: 'start', method: 'ui/initialize', params })
</script>`

const LINE = `{ type: 'text', text: 'Write a line' }`
const PARTS = `[
  { type: 'text', text: 'Sum up', note: 'UNSEEN' },
  { type: 'resource', resource: { uri: 'file:///a', text: '\\u202egnp' }, also: 'BESIDE' },
  { type: 'resource_link', uri: 'file:///b', name: 'b', description: 'DESCRIPTION' },
  { type: 'audio', mimeType: 'audio/wav', data: 'SOUND' },
  { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=', alt: 'UNSEEN' },
]`
const NAMED = 'ui://w/a” of bank.example for “b\u202e' + 'x'.repeat(60)

const writer = use(() =>
  startResourceServer('writer', {
    'ui://write/app': { text: appThat(LINE) },
    'ui://write/parts': { text: appThat(PARTS) },
    'ui://write/blocks': { text: appThat('Array(65000).fill({})') },
    'ui://write/again': { text: appThat(LINE, true) },
    [NAMED]: { text: appThat(LINE) },
  }),
)

async function openApp(uri: string): Promise<Page> {
  const page = await connectTo(writer().url)
  await goTo(page, `#/apps?uri=${encodeURIComponent(uri)}`)
  return page
}

it.each([
  ['a sentence', 'Lines are straight.', WORDS.sendAnswer],
  ['No: -1', '', 'Refuse'],
])('answers an app, which is named: %s', async (shown, text, button) => {
  const page = await connectTo(writer().url)
  await goTo(page, '#/apps?uri=ui://write/app')
  await question(page).waitFor()
  const heading = await question(page).getByRole('heading', { level: 2 }).textContent()
  expect(heading).toBe(`${new URL(writer().url).host} asks for a model’s answer`)
  await question(page).getByText('“ui://write/app”').waitFor()
  await question(page).getByLabel('Answer', { exact: true }).fill(text)
  await press(page, button)
  await appears(inApp(page).getByText(text || shown))
  await page.context().close()
})

it('copies what it shows of every block, and nothing else', async () => {
  const page = await openApp('ui://write/parts')
  await question(page).waitFor()
  const text = (await question(page).textContent()) ?? ''
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await press(page, 'Copy the prompt')
  await question(page).getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  for (const part of ['BESIDE', 'DESCRIPTION', 'SOUND', '[Image: image/png, 8 bytes]']) {
    expect(text).toContain(part)
    expect(copied).toContain(part)
  }
  expect(`${text} ${copied}`).not.toContain('UNSEEN')
  expect(text).not.toContain('\u202e')
  await page.context().close()
})

it('refuses more blocks than a person can read, and does not hang', async () => {
  const page = await openApp('ui://write/blocks')
  await appears(inApp(page).getByText('No: -32602'))
  expect(await question(page).count()).toBe(0)
  await page.context().close()
})

it('asks no more for an app that was refused three times, until it is reloaded', async () => {
  const page = await openApp('ui://write/again')
  for (let count = 0; count < 3; count++) {
    const dialog = await question(page).elementHandle()
    await press(page, 'Refuse')
    await dialog?.waitForElementState('hidden')
  }
  await appears(inApp(page).getByText('No: -1'))
  expect(await question(page).count()).toBe(0)
  await page.getByRole('button', { name: 'Reload' }).click()
  await question(page).waitFor()
  await page.context().close()
})

it('names an app apart from its server, cut and with hidden characters by their names', async () => {
  const page = await openApp(NAMED)
  const { host } = new URL(writer().url)
  await question(page)
    .getByRole('heading', { name: `${host} asks for a model’s answer`, exact: true })
    .waitFor()
  const name = await question(page).locator('dd').first().textContent()
  expect(name).toContain('bRLOxxx')
  expect(name).toMatch(/x…”$/)
  await page.context().close()
})

it.each(['light', 'dark'] as const)('is accessible and fits in %s', async (colorScheme) => {
  const page = await askModern({ colorScheme, viewport: { width: 400, height: 800 } })
  await question(page).getByLabel('Answer', { exact: true }).fill('Something')
  const send = question(page).getByRole('button', { name: WORDS.sendAnswer })
  await expect.poll(() => send.isEnabled()).toBe(true)
  expect(await faultsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400)
  await page.context().close()
})
