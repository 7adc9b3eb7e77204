/** Limits of access requests. `test/worker/requests/limits.test.ts` tests each at its edge. @module */

/** Maximum number of access requests that wait for one principal. The oldest is dropped. */
export const MAX_REQUESTS = 50

/** Maximum number of access requests that wait in one workspace. The principal with the most loses its oldest. */
export const MAX_WORKSPACE_REQUESTS = 500

/** Maximum number of decided access requests that are kept of one caller. */
export const MAX_DECIDED_REQUESTS = 20

/** Maximum number of decided access requests in one workspace. The principal with the most loses its oldest. */
export const MAX_WORKSPACE_DECIDED_REQUESTS = 2_000

/** Maximum number of scopes of one request. A call that lacks more is refused without one. */
export const MAX_REQUESTED_SCOPES = 20

/** Maximum number of paths that the call of a request names. A call that names more is refused without one. */
export const MAX_REQUESTED_PATHS = 100

/** Maximum number of allowed calls that were not made yet, as the owner's page lists them: the newest of each principal first. */
export const MAX_LISTED_ALLOWED = 500
