/** An untrusted server in the console: its texts are shown as text, without any effect. */

import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { use } from '../../support/pages/app-servers.ts'
import { BAD_ADDRESSES, startHostileServer } from '../../support/pages/hostile-server.ts'
import { hiddenIn, watched, type Watched } from '../../support/pages/injection-watch.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, toolLink } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()
const foreign = use(() => startHostileServer())

/** The console, looking at it because a person typed its address. */
async function connected(): Promise<Watched> {
  const origins = [server.url, server.url.replace('localhost', '127.0.0.1')]
  const view = await watched(browser.open, `${server.url}/#/connect`, [
    ...origins,
    new URL(foreign().url).origin,
  ])
  await view.page.getByLabel('Address').fill(foreign().url)
  await view.page.getByRole('button', { name: 'Connect', exact: true }).click()
  await view.page.locator('.dot.ready').first().waitFor({ state: 'attached' })
  await view.page.getByRole('link', { name: 'Tools', exact: true }).first().waitFor()
  return view
}

/** Opens a tool and calls it as a person does. */
async function run(page: Page, tool: string, args: object = {}): Promise<void> {
  await goTo(page, toolLink(tool, { ...args }))
  await page.locator('article.tool code').getByText(tool, { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Run…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: WORDS.runAnyway }).click()
}

it('is text on every page', async () => {
  const { page, expectQuiet } = await connected()
  for (const [hash, place] of [
    ['#/connect', '.facts'],
    ['#/tools', '.tools'],
    ['#/apps', '.windows'],
    ['#/rules', 'main h1'],
    ['#/log', '.log'],
  ] as const) {
    await goTo(page, hash)
    await page.locator(place).first().waitFor({ state: 'attached' })
    await expectQuiet(hash)
  }
  await page.context().close()
})

it('has tools whose forms, sentences and results are text', async () => {
  const { page, expectQuiet } = await connected()
  await goTo(page, '#/tools')
  const names = await page.locator('.tools .toolname code').allInnerTexts()
  const odd = names.filter((name) => name.startsWith('tool_'))
  expect(odd.length).toBeGreaterThan(20)
  for (const name of odd) {
    await goTo(page, `#/tools/${name}`)
    await page.locator('article.tool form').waitFor()
    await expectQuiet(name)
  }
  // The result of an error has no tabs.
  await run(page, 'tool_3')
  await page.locator('.result summary', { hasText: 'Raw JSON' }).click()
  await expectQuiet('tool_3')
  for (const name of ['tool_0', 'tool_900']) {
    await run(page, name)
    const tabs = page.getByRole('tab')
    await tabs.first().waitFor()
    for (const tab of await tabs.all()) {
      await tab.click()
      await expectQuiet(`${name} ${await tab.innerText()}`)
    }
  }
  await page.context().close()
})

it('asks a question, and the page stays usable', async () => {
  const { page, expectQuiet } = await connected()
  await run(page, 'ask')
  const question = page.getByRole('dialog', { name: /asks you/ })
  await question.waitFor()
  expect(hiddenIn(await question.locator('.modalhead').innerText())).toEqual([])
  await expectQuiet('form')
  await question.getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('tabpanel').first().waitFor()
  expect(foreign().answers).toEqual(['decline'])
  await expectQuiet('answered')
  await page.context().close()
})

it.each(BAD_ADDRESSES.map((address, index) => [address, `open_${index}`]))(
  'opens no page at %s',
  async (_, tool) => {
    const { page, expectQuiet } = await connected()
    foreign().answers.length = 0
    await run(page, tool)
    const question = page.getByRole('dialog', { name: /asks you/ })
    const yes = question.getByRole('button', { name: WORDS.openPage })
    await question.getByRole('button', { name: 'Decline' }).waitFor()
    await expect.poll(() => question.getByText(WORDS.notWebAddress).count()).toBe(1)
    // The button stays disabled after the settling time, too.
    await page.waitForFunction(() => performance.now() > 2_000)
    if ((await yes.count()) > 0) expect(await yes.isDisabled()).toBe(true)
    await question.getByRole('button', { name: 'Decline' }).click()
    await expect.poll(() => foreign().answers).toEqual(['decline'])
    await expectQuiet(tool)
    await page.context().close()
  },
)
