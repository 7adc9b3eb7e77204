/** Limits of drafts. `test/worker/drafts/limits.test.ts` tests them at their edges. @module */

/** Maximum number of changes of one draft. */
export const MAX_DRAFT_CHANGES = 10_000

/** Maximum bytes of the files that the waiting changes of one principal write, counted for each write, and of their calls. */
export const MAX_DRAFT_BYTES = 1024 ** 3

/** Maximum number of drafts of one principal. */
export const MAX_DRAFTS = 50

/** Maximum number of drafts in one workspace; beyond it, the principal with the most loses its oldest, or is refused. */
export const MAX_WORKSPACE_DRAFTS = 500

/** Maximum seconds without a request and a stream after which another connection takes over the draft of a connection. */
export const MAX_SILENT_SECONDS = 120

/** Maximum number of connections to which the owner can hand a draft over; the newest are listed. */
export const MAX_RECEIVERS = 20

/** Maximum bytes of JSON of the steps of one change of a draft. SQLite stores rows of 2 MB. */
export const MAX_STEPS_LENGTH = 1_000_000

/** The same for all changes of one draft, which are in memory together while a person looks at it. */
export const MAX_DRAFT_STEPS_LENGTH = 8_000_000

/** Maximum bytes of JSON of a call that is stored, to plan it again. */
export const MAX_ARGUMENTS_LENGTH = 500_000

/** Number of decisions that are kept for one session. */
export const MAX_DECISIONS = 20

/** Number of decisions kept in one workspace; beyond it, the principal with the most loses its oldest. */
export const MAX_WORKSPACE_DECISIONS = 2_000

/** Number of changes at `notify` listed until the owner has seen them; the principal with the most loses its oldest. */
export const MAX_NOTIFIED = 1_000

/** Maximum characters of the note of a decision. */
export const MAX_NOTE_LENGTH = 2_000

/** Maximum length, in UTF-16 code units, of the reason that an agent gives for its draft. */
export const MAX_REASON_LENGTH = 500

/** Maximum number of paths that a decision lists. */
export const MAX_DECIDED_PATHS = 20

/** Maximum number of changes that a decision names by their ids. */
export const MAX_DECIDED_IDS = 100

/** Times that a draft is planned again while the workspace changes. */
export const MAX_REPLAYS = 3

/** Number of calls of one session whose answers are kept until their changes are decided. */
export const MAX_WAITING_ANSWERS = 100

/** Number of calls in one workspace whose answers are kept; beyond it, the principal with the most loses its oldest. */
export const MAX_WORKSPACE_WAITING_ANSWERS = 2_000

/** Maximum characters of JSON of the answer of a call that waits. A call with a longer one does not wait. */
export const MAX_WAITING_ANSWER_LENGTH = 50_000

// The official client calls again ten times at most.
/** Times that a client calls again for one decision; after it, the change waits without the call. */
export const MAX_CONFIRM_ROUNDS = 8

/**
 * Maximum age, in seconds, of the `requestState` of a call that waits. In the legacy era, of a decision that answers a
 * repeated call.
 */
export const MAX_REQUEST_STATE_SECONDS = 60 * 60

/** Maximum seconds that a call waits for a decision: proxies close a request after a minute. */
export const MAX_WAIT_SECONDS = 50

/** Maximum paths of one approval whose content cannot be shown as text. */
export const MAX_UNSEEN_PATHS = 10_000

/** Maximum bytes of JSON of the differences that a decision keeps of what the owner amended. A result has room for them. */
export const MAX_AMENDED_DIFF_BYTES = 3_000

/** Maximum runs of lines that are kept of what the owner took out; the principal with the most loses its oldest. */
export const MAX_LEFT_OUT_RUNS = 1_000

/** Maximum runs that are kept of one amended file, and that are looked for in a later one. */
export const MAX_PATH_LEFT_OUT_RUNS = 50

/** Maximum bytes of JSON of a run; of a longer one, the first lines are kept. */
export const MAX_LEFT_OUT_RUN_BYTES = 4_000

/** Maximum conflicts of a draft that are named to its agent. */
export const MAX_LISTED_CONFLICTS = 20
