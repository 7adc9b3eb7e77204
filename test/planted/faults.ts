/**
 * All planted faults.
 *
 * @module
 */

import { CORE } from './core.ts'
import type { Fault } from './fault.ts'

/** The faults of all rooms. */
export const FAULTS: readonly Fault[] = [...CORE]
