/** Errors at start, with messages for the user. @module */

/** A start that failed for a reason the user can act on; its message is printed without a stack. */
export class StartError extends Error {}
