import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PAGES } from '#host/console/shell/pages.ts'
import { useServer } from '../../support/e2e/server.ts'
import { startSite, type Site } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { answerWith } from '../../support/pages/elicitation-server.ts'
import { startEverything } from '../../support/pages/reference-server.ts'
import { goTo, sees, visit } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

let everything: Site
let foreign = ''

beforeAll(async () => {
  everything = await startEverything()
  foreign = everything.url
})
afterAll(() => everything.close())

it('connects to another server when the user enters it', async () => {
  const at = new URLSearchParams({ at: foreign }).toString()
  const page = await visit(browser.open, server.url, '#/connect')
  await page.getByLabel('Address').fill(foreign)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const now = page.getByRole('region', { name: /everything/i })
  await now.waitFor()
  expect(await now.textContent()).toContain(foreign)

  const pages = page.getByRole('navigation', { name: 'Pages' })
  expect(await pages.getByRole('link').allTextContents()).toEqual(
    PAGES.filter(({ needs }) => needs.length === 0).map(({ title }) => title),
  )
  await pages.getByRole('link', { name: 'Tools' }).click()
  await page.getByRole('link', { name: /echo/i }).first().click()
  await page
    .getByLabel(/message/i)
    .first()
    .fill('hello from the console')
  await page.getByRole('button', { name: 'Run' }).click()
  await sees(page, /Echo: hello from the console/)

  // The server is known by now, so a link to it is followed.
  await page.goto(`${server.url}/?${at}#/tools`)
  await page.getByRole('link', { name: /echo/i }).first().waitFor()
  await page.context().close()
})

it('follows no link to a server that the user has not chosen before', async () => {
  const at = new URLSearchParams({ at: 'https://stranger.example/mcp' }).toString()
  const page = await browser.open(`${server.url}/?${at}#/tools`)
  await sees(page, 'A link asks to connect to another server:')
  expect(await page.getByLabel('Address').inputValue()).toBe('https://stranger.example/mcp')
  await page.context().close()
})

it('fits on a phone, whatever a server is called', async () => {
  const long = 'z'.repeat(300)
  const handler = createMcpHandler(() => {
    const made = new McpServer({ name: long, title: long, version: '1' })
    const answer = { content: [{ type: 'text' as const, text: long }] }
    made.registerTool(
      long.slice(0, 120),
      { title: long, description: long, annotations: { readOnlyHint: true } },
      () => answer,
    )
    return made
  })
  const site = await startSite((request, response) => void answerWith(handler, request, response))
  const page = await visit(browser.open, server.url, '#/connect', {
    viewport: { width: 400, height: 800 },
  })
  await page.getByLabel('Address').fill(site.url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('region', { name: /^zzz/ }).waitFor()
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  expect(await width()).toBe(400)
  await goTo(page, '#/tools')
  await page.getByRole('link', { name: /^zzz/ }).last().click()
  await page.getByRole('button', { name: 'Run' }).waitFor()
  expect(await width()).toBe(400)
  await page.context().close()
  await site.close()
})
