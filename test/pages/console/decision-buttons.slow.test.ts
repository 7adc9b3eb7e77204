/**
 * The law over all buttons that decide, on the pages that have them: each is moved in every way, and a press of the
 * half second after that decides nothing and says so.
 */

import type { Locator, Page } from 'playwright'
import { beforeAll, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { putFile, setConfig, visit } from '../../support/pages/console-actions.ts'
import { callTool } from '../../support/pages/files-view.ts'
import { DECISION_PAGES } from '../../support/pages/decision-pages.ts'

const server = useServer()
const browser = useBrowser()

const post = (path: string, body: unknown) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-edgewise-console': '1' },
    body: JSON.stringify(body),
  })

async function callBy(link: string, name: string, args: object): Promise<void> {
  const accept = 'application/json, text/event-stream'
  const headers = { 'content-type': 'application/json', accept }
  const params = { name, arguments: args }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  await (await fetch(link, { method: 'POST', headers, body })).text()
}

beforeAll(async () => {
  await putFile(server.url, '/secret/key', 'text')
  await putFile(server.url, '/.apps/board/app.json', JSON.stringify({ title: 'Board' }))
  await putFile(server.url, '/.apps/board/index.html', '<p>Board</p>')
  await setConfig(server.url, {
    roots: [
      { path: '/free', default: true },
      { path: '/noted', approval: 'notify' },
      { path: '/held', approval: 'confirm' },
    ],
  })
  await callTool(server, 'write_file', { path: '/free/a.txt', content: 'a' })
  await post('/checkpoints', { name: 'Before' })
  const made: unknown = await (await post('/sessions', { label: 'Agent', ttl_seconds: 900 })).json()
  const link = String(Reflect.get(Object(made), 'url'))
  await callBy(link, 'read_file', { path: '/secret/key' })
  await callBy(link, 'write_file', { path: '/noted/b.txt', content: 'b' })
  await callBy(link, 'write_file', { path: '/held/c.txt', content: 'c' })
  for (const content of ['d', 'dd'])
    await callBy(link, 'write_file', { path: '/held/d.txt', content })
})

const WAYS = ['insert', 'remove', 'uncover', 'scroll', 'text', 'draw'] as const

type Way = (typeof WAYS)[number]

/** Moves a button in the page, and answers its middle; null if it stays where it was. */
function move(button: Element, way: string) {
  const place = button.closest('dialog') ?? document.querySelector('main') ?? document.body
  // The policy of the page permits no attribute `style`.
  const before = button.getBoundingClientRect()
  const add = (style: string) => {
    const added = Object.assign(document.createElement('div'), { className: 'added' })
    added.style.cssText = style
    place.prepend(added)
  }
  const removeAdded = () => place.querySelectorAll('.added').forEach((one) => one.remove())
  if (way === 'insert' || way === 'prepare-remove') add('height: 3rem')
  if (way === 'prepare-uncover') add('position: fixed; inset: 0; z-index: 99; background: gray')
  if (way === 'remove' || way === 'uncover' || way === 'restore') removeAdded()
  if (way === 'scroll') scrollBy(0, scrollY > 50 ? -40 : 40)
  if (way === 'text') document.documentElement.style.fontSize = '125%'
  if (way === 'draw') place.style.transform = 'translateY(30px)'
  if (way === 'restore') {
    document.documentElement.style.fontSize = ''
    place.style.transform = ''
  }
  const { x, y, width, height } = button.getBoundingClientRect()
  // A sticky button follows by less than a pixel.
  const isElsewhere = Math.abs(x - before.x) >= 1 || Math.abs(y - before.y) >= 1
  const isMoved = isElsewhere || way === 'uncover'
  return isMoved ? { x: x + width / 2, y: y + height / 2, at: performance.now() } : null
}

const settles = (button: Locator) => expect.poll(() => button.isEnabled()).toBe(true)

/** Forgets earlier messages, and notes whether the next press meets the button. */
const prepare = (button: Locator) =>
  button.evaluate((one) => {
    one.querySelector('.early')?.setAttribute('data-old', '')
    const note = ({ target }: Event) =>
      void (document.body.dataset['met'] = String(target instanceof Node && one.contains(target)))
    document.body.dataset['met'] = 'false'
    addEventListener('pointerdown', note, { capture: true, once: true })
  })

const isMet = (page: Page) => page.evaluate(() => document.body.dataset['met'] === 'true')

const isEarly = (button: Locator) =>
  button.evaluate((one) => one.querySelector('.early:not([data-old])') !== null)

/** Whether the button was moved and pressed in time, where it can be pressed then; a busy machine tries again. */
async function proves(page: Page, button: Locator, way: Way): Promise<boolean> {
  for (let attempt = 0; attempt < 5; attempt++) {
    await button.evaluate((one) => one.scrollIntoView({ block: 'center' }))
    if (way === 'remove') await button.evaluate(move, 'prepare-remove')
    await settles(button)
    if (way === 'uncover') {
      await button.evaluate(move, 'prepare-uncover')
      await page.waitForTimeout(250)
    }
    await prepare(button)
    const moved = await button.evaluate(move, way)
    if (moved) await page.mouse.click(moved.x, moved.y)
    const pressed = await page.evaluate(() => performance.now())
    const [isAimed, isRefused] = [await isMet(page), await isEarly(button)]
    await button.evaluate(move, 'restore')
    if (!moved || !isAimed) return false
    if (isRefused) return true
    expect(pressed - moved.at, `${way} decides`).toBeGreaterThan(450)
  }
  throw new Error('No press came in time')
}

/** Waits until no more buttons come: each is found by its number below. */
async function loaded(page: Page, buttons: Locator): Promise<void> {
  const counts: number[] = []
  const isComplete = () => counts.length > 5 && new Set([0, ...counts.slice(-5)]).size === 2
  for (let attempt = 0; attempt < 100 && !isComplete(); attempt++) {
    await page.waitForTimeout(200)
    counts.push(await buttons.count())
  }
  expect(isComplete(), `numbers of buttons: ${counts.join()}`).toBe(true)
}

it.each(DECISION_PAGES)('holds for $name', async ({ show }) => {
  const page = await visit(browser.open, server.url)
  await show(page)
  const buttons = page.locator('.decides:visible')
  await loaded(page, buttons)
  const seen = new Set<string>()
  for (const button of await buttons.all()) {
    const label = (await button.innerText()).trim()
    const isInert = await button.evaluate(
      (one) => document.querySelector('dialog[open]') !== null && one.closest('dialog') === null,
    )
    if (seen.has(label) || isInert) continue
    await button.evaluate((one) => one.scrollIntoView({ block: 'center' }))
    await page.waitForTimeout(800)
    if (!(await button.isEnabled())) continue
    seen.add(label)
    let proofs = 0
    for (const way of WAYS) if (await proves(page, button, way)) proofs++
    expect(proofs, label).toBeGreaterThanOrEqual(3)
  }
  expect(seen.size).toBeGreaterThan(0)
  await page.context().close()
})
