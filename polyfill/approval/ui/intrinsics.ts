/**
 * The captured platform functions, passed on by the script that loaded first.
 *
 * This module may be loaded late, when the page may have replaced the functions.
 *
 * @module
 */

import type { Intrinsics } from '../intrinsics.ts'

/** Set by {@link setIntrinsics} before anything is drawn. */
export let intrinsics: Intrinsics

/** Sets the platform functions for this module. */
export function setIntrinsics(captured: Intrinsics): void {
  intrinsics = captured
}
