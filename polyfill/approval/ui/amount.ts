/**
 * The amount of a call: the values of an intent whose names say that they are money.
 *
 * Numbers are shown as the tool receives them, never rounded, grouped or converted, because only
 * the page knows whether they are euros or cents. `test/polyfill/approval/amount.test.ts` has the cases.
 *
 * @module
 */

import type { RenderedIntent } from '#core/intent/render.ts'
import { intrinsics } from './intrinsics.ts'

const AMOUNT = /(?:(amount|cost|price|total)(?:\.value)?|currency)$/i

/** Returns the amounts of an intent as text, with their currency if the intent has it; else empty. */
export function amountIn(intent: RenderedIntent | null): string {
  const parts = intent?.parts ?? []
  let amounts = ''
  let currency = ''
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]
    const named = part?.type === 'value' && intrinsics.find(AMOUNT, part.key)
    if (!named) continue
    if (named[1]) amounts += `${amounts && ', '}${part.text}`
    else currency = ` ${part.text}`
  }
  return amounts && amounts + currency
}
