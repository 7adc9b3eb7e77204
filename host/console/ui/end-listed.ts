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

/**
 * Ends it and moves the focus to its neighbour; what goes wrong is shown as a toast. The focus stays where nothing ended,
 * because the same key would end the neighbour.
 */
export async function endListed(
  { attribute, id }: Listed,
  send: () => Promise<unknown>,
): Promise<void> {
  try {
    await send()
    focusBeside(`[${attribute}="${CSS.escape(id)}"]`, `[${attribute}]`)
  } catch (error) {
    showToast(describeError(error).message, { tone: 'danger' })
  }
}
