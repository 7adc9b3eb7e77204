/**
 * Untrusted text in the views: the review app in `<mcp-view>`, the server's own page for a change
 * served by itself, and the file browser walked through name by name.
 */

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/e2e/raw-http.ts'
import { useServer } from '../../support/e2e/server.ts'
import {
  appOf,
  mount,
  startEmbedder,
  startSite,
  untilState,
  use,
} from '../../support/pages/app-servers.ts'
import { CHANGED, fill, FOLDER } from '../../support/pages/hostile-workspace.ts'
import { hiddenIn, labelsIn, watched } from '../../support/pages/injection-watch.ts'
import { CONTENTS, EVERYTHING, HIDDEN, NAMES } from '../../support/pages/injection-payloads.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, inApp } from '../../support/pages/console-actions.ts'
import { callTool } from '../../support/pages/files-view.ts'

const server = useServer()
const browser = useBrowser()
const embedder = use(() => startEmbedder(server.url))

let ids: Readonly<Record<string, string>> = {}
beforeAll(async () => {
  ids = await fill(server)
})

const sandbox = () => server.url.replace('localhost', '127.0.0.1')

const REVIEW = 'ui://edgewise/review'

/** As it was built when the product started. */
const review = () =>
  readFileSync(new URL('../../../dist/assets/views/review.html', import.meta.url), 'utf8')

describe('the pages of Files', () => {
  it('show every name and every content as text, and load nothing', async () => {
    const origins = [server.url, sandbox()]
    const { page, expectQuiet } = await watched(browser.open, `${server.url}/#/files`, origins)
    const main = page.locator('main')
    const unchanged = Object.keys(CONTENTS).filter(
      (name) => !['code.js', 'long.txt'].includes(name),
    )
    const paths = [
      ...['/docs', FOLDER],
      ...unchanged.map((name) => `/docs/${name}`),
      ...NAMES.map((name) => `${FOLDER}/${name}`),
    ]
    for (const path of paths) {
      await goTo(page, `#/files?path=${encodeURIComponent(path)}`)
      const name = path.slice(path.lastIndexOf('/') + 1)
      const isFolder = ['/docs', FOLDER].includes(path)
      const shown = isFolder ? main.getByRole('table') : main.getByRole('button', { name: 'Edit' })
      await shown.waitFor()
      expect(hiddenIn(await main.locator('.crumbs').innerText()), name).toEqual([])
      expect(hiddenIn(await labelsIn(main))).toEqual([])
      await expectQuiet(path)
      if (isFolder) continue
      await shown.click()
      await main.locator('.codefield textarea').waitFor()
      await expectQuiet(`editor of ${path}`)
      await main.getByRole('button', { name: 'Close', exact: true }).click()
    }
    await page.context().close()
  })
})

describe('the file browser', () => {
  it('shows every name and every content as text', async () => {
    const origins = [server.url, sandbox()]
    const { page, expectQuiet } = await watched(
      browser.open,
      `${server.url}/#/files/browser`,
      origins,
      {
        viewport: { width: 1280, height: 1600 }, // Rows that cannot be seen are not in the page.
      },
    )
    const app = inApp(page)
    const row = (path: string) => app.locator(`[data-path=${JSON.stringify(path)}]`)
    const unchanged = Object.keys(CONTENTS).filter(
      (name) => !['code.js', 'long.txt'].includes(name),
    )
    const paths = [
      ...unchanged.map((name) => `/docs/${name}`),
      ...NAMES.map((name) => `${FOLDER}/${name}`),
    ]
    await row(FOLDER).first().click()
    for (const path of paths) {
      await row(path).first().click()
      await app.getByRole('button', { name: 'History' }).click()
      await app.locator('.history-entry').first().waitFor()
      await app.getByRole('button', { name: 'Content', exact: true }).click()
      expect(hiddenIn(await app.locator('header').last().innerText())).toEqual([])
      expect(hiddenIn(await labelsIn(app.locator('body')))).toEqual([])
      await expectQuiet(path)
    }
    await app.getByRole('combobox').fill('data-evil')
    await app.getByRole('option').first().waitFor()
    await app.getByRole('button', { name: 'Contents' }).click()
    await app.locator('.is-line mark').first().waitFor()
    await expectQuiet('search')
    await page.context().close()
  })
})

/** Calls of every kind; what came of them is drawn. */
const CALLS = [
  ['write_file', { path: CHANGED, content: `${EVERYTHING}\n${HIDDEN}\n`, if_version: 0 }],
  ['write_file', { path: `/new/${NAMES[0]}`, content: EVERYTHING }],
  ['edit_file', { path: '/docs/page.html', edits: [{ find: '<title>', replace: EVERYTHING }] }],
  ['move_file', { from: '/docs/notes.md', to: `/docs/${NAMES[1]}` }],
  ['delete_file', { path: FOLDER, recursive: true }],
  ['read_file', { path: `/none/${EVERYTHING.slice(0, 200)}` }],
] as const

describe('the review app', () => {
  it.each(CALLS)('renders the result of %s as text: %j', async (tool, args) => {
    const origins = [embedder().url, server.url, sandbox()]
    const { page, expectQuiet } = await watched(browser.open, embedder().url, origins)
    const toolResult = await callTool(server, tool, { ...args })
    const resource = { mimeType: 'text/html;profile=mcp-app', text: review() }
    const title = `${EVERYTHING}${HIDDEN}`
    await mount(page, {
      name: 'review',
      tool,
      server: {
        tools: [{ name: tool, annotations: { title }, _meta: { ui: { resourceUri: REVIEW } } }],
        resources: { [REVIEW]: resource },
      },
      properties: { toolInput: args, toolResult },
    })
    await untilState(page, 'review', 'ready')
    const app = await appOf(page, 'review')
    await app.locator('header h1').first().waitFor()
    expect(hiddenIn(await app.locator('body').innerText())).toEqual([])
    await expectQuiet(tool)
    await page.context().close()
  })
})

describe('the page of a change, served by itself', () => {
  let html = ''
  const site = use(() =>
    startSite((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(html)
    }),
  )

  it.each(['write_file', 'edit_file', 'move_file', 'delete_file'])(
    'runs nothing of %s, even without a host',
    async (tool) => {
      html = await readText(`ui://${tool}/${ids[tool]}`)
      expect(html).toMatch(/^<!doctype html>/i)
      expect(html).not.toMatch(/<script/i)
      const { page, expectQuiet } = await watched(browser.open, site().url, [site().url])
      await page.locator('h1').first().waitFor()
      expect(hiddenIn(await page.locator('body').innerText())).toEqual([])
      expect(hiddenIn(await page.title())).toEqual([])
      await expectQuiet(tool)
      await page.context().close()
    },
  )

  it('is not served as a page for diffs and data', async () => {
    for (const ending of ['.diff', '.json'])
      expect(await readText(`ui://write_file/${ids['write_file']}${ending}`)).not.toBe('')
  })
})

/** A resource, past every view. */
async function readText(uri: string): Promise<string> {
  const about = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'reader', version: '1' },
  }
  const params = { uri, _meta: about }
  const answer = await ask(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'resources/read',
      'mcp-name': uri,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params }),
  })
  const { result }: { result?: { contents: { text: string }[] } } = JSON.parse(await answer.text())
  return result?.contents[0]?.text ?? ''
}
