// Drives the console in a browser: opens a tool by a link, runs it, and reads its view.
// Run it with `npm run example -- drive-the-console`; CHROMIUM names another browser.
import assert from 'node:assert/strict'
import { chromium } from 'playwright'

const { origin } = new URL(process.argv[2] ?? 'http://localhost:8787/mcp')
await fetch(`${origin}/files/driven.md`, { method: 'PUT', body: 'Hello, console\n' })

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage()

// `args` fills in the form; `run=1` runs a tool that only reads.
const link = (tool: string, query: Record<string, string>) =>
  `${origin}/#/tools/${tool}?${new URLSearchParams(query).toString()}`
const args = JSON.stringify({ path: '/driven.md' })
await page.goto(link('read_file', { args, run: '1' }))
const result = page.locator('[data-testid=result][data-state=done]')
assert.match((await result.textContent()) ?? '', /Hello, console/)

// A resource by its URI.
const uri = new URLSearchParams({ uri: 'file:///driven.md' }).toString()
await page.goto(`${origin}/#/explorer?${uri}`)
const resource = page.locator('[data-testid=resource][data-state=done]')
assert.match((await resource.textContent()) ?? '', /Hello, console/)

// An app: its state is on the view, its page is in a frame inside a frame.
// The console asks once about each tool with which it reads.
const question = page.getByRole('alertdialog', { name: 'Let the app read with' })
const allow = () => question.getByRole('button', { name: 'Allow' }).click()
await page.addLocatorHandler(question, allow, { noWaitAfter: true })
await page.goto(`${origin}/#/apps?uri=ui://edgewise/files`)
await page.locator('[data-testid=view][data-state=ready]').waitFor()
const app = page.locator('mcp-view').frameLocator('iframe').frameLocator('iframe')
await app.getByText('driven.md').first().waitFor()
console.log('The console showed the file in a result, as a resource and in an app.')
await browser.close()
