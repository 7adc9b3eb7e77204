/** Links to pages for people in the console: the dialog that makes one, and the list that ends one. */

import type { ShownPageLink } from '#core/owner/answers/page-links.ts'
import { SHARE_ADDRESS } from '#core/wire.ts'
import { AllPageLinks } from '#host/console/page-links/page-link-list.tsx'
import { openSharing, ShareButton } from '#host/console/page-links/share.tsx'
import { toasts } from '#host/console/ui/toasts.tsx'
import { render } from 'preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeOwner, type SentAct } from '../../support/host/fake-owner.ts'

const root = document.createElement('main')
let sent: readonly SentAct[]
let links: ShownPageLink[]
let refuses = false

const LINK: ShownPageLink = {
  ...{ id: 'p1', path: '/docs/a\u202eb.md', kind: 'file', live: false, version: 7 },
  ...{ created: 0, expires: Date.now() + 9_000_000, opened: 0, last_opened: null },
}

const LIVE: ShownPageLink = {
  ...{ ...LINK, id: 'p2', path: '/docs', kind: 'folder', live: true },
  ...{ opened: 3, last_opened: Date.now() },
}

beforeEach(async () => {
  // The whole dialog fits, because a button that moves into view does not decide at once.
  await page.viewport(900, 1_000)
  document.body.append(root)
  links = [LINK, LIVE]
  refuses = false
  toasts.value = []
  sent = fakeOwner({
    list_page_links: () => ({ links: [...links] }),
    make_page_link: () =>
      refuses
        ? Response.json({ code: 'PAGE_LINKS_FULL', message: 'End one.' }, { status: 409 })
        : { ...LIVE, url: 'https://x.example/p/w.SECRET/', files: 12, hidden: 2 },
    end_page_link: ({ url }) => {
      if (refuses) return Response.json({ message: 'Not now.' }, { status: 503 })
      links = links.filter(({ id }) => !url.endsWith(id))
      return null
    },
  })
})

afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
})

/** What the file browser sends. */
const ask = (url: string) => {
  const answers: unknown[] = []
  openSharing(
    new CustomEvent('mcp-open-link', {
      detail: { url, respondWith: (answer: unknown) => answers.push(answer) },
    }),
  )
  return answers
}

/** A button decides only after it has been at its place for a while. */
const make = async () => {
  const button = page.getByRole('button', { name: 'Make a link' })
  await expect.element(button).toHaveAttribute('aria-disabled', 'false')
  await userEvent.click(button)
}

describe('the dialog', () => {
  it('makes a pinned link of the opened file, and shows it once', async () => {
    render(<ShareButton path="/docs" />, root)
    await userEvent.click(page.getByRole('button', { name: 'Share', exact: true }))
    await expect.element(page.getByLabelText('File or folder')).toHaveValue('/docs')
    await make()
    await expect
      .element(page.getByText('This is the only time that the link is shown.'))
      .toBeVisible()
    expect(root.textContent).toContain('https://x.example/p/w.SECRET/')
    expect(root.textContent).toContain('It shows 12 files; 2 files are not shown.')
    expect(sent.map(({ name, body }) => [name, body])).toEqual([
      ['make_page_link', { path: '/docs', live: false, ttl_seconds: 604_800 }],
    ])
    await userEvent.click(page.getByRole('button', { name: 'I have copied the link' }))
    expect(root.textContent).not.toContain('SECRET')
  })

  it('sends the version that the file browser shows, unless the page follows changes', async () => {
    render(<ShareButton />, root)
    expect(ask(`${SHARE_ADDRESS}path=%2Fa.md&version=5`)).toEqual([true])
    await expect.element(page.getByLabelText('File or folder')).toHaveValue('/a.md')
    await make()
    await userEvent.click(page.getByRole('button', { name: 'I have copied the link' }))
    ask(`${SHARE_ADDRESS}path=%2Fa.md&version=5`)
    await userEvent.click(page.getByRole('checkbox'))
    await make()
    expect(sent.map(({ body }) => body)).toEqual([
      { path: '/a.md', live: false, ttl_seconds: 604_800, version: 5 },
      { path: '/a.md', live: true, ttl_seconds: 604_800 },
    ])
    await userEvent.click(page.getByRole('button', { name: 'I have copied the link' }))
  })

  it('says why no link was made', async () => {
    refuses = true
    render(<ShareButton path="/docs" />, root)
    await userEvent.click(page.getByRole('button', { name: 'Share', exact: true }))
    await make()
    await expect.poll(() => root.textContent).toContain('End one.')
    await userEvent.click(page.getByRole('button', { name: 'Cancel' }))
  })

  it('warns of all files', async () => {
    render(<ShareButton />, root)
    await userEvent.click(page.getByRole('button', { name: 'Share', exact: true }))
    await expect.poll(() => root.textContent).toContain('the link shows the whole workspace')
    await userEvent.click(page.getByRole('button', { name: 'Cancel' }))
  })

  it('opens for no other address and makes nothing by itself', async () => {
    render(<ShareButton />, root)
    for (const url of ['https://evil.example/?path=/a', 'javascript:alert(1)', ''])
      expect(ask(url)).toEqual([])
    ask(`${SHARE_ADDRESS}path=%2Fa.md`)
    await expect.element(page.getByRole('dialog')).toBeVisible()
    expect(sent).toEqual([])
    await userEvent.click(page.getByRole('button', { name: 'Cancel' }))
  })
})

describe('the list', () => {
  it('shows path, version, time left and openings', async () => {
    render(<AllPageLinks />, root)
    await expect.poll(() => root.querySelectorAll('li').length).toBe(2)
    const [first, second] = root.querySelectorAll('li')
    expect(first?.textContent).toContain('version 7')
    expect(first?.textContent).toContain('hours left')
    expect(first?.textContent).toContain('not opened yet')
    expect(first?.textContent).toContain('RLO')
    expect(second?.textContent).toContain('follows changes')
    expect(second?.textContent).toContain('opened 3 times')
  })

  it('ends one, and says so where that fails', async () => {
    render(<AllPageLinks />, root)
    refuses = true
    await userEvent.click(page.getByRole('button', { name: /End now the link to \/docs$/ }))
    await expect.poll(() => toasts.value.length).toBe(1)
    refuses = false
    await userEvent.click(page.getByRole('button', { name: /End now the link to \/docs$/ }))
    await expect.poll(() => root.querySelectorAll('li').length).toBe(1)
    expect(sent.map(({ name }) => name)).toEqual(['end_page_link', 'end_page_link'])
  })

  it('is not there without any', async () => {
    links = []
    render(<AllPageLinks />, root)
    await expect.poll(() => root.textContent).toBe('')
  })
})
