/**
 * A link that an app wants to open: the person sees where it leads and says so, and it opens with no
 * way back to this page.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { confirmed } from './questions.ts'
import { textIn } from './storage.ts'

export function openAsked(event: CustomEvent, app: string): void {
  const detail: unknown = event.detail
  const url = webAddress(textIn(detail, 'url') ?? '')
  if (!isRecord(detail) || typeof detail['respondWith'] !== 'function') return
  detail['respondWith'](url ? ask(url, app) : Promise.resolve(false))
}

/** A page that may be opened, or null. A name and a password in an address would be there to mislead. */
export function webAddress(text: string): URL | null {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '') return null
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null
}

/** Opens it with no way back to this page. */
export const openPage = (url: URL) => void window.open(url, '_blank', 'noopener,noreferrer')

async function ask(url: URL, app: string): Promise<boolean> {
  const yes = await confirmed({
    title: 'Open this address?',
    text: `${app} wants to open a page of ${url.host} in another tab.`,
    detail: url.href,
    yes: 'Open it',
  })
  if (yes) openPage(url)
  return yes
}
