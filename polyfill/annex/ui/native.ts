/**
 * The captured platform functions, passed on by the script that loaded first.
 *
 * This module may be loaded late, when the page may have replaced the functions.
 *
 * @module
 */

import type { Natives } from '../natives.ts'

/** Set by {@link useNatives} before anything is drawn. */
export let native: Natives

/** Sets the platform functions for this module. */
export function useNatives(natives: Natives): void {
  native = natives
}
