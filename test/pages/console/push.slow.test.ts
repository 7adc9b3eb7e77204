/**
 * The service worker of the console in a browser: what it shows for a push, where a press leads, and what it leaves alone.
 * The debugger delivers the pushes; `test/support/pages/push.ts` says what is real.
 */

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { SECRET } from '../../support/e2e/person.ts'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { visit } from '../../support/pages/console-actions.ts'
import {
  deliver,
  listShown,
  PERMITTED,
  pressNotice,
  readBadge,
  startWorker,
} from '../../support/pages/push.ts'

const server = useServer()
const browser = useBrowser()

const messageOf = (part: object = {}) =>
  JSON.stringify({
    ...{ tag: 'default', title: '3 changes wait for you', body: 'From “Writer”' },
    ...{ url: '/#/waiting/1a2b', waiting: 3, badge: 3 },
    ...part,
  })

async function openWithWorker(hash = '#/log'): Promise<Page> {
  const page = await visit(browser.open, server.url, hash, { init: PERMITTED })
  await startWorker(page)
  return page
}

it('shows what is pushed, and replaces it by the next of its tag', async () => {
  const page = await openWithWorker()
  await deliver(page, messageOf())
  await deliver(page, messageOf({ tag: 'notes', title: '1 change waits for you' }))
  await deliver(page, messageOf({ title: '5 changes wait for you' }))
  await expect
    .poll(async () =>
      (await listShown(page)).map(({ tag, title }) => `${tag}: ${title}`).toSorted(),
    )
    .toEqual(['default: 5 changes wait for you', 'notes: 1 change waits for you'])
  expect(await readBadge(page)).toBe(3)
  await page.context().close()
})

it('shows something for a push that it cannot read, and nothing of what that says', async () => {
  const page = await openWithWorker()
  await deliver(page, messageOf({ url: 'https://evil.example/', title: 'Evil' }))
  await expect.poll(() => listShown(page)).toHaveLength(1)
  expect(await listShown(page)).toMatchObject([{ title: 'Something waits for you', url: '/' }])
  await page.context().close()
})

it('a press shows the page in the console that is open, without a reload', async () => {
  const page = await openWithWorker()
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  await deliver(page, messageOf())
  await expect.poll(() => listShown(page)).toHaveLength(1)
  expect(await pressNotice(page, 'default')).toBeNull()
  await page.waitForURL(`${server.url}/#/waiting/1a2b`)
  expect(await page.evaluate(() => Reflect.get(window, 'isSame'))).toBe(true)
  await expect.poll(() => listShown(page)).toEqual([])
  await page.context().close()
})

it('a press shows the page of another workspace there', async () => {
  const page = await openWithWorker()
  await deliver(page, messageOf({ tag: 'notes', url: '/?at=/w/notes/mcp#/waiting/1a2b' }))
  await expect.poll(() => listShown(page)).toHaveLength(1)
  await pressNotice(page, 'notes')
  await page.waitForURL(`${server.url}/?at=/w/notes/mcp#/waiting/1a2b`)
  await page.locator('.place strong').getByText('Workspace notes').first().waitFor()
  await page.context().close()
})

it('a press opens a new window where no console is open', async () => {
  const page = await openWithWorker()
  await deliver(page, messageOf())
  await expect.poll(() => listShown(page)).toHaveLength(1)
  await page.goto(`${server.url}/icons/192.png`)
  expect(await pressNotice(page, 'default')).toBe('/#/waiting/1a2b')
  await page.context().close()
})

it('serves no page: each comes from the server, also while the worker controls it', async () => {
  const page = await openWithWorker()
  await page.reload()
  await page.locator('.dot.ready').first().waitFor({ state: 'attached' })
  const facts = await page.evaluate(async () => {
    const [visited] = performance.getEntriesByType('navigation')
    const loaded = performance.getEntriesByType('resource')
    return {
      isControlled: navigator.serviceWorker.controller !== null,
      // Browsers name here when a worker began to answer a request.
      byWorker: [visited, ...loaded].filter((one) => Reflect.get(Object(one), 'workerStart') > 0)
        .length,
      caches: await caches.keys(),
      databases: (await indexedDB.databases()).length,
    }
  })
  expect(facts).toEqual({ isControlled: true, byWorker: 0, caches: [], databases: 0 })
  await page.context().setOffline(true)
  await expect(page.reload()).rejects.toThrow(/INTERNET_DISCONNECTED/)
  await page.context().close()
})

it('the manifest makes the console a page that can be installed', async () => {
  const page = await visit(browser.open, server.url, '#/log')
  const session = await page.context().newCDPSession(page)
  const { url, errors } = await session.send('Page.getAppManifest')
  expect(url).toBe(`${server.url}/console.webmanifest`)
  expect(errors).toEqual([])
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // A context of a test is as a private window, which installs nothing.
  const ids = installabilityErrors.map(({ errorId }) => errorId)
  expect(ids.filter((id) => id !== 'in-incognito')).toEqual([])
  await page.context().close()
})

describe('with an owner', () => {
  const owned = useServer({ EDGEWISE_OWNER_SECRET: SECRET })

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('Secret').fill(SECRET)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.dot.ready').first().waitFor({ state: 'attached' })
  }

  it('a press leads to its page also where the person has to sign in first', async () => {
    const page = await browser.open(`${owned.url}/?at=/w/notes/mcp#/waiting/1a2b`)
    expect(new URL(page.url()).pathname).toBe('/signin')
    await signIn(page)
    expect(page.url()).toBe(`${owned.url}/?at=/w/notes/mcp#/waiting/1a2b`)
    await page.context().close()
  })

  it('the worker is replaced also after the sign-in has ended', async () => {
    const page = await browser.open(`${owned.url}/#/log`)
    await signIn(page)
    await startWorker(page)
    await page.context().clearCookies()
    const isUpdated = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      return registration.update().then(
        () => true,
        () => false,
      )
    })
    expect(isUpdated).toBe(true)
    await page.context().close()
  })
})
