/**
 * The first visit: open the console, preview a file, apply it, undo it. By mouse and by the keyboard alone, with an
 * upper bound on the clicks and the keys, so that no step is added without being noticed.
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Locator, Page } from 'playwright'
import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { appears, inDiff, readText, sees, settles } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

let visits = 0

/** Opens the console at a new workspace, because only the first visit of one is offered a first file. */
async function visitNew() {
  const workspace = `/w/first${visits++}`
  const page = await browser.open(`${server.url}/?at=${workspace}/mcp`)
  return { page, read: () => readText(server.url + workspace, '/hello.md') }
}

/** Clicks: the offered first file, Preview, Apply, Undo, and the answer to its question. */
const MAX_CLICKS = 5

/** Keys: one for each of these actions, and those that move the focus. A chord is one key. */
const MAX_KEYS = 16

const CONTENT = '# Hello\n\nWritten from the console.\n'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const undone = (page: Page) => sees(page, 'Undone: Write to /hello.md')

it('takes few clicks', async () => {
  let clicks = 0
  const click = async (target: Locator) => {
    await target.click()
    clicks++
  }
  const begun = performance.now()
  const { page, read } = await visitNew()
  await click(page.getByRole('link', { name: 'Write a first file' }))
  await click(button(page, 'Preview'))
  await sees(page, WORDS.previewed)
  expect(await read()).toBeNull()
  await click(button(page, 'Apply'))
  await sees(page, WORDS.applied)
  expect(await read()).toBe(CONTENT)
  // What is drawn late moves the button, so that a press and its release may meet different elements.
  await appears(inDiff(page).getByText('Written from the console.').first())
  await click(button(page, 'Undo'))
  await click(page.getByRole('dialog').getByRole('button', { name: WORDS.undo }))
  await undone(page)
  expect(await read()).toBeNull()
  report('mouse', `${clicks} clicks`, begun)
  expect(clicks).toBeLessThanOrEqual(MAX_CLICKS)
  await page.context().close()
})

it('takes few keys, and no mouse', async () => {
  let keys = 0
  const begun = performance.now()
  const { page, read } = await visitNew()
  const press = async (key: string) => {
    await page.keyboard.press(key)
    keys++
  }
  const tabTo = async (target: Locator) => {
    await target.waitFor()
    while (!(await target.evaluate((each) => each === document.activeElement))) {
      if (keys > 3 * MAX_KEYS) throw new Error('Tab does not reach it')
      await press('Tab')
    }
  }
  const first = page.getByRole('link', { name: 'Write a first file' })
  await first.waitFor()
  await press('Tab')
  await press('Enter') // “Skip to the content”
  await tabTo(first)
  await press('Enter')
  await page.getByRole('heading', { name: 'Write a file', level: 1 }).waitFor()
  await press('Control+Enter')
  await sees(page, WORDS.previewed)
  expect(await read()).toBeNull()
  // A person reads the preview; a key before that is ignored.
  await settles(page)
  await press('Control+Enter')
  await sees(page, WORDS.applied)
  expect(await read()).toBe(CONTENT)
  await tabTo(button(page, 'Undo'))
  await settles(page)
  await press('Enter')
  const yes = page.getByRole('dialog').getByRole('button', { name: WORDS.undo })
  await expect.poll(() => yes.isEnabled()).toBe(true)
  await tabTo(yes)
  await settles(page)
  await press('Enter')
  await undone(page)
  expect(await read()).toBeNull()
  report('keyboard', `${keys} keys`, begun)
  expect(keys).toBeLessThanOrEqual(MAX_KEYS)
  await page.context().close()
})

it('applies no preview by a key that comes before it can be read, or is held down', async () => {
  const { page, read } = await visitNew()
  await page.getByRole('link', { name: 'Write a first file' }).click()
  await button(page, 'Preview').waitFor()
  await page.keyboard.down('Control')
  await page.keyboard.down('Enter')
  await sees(page, WORDS.previewed)
  await page.keyboard.down('Enter')
  await page.waitForTimeout(700)
  await page.keyboard.down('Enter')
  await page.waitForTimeout(300)
  expect(await read()).toBeNull()
  await page.context().close()
})

/** Prints the seconds, which depend on the machine. */
function report(way: string, steps: string, begun: number): void {
  console.log(
    `First visit by ${way}: ${steps}, ${((performance.now() - begun) / 1000).toFixed(1)} s`,
  )
}

it('offers to connect an agent first, until one has called', async () => {
  const { page } = await visitNew()
  const first = page.getByRole('navigation').first().getByRole('link').first()
  await expect.poll(() => first.textContent()).toBe('Connect an agent')
  await first.click()
  await sees(page, 'Waiting for the first call…')
  await page.getByRole('tab', { name: 'Codex' }).click()
  const command = await page.getByRole('region', { name: 'For Codex' }).first().textContent()
  const url = command?.trim().split(' ').at(-1) ?? ''
  const agent = new Client({ name: 'my-agent', version: '1' })
  await agent.connect(new StreamableHTTPClientTransport(new URL(url)))
  await agent.callTool({ name: 'list_roots', arguments: {} })
  await appears(page.getByRole('status').getByText('my-agent'))
  await expect.poll(() => first.textContent()).toBe('Waiting for you')
  await agent.close()
  await page.context().close()
})
