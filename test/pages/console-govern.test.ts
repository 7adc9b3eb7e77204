import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, expect, it } from 'vitest'
import { useServer } from '../e2e/server.ts'
import { useBrowser } from './browser.ts'
import { goTo, readText, sees, setConfig, stayIn, toolLink, visit } from './console-visit.ts'

const server = useServer()
const browser = useBrowser()

afterEach(() => setConfig(server.url, {}))

const outside = toolLink('write_file', { path: '/src/new.txt', content: 'granted\n' })

it('asks before a call touches what lies outside, and remembers what was answered', async () => {
  const page = await visit(browser.open, server.url, outside)
  await stayIn(page, '/docs')
  const prompt = page.getByRole('alertdialog', { name: 'May it touch this?' })

  await page.getByRole('button', { name: 'Preview' }).click()
  await prompt.waitFor()
  expect(await prompt.textContent()).toContain('Write to /src/new.txt')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Deny')
  await page.keyboard.press('Escape')
  await sees(page, 'It was not allowed, so nothing was done.')

  await page.getByRole('button', { name: 'Preview' }).click()
  await prompt.getByRole('radio', { name: 'write:file:/src' }).check()
  await prompt.getByRole('radio', { name: /Always/ }).check()
  await prompt.getByRole('button', { name: 'Allow' }).click()
  await sees(page, 'What would be done')
  await page.getByRole('button', { name: 'Apply' }).click()
  await sees(page, 'Applied.')
  expect(await prompt.count()).toBe(0)
  expect(await readText(server.url, '/src/new.txt')).toBe('granted\n')

  await goTo(page, '#/rules')
  await page.getByRole('button', { name: 'Forget: allow write:file:/src' }).click()
  await sees(page, /Nothing is remembered/)
  await page.context().close()
})

it('takes no yes from a script, and none in the first half second', async () => {
  const page = await visit(browser.open, server.url, outside)
  await stayIn(page, '/docs')
  await page.getByRole('button', { name: 'Preview' }).click()
  const prompt = page.getByRole('alertdialog', { name: 'May it touch this?' })
  await prompt.waitFor()
  const allow = prompt.getByRole('button', { name: 'Allow' })
  expect(await allow.isDisabled()).toBe(true)
  await expect.poll(() => allow.isEnabled()).toBe(true)
  await allow.evaluate((button) => (button instanceof HTMLElement ? button.click() : null))
  expect(await prompt.count()).toBe(1)
  await prompt.getByRole('button', { name: 'Deny' }).click()
  await page.context().close()
})

it('makes a session, shows its link once, and takes it back', async () => {
  const page = await visit(browser.open, server.url, '#/sessions?do=new')
  const dialog = page.getByRole('dialog', { name: 'Make a session link' })
  await dialog.getByLabel('Who is it for').fill('Docs agent')
  await dialog.getByLabel('Folder or file; empty for every file').fill('docs')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByText('Docs agent may read /docs.').waitFor()
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  await sees(page, 'This is the only time that the link is shown.')
  const url = await page.getByRole('region', { name: 'Session link' }).textContent()
  expect(url).toMatch(/\/s\/default\.[\w-]{43}\/mcp$/)

  const client = await connected(url ?? '')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).not.toContain('write_file')

  await page.getByRole('button', { name: 'I have kept it' }).click()
  expect(await page.content()).not.toContain(new URL(url ?? '').pathname)
  await page.getByRole('article', { name: 'Docs agent' }).waitFor()
  await page.getByRole('button', { name: 'Revoke Docs agent' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await sees(page, '“Docs agent” was revoked')
  await expect(client.callTool({ name: 'list_roots', arguments: {} })).rejects.toThrow()
  await page.context().close()
})

async function connected(url: string): Promise<Client> {
  const client = new Client(
    { name: 'agent', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

it('saves rules after a question, and says in sentences what they mean', async () => {
  const page = await visit(browser.open, server.url, '#/rules')
  await page.getByLabel('Approval').selectOption({ label: 'confirm' })
  await sees(page, 'The server does not hold changes for approval yet')
  await page.getByRole('button', { name: 'Save…' }).click()
  const question = page.getByRole('alertdialog', { name: 'Save these rules?' })
  expect(await question.textContent()).toContain('approval: none → confirm')
  await question.getByRole('button', { name: 'Save' }).click()
  await sees(page, /The rules were saved/)
  const held: unknown = await (await fetch(`${server.url}/config`)).json()
  expect(held).toMatchObject({ approval: 'confirm' })
  await page.context().close()
})

it('shows at the form what the server refuses', async () => {
  const page = await visit(browser.open, server.url, '#/rules')
  await page.getByLabel('Path', { exact: false }).first().fill('/bad/\u0007')
  await page.getByRole('button', { name: 'Save…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText(/path/).first().waitFor()
  const focused = page.locator(':focus')
  expect(await focused.getAttribute('aria-invalid')).toBe('true')
  expect(await focused.inputValue()).toBe('/bad/\u0007')
  await page.context().close()
})
