/**
 * Opens a link of an app after the user has seen its address and agreed. The new tab gets no
 * opener.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import type { CallingApp } from '../questions/calling-app.ts'
import { askToConfirm } from '../questions/queue.ts'
import { textIn } from '../ui/storage.ts'

export type AskingApp = Pick<CallingApp, 'name' | 'questions'>

/**
 * Handles `mcp-open-link`: asks the user, then opens the page. Other addresses than web pages are
 * refused.
 *
 * @param signal Aborted when the app is closed, which withdraws the question.
 */
export function handleOpenLink(event: CustomEvent, app: AskingApp, signal: AbortSignal): void {
  const detail: unknown = event.detail
  const url = parseWebAddress(textIn(detail, 'url') ?? '')
  if (!isRecord(detail) || typeof detail['respondWith'] !== 'function') return
  detail['respondWith'](url ? ask(url, app, signal) : Promise.resolve(false))
}

/**
 * Parses a web address; null if it must not be opened. Credentials are refused, since they mislead
 * readers.
 */
export function parseWebAddress(text: string): URL | null {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '') return null
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null
}

/** Opens a page in a new tab, without an opener. */
export const openPage = (url: URL) => void window.open(url, '_blank', 'noopener,noreferrer')

async function ask(
  url: URL,
  { name, questions }: AskingApp,
  signal: AbortSignal,
): Promise<boolean> {
  const question = {
    title: 'Open this address?',
    text: `${name} asks to open a page of ${url.host} in another tab.`,
    detail: url.href,
    yes: 'Open the page',
  }
  const yes = await questions.ask({
    ask: (until) => askToConfirm(question, until),
    no: false,
    isRefusal: (answer) => !answer,
    signal,
  })
  if (yes) openPage(url)
  return yes
}
