/**
 * Passkeys in the console, with Chromium's virtual authenticator: what has to be confirmed is approved with user
 * verification and not without, rules are loosened with it, and a lost passkey is kept or removed.
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { goTo, sees } from '../../support/pages/console-actions.ts'
import { addAuthenticator } from '../../support/pages/virtual-authenticator.ts'

const server = useServer()
const browser = useBrowser()

let workspaces = 0

/** Opens the console at a new workspace whose changes have to be confirmed, with an authenticator. */
async function openWorkspace() {
  const name = `/w/p${workspaces++}-${Date.now()}`
  const base = server.url + name
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ approval: 'confirm' })
  await (await fetch(`${base}/config`, { method: 'PUT', headers, body })).text()
  const page = await browser.open(`${server.url}/?at=${name}/mcp#/rules`)
  await page.locator('.dot.ready').first().waitFor({ state: 'attached' })
  return { base, page, device: await addAuthenticator(page) }
}

/** Writes a file as an agent, whose change then waits. */
async function propose(base: string, path: string): Promise<void> {
  const client = new Client(
    { name: 'agent', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`)))
  await client.callTool({ name: 'write_file', arguments: { path, content: 'new' } })
  await client.close()
}

const readText = async (base: string, path: string) => {
  const answer = await fetch(`${base}/files${path}`)
  const text = await answer.text()
  return answer.ok ? text : null
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Registers a passkey by the keyboard alone. */
async function register(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name of the new passkey').focus()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await button(page, `Remove… ${name}`).waitFor()
}

async function openDraft(page: Page): Promise<void> {
  await goTo(page, '#/waiting')
  await page.getByRole('list', { name: 'Drafts' }).getByRole('link').first().click()
  await button(page, 'Turn down all…').waitFor()
}

describe('a change that has to be confirmed', () => {
  it('is approved with the passkey, and not without user verification', async () => {
    const { base, page, device } = await openWorkspace()
    await sees(page, 'There is no passkey')
    await propose(base, '/a.txt')
    await openDraft(page)
    await sees(page, 'an agent that controls this browser could approve as well')
    await page.getByRole('link', { name: 'Register a passkey' }).click()
    await register(page, 'Phone')
    await sees(page, 'To approve a change at the level “confirm”')

    await device.setVerified(false)
    await openDraft(page)
    await page.getByRole('button', { name: 'Approve this change' }).click()
    await sees(page, 'Nothing was decided. The passkey was not used')
    expect(await readText(base, '/a.txt')).toBeNull()

    await device.setVerified(true)
    await page.getByRole('button', { name: 'Approve this change' }).click()
    await sees(page, 'Nothing waits')
    expect(await readText(base, '/a.txt')).toBe('new')
  })
})

describe('rules', () => {
  it('are loosened with the passkey only', async () => {
    const { base, page, device } = await openWorkspace()
    await register(page, 'Phone')
    const level = page.getByLabel('Approval', { exact: true }).first()
    const save = async () => {
      await page.getByRole('button', { name: 'Save…' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
    }
    await level.selectOption('none')
    await device.setVerified(false)
    await save()
    await sees(page, 'Cannot save the rules')
    await device.setVerified(true)
    await save()
    await sees(page, 'The rules were saved.')
    const config: unknown = await (await fetch(`${base}/config`)).json()
    expect(config).toMatchObject({ approval: 'none' })
  })
})

describe('a passkey', () => {
  it('is renamed, kept after it was called lost, and removed with itself', async () => {
    const { page, device } = await openWorkspace()
    await register(page, 'Phone')
    await button(page, 'Rename… Phone').click()
    await page.getByLabel('Name', { exact: true }).fill('Tablet')
    await button(page, 'Rename').click()
    await button(page, 'Remove… Tablet').click()
    await page.getByText('I have lost my passkeys').click()
    await button(page, 'Remove in 24 hours').click()
    await sees(page, /The passkey “Tablet” will be removed in 24 hours/)
    expect(await faultsOf(page)).toEqual([])
    await goTo(page, '#/waiting')
    await button(page, 'Keep the passkey').click()
    await expect.poll(() => page.getByText('will be removed').count()).toBe(0)

    await goTo(page, '#/rules')
    await device.setVerified(false)
    await button(page, 'Remove… Tablet').click()
    await button(page, 'Remove with a passkey').click()
    await sees(page, 'Cannot remove the passkey: The passkey was not used')
    await device.setVerified(true)
    await button(page, 'Remove with a passkey').click()
    await sees(page, 'There is no passkey')
  })

  it('is renamed with the name that was typed before an error', async () => {
    const { page } = await openWorkspace()
    await register(page, 'Phone')
    let isBroken = true
    const refusal = { status: 503, json: { code: 'TROUBLE', message: 'It broke' } }
    await page.route(/\/rename$/, (route) => (isBroken ? route.fulfill(refusal) : route.continue()))
    await button(page, 'Rename… Phone').click()
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('The tablet in the kitchen')
    await name.press('Enter')
    await sees(page, 'Cannot rename the passkey: It broke')
    expect(await name.inputValue()).toBe('The tablet in the kitchen')
    isBroken = false
    await name.press('Enter')
    await button(page, 'Rename… The tablet in the kitchen').waitFor()
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
  })

  it('is not registered by an unreadable response, which is reported in words', async () => {
    const { page } = await openWorkspace()
    await page.route(/\/passkeys\/begin$/, (route) => route.fulfill({ body: '{"challenge":' }))
    await page.getByLabel('Name of the new passkey').fill('Phone')
    await button(page, 'Register a passkey').click()
    await sees(page, 'The server returned an unreadable response.')
    expect(await page.getByLabel('Name of the new passkey').inputValue()).toBe('Phone')
  })

  it('is asked for before a second one is registered', async () => {
    const { page, device } = await openWorkspace()
    await register(page, 'Phone')
    await device.lose()
    await page.getByLabel('Name of the new passkey').fill('Other')
    await button(page, 'Register a passkey').click()
    await sees(page, 'The passkey was not used')
    expect(await button(page, 'Remove… Other').count()).toBe(0)
  })
})
