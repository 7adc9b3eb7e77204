/**
 * The platform's own functions, handed over by the script that loaded first.
 *
 * What is drawn here may be loaded late, when a page may have replaced them.
 *
 * @module
 */

import type { Natives } from '../natives.ts'

export let native: Natives

export function useNatives(natives: Natives): void {
  native = natives
}
