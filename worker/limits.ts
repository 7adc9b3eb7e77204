/**
 * Limits of the whole Worker on untrusted input; those of one folder are in its own `limits.ts`.
 *
 * Each constant names its unit. `test/limits.test.ts` names the edge test of each, and `docs/limits.md` lists
 * them. Limits that the owner may configure are in `core/config/fields.ts`.
 *
 * @module
 */

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB

/** Largest file, in bytes, stored inline in SQLite; larger files go to R2. */
export const INLINE_BYTES = 128 * KIB

/** Maximum size of a file in bytes. A Worker on a free plan accepts request bodies of about this size. */
export const MAX_FILE_BYTES = 100 * MIB

/** Maximum size, in bytes, of all files of a workspace, counting current versions only. */
export const MAX_WORKSPACE_BYTES = 10 * GIB

/** Applied entries kept in the audit log, plus at most `AUDIT_BATCH_ALL`; the principal with the most loses its oldest. */
export const MAX_AUDIT = 100_000

/** Audit entries kept per budget for calls that applied nothing, plus at most `AUDIT_BATCH`. */
export const MAX_AUDIT_NOTES = 1_000

/** Audit entries kept at most for refused uses of one transfer link; they use the share of the session that made it. */
export const MAX_LINK_REFUSALS = 20

/** Audit entries kept, of all budgets, for calls that applied nothing, plus at most `AUDIT_BATCH_ALL`. */
export const MAX_AUDIT_NOTES_ALL = 50_000

/** Audit entries of one budget dropped at once, so that not every call pays for dropping. */
export const AUDIT_BATCH = 100

/** Audit entries of all budgets dropped at once. */
export const AUDIT_BATCH_ALL = 1_000

/** Maximum length of an audit entry in characters of JSON; longer texts are cut. */
export const MAX_AUDIT_ENTRY = 4_000

/** Maximum length, in characters of JSON, of the granted scopes in an audit entry; the rest are counted. */
export const MAX_AUDIT_SCOPES = 600

/** Maximum number of paths listed in an audit entry; the rest are counted. */
export const MAX_AUDIT_PATHS = 20

/** The newest changes, whose rows have their audit entries. Kept entries of older changes are beside those without a change. */
export const CHANGES_WITH_ENTRIES = 200_000

/** Changes always kept in history; older ones are deleted once no stored version refers to them. */
export const MAX_CHANGES = 1_000_000

/** Maximum number of files in a workspace, not counting folders. */
export const MAX_FILES = 1_000_000

/** Maximum number of folders in a workspace, including empty ones. */
export const MAX_FOLDERS = 1_000_000

/** Maximum size, in bytes, of a file that the text tools load to change it. */
export const MAX_EDIT_BYTES = 8 * MIB

/** Maximum size, in bytes, of a file that is searched; larger ones are counted as skipped. */
export const MAX_SEARCH_FILE_BYTES = 4 * MIB

/** Bytes of text that one search reads at most; files beyond it are counted as skipped. */
export const MAX_SEARCH_SCAN_BYTES = 1 * GIB

/** Maximum size, in bytes before base64, of an image that `read_file` returns. */
export const MAX_IMAGE_BYTES = 2 * MIB

/** Maximum size, in bytes, of a file that `resources/read` returns. */
export const MAX_RESOURCE_BYTES = 8 * MIB

/** Maximum lifetime of a transfer link in seconds. */
export const MAX_TRANSFER_SECONDS = 24 * 60 * 60

/** Maximum size of a JSON-RPC request in bytes. */
export const MAX_MESSAGE_BYTES = 4 * MIB

/** Maximum size, in bytes, of a response that refuses a request, or of a tool error. */
export const MAX_ERROR_BYTES = 4_000

/** Maximum nesting depth of the JSON of a request. */
export const MAX_JSON_DEPTH = 64

/** Maximum number of versions kept of each file. */
export const MAX_HISTORY_VERSIONS = 50

/** Maximum number of checkpoints of the user and of callers without a session. */
export const MAX_CHECKPOINTS = 100

/** Maximum number of checkpoints of all sessions; beyond it, the principal with the most loses its oldest, or is refused. */
export const MAX_SESSION_CHECKPOINTS = 50

/** Maximum length, in UTF-16 code units, of the name of a checkpoint. */
export const MAX_CHECKPOINT_NAME_LENGTH = 100

/** Maximum number of differing paths that are compared, or restored to a checkpoint, at once. */
export const MAX_DIFFERING_PATHS = 10_000

/** Maximum size, in bytes, of a file shown line by line in a preview or review. */
export const MAX_DIFF_BYTES = 2 * MIB

