/**
 * Presses buttons that decide, as a person does: scrolls first and presses once the button has stayed where it is. A click
 * that scrolls by itself moves the button, and then comes too soon.
 *
 * @module
 */

import { SETTLE_MS } from '#host/console/ui/settled.ts'
import { expect } from 'vitest'
import { userEvent } from 'vitest/browser'

/** How long (ms) a button has to stay where it is: longer than the console asks for, by two looks at its place. */
const STILL_MS = SETTLE_MS + 200

/** Presses a button, which is looked up again until it takes the press. */
export async function pressDecision(find: () => HTMLElement | null | undefined): Promise<void> {
  find()?.scrollIntoView({ block: 'center', behavior: 'instant' })
  let place = ''
  let since = performance.now()
  const takesPress = () => {
    const button = find()
    const now = button ? Object.values(button.getBoundingClientRect().toJSON()).join(' ') : ''
    if (now === '' || now !== place) since = performance.now()
    place = now
    const isReady = button?.getAttribute('aria-disabled') !== 'true'
    return isReady && performance.now() - since >= STILL_MS
  }
  await expect.poll(takesPress, { timeout: 10_000 }).toBe(true)
  const button = find()
  if (!button) throw new Error('The button is gone')
  await userEvent.click(button)
}
