import { beforeAll, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { ADDRESSES, arriveAt, FURTHER } from '../../support/pages/console-pages.ts'
import { goTo, putFile, stayIn, toolLink, visit } from '../../support/pages/console-actions.ts'
import { WORDS } from '../../support/pages/console-labels.ts'

const server = useServer()
const browser = useBrowser()

beforeAll(async () => {
  await putFile(server.url, '/docs/guide.md', '# Guide\n\nOne line.\n')
  await putFile(server.url, '/docs/guide.md', '# Guide\n\nAnother line.\n')
  const link = { label: 'Docs agent', scopes: ['read:file:/docs'], ttl_seconds: 600 }
  const headers = { 'content-type': 'application/json' }
  await fetch(`${server.url}/sessions`, { method: 'POST', headers, body: JSON.stringify(link) })
})

const PAGES = [
  ...ADDRESSES,
  ...FURTHER,
  ['tool', toolLink('edit_file', { path: '/docs/guide.md' })],
] as const

// One load for all looks of a page.
it.each(PAGES)(
  '%s is accessible in light and dark, and fits into 400 pixels',
  async (_name, hash) => {
    const page = await visit(browser.open, server.url, hash, { colorScheme: 'light' })
    await arriveAt(page, hash)
    expect(await faultsOf(page), 'in light').toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
    expect(await faultsOf(page), 'in dark').toEqual([])
    await page.setViewportSize({ width: 400, height: 800 })
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(400)
    await page.context().close()
  },
)

it.each(['light', 'dark'] as const)(
  'questions and changes are accessible in %s',
  async (scheme) => {
    const options = { colorScheme: scheme }
    const outside = toolLink('write_file', { path: '/src/new.txt', content: 'x' })
    const page = await visit(browser.open, server.url, outside, options)
    await stayIn(page, '/docs')
    await page.getByRole('button', { name: 'Preview' }).click()
    const prompt = page.getByRole('alertdialog')
    await expect.poll(() => prompt.getByRole('button', { name: 'Allow' }).isEnabled()).toBe(true)
    expect(await faultsOf(page)).toEqual([])
    await prompt.getByRole('button', { name: 'Deny' }).click()

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: WORDS.palette }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Escape')

    await goTo(page, '#/activity')
    await page.getByRole('link', { name: 'Upload /docs/guide.md' }).first().click()
    await page.getByRole('heading', { name: 'Upload /docs/guide.md', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(() => page.getByRole('button', { name: WORDS.undo }).isEnabled()).toBe(true)
    expect(await faultsOf(page)).toEqual([])
    await page.context().close()
  },
)

it('changes its colours by the switch, and keeps them', async () => {
  const page = await visit(browser.open, server.url, '#/', { colorScheme: 'light' })
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await background()
  await page.getByRole('radio', { name: 'Dark colours' }).first().check()
  expect(await background()).not.toBe(light)
  await page.reload()
  expect(await background()).not.toBe(light)
  await page.context().close()
})

it('opens every page from the bar at the bottom of a narrow window', async () => {
  const page = await visit(browser.open, server.url, '#/', {
    viewport: { width: 400, height: 800 },
  })
  await page.getByRole('button', { name: 'More' }).click()
  const drawer = page.getByRole('dialog', { name: 'All pages' })
  await drawer.getByRole('link', { name: 'Rules' }).click()
  await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor()
  expect(await drawer.count()).toBe(0)
  await page.context().close()
})
