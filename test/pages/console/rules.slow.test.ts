import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import {
  goTo,
  holdButtons,
  putFile,
  readText,
  sees,
  setConfig,
  stayIn,
  toolLink,
  visit,
} from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

afterEach(() => setConfig(server.url, {}))

const outside = toolLink('write_file', { path: '/src/new.txt', content: 'granted\n' })

it('asks before a call uses paths outside the roots, and stores the decision', async () => {
  const page = await visit(browser.open, server.url, outside)
  await stayIn(page, '/docs')
  const prompt = page.getByRole('alertdialog', { name: WORDS.scopeRequest })

  await page.getByRole('button', { name: 'Preview' }).click()
  await prompt.waitFor()
  expect(await prompt.textContent()).toContain('Write to /src/new.txt')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Deny')
  expect(await prompt.textContent()).toContain('This console')
  // What would be written is shown, and not folded.
  expect(await prompt.getByRole('region', { name: 'content' }).textContent()).toBe('granted\n')
  const scopes = await prompt.locator('.choice small code').allTextContents()
  expect(scopes).toEqual(['write:file:/src', 'write:file', 'write'])
  await page.keyboard.press('Escape')
  await sees(page, 'The call was denied, so nothing was done')

  await page.getByRole('button', { name: 'Preview' }).click()
  await prompt.getByRole('radio', { name: 'write:file:/src' }).check()
  await prompt.getByRole('radio', { name: /For 90 days/ }).check()
  await prompt.getByRole('button', { name: 'Allow' }).click()
  await sees(page, WORDS.previewed)
  await page.getByRole('button', { name: 'Apply' }).click()
  await sees(page, WORDS.applied)
  expect(await prompt.count()).toBe(0)
  expect(await readText(server.url, '/src/new.txt')).toBe('granted\n')
  await expect.poll(refusals).toEqual([
    ['refused', 'PATH_OUTSIDE_ROOT'],
    ['refused', 'DENIED_BY_PERSON'],
    ['refused', 'PATH_OUTSIDE_ROOT'],
    ['previewed', undefined],
    ['applied', undefined],
  ])

  await goTo(page, '#/rules')
  await sees(page, '90 days left')
  await page.getByRole('button', { name: 'Forget: allow write:file:/src' }).click()
  await sees(page, /No stored decisions/)
  await page.context().close()
})

it.each([
  [1280, 800],
  [400, 700],
])('shows every duration and both answers at %i × %i', async (width, height) => {
  const text = 'A long line of what would be written.\n'.repeat(60)
  const long = toolLink('write_file', { path: '/src/new.txt', content: text })
  const page = await visit(browser.open, server.url, long, { viewport: { width, height } })
  await stayIn(page, '/docs')
  await page.getByRole('button', { name: 'Preview' }).click()
  const prompt = page.getByRole('alertdialog', { name: WORDS.scopeRequest })
  await prompt.waitFor()
  for (const part of [
    ...(await prompt.locator('.durations label').all()),
    prompt.getByRole('button', { name: 'Allow' }),
  ]) {
    // Playwright counts an element as visible that is scrolled away.
    const box = await part.boundingBox()
    expect(box && box.y + box.height).toBeLessThanOrEqual(height)
    const isInFront = await part.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const found = document.elementFromPoint(x + width / 2, y + height / 2)
      return found !== null && element.contains(found)
    })
    expect(isInFront).toBe(true)
  }
  expect(await prompt.locator('.durations label').count()).toBe(3)
  await page.context().close()
})
/** Outcome and code of refusal of each entry of the audit log, oldest first. */
async function refusals(): Promise<unknown[]> {
  const log: unknown = await (await fetch(`${server.url}/audit`)).json()
  const entries: unknown = Reflect.get(Object(log), 'entries')
  return Array.isArray(entries)
    ? entries
        .toReversed()
        .filter(({ tool }) => tool === 'write_file')
        .map(({ outcome, decision }) => [outcome, decision[0]?.code])
    : []
}

it('holds a stored denial for every spelling of a path', async () => {
  const page = await visit(browser.open, server.url, '#/rules')
  const stored = (decision: string, scope: string) => ({
    id: scope,
    server: `${server.url}/mcp`,
    decision,
    scope,
    duration: 'always',
    madeAt: Date.now(),
    expiresAt: Date.now() + 60_000,
  })
  const denials = ['write:file:/b', 'read:file:/r'].map((scope) => stored('deny', scope))
  const rules = [stored('allow', 'write'), ...denials]
  await page.evaluate((json) => localStorage.setItem('edgewise.rules', json), JSON.stringify(rules))
  const preview = async (path: string) => previewCall('write_file', { path, content: 'x' })
  const previewCall = async (tool: string, args: Record<string, string>) => {
    await goTo(page, toolLink(tool, args))
    await page.reload()
    await page.getByRole('button', { name: 'Preview' }).click()
  }
  await preview('c/y.md')
  await sees(page, WORDS.previewed)
  for (const path of ['b/y.md', './b/y.md', '/b/y.md', '//b/y.md', '/c/../b/y.md', 'b/y.md/']) {
    await preview(path)
    await sees(page, 'The call was denied, so nothing was done')
  }
  await previewCall('copy_file', { from: 'r/y.md', to: 'c/y.md' })
  await sees(page, 'The call was denied, so nothing was done')
  await setConfig(server.url, { roots: [{ path: '/' }, { path: '/b', default: true }] })
  await preview('y.md')
  await sees(page, 'The call was denied, so nothing was done')
  await preview('../c/y.md')
  await sees(page, WORDS.previewed)
  await page.context().close()
})

