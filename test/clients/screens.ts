/** The product's views inside third-party hosts, as a person sees them. @module */

import type { Page } from 'playwright'
import { describe } from './model-input.ts'
import { judged, type Cells } from './session.ts'
import { hostPages, launch, startSite, textOf } from './host-pages.ts'
import type { Workspace } from './workspace.ts'

export const VIEW_STEPS = ['files view', 'review view', 'undo', 'refused undo'] as const

/** Opens a host from `pages/`, and runs the steps. */
export async function examineViews(entry: string, { url }: Workspace): Promise<Cells> {
  const { origin, pathname } = new URL(url)
  const site = await startSite(origin, await hostPages(entry))
  const browser = await launch()
  const page = await browser.newPage()
  try {
    await page.goto(`${site.origin}/?mcp=${encodeURIComponent(pathname)}`)
    await page.waitForFunction('globalThis.host')
    return await look(page)
  } finally {
    await browser.close()
    site.close()
  }
}

async function look(page: Page): Promise<Cells> {
  const files = await judged(async () => {
    await show(page, 'list_roots', {})
    return until(page, /kept\.txt[^]*picture\.png/)
  })
  const review = await judged(async () => {
    await show(page, 'write_file', { path: '/note.txt', content: 'alpha\nbeta\n' })
    return until(page, /Applied[^]*note\.txt[^]*alpha/)
  })
  const undo = await judged(async () => {
    await press(page, 'Undo')
    return until(page, /Undone/)
  })
  return {
    'files view': files,
    'review view': review,
    undo,
    'refused undo': await judged(() => refuse(page)),
  }
}

/** What was changed since cannot be undone, and the view has to say why. */
async function refuse(page: Page): Promise<string | undefined> {
  await show(page, 'write_file', { path: '/second.txt', content: 'one\n' })
  const drawn = await until(page, /Applied[^]*second\.txt/)
  if (drawn !== undefined) return drawn
  await call(page, 'write_file', { path: '/second.txt', content: 'two\n' })
  await press(page, 'Undo')
  return until(page, /was changed later/)
}

const show = (page: Page, name: string, args: object): Promise<unknown> =>
  page.evaluate(`host.show(${JSON.stringify(name)}, ${JSON.stringify(args)})`)

const call = (page: Page, name: string, args: object): Promise<unknown> =>
  page.evaluate(`host.call(${JSON.stringify(name)}, ${JSON.stringify(args)})`)

/** A view ignores clicks on content that it has only just rendered. */
const SEEN_MS = 700

async function press(page: Page, label: string): Promise<void> {
  await page.waitForTimeout(SEEN_MS)
  for (const frame of page.frames()) {
    const button = frame.getByRole('button', { name: label, exact: true })
    if (await button.count().catch(() => 0)) return button.first().click()
  }
  throw new Error(`no button ${label}`)
}

const MAX_DRAWING_MS = 30_000

async function until(page: Page, wanted: RegExp): Promise<string | undefined> {
  const late = Date.now() + MAX_DRAWING_MS
  while (Date.now() < late) {
    if (wanted.test(await textOf(page))) return undefined
    await page.waitForTimeout(100)
  }
  return `shows ${describe(await textOf(page))}`
}
