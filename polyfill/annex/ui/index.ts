/**
 * What a person sees of calls: the dialog, the notice, and the sentence in both.
 *
 * @module
 */

import { renderIntent } from '#core/intent/render.ts'
import type { Natives } from '../natives.ts'
import type { Surface } from '../surface.ts'
import { askInDialog } from './dialog.ts'
import { useNatives } from './native.ts'
import { tell } from './toast.ts'

export function openSurface(natives: Natives): Surface {
  useNatives(natives)
  return { ask: askInDialog, tell, renderIntent }
}
