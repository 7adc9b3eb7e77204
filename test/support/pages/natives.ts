/**
 * The contexts over which the approval layer is judged: none, that of the installed browser, a strict
 * imitation of Chrome 160, and a frozen one that is no event target.
 *
 * @module
 */

import { bundleScript } from '../../../scripts/artefacts.ts'
import { NATIVE, NOT_NATIVE } from './chromium.ts'

/** A context, and what a page needs to have it. */
export interface Native {
  readonly way: string
  readonly args: readonly string[]
  /** The script that runs before those of the page. */
  readonly init?: () => Promise<string>
  /** It is older than Chrome 160: lists plain objects and knows no schema of results. */
  readonly isOlder?: boolean
}

let bundle: Promise<string> | undefined

const imitate = (isFrozen: boolean) => async () => {
  bundle ??= bundleScript('test/support/polyfill/chrome-160/index.ts', 'iife')
  return `${await bundle};install160(${isFrozen})`
}

export const NATIVES: readonly Native[] = [
  { way: 'polyfill', args: NOT_NATIVE },
  { way: 'native', args: NATIVE, isOlder: true },
  { way: 'Chrome 160', args: NOT_NATIVE, init: imitate(false) },
  { way: 'frozen', args: NOT_NATIVE, init: imitate(true) },
]
