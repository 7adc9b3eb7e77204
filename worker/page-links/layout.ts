/**
 * The frame of a page for people: its headers, its head, and where the reader is.
 *
 * A page has no script, and its policy lets none run, whatever the content is. It loads its own pictures alone, cannot be
 * framed and has no origin (`sandbox`), so it can do no harm where the console is served as well.
 * `test/worker/page-links/serve.test.ts` and `test/pages/attacks/shared-page.slow.test.ts` test it.
 *
 * @module
 */

import { hash } from 'node:crypto'
import { foldersAbove, nameOf, ROOT, type StorePath } from '#core/path.ts'
import { visible } from '#core/visible.ts'
import { Html, joinHtml, markup } from '../encoding/html.ts'
import { pathHtml } from '../encoding/visible-html.ts'
import { addressOf, type PageAddresses } from './addresses.ts'
import { STYLE } from './style.ts'

/** What nothing that a link serves may lack: no cache keeps it, no search engine lists it, and no site learns its address. */
export const PRIVATE: Readonly<Record<string, string>> = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
}

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-downloads',
].join('; ')

const HEADERS = {
  ...PRIVATE,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
}

/** Exactly the style of the hash, without a space more. */
const STYLED = Html.trusted(`<style>${STYLE}</style></head>`)

/** Builds a page of a title and a body. */
export function htmlPage(title: string, body: Html, status = 200): Response {
  const head = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><meta name="robots" content="noindex, nofollow" /><title>${title}</title>`
  const page = joinHtml([head, STYLED, markup`<body>${body}</body></html>`])
  return new Response(page.toString(), { status, headers: HEADERS })
}

/** Builds the one page for everything that is not shown, whatever the reason is. */
export const notFoundPage = (): Response =>
  htmlPage(
    'Not found',
    markup`<main class="lost"><h1>There is no page here</h1><p class="facts">The link may have ended, or its address is incomplete. Ask the person who sent it for a new one.</p></main>`,
    404,
  )

/** Builds the page of a reader who has to wait. */
export function waitPage(seconds: number): Response {
  const text = markup`<main class="lost"><h1>Too many requests</h1><p class="facts">Load this page again in ${seconds} seconds.</p></main>`
  const page = htmlPage('Too many requests', text, 429)
  page.headers.set('retry-after', String(seconds))
  return page
}

/** What the frame of a page says. */
export interface Framed {
  readonly path: StorePath
  readonly facts: readonly Html[]
  /** Whether the content can be downloaded. */
  readonly isFile: boolean
  readonly body: Html
}

/** Builds the page of a file or a folder. */
export function framedPage(
  { path, facts, isFile, body }: Framed,
  addresses: PageAddresses,
): Response {
  const { link } = addresses
  const name = nameOf(path) || 'All files'
  const save = isFile
    ? markup`<a class="button" href="${`${addressOf(addresses, path)}?download`}">Download</a>`
    : null
  const kept = link.isLive
    ? markup`This page shows the files as they are now.`
    : markup`This page shows the files as they were on ${dateHtml(link.created)}.`
  return htmlPage(
    visible(name),
    markup`<header><div>${crumbsHtml(path, addresses)}<h1>${pathHtml(name)}</h1><p class="facts">${separate(facts)}</p></div>${save}</header><main>${body}</main><footer>${kept} The link ends on ${dateHtml(link.expires)}.</footer>`,
  )
}

const separate = (facts: readonly Html[]): Html => Html.trusted(facts.join(' · '))

/** The folders above, as far as the link is of them. */
function crumbsHtml(path: StorePath, addresses: PageAddresses): Html | null {
  const { link } = addresses
  if (path === link.path) return null
  const inner = [...foldersAbove([path], (folder) => folder === link.path)]
  const folders = [
    link.path,
    ...inner.filter((folder) => folder.length > link.path.length).toReversed(),
  ]
  const crumbs = folders.map(
    (folder) =>
      markup`<a href="${addressOf(addresses, folder)}">${folder === ROOT ? 'All files' : pathHtml(nameOf(folder))}</a> / `,
  )
  return markup`<nav class="crumbs" aria-label="Folders">${crumbs}</nav>`
}

const DATE = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** Renders a time, in milliseconds since 1970. */
export const dateHtml = (time: number): Html =>
  markup`<time datetime="${new Date(time).toISOString()}">${DATE.format(time)} UTC</time>`

/** Formats a number of bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  const units = ['KB', 'MB', 'GB']
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length)
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`
}

/** Renders the ways to the other parts of what is too long for one page. */
export function waysHtml(
  here: string,
  part: { readonly number: number; readonly isLast: boolean },
): Html | null {
  if (part.number === 1 && part.isLast) return null
  const to = (number: number, text: string) =>
    markup`<a class="button" href="${`${here}?part=${number}`}">${text}</a>`
  return markup`<nav class="ways" aria-label="Parts">${part.number > 1 ? to(part.number - 1, 'Part before') : null}<span class="facts">Part ${part.number}</span>${part.isLast ? null : to(part.number + 1, 'Next part')}</nav>`
}
