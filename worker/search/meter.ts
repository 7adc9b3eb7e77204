/**
 * Meters: how much work a call may still do. No clock runs while the object is busy, so steps are
 * counted instead; what one of them is, the limit says that a meter begins with.
 *
 * @module
 */

export interface Meter {
  /** Steps that are left; less than 0 when too many were taken. */
  left: number
}

export const unlimited = (): Meter => ({ left: Infinity })