/** Maximum bytes of JSON of the lines of one difference; beyond it, they are not shown. */
export const MAX_SHOWN_DIFF_BYTES = 2_000_000

/** Maximum bytes of the text that the edits of one amended approval insert. */
export const MAX_AMENDMENT_BYTES = 2 * MIB

/** Bytes of long texts that are compared at most to list what a draft or an app changes, or a deletion removes. */
export const MAX_COMPARED_BYTES = 32 * MIB

/** Bytes of texts whose added and removed lines are counted at most to list what a draft changes. */
export const MAX_COUNTED_BYTES = 8 * MIB

/** Maximum number of files of a change shown one by one; the rest are counted. */
export const MAX_DIFF_FILES = 100

/** Maximum number of diff lines in a tool result; the resources contain all of them. */
export const MAX_DIFF_LINES = 500

/** Maximum size of a stored preview in bytes. SQLite here accepts rows of 2 MB, all columns together. */
export const MAX_PREVIEW_BYTES = 1_500_000

/** Maximum length, in UTF-16 code units, of the intent sentence stored with a change. */
export const MAX_INTENT_LENGTH = 1_000

/** Maximum length, in UTF-16 code units, of one argument in an intent sentence: two of them fit. */
export const MAX_INTENT_VALUE_LENGTH = 450

/** Maximum length, in UTF-16 code units, of the name that a client gives itself, in the audit log. */
export const MAX_CLIENT_LENGTH = 100

/** Maximum number of paths listed in the result of a change; the rest are counted. */
export const MAX_LISTED_PATHS = 20

/** Maximum bytes of JSON of the news in one result, as text and as data; `draft_status` lists the rest. */
export const MAX_NEWS_BYTES = 8_000

/** Maximum bytes of JSON of the hunks in a tool result; the resources have all of them. */
export const MAX_RESULT_HUNKS_BYTES = 30_000

/** Maximum number of previews kept per principal, regardless of configuration. */
export const MAX_PREVIEWS = 1_000

/** Maximum lifetime of a preview in seconds, regardless of configuration. */
export const MAX_PREVIEW_TTL_SECONDS = 365 * 24 * 60 * 60

/** Maximum number of previews in a workspace; beyond it, the principal with the most loses its oldest. */
export const MAX_WORKSPACE_PREVIEWS = 10_000

/** Maximum time, in seconds, that a change waits for approval, regardless of configuration: 90 days. */
export const MAX_DRAFT_TTL_SECONDS = 90 * 24 * 60 * 60

/** Maximum number of files and folders copied by one `copy_file` call. */
export const MAX_COPY_ENTRIES = 10_000

/** Maximum number of edits in one `edit_file` call. */
export const MAX_EDITS = 200

// An edit takes one step per character of the text, and up to five where the text repeats itself, so 200
// edits fit a file of 1 MiB.
/** Maximum number of steps of one `edit_file` call, about five nanoseconds each. */
export const MAX_EDIT_STEPS = 256 * MIB

/** Maximum number of files in one `read_multiple_files` call. */
export const MAX_READ_FILES = 100

/** Maximum number of paths of one call at which it looks for drafts of others. */
export const MAX_DRAFT_PLACES = 20

/** Maximum of the argument `limit` of `find_files`; without it, `find_limit` of the configuration applies. */
export const MAX_FIND_LIMIT = 5_000

/** Maximum length of a cursor in characters: base64 of the longest path and a digest of the query. */
export const MAX_CURSOR_LENGTH = 1_400

/** Maximum number of steps that one `find_files` call takes to match names; see `MAX_SEARCH_STEPS`. */
export const MAX_FIND_STEPS = 20_000_000

// A step visits one instruction of the pattern, or one state of a glob, whose next state is not cached yet.
/** Maximum number of steps of one `search_files` call, about fifty nanoseconds each. */
export const MAX_SEARCH_STEPS = 32_000_000

/** Maximum duration of one search. */
export const MAX_SEARCH_MS = 20_000

/** Maximum number of large texts of a workspace whose line beginnings are remembered. */
export const MAX_INDEXED_TEXTS = 64

/** Maximum number of globs in one list argument. */
export const MAX_GLOBS = 50

/** Maximum number of context lines before and after a match. */
export const MAX_CONTEXT_LINES = 100

/** Resources on one `resources/list` page. The official client reads at most 64 pages. */
export const RESOURCE_PAGE = 1_000

/** Maximum number of files and folders that change during an export. Beyond it, the export breaks off. */
export const MAX_EXPORT_CHANGES = 100_000

/** Entries on one page of a folder listing. */
export const FOLDER_PAGE = 1_000

