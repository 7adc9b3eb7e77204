/** A hostile app from files beside another one, in the whole console: what it can neither read, change nor reach. */

import type { Frame, Page } from 'playwright'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { startTrap, use } from '../../support/pages/app-servers.ts'
import { serveSamples } from '../../support/pages/app-samples.ts'
import { approveApp, useStages } from '../../support/pages/app-stages.ts'
import { goTo, putFile, sees, setConfig } from '../../support/pages/console-actions.ts'
import { frameWith, requestIn, SPY } from '../../support/pages/spy-app.ts'

const { server, open } = useStages()
const trap = use(startTrap)

let page: Page
let isOpen = false
let spy: Frame
let board: Frame

beforeAll(async () => {
  await serveSamples(server)
  await putFile(server.url, '/secret.md', 'top secret')
  await putFile(server.url, '/.apps/spy/index.html', SPY)
  await approveApp(server.url, 'spy')
})

// The board by its tool, and then both apps from the list of applications, for all tests.
beforeEach(async () => {
  if (isOpen) return
  ;({ page } = await open('the console', 'tasks', { isKept: true }))
  await goTo(page, '#/apps')
  for (const name of [/spy.*ui:/s, /Tasks.*ui:/s]) await page.getByRole('button', { name }).click()
  const windows = page.locator('.window')
  await expect.poll(() => windows.getByText('ready', { exact: true }).count()).toBe(2)
  spy = await frameWith(page, 'Spy')
  board = await frameWith(page, 'Tasks')
  isOpen = true
})

const call = (frame: Frame, name: string, args: object) =>
  requestIn(frame, 'tools/call', { name, arguments: args })

it('an app reaches neither the frame nor the storage of another', async () => {
  const found = await spy.evaluate(probeWindows)
  // Its own window, that of its sandbox and the console's; the other app's is below a closed part of the page.
  expect(found.windows).toBe(3)
  expect(found.read).toEqual([])
  expect(await board.evaluate(() => origin)).toBe('null')

  // A channel of the same name joins pages of one origin only.
  const heard = board.evaluate(
    () =>
      new Promise((resolve) => {
        new BroadcastChannel('x').onmessage = () => resolve('heard')
        setTimeout(() => resolve('nothing'), 1_000)
      }),
  )
  await spy.evaluate(() => new BroadcastChannel('x').postMessage('hello'))
  expect(await heard).toBe('nothing')
})

/** Tries to read every window of the page, and every storage. */
function probeWindows(): { windows: number; read: string[] } {
  const read: string[] = []
  const attempt = (what: string, action: () => unknown) => {
    try {
      if (action()) read.push(what)
    } catch {}
  }
  let windows = 0
  const walk = (each: Window, path: string) => {
    windows++
    if (each !== window) {
      attempt(`${path} document`, () => each.document)
      attempt(`${path} variable`, () => Reflect.get(each, 'secret') ?? each.name)
      attempt(`${path} address`, () => each.location.href)
    }
    for (let index = 0; index < each.length; index++) {
      const child = each[index]
      if (child) walk(child, `${path}/${index}`)
    }
  }
  walk(parent, 'parent')
  if (top) walk(top, 'top')
  attempt('local storage', () => localStorage)
  attempt('session storage', () => sessionStorage)
  attempt('cookies', () => (document.cookie = 'a=1'))
  return { windows, read }
}

it('an app cannot send another one a result in the name of its host', async () => {
  await spy.evaluate(() => {
    const files = [{ path: '/x.md', version: 1, text: '## Forged\n\n- [ ] Forged\n' }]
    const params = { content: [], structuredContent: { files, truncated: false } }
    const walk = (each: Window) => {
      each.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params }, '*')
      for (let index = 0; index < each.length; index++) {
        const child = each[index]
        if (child) walk(child)
      }
    }
    for (const each of [window, parent, top]) if (each) walk(each)
  })
  await board.getByText('Paint the fence').waitFor()
  await page.waitForTimeout(500)
  expect(await board.getByText('Forged').count()).toBe(0)
})

it('an app does not read a denied path, however it is written', async () => {
  await setConfig(server.url, { roots: [{ path: '/', deny: ['secret.md'] }] })
  const read = (uri: string) => requestIn(spy, 'resources/read', { uri })
  for (const path of ['/secret.md', '/docs/../secret.md', 'file:///secret.md'])
    for (const answer of [
      await call(spy, 'read_file', { path }),
      await call(spy, 'part_of_spy', { file: path }),
      await read('file:///secret.md'),
    ]) {
      expect(answer, path).toMatch(/"isError":true|"error":/)
      expect(answer, path).not.toContain('top secret')
    }
  await setConfig(server.url, {})
})

it('an app reaches no origin that it did not declare', async () => {
  await spy.evaluate(async (url) => {
    const image = new Image()
    image.src = `${url}/image`
    const link = document.createElement('link')
    Object.assign(link, { rel: 'stylesheet', href: `${url}/style` })
    const frame = document.createElement('iframe')
    frame.src = `${url}/frame`
    document.body.append(image, link, frame)
    navigator.sendBeacon(`${url}/beacon`)
    await fetch(url, { mode: 'no-cors' }).catch(() => {})
  }, trap().url)
  await page.waitForTimeout(500)
  expect(trap().visits).toEqual([])
})

it('an app that was changed after its approval is gone, and one that is open gets no more data', async () => {
  await putFile(server.url, '/.apps/spy/index.html', `${SPY}<script>steal()</script>`)
  await page.getByRole('button', { name: /spy.*ui:/s }).waitFor({ state: 'detached' })
  expect(await call(spy, 'open_spy', {})).toMatch(/"isError":true|"error":/)
  const address = `ui://${(await addressOf(page)).split('/')[2]}/spy`
  await goTo(page, '#/overview')
  await goTo(page, `#/apps?uri=${encodeURIComponent(address)}`)
  await sees(page, /not found|does not exist|Cannot/i)
})

/** Returns the address of the board, as the list of applications shows it. */
const addressOf = (page: Page) =>
  page
    .getByRole('button', { name: /Tasks.*ui:/s })
    .locator('code')
    .innerText()
