/**
 * Entry of the separately loaded user interface: dialog, notice, intent.
 *
 * @module
 */

import { renderIntent } from '#core/intent/render.ts'
import type { Natives } from '../natives.ts'
import type { Surface } from '../surface.ts'
import { askInDialog } from './dialog.ts'
import { useNatives } from './native.ts'
import { tell } from './toast.ts'

/** Creates the surface with the captured platform functions. */
export function openSurface(natives: Natives): Surface {
  useNatives(natives)
  return { ask: askInDialog, tell, renderIntent }
}
