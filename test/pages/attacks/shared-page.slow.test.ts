/**
 * Pages for people in a real browser: nothing of a file or of a name runs, becomes an element, or sends a request, and the
 * pictures of a page are drawn although it has no origin.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { useServer } from '../../support/e2e/server.ts'
import { putFile } from '../../support/pages/console-actions.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { EVERYTHING, MARKUP } from '../../support/pages/injection-payloads.ts'
import { watched, type Watched } from '../../support/pages/injection-watch.ts'

const server = useServer()
const browser = useBrowser()

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="pwned = 'svg'">
<script>pwned = 'script of svg'</script><image href="https://evil.example/x.png"/><rect width="40" height="40"/></svg>`

const FILES: Readonly<Record<string, string>> = {
  'page.html': EVERYTHING,
  'text.md': `${EVERYTHING}\n\n![p](https://evil.example/p.png) ![own](own.svg) [x](javascript:pwned='link')`,
  'code.js': EVERYTHING,
  'values.csv': `a,b\n${MARKUP.map((text) => `"${text.replaceAll('"', '""')}",1`).join('\n')}\n`,
  'plain.txt': EVERYTHING,
  'own.svg': SVG,
  'fake.png': EVERYTHING,
}

let url = ''
beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES))
    await putFile(server.url, `/shared/${name}`, text)
  for (const [at, name] of MARKUP.entries())
    await putFile(
      server.url,
      `/shared/${encodeURIComponent(`${at} ${name.replaceAll('/', '')}`)}.txt`,
      'x',
    )
  const made = await fetch(`${server.url}/page-links`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: server.url,
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ path: '/shared' }),
  })
  url = String(recordOf(await made.json())['url'])
})

const open = (rest: string) => watched(browser.open, url + rest, [server.url])

/** What is left of a page that has links to other sites on purpose: nothing of a file may be an element. */
const withoutLinks = ({ page }: Watched) => page.locator('[data-evil]').count()

describe('a page', () => {
  it.each(['', ...Object.keys(FILES)])('%s runs nothing and asks no other site', async (path) => {
    const view = await open(path)
    await view.page.locator('main').waitFor()
    expect(view.alarms).toEqual([])
    expect(await withoutLinks(view)).toBe(0)
    // Markdown alone leads to other sites, when a reader wants to go there.
    if (path !== 'text.md') await view.expectQuiet(path)
    const active = 'script, iframe, object, embed, form, link, base, style ~ style'
    expect(await view.page.locator(active).count()).toBe(0)
  })

  it('has no origin, so it can neither read storage nor be scripted', async () => {
    const { page } = await open('text.md')
    expect(await page.evaluate(() => self.origin)).toBe('null')
  })

  it('draws its own pictures, also of vectors, and not what they load', async () => {
    const { page, alarms } = await open('text.md')
    const own = page.getByRole('img', { name: 'own' })
    await own.scrollIntoViewIfNeeded()
    await expect
      .poll(() =>
        own.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
      )
      .toBe(40)
    expect(alarms).toEqual([])
  })

  it('leads to the other pages of its folder', async () => {
    const { page, expectQuiet } = await open('')
    await page.getByRole('link', { name: 'plain.txt' }).first().click()
    await page.getByRole('heading', { name: 'plain.txt' }).waitFor()
    await page.getByRole('link', { name: 'shared' }).click()
    await page.getByRole('heading', { name: 'shared' }).waitFor()
    await expectQuiet('the folder')
  })
})

it('cannot be framed', async () => {
  const response = await fetch(url)
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(response.headers.get('x-frame-options')).toBe('DENY')
})