/** Maximum number of sessions per principal and kind; beyond it, the least recently used one of the most frequent client ends. */
export const MAX_SESSIONS = 1_000

/** Maximum number of sessions in a workspace; beyond it, the principal with the most loses its oldest. */
export const MAX_WORKSPACE_SESSIONS = 10_000

/** Maximum size, in bytes, of an `initialize` request, which is stored for the lifetime of its session. */
export const MAX_INITIALIZE_BYTES = 256 * KIB

/** Maximum size, in bytes, of the request metadata stored with a stream or a delegated session. */
export const MAX_STORED_METADATA_BYTES = 256 * KIB

/** Maximum length, in characters, of a URI, a name or an id in a request. */
export const MAX_NAME_LENGTH = 4_096

/** Maximum number of messages in a JSON-RPC batch (protocol revision 2025-03-26 only). */
export const MAX_BATCH = 50

/** Maximum number of nested sessions, including the first. */
export const MAX_DELEGATION_DEPTH = 8

/** Maximum lifetime of a delegated session in seconds. */
export const MAX_DELEGATION_SECONDS = 7 * 24 * 60 * 60

/** Seconds during which a used refresh token is accepted again, until its successor is used. */
export const MAX_REFRESH_RETRY_SECONDS = 60

/** Maximum number of used refresh tokens remembered per grant. */
export const MAX_REFRESH_USES = 100

/** Hours without use after which a session without an expiry time ends. */
export const SESSION_IDLE_HOURS = 24

/** Rate limit: average calls per second of one principal, except the local user without sign-in. */
export const CALLS_PER_SECOND = 50

/** Rate limit: calls that one principal may make in a burst after a pause. */
export const CALLS_AT_ONCE = 500

/** Maximum number of open notification streams per principal; beyond it, the oldest is closed. */
export const MAX_STREAMS = 1_000

/** Maximum open streams per workspace; beyond it, the principal with the most loses its oldest. */
export const MAX_WORKSPACE_STREAMS = 10_000

// The notifications of a single change always fit. After the stream is closed, the client may open another.
/** Bytes buffered for a client that reads its stream slowly; beyond it, the stream is closed. */
export const MAX_STREAM_WAITING_BYTES = 2 * MIB

/** Maximum number of resources that one stream or session may subscribe to. */
export const MAX_SUBSCRIPTIONS = 500

/** Maximum number of subscribed resources of all streams and sessions of one principal. */
export const MAX_PRINCIPAL_SUBSCRIPTIONS = 50_000

/** Maximum size, in bytes, of an extended header in a tar archive, which holds long names and attributes. */
export const MAX_TAR_NOTE_BYTES = 1 * MIB

/** Unpacked size, in bytes, up to which the compression ratio of an archive is not limited. */
export const MAX_UNPACKED_BYTES = 1 * GIB

/** Maximum compression ratio of an archive that unpacks to more than `MAX_UNPACKED_BYTES`. */
export const MAX_UNPACK_RATIO = 100

/** Maximum number of entries of a zip archive that is imported or exported; a tar archive has no maximum. */
export const MAX_ZIP_ENTRIES = 100_000

/** Maximum size, in bytes, of the directory of a zip archive, which is in memory until the archive ends. */
export const MAX_ZIP_DIRECTORY_BYTES = 32 * MIB

/** Maximum packed size, in bytes, of a file in an imported zip archive that says its size only after it. */
export const MAX_ZIP_UNSIZED_BYTES = 32 * MIB

/** Maximum number of conflicts that the report of an import lists; the others are counted. */
export const MAX_IMPORT_CONFLICTS = 1_000

/** Maximum duration of one fetch of `import_file`, with all redirects and the body. */
export const MAX_FETCH_MS = 60_000

/** Maximum number of redirects that `import_file` follows; each has to lead to a listed host. */
export const MAX_FETCH_REDIRECTS = 5

/** Maximum number of files that one isolate fetches at the same time; a further one is refused. */
export const MAX_FETCHES = 8

/** Maximum number of files that are fetched at the same time for one principal; a further one is refused. */
export const MAX_FETCHES_OF_ONE = 2

/** Maximum size, in bytes, of a file that `import_file` fetches without its length: it is in memory until its end. */
export const MAX_UNSIZED_FETCH_BYTES = 4 * MIB

/** Grace period before an unreferenced R2 object is deleted. */
export const SWEEP_GRACE_MS = 60 * 60 * 1000

/** Number of sessions whose decisions are counted in memory. */
export const MAX_COUNTED_OWNERS = 1_000

/** Calls of one session that can wait for a decision at the same time. Further ones do not wait. */
export const MAX_WAITING_CALLS = 16
