/**
 * A link that an app wants to open: the person sees where it leads and says so, and it opens with no
 * way back to this page.
 *
 * @module
 */

import { confirmed } from './questions.ts'
import { isRecord, textIn } from './storage.ts'

export function openAsked(event: CustomEvent, app: string): void {
  const detail: unknown = event.detail
  const url = URL.parse(textIn(detail, 'url') ?? '')
  if (!isRecord(detail) || typeof detail['respondWith'] !== 'function') return
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  detail['respondWith'](url && isWeb ? ask(url, app) : Promise.resolve(false))
}

async function ask(url: URL, app: string): Promise<boolean> {
  const yes = await confirmed({
    title: 'Open this address?',
    text: `${app} wants to open a page of ${url.host} in another tab.`,
    detail: url.href,
    yes: 'Open it',
  })
  if (yes) window.open(url, '_blank', 'noopener,noreferrer')
  return yes
}
