/**
 * A consumer that reads `navigator.modelContext`, the old name of `document.modelContext`: the adapter of the
 * Cloudflare agents, on a page with the line of `docs/webmcp.md` that gives it that name.
 */

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { inProject } from '../../../scripts/settings.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { bundleText } from '../../support/pages/bundle.ts'
import { answer, question, questionNow } from '../../support/pages/approval-dialog.ts'
import { NATIVE, NOT_NATIVE, ways } from '../../support/pages/chromium.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const [, ALIAS = ''] =
  /^<!-- alias:start -->\n+```html\n[^]*?<script>\n([^]*?)<\/script>/m.exec(
    readFileSync(inProject('docs/webmcp.md'), 'utf8'),
  ) ?? []

const site = useApprovalSite({ '/alias': pageWith(`<script>${ALIAS}</script>`) })
const server = useServer(() => ({ EDGEWISE_ORIGINS: site.origin }))
let adapter = ''
beforeAll(async () => {
  adapter = await bundleText('agents/experimental/webmcp', {
    absWorkingDir: inProject(),
    format: 'iife',
    globalName: 'adapter',
  })
  await fetch(`${server.url}/files/kept.txt`, { method: 'PUT', body: 'kept\n' })
})

const run = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)

const names = (page: Page) =>
  run(page, 'return (await document.modelContext.getTools()).map(({ name }) => name)')

const stored = async (path: string) => {
  const found = await fetch(`${server.url}/files${path}`)
  return found.ok ? found.text() : null
}

const WAYS = [
  { way: 'native', args: NATIVE },
  { way: 'polyfill', args: NOT_NATIVE },
]

describe.each(ways(WAYS))('$way', ({ args }) => {
  const browser = useBrowser(args)

  /** Opens a page on which the adapter has registered the tools of the product. */
  async function open(path: string): Promise<Page> {
    const page = await browser.open(`${site.origin}${path}`)
    await page.addScriptTag({ content: adapter })
    await run(
      page,
      `globalThis.handle = await adapter.registerWebMcp({ url: '${server.url}/mcp', prefix: 'old.', quiet: true })`,
    )
    return page
  }

  it('the adapter finds no model context without the line', async () => {
    const page = await open('/')
    expect(await run(page, 'return handle.tools')).toEqual([])
    await page.context().close()
  })

  it('the adapter registers its tools, and a call that writes asks', async () => {
    const page = await open('/alias')
    await expect.poll(() => names(page)).toContain('old.write_file')
    expect(await run(page, `return call('old.read_file', { path: '/kept.txt' })`)).toContain('kept')
    expect(await questionNow(page)).toBeNull()

    const write = (path: string) =>
      run(page, `return call('old.write_file', { path: '${path}', content: 'x' })`)
    const writing = write('/new.txt')
    expect((await question(page)).text).toContain('old.write_file')
    await answer(page, 'Allow once')
    expect(await writing).toContain('new.txt')
    expect(await stored('/new.txt')).toBe('x')

    const denied = write('/denied.txt')
    await answer(page, 'Deny')
    expect(await denied).toContain('Error')
    expect(await stored('/denied.txt')).toBeNull()

    await run(page, 'await handle.dispose()')
    await expect.poll(() => names(page)).toEqual([])
    await page.context().close()
  })
})
