/** A skill from an agent to its next reader: the owner sees it, approves it, and sees that it has changed. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, putFile, sees, visit } from '../../support/pages/console-actions.ts'
import { useServer } from '../../support/e2e/server.ts'

const server = useServer()
const browser = useBrowser()

const PATH = '/.skills/deploy/SKILL.md'
const text = (step: string) =>
  `---\nname: deploy\ndescription: How to deploy here\n---\n\n# Deploy\n\n1. ${step}\n`

async function prompts(): Promise<string[]> {
  const client = new Client({ name: 'reader', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url)))
  const { prompts: listed } = await client.listPrompts()
  await client.close()
  return listed.map(({ name }) => name)
}

it('waits, is approved and read, and waits again once it has changed', async () => {
  await putFile(server.url, PATH, text('Push the branch'))
  const page = await visit(browser.open, server.url, '#/waiting')
  await sees(page, 'How to deploy here')
  expect(await prompts()).toEqual([])
  await page.getByRole('button', { name: PATH }).click()
  await sees(page, 'Push the branch')
  await page.getByRole('button', { name: /^Approve the skill/ }).click()
  await page.getByText('approved', { exact: true }).waitFor()
  expect(await prompts()).toEqual(['deploy'])

  await goTo(page, '#/skills')
  await page.getByRole('link', { name: 'deploy' }).click()
  await page.getByRole('heading', { name: 'Instructions' }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Push the branch' }).first().waitFor()
  expect(await faultsOf(page)).toEqual([])

  await putFile(server.url, PATH, text('Push to the main branch'))
  await sees(page, 'Its files have changed since you approved it.')
  expect(await prompts()).toEqual([])
  await page.getByRole('button', { name: PATH }).click()
  await sees(page, 'Push to the main branch')
})
