/**
 * Entry of the separately loaded user interface: dialog, notice, intent.
 *
 * @module
 */

import { renderIntent } from '#core/intent/render.ts'
import type { Intrinsics } from '../intrinsics.ts'
import type { Dialog } from '../dialog-loader.ts'
import { askInDialog } from './dialog.ts'
import { setIntrinsics } from './intrinsics.ts'
import { notify } from './toast.ts'

/** Creates the dialog with the captured platform functions. */
export function createDialog(captured: Intrinsics): Dialog {
  setIntrinsics(captured)
  return { ask: askInDialog, notify, renderIntent }
}
