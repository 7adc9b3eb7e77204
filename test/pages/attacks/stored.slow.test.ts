/**
 * Untrusted text in our pages: names, contents, arguments, labels, rules and the audit log are rendered
 * as text everywhere, and hidden characters are visible where a person decides.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { startSite, use } from '../../support/pages/app-servers.ts'
import { CHANGED, fill } from '../../support/pages/hostile-workspace.ts'
import { hiddenIn, labelsIn, watched, type Watched } from '../../support/pages/injection-watch.ts'
import {
  EVERYTHING,
  HIDDEN,
  MARKUP,
  SPELLS,
  TURNED,
} from '../../support/pages/injection-payloads.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { ADDRESSES, arriveAt, FURTHER } from '../../support/pages/console-pages.ts'
import {
  appears,
  goTo,
  inApp,
  inDiff,
  sees,
  stayIn,
  toolLink,
} from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

let ids: Readonly<Record<string, string>> = {}
beforeAll(async () => {
  ids = await fill(server)
})

const sandbox = () => server.url.replace('localhost', '127.0.0.1')

const open = (address: string) =>
  watched(browser.open, `${server.url}/${address}`, [server.url, sandbox()])

/** The console at a page of its own, when it has found its server. */
async function visit(hash: string): Promise<Watched> {
  const view = await open(hash)
  await view.page.locator('.dot.ready').first().waitFor({ state: 'attached' })
  return view
}

describe('the watch', () => {
  const careless = use(() =>
    startSite((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(`<!doctype html><body>${EVERYTHING}</body>`)
    }),
  )

  it('detects every payload in a page that renders text as markup', async () => {
    const { alarms, page, expectQuiet } = await watched(browser.open, careless().url, [
      careless().url,
    ])
    await expect
      .poll(() => alarms.filter((alarm) => alarm.startsWith('ran')))
      .toEqual(expect.arrayContaining(['ran img', 'ran svg', 'ran script', 'ran cdata']))
    await expect(expectQuiet('there')).rejects.toThrow()
    await page.context().close()
  })
})

const MARKED = encodeURIComponent(MARKUP[0])

const PAGES = [
  ...ADDRESSES,
  ...FURTHER,
  ['a search for it', `#/activity?path=${MARKED}`],
  ['a tool of that name', `#/tools/${MARKED}`],
  ['nowhere', `#/${MARKED}`],
] as const

describe('a console with hostile text', () => {
  it.each(PAGES)('%s shows it as text, in its place', async (name, hash) => {
    const { page, expectQuiet } = await visit(hash)
    await arriveAt(page, hash)
    await expectQuiet(name)
    expect(hiddenIn(await labelsIn(page.locator('body')))).toEqual([])
    await page.setViewportSize({ width: 400, height: 800 })
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, 'in a narrow window').toBeLessThanOrEqual(400)
    await page.context().close()
  })

  it.each(['#/', '#/activity', '#/activity?outcome=all'])(
    '%s shows hidden characters of labels and names by name',
    async (hash) => {
      const { page } = await visit(hash)
      await arriveAt(page, hash)
      const main = page.getByRole('main')
      await main.getByText('RLO').first().waitFor()
      expect(hiddenIn(await main.innerText())).toEqual([])
      await page.context().close()
    },
  )

  it('is not redirected to another server by its address', async () => {
    for (const spell of [...SPELLS, 'http://user@evil.example/mcp', '//evil.example/mcp']) {
      const { page, expectQuiet } = await open(`?at=${encodeURIComponent(spell)}#/connect`)
      await sees(page, 'Another server')
      await expectQuiet(spell)
      await page.context().close()
    }
  })

  it('shows every message of the log as text', async () => {
    const { page, expectQuiet } = await visit('#/activity?outcome=all')
    await sees(page, WORDS.intact)
    await goTo(page, '#/log')
    const entries = page.getByRole('list', { name: 'Messages' }).getByRole('link')
    await entries.first().waitFor()
    const hrefs = await entries.evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    for (const href of hrefs) {
      await goTo(page, href ?? '')
      await page.getByRole('region', { name: 'Message', exact: true }).waitFor()
      const shown = await page.getByRole('region', { name: 'Message content' }).innerText()
      expect(hiddenIn(shown)).toEqual([])
    }
    await expectQuiet('log')
    await page.context().close()
  })

  it('shows arguments as text, in the form, the intent and the result', async () => {
    const { page, expectQuiet } = await visit('#/tools')
    for (const text of [...MARKUP, ...SPELLS, TURNED]) {
      await goTo(page, toolLink('read_file', { path: text }))
      await page.reload()
      await page.locator('.intentline').getByText(text.slice(0, 5)).first().waitFor()
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByRole('alert').first().waitFor()
      await expectQuiet(text)
    }
    await page.context().close()
  })
})