it('accepts no approval by a script, and none in the first half second', async () => {
  const page = await visit(browser.open, server.url, outside)
  await stayIn(page, '/docs')
  const release = await holdButtons(page)
  await page.getByRole('button', { name: 'Preview' }).click()
  const prompt = page.getByRole('alertdialog', { name: WORDS.scopeRequest })
  await prompt.waitFor()
  const allow = prompt.getByRole('button', { name: 'Allow' })
  expect(await allow.isDisabled()).toBe(true)
  await release()
  await expect.poll(() => allow.isEnabled()).toBe(true)
  await allow.evaluate((button) => (button instanceof HTMLElement ? button.click() : null))
  expect(await prompt.count()).toBe(1)
  await prompt.getByRole('button', { name: 'Deny' }).click()
  await page.context().close()
})

it('creates a session, shows its link once, and revokes it', async () => {
  const page = await visit(browser.open, server.url, '#/sessions?do=new')
  const dialog = page.getByRole('dialog', { name: 'Make a session link' })
  await dialog.getByLabel(WORDS.agentName).fill('Docs agent')
  await dialog.getByLabel('Folder or file; empty for every file').fill('docs')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByText('Docs agent may read /docs.').waitFor()
  await dialog.getByRole('button', { name: WORDS.makeLink }).click()
  await sees(page, WORDS.linkShownOnce)
  const url = await page.getByRole('region', { name: 'Session link' }).textContent()
  expect(url).toMatch(/\/s\/default\.[\w-]{43}\/mcp$/)

  const client = await connected(url ?? '')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).not.toContain('write_file')

  await page.getByRole('button', { name: WORDS.copiedLink }).click()
  await expect.poll(() => page.content()).not.toContain(new URL(url ?? '').pathname)
  await page.getByRole('article', { name: 'Docs agent' }).waitFor()
  await page.getByRole('button', { name: 'Revoke Docs agent' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await sees(page, '“Docs agent” was revoked')
  await expect(client.callTool({ name: 'list_roots', arguments: {} })).rejects.toThrow()
  await page.context().close()
})

async function connected(url: string): Promise<Client> {
  const client = new Client(
    { name: 'agent', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

it('saves rules after a confirmation, and describes them in sentences', async () => {
  const root = { path: '/', deny: ['private/**'] }
  await setConfig(server.url, { roots: [root] })
  await putFile(server.url, '/docs/a.md', 'a\n')
  const page = await visit(browser.open, server.url, '#/rules')
  const question = page.getByRole('alertdialog', { name: 'Save these rules?' })
  const stored = async (): Promise<unknown> => (await fetch(`${server.url}/config`)).json()
  const ask = page.getByRole('button', { name: /^Ask me first ?, before .* in \/docs changes$/ })
  await ask.click()
  await question.getByRole('button', { name: 'Save' }).click()
  await sees(page, 'Changes in /docs wait for you.')
  // The table shows what is chosen before it is stored.
  await expect.poll(stored).toMatchObject({ roots: [root, { path: '/docs', approval: 'review' }] })
  // The form begins again with what is stored.
  const save = page.getByRole('button', { name: 'Save…' })
  await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')

  await page.getByLabel('Approval', { exact: true }).selectOption({ label: 'confirm' })
  await sees(page, 'Changes wait until you approve them.')
  // Save is in reach wherever the page is scrolled to.
  await page.evaluate(() => scrollTo(0, 0))
  const box = await save.boundingBox()
  expect(box && box.y + box.height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
  await save.click()
  expect(await question.textContent()).toContain('approval: none → confirm')
  await question.getByRole('button', { name: 'Save' }).click()
  await expect.poll(stored).toMatchObject({ approval: 'confirm', roots: [root, { path: '/docs' }] })
  await page.context().close()
})

it.each([
  [1280, 800],
  [400, 700],
])('keeps Save in reach from every section at %i × %i', async (width, height) => {
  const page = await visit(browser.open, server.url, '#/rules', { viewport: { width, height } })
  await page.getByLabel('Approval', { exact: true }).selectOption({ label: 'confirm' })
  const save = page.getByRole('button', { name: 'Save…' })
  for (const name of ['Access', 'Approval', 'Passkeys', 'Your decisions']) {
    await page.getByRole('heading', { name, exact: true }).scrollIntoViewIfNeeded()
    const isInFront = await save.evaluate((element) => {
      const { x, y, width: wide, height: high } = element.getBoundingClientRect()
      const found = document.elementFromPoint(x + wide / 2, y + high / 2)
      return found !== null && element.contains(found)
    })
    expect(isInFront, name).toBe(true)
  }
  await save.click()
  await page.getByRole('alertdialog', { name: 'Save these rules?' }).waitFor()
  await page.context().close()
})
