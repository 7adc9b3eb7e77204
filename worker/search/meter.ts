/**
 * Meters: how many steps of work a call may still use. The clock does not advance while the Durable Object
 * computes, so steps are counted instead of time. The limit that a meter starts with defines a step.
 *
 * @module
 */

/** A budget of steps. */
export interface Meter {
  /** Remaining steps; below 0 if too many were used. */
  left: number
}

/** Creates a meter without a limit. */
export const unlimited = (): Meter => ({ left: Infinity })
