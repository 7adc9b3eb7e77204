/** Limits of leases. `test/worker/leases/limits.test.ts` tests them at their edges. @module */

/** Maximum seconds for which a lease is taken or renewed. */
export const MAX_LEASE_SECONDS = 24 * 60 * 60

/** Maximum number of leases of one principal, with its locks. */
export const MAX_LEASES = 20

/** Number of leases in one workspace; beyond it, the principal with the most loses its oldest. */
export const MAX_WORKSPACE_LEASES = 200

/** Maximum number of paths that one call of `lease` names. */
export const MAX_LEASED_PATHS = 20

/** Maximum length of the note of a lease, in UTF-16 code units. */
export const MAX_LEASE_NOTE_LENGTH = 200
