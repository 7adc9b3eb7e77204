/**
 * What a person sees of a program that opened the workspace as a folder, and of an agent that leased a part of it.
 *
 * Screenshots are written to the folder that `SCREENSHOTS` names.
 */

import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { goTo, putFile, sees, visit } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'
import { PHONE, useWaitingDrafts } from '../../support/pages/waiting-drafts.ts'

const { server, browser, connectAgent } = useWaitingDrafts()

const LOCK_BODY =
  '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype><owner>Office</owner></lockinfo>'

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** Makes a link in the console, and returns its WebDAV address with the header that signs a program in. */
async function makeLink(page: Page): Promise<{ address: string; authorization: string }> {
  await goTo(page, '#/sessions?do=new')
  const dialog = page.getByRole('dialog', { name: 'Make a session link' })
  await dialog.getByLabel(WORDS.agentName).fill('Word processor')
  await dialog.getByRole('button', { name: WORDS.makeLink }).click()
  await sees(page, WORDS.linkShownOnce)
  const region = (name: string) => page.getByRole('region', { name }).textContent()
  const [link, address] = [await region('Session link'), await region('Address for WebDAV')]
  await shoot(page, 'made-link')
  await page.getByRole('button', { name: WORDS.copiedLink }).click()
  return { address: address ?? '', authorization: `Basic ${btoa(`me:${link}`)}` }
}

it.each([
  ['light', {}],
  ['dark, 400 px', { ...PHONE, colorScheme: 'dark' }],
] as const)('leads from a link to a lock, and ends it: %s', async (look, options) => {
  const page = await visit(browser.open, server.url, '#/sessions', options)
  const { address, authorization } = await makeLink(page)
  const file = new URL('docs/report.docx', address)
  await putFile(server.url, '/docs/report.docx', 'text')
  const headers = { authorization, depth: '0' }
  const locked = await fetch(file, { method: 'LOCK', headers, body: LOCK_BODY })
  expect(locked.status).toBe(200)
  const agent = await connectAgent('Writer')
  const wish = { paths: ['docs/plan'], note: 'Rewriting the plan' }
  const leased = await agent.callTool({ name: 'lease', arguments: wish })
  expect(leased.isError ?? false).toBe(false)

  await goTo(page, '#/activity')
  await goTo(page, '#/sessions')
  const list = page.getByRole('list', { name: 'Leases' })
  await list.getByText('Rewriting the plan').waitFor()
  expect(await list.getByRole('listitem').count()).toBe(2)
  await list.scrollIntoViewIfNeeded()
  await shoot(page, `leases, ${look}`)
  expect(await page.evaluate(() => document.body.scrollWidth <= innerWidth)).toBe(true)

  await page.getByRole('button', { name: 'End now the lease of /docs/report.docx' }).click()
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  const token = locked.headers.get('lock-token') ?? ''
  const unlocked = await fetch(file, {
    method: 'UNLOCK',
    headers: { ...headers, 'lock-token': token },
  })
  expect(unlocked.status).toBe(409)
  await page.getByRole('button', { name: 'End now' }).click()
  await expect.poll(() => list.count()).toBe(0)
})
