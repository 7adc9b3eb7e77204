/**
 * A hosted agent that signed in by OAuth rewrites 30 files under review. On a phone, the owner turns two of them
 * down with a note and approves the rest; the agent reads the note and proposes again.
 *
 * Screenshots are written to the folder that `SCREENSHOTS` names.
 */

import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { MemoryProvider } from '../../support/e2e/oauth-provider.ts'
import { Person, SECRET } from '../../support/e2e/person.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { sees } from '../../support/pages/console-actions.ts'
import { button } from '../../support/pages/waiting-drafts.ts'

const server = useServer({
  EDGEWISE_OWNER_SECRET: SECRET,
  EDGEWISE_CONFIG: '{"approval":"review"}',
})
const browser = useBrowser()

const FILES = Array.from({ length: 30 }, (_, index) => `/articles/${index + 1}.md`)
const NOTE = 'Keep the old titles here, please.'
const before = (path: string) => `# Title of ${path}\n\nThe old text.\n`
const after = (path: string) => before(path).replace('The old', 'The much better')

async function connectAgent(): Promise<Client> {
  const authProvider = new MemoryProvider('Hosted agent')
  const url = new URL('/mcp', server.url)
  const first = new StreamableHTTPClientTransport(url, { authProvider })
  const name = { name: 'hosted', version: '1' }
  const options = { versionNegotiation: { mode: 'auto' } } as const
  await expect(new Client(name, options).connect(first)).rejects.toThrow(UnauthorizedError)
  const back = await new Person().consent(authProvider.sentTo ?? url, { allow: true })
  await first.finishAuth(back.searchParams)
  const client = new Client(name, options)
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider }))
  return client
}

/** Answers what the model is handed. */
async function call(agent: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content, isError } = await agent.callTool({ name, arguments: args })
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  expect(isError, text).toBeFalsy()
  return text
}

const rewrite = (agent: Client, path: string, find: string, replace: string) =>
  call(agent, 'edit_file', { path, edits: [{ find, replace }] })

/** The owner's phone, which counts what it is tapped. */
async function openPhone() {
  const page = await browser.open(server.url, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await page.getByLabel('Secret').fill(SECRET)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return page
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

it('is reviewed on a phone, reads why two changes were turned down, and mends them', async () => {
  const owner = new Person()
  await owner.signIn(server.url)
  const headers = { 'x-edgewise-console': '1', origin: server.url }
  for (const path of FILES) {
    const init = { method: 'PUT', headers, body: before(path) }
    const put = await owner.visit(`${server.url}/files${path}`, init)
    expect(put.ok, await put.text()).toBe(true)
  }
  const agent = await connectAgent()
  const read = async (path: string) => (await owner.visit(`${server.url}/files${path}`)).text()

  for (const path of FILES) await rewrite(agent, path, 'The old', 'The much better')
  expect(await read('/articles/1.md')).toBe(before('/articles/1.md'))
  // One wait ends before a slow machine has decided.
  const untilNotifiedOf = async (note: string) => {
    for (;;) {
      const status = await call(agent, 'draft_status', { wait_seconds: 50 })
      if (status.includes(note)) return status
    }
  }
  const waiting = untilNotifiedOf(NOTE)

  const page = await openPhone()
  await page.getByRole('heading', { name: 'Hosted agent', level: 1 }).waitFor()
  await expect.poll(() => page.title()).toBe('(30) Waiting for you · Edgewise')
  await takeScreenshot(page, '1-opened')
  let taps = 0
  const tap = async (one: ReturnType<Page['locator']>) => {
    taps++
    await one.tap()
  }
  // The differences are open: nothing has to be tapped to see them.
  await page.locator('.difflines').getByText('The much better').first().waitFor()
  await takeScreenshot(page, '2-diff')
  for (const path of ['/articles/7.md', '/articles/9.md'])
    await tap(page.getByRole('checkbox', { name: `Select ${path}` }))
  await takeScreenshot(page, '3-selected')
  const note = page.getByLabel('Note to the agent')
  taps++
  // A press does nothing while differences that are still read move the button.
  const press = async () => {
    if (!(await note.isVisible())) await button(page, 'Turn down selected…').tap()
    return note.isVisible()
  }
  await expect.poll(press, { interval: 1_500 }).toBe(true)
  await note.fill(NOTE)
  await takeScreenshot(page, '4-note')
  await tap(button(page, 'Turn down'))
  await sees(page, '2 changes turned down.')
  expect(await faultsOf(page)).toEqual([])
  await takeScreenshot(page, '5-turned-down')
  await tap(button(page, 'Approve all'))
  await sees(page, '28 changes approved and applied.')
  await takeScreenshot(page, '6-approved')
  expect(taps).toBe(5)

  expect(await waiting).toContain(NOTE)
  for (const path of FILES) {
    const isOld = path === '/articles/7.md' || path === '/articles/9.md'
    expect(await read(path)).toBe(isOld ? before(path) : after(path))
  }
  for (const path of ['/articles/7.md', '/articles/9.md'])
    expect(await rewrite(agent, path, 'old text', 'better text')).toContain('waits for approval')
  await page
    .getByRole('link', { name: /Hosted agent/ })
    .first()
    .tap()
  await tap(button(page, 'Approve all'))
  await sees(page, '2 changes approved and applied.')
  const mended = before('/articles/7.md').replace('old text', 'better text')
  expect(await read('/articles/7.md')).toBe(mended)
  expect(await call(agent, 'draft_status', {})).toContain('approved')
  await agent.close()
  await page.context().close()
})
