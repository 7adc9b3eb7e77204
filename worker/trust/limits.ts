/** Limits of trust for a time. `test/worker/trust/limits.test.ts` tests each at its edge. @module */

/** Maximum seconds for which the owner lets changes pass. */
export const MAX_TRUST_SECONDS = 24 * 60 * 60

/** Maximum number of trusts of one connection that are in force. */
export const MAX_SESSION_TRUSTS = 5

/** Maximum number of trusts in one workspace that are in force. */
export const MAX_TRUSTS = 50

/** Maximum number of steps of a change that passes by trust; a larger change waits. */
export const MAX_TRUSTED_STEPS = 200

/** Maximum number of files and folders below the paths of a change that passes by trust; a larger change waits. */
export const MAX_TRUSTED_ENTRIES = 1_000

/** Maximum bytes, before and after, that are compared to let a change pass; content beyond them counts as risky. */
export const MAX_TRUSTED_BYTES = 1024 * 1024
