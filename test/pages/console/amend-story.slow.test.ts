/**
 * Thirty changes, reviewed finer than a change on a phone: the owner comments on a line and requests changes, the agent
 * answers and mends, the owner leaves a hunk out, edits a line and approves, and the agent is handed the difference.
 *
 * Screenshots are written to the folder that `SCREENSHOTS` names.
 */

import type { Client } from '@modelcontextprotocol/client'
import { recordOf } from '#core/json.ts'
import type { Locator, Page } from 'playwright'
import { beforeEach, expect, it } from 'vitest'
import { readAll, readText, sees, visit } from '../../support/pages/console-actions.ts'
import { ARTICLES, edit, proposeThirty, putBefore } from '../../support/pages/thirty-changes.ts'
import { call, PHONE, useWaitingDrafts } from '../../support/pages/waiting-drafts.ts'

const { server, browser, connectAgent } = useWaitingDrafts()

beforeEach(() => putBefore(server.url))

const GUIDE = '/docs/guide.md'
const SECOND = '/articles/01.md'
const LAST = ARTICLES.at(-1) ?? ''

const fileIn = (page: Page, path: string) => page.locator(`.draftfiles [data-path="${path}"]`)

async function commentsOf(agent: Client): Promise<readonly Record<string, unknown>[]> {
  const { structuredContent } = await agent.callTool({ name: 'draft_status', arguments: {} })
  const { comments } = recordOf(structuredContent)
  return Array.isArray(comments) ? comments.map(recordOf) : []
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

/** The agent reads the comments, answers the one on the guide, and mends it. */
async function mend(writer: Client): Promise<void> {
  const comments = await commentsOf(writer)
  expect(comments.map(({ text }) => text)).toContain('One thing about the guide.')
  const { id, quote } = comments.find(({ path }) => path === GUIDE) ?? {}
  expect(quote).toBe('rewritten 0')
  await call(writer, 'respond_to_review', {
    replies: [{ comment: id, text: 'The title is back.' }],
  })
  await edit(writer, GUIDE, 'rewritten 0\n', 'guide 0\n')
}

async function commentOn(page: Page, tap: (one: Locator) => Promise<void>): Promise<void> {
  await tap(fileIn(page, GUIDE).locator('tr.i .n:not(:empty)').first())
  await fileIn(page, GUIDE)
    .getByRole('textbox', { name: 'Comment on line 1' })
    .fill('Keep the title.')
  await tap(fileIn(page, GUIDE).getByRole('button', { name: 'Comment', exact: true }))
  await page
    .getByRole('textbox', { name: 'Comment on the draft' })
    .fill('One thing about the guide.')
  await tap(page.getByRole('button', { name: 'Request changes' }))
  await sees(page, 'changes requested')
}

it('a comment, a mended file, a hunk left out, an edited line, and the approval', async () => {
  const writer = await proposeThirty(connectAgent)
  await edit(writer, LAST, 'old 60\n', 'evil 60\n')
  const page = await visit(browser.open, server.url, '#/waiting', PHONE)
  let taps = 0
  const tap = async (one: Locator) => {
    taps++
    await one.tap()
  }
  await tap(page.getByRole('link', { name: 'Writer' }).first())
  await commentOn(page, tap)
  await takeScreenshot(page, 'amend-commented')
  await mend(writer)
  await tap(page.getByRole('button', { name: 'Show the current state' }))
  await fileIn(page, GUIDE).getByText('The title is back.').waitFor()
  await takeScreenshot(page, 'amend-answered')
  await tap(fileIn(page, GUIDE).getByRole('button', { name: 'Resolve' }))
  // Its difference is read once it is near the window.
  await fileIn(page, LAST).evaluate((one) => one.scrollIntoView())
  await tap(fileIn(page, LAST).getByRole('button', { name: 'Leave out Change 2 of 2' }).first())
  await tap(page.getByRole('button', { name: `Edit ${SECOND}`, exact: true }))
  const field = fileIn(page, SECOND).getByRole('textbox')
  await field.fill((await field.inputValue()).replace('and more', 'and much more'))
  await takeScreenshot(page, 'amend-edited')
  await tap(page.getByRole('button', { name: 'Save edits' }))
  await readAll(page)
  await takeScreenshot(page, 'amend-end')
  await tap(page.getByRole('button', { name: /^Approve all 2 amended/ }))
  await sees(page, 'Approved 26 changes, 2 amended.')
  await takeScreenshot(page, 'amend-approved')
  console.log(`${taps} taps`)
  expect(await readText(server.url, LAST)).toMatch(/new 3\n[^]*\nold 60\n/)
  expect(await readText(server.url, SECOND)).toContain('new 3\nand much more\n')
  expect(await readText(server.url, GUIDE)).toMatch(/^guide 0\nrewritten 1\n/)
  const next = await call(writer, 'find_files', { root: '/docs' })
  for (const part of [LAST, '-evil 60', '+old 60', SECOND, '-and more', '+and much more'])
    expect(next).toContain(part)
  await page.context().close()
})