describe('where a person decides', () => {
  /** Expects that the shown text has names in place of invisible characters. */
  function expectVisible(shown: string, ...names: readonly string[]): void {
    expect(hiddenIn(shown)).toEqual([])
    for (const name of names) expect(shown).toContain(name)
  }

  it.each(['write_file', 'edit_file', 'move_file', 'delete_file'])(
    'a change by %s shows hidden characters by name',
    async (tool) => {
      const { page, expectQuiet } = await visit(`#/activity/${tool}/${ids[tool]}`)
      await appears(inDiff(page).locator('.path').first())
      const heading = await page.getByRole('heading', { level: 1 }).innerText()
      expectVisible(heading)
      expectVisible(await inDiff(page).innerText())
      await expectQuiet(tool)
      await page.context().close()
    },
  )

  it('a preview does, and undo', async () => {
    const args = { path: CHANGED, content: `${EVERYTHING}\n${HIDDEN}\n` }
    const { page, expectQuiet } = await visit(toolLink('write_file', args))
    expectVisible(await page.locator('.intentline').innerText(), 'RLO')
    await page.getByRole('button', { name: 'Preview' }).click()
    await sees(page, WORDS.previewed)
    await appears(inDiff(page).locator('tr.i').first())
    expectVisible(await inDiff(page).innerText(), 'RLO', 'ZWSP')
    await expectQuiet('preview')
    await page.getByRole('button', { name: 'Apply' }).click()
    await sees(page, WORDS.applied)
    await page.getByRole('link', { name: WORDS.seeChange }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: WORDS.undoQuestion })
    await inDiff(page).last().locator('.path').first().waitFor()
    expectVisible(await dialog.innerText(), 'RLO')
    await expectQuiet('undo')
    await dialog.getByRole('button', { name: WORDS.undo }).click()
    await sees(page, /^Undone: /)
    await expectQuiet('undone')
    await page.context().close()
  })

  it('revoking a session does', async () => {
    const { page, expectQuiet } = await visit('#/sessions')
    const session = page.getByRole('article', { name: /^Trusted/ }).first()
    expectVisible(await session.innerText(), 'RLO', 'img data-evil')
    await session.getByRole('button', { name: /^Revoke/ }).click()
    const question = page.getByRole('alertdialog')
    expectVisible(await question.innerText(), 'RLO')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expectQuiet('sessions')
    await page.context().close()
  })

  it('an app that wants to delete does', async () => {
    const { page, expectQuiet } = await visit('#/files/browser')
    const app = inApp(page)
    // The last folder is read by then, so no row moves any more.
    await app.getByText(/^Cannot find .*invoice/).waitFor()
    await app.locator(`[data-path="/docs/${HIDDEN}"]`).first().click()
    await app.getByRole('heading', { name: /^pl/ }).waitFor()
    await app.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog')
    await question.waitFor()
    await question.getByText('Arguments sent').click()
    expectVisible(await question.innerText(), 'ZWSP', '\\u200b')
    await question.getByRole('button', { name: 'Deny' }).click()
    await expectQuiet('approval')
    await page.context().close()
  })

  it('a grant does', async () => {
    const args = { path: `/${MARKUP[0]}/${TURNED}`, content: 'x' }
    const { page, expectQuiet } = await visit(toolLink('write_file', args))
    await stayIn(page, '/docs')
    await page.getByRole('button', { name: 'Preview' }).click()
    const question = page.getByRole('alertdialog')
    await question.waitFor()
    expectVisible(await question.innerText(), 'RLO', 'img data-evil')
    await question.getByRole('button', { name: 'Deny' }).click()
    await expectQuiet('grant')
    await page.context().close()
  })
})
