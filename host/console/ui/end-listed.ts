/**
 * Ends one of a list whose buttons have an attribute with its id. `test/host/console/leases.test.tsx` tests it.
 *
 * @module
 */

import { describeError } from './errors.ts'
import { focusBeside } from './focus-beside.ts'
import { showToast } from './toasts.tsx'

/** One of a list: the attribute of all buttons that end one, and its id, which is the value. */
export interface Listed {
  readonly attribute: `data-${string}`
  readonly id: string
}

/** Moves the focus to the neighbour and ends it; what goes wrong is shown as a toast. */
export async function endListed(
  { attribute, id }: Listed,
  send: () => Promise<unknown>,
): Promise<void> {
  focusBeside(`[${attribute}="${CSS.escape(id)}"]`, `[${attribute}]`)
  try {
    await send()
  } catch (error) {
    showToast(describeError(error).message, { tone: 'danger' })
  }
}
