/**
 * Approval levels: how much a person has to do with a call. The mcp4h proposals call them
 * `humanInTheLoopHint` on a tool and `approval` in a configuration.
 *
 * @module
 */

/** The levels, from no involvement to an explicit approval before anything happens. */
export const APPROVAL_LEVELS = ['none', 'notify', 'review', 'confirm'] as const

/** One of {@link APPROVAL_LEVELS}. */
export type ApprovalLevel = (typeof APPROVAL_LEVELS)[number]
