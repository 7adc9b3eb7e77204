/** Agents that find the product's tools in a page, and their results and the approval dialog. @module */

import type { Page } from 'playwright'
import { freePort } from '../../scripts/port.ts'
import { answer, questionNow } from '../support/pages/approval-dialog.ts'
import { describe } from './model-input.ts'
import { judged, type Cells } from './session.ts'
import { launch, startSite } from './host-pages.ts'
import type { Workspace } from './workspace.ts'

export const PAGE_STEPS = ['list', 'read', 'refused read', 'write', 'denied write'] as const

/** Names of tools in the page begin with it. */
const PREFIX = 'files.'

export interface PageAgent {
  /** Lists the tools of the page, as text. */
  list(): Promise<string>
  /** Returns the result as text; throws the error of a failed call. */
  call(name: string, args: object): Promise<string>
  close(): Promise<void>
}

export interface Visit {
  readonly page: Page
  /** Where the browser's developer tools listen. */
  readonly devtools: string
}

/** The element that brings the tools of a workspace along. */
export const ourScript = (url: string) =>
  `<script src="/webmcp.js" data-mcp="${new URL(url).pathname}" data-prefix="${PREFIX}"></script>`

interface PageSetup {
  /** Further scripts, by path. */
  readonly scripts?: Readonly<Record<string, string>>
  /** Further arguments of the browser. */
  readonly args?: readonly string[]
}

/** Opens a page with that head, and runs the steps with an agent. */
export async function examinePage(
  workspace: Workspace,
  head: string,
  open: (visit: Visit) => Promise<PageAgent>,
  { scripts = {}, args = [] }: PageSetup = {},
): Promise<Cells> {
  const html = `<!doctype html><meta charset="utf-8"><title>Page</title>${head}<body>A page`
  const site = await startSite(new URL(workspace.url).origin, { '/page': html, ...scripts })
  const port = await freePort()
  const browser = await launch([`--remote-debugging-port=${port}`, ...args])
  const page = await browser.newPage()
  try {
    await page.goto(`${site.origin}/page`)
    const agent = await open({ page, devtools: `http://127.0.0.1:${port}` })
    return await walk(agent, page, workspace).finally(() => agent.close())
  } finally {
    await browser.close()
    site.close()
  }
}

async function walk(agent: PageAgent, page: Page, workspace: Workspace): Promise<Cells> {
  const has = (text: string, wanted: string) =>
    text.includes(wanted) ? undefined : `no "${wanted}" in ${describe(text)}`
  const missing = { name: 'read_file', args: { path: '/missing.txt' } }
  const { sentence } = await workspace.refusal(missing)
  const call = (name: string, args: object) => agent.call(PREFIX + name, args)
  const list = await judged(async () => has(await agent.list(), `${PREFIX}read_file`))
  // Without tools the other steps have nothing to call, and wait long for it.
  if (list !== null) return { list }
  return {
    list,
    read: await judged(async () => has(await call('read_file', { path: '/kept.txt' }), '1: kept')),
    'refused read': await judged(async () =>
      has(await call('read_file', missing.args).catch(describe), sentence),
    ),
    write: await judged(async () => {
      const writing = call('write_file', { path: '/page.txt', content: 'by a page\n' })
      const [result] = await Promise.all([writing, answer(page, 'Allow once')])
      return has(result, 'page.txt')
    }),
    'denied write': await judged(async () => {
      const writing = call('write_file', { path: '/denied.txt', content: 'x' }).catch(describe)
      await answer(page, 'Deny')
      const result = await writing
      const written = (await workspace.version('/denied.txt')) >= 0
      if (written || (await questionNow(page))) return 'written, or still asking'
      return /denied|NotAllowed/i.test(result) ? undefined : `result ${result}`
    }),
  }
}
