import { afterAll, beforeAll, expect, it } from 'vitest'
import { useServer } from '../e2e/server.ts'
import type { Site } from './app-servers.ts'
import { useBrowser } from './browser.ts'
import { startEverything } from './console-everything.ts'
import { sees, visit } from './console-visit.ts'

const server = useServer()
const browser = useBrowser()

let everything: Site
let foreign = ''

beforeAll(async () => {
  everything = await startEverything()
  foreign = everything.url
}, 30_000)
afterAll(() => everything.close())

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
