import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NODE, ROOT } from '../e2e/run.ts'
import { useServer } from '../e2e/server.ts'
import { useBrowser } from './browser.ts'
import { sees, visit } from './console-visit.ts'

const server = useServer()
const browser = useBrowser()

let child: ChildProcess | undefined
let foreign = ''

beforeAll(async () => {
  const port = await freePort()
  foreign = `http://localhost:${port}/mcp`
  const script = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'
  const env = { ...process.env, PORT: String(port) }
  child = spawn(NODE, [script, 'streamableHttp'], { cwd: ROOT, env, stdio: 'ignore' })
  await untilAnswering(foreign)
}, 30_000)

async function untilAnswering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(url).catch(() => null)
    if (answer) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`Nothing answers at ${url}`)
}

afterAll(async () => {
  if (!child || child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  await gone
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

it('looks at a server that it does not know, after being told to', async () => {
  const at = new URLSearchParams({ at: foreign }).toString()
  const page = await visit(browser.open, server.url, '#/connect')
  await page.getByLabel('Address').fill(foreign)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const now = page.getByRole('region', { name: /everything/i })
  await now.waitFor()
  expect(await now.textContent()).toContain(foreign)

  const pages = page.getByRole('navigation', { name: 'Pages' })
  expect(await pages.getByRole('link').allTextContents()).toEqual([
    'Tools',
    'Apps',
    'Rules',
    'Log',
    'Connect',
  ])
  await pages.getByRole('link', { name: 'Tools' }).click()
  await page.getByRole('link', { name: /echo/i }).first().click()
  await page
    .getByLabel(/message/i)
    .first()
    .fill('hello from the console')
  await page.getByRole('button', { name: 'Run' }).click()
  await sees(page, /Echo: hello from the console/)

  // Known by now, so a link to it is followed; nobody else's is.
  await page.goto(`${server.url}/?${at}#/tools`)
  await page.getByRole('link', { name: /echo/i }).first().waitFor()
  await page.context().close()
})

it('does not follow a link to a server that nobody chose here', async () => {
  const at = new URLSearchParams({ at: 'https://stranger.example/mcp' }).toString()
  const page = await browser.open(`${server.url}/?${at}#/tools`)
  await sees(page, 'A link asks the console to look at another server:')
  expect(await page.getByLabel('Address').inputValue()).toBe('https://stranger.example/mcp')
  await page.context().close()
})
