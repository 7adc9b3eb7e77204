/**
 * Limits of sessions, beside those of the whole Worker in `worker/limits.ts`.
 * `test/worker/sessions/delegate.test.ts`, `test/worker/auth/grants.test.ts`,
 * `test/worker/requests/limits.test.ts`, `test/worker/sessions/recent-clients.test.ts` and `test/platform/call/budgets.test.ts` test them.
 *
 * @module
 */

/** Maximum number of scopes of a session that a call creates. */
export const MAX_DELEGATED_SCOPES = 50

/** Maximum number of scopes of a session that a sign-in creates, each of which is a row of the consent page. */
export const MAX_GRANTED_SCOPES = 100

/** Maximum number of scopes that the owner allows one session beyond its own. */
export const MAX_ALLOWED_SCOPES = 100

/** Maximum number of callers in memory; the others are computed again. */
export const MAX_CACHED_CALLERS = 200

/** Maximum number of clients whose last call is kept in memory. */
export const MAX_RECENT_CLIENTS = 200

/** Maximum number of clients of one principal whose last call is kept in memory; its oldest is dropped. */
export const MAX_RECENT_CLIENTS_OF_ONE = 20

/** Maximum number of sessions whose rows are kept in memory; the others are read again. */
export const MAX_KNOWN_SESSIONS = 200

/**
 * Maximum length, in UTF-16 code units, of what a session is made of and is kept in memory: its first request, its
 * rules and its scopes. Clients send a few hundred.
 */
export const MAX_KNOWN_SESSION_LENGTH = 16_384

/** Maximum length, in UTF-16 code units, of the list of sessions; the rest are counted. */
export const MAX_SESSION_LIST_LENGTH = 4 * 1024 * 1024
