/**
 * Limits: every bound that this Worker puts on what strangers may ask, in one place.
 *
 * They are the edges of what is tested: each constant names its unit, and `test/worker/limits.test.ts`
 * goes up to each edge and one step over it. What a person may configure is in `core/config.ts`.
 *
 * @module
 */

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB

/** Bytes of a file up to which it is kept inside SQLite; above, it is a large object. */
export const INLINE_BYTES = 128 * KIB

/** Bytes of one file. A Worker on a free plan accepts request bodies of about this size. */
export const MAX_FILE_BYTES = 100 * MIB

/** Bytes of all files of a workspace, current versions only. */
export const MAX_WORKSPACE_BYTES = 10 * GIB

/** Applied entries of the audit, and up to `AUDIT_BATCH_ALL` more; the oldest go. */
export const MAX_AUDIT = 100_000

/** Previews and refusals of one principal in the audit, and up to `AUDIT_BATCH` more; its oldest go. */
export const MAX_AUDIT_NOTES = 1_000

/** Those of all principals, and up to `AUDIT_BATCH_ALL` more; who has the most loses its oldest. */
export const MAX_AUDIT_NOTES_ALL = 50_000

/** Entries of one principal that the audit drops at once, so that not every call pays for it. */
export const AUDIT_BATCH = 100

/** Entries of all principals that the audit drops at once. */
export const AUDIT_BATCH_ALL = 1_000

/** Characters of one entry of the audit, as JSON; longer texts are cut. */
export const MAX_AUDIT_ENTRY = 4_000

/** Characters of JSON for the granted scopes that one entry of the audit names; the others are counted. */
export const MAX_AUDIT_SCOPES = 600

/** Paths that one entry of the audit names. */
export const AUDIT_PATHS = 20

/** Changes of a workspace of which history has no file left; the oldest go. */
export const MAX_CHANGES = 1_000_000

/** Files of a workspace, folders not counted. */
export const MAX_FILES = 1_000_000

/** Folders of a workspace, empty ones and others. */
export const MAX_FOLDERS = 1_000_000

/** Bytes of a file that the text tools load as a whole to change it. */
export const MAX_EDIT_BYTES = 8 * MIB

/** Bytes of a file that is searched; larger ones are counted as skipped. */
export const MAX_SEARCH_FILE_BYTES = 4 * MIB

/** Bytes of text that one search looks at before it answers with what it has. */
export const MAX_SEARCH_SCAN_BYTES = 1 * GIB

/** Bytes of an image that `read_file` answers with, before base64. */
export const MAX_IMAGE_BYTES = 2 * MIB

/** Bytes of a file that `resources/read` answers with. */
export const MAX_RESOURCE_BYTES = 8 * MIB

/** Seconds for which a transfer link is good. */
export const MAX_TRANSFER_SECONDS = 24 * 60 * 60

/** Bytes of one JSON-RPC request. */
export const MAX_MESSAGE_BYTES = 4 * MIB

/** How deep the JSON of a request may nest. */
export const MAX_JSON_DEPTH = 64

/** Versions that are kept of each file. */
export const HISTORY_VERSIONS = 50

/** Bytes of a file that is shown line by line in a preview or a review. */
export const MAX_DIFF_BYTES = 2 * MIB

/** Files of one change that are shown one by one; of the others there is the number. */
export const MAX_DIFF_FILES = 100

/** Lines of a difference that travel with the result of a call; the resources have all of them. */
export const MAX_DIFF_LINES = 500

/** Bytes of what is stored of one preview. SQLite takes rows of 2 MB here, all columns together. */
export const MAX_PREVIEW_BYTES = 1_500_000

/** UTF-16 code units of the intent sentence that is stored with a change. */
export const MAX_INTENT_LENGTH = 1_000

/** Paths that the answer of a change of many files names; of the others there is the number. */
export const MAX_LISTED_PATHS = 20

/** Characters of the hunks, as JSON, that travel with a result; the resources have all of them. */
export const MAX_RESULT_HUNKS_LENGTH = 30_000

/** Previews of one principal, whatever is configured. */
export const MAX_PREVIEWS = 1_000

/** Previews of a workspace; beyond, the principal with the most loses its oldest. */
export const MAX_WORKSPACE_PREVIEWS = 10_000

/** Files and folders of one `copy_file` call. */
export const MAX_COPY_ENTRIES = 10_000

/** Edits of one `edit_file` call. */
export const MAX_EDITS = 200

/**
 * Steps of one `edit_file` call, about five nanoseconds each: an edit takes one for each character of the
 * text, and up to five where the text repeats itself. So 200 edits find a place in a file of 1 MiB.
 */
export const MAX_EDIT_STEPS = 256 * MIB

/** Files of one `read_multiple_files` call. */
export const MAX_READ_FILES = 100

/** Results of one `find_files` page, whatever is asked for. */
export const MAX_FIND_LIMIT = 5_000

/** Characters of a cursor: base64 of the longest path, and of what goes along with it. */
export const MAX_CURSOR_LENGTH = 1_400

/** Steps that one `find_files` call may take over names, of the same kind. */
export const MAX_FIND_STEPS = 20_000_000

/**
 * Steps of one `search_files` call, about fifty nanoseconds each: looks at an instruction of the pattern,
 * or at a spot of a glob, where what follows is not known already.
 */
export const MAX_SEARCH_STEPS = 32_000_000

/** Milliseconds that one search may take. */
export const MAX_SEARCH_MS = 20_000

/** Globs of one list argument. */
export const MAX_GLOBS = 50

/** Lines of context round a match. */
export const MAX_CONTEXT_LINES = 100

/** Resources of one `resources/list` page. The official client reads 64 pages at most. */
export const RESOURCE_PAGE = 1_000

/** Entries of one folder page over HTTP. */
export const FOLDER_PAGE = 1_000

/** Sessions of one principal and kind; beyond, the one it has not used for longest ends. */
export const MAX_SESSIONS = 1_000

/** Sessions of a workspace; beyond, the principal with the most loses its oldest. */
export const MAX_WORKSPACE_SESSIONS = 10_000

/** Bytes of an `initialize` request, which is stored for as long as its session lasts. */
export const MAX_INITIALIZE_BYTES = 256 * KIB

/** Bytes of metadata and configuration of a request that are stored with a stream or a delegated session. */
export const MAX_STORED_METADATA_BYTES = 256 * KIB

/** Characters of a URI, a name or an id in a request. */
export const MAX_NAME_LENGTH = 4_096

/** Messages of one JSON-RPC batch, which only revision 2025-03-26 has. */
export const MAX_BATCH = 50

/** Sessions that may stand under each other, the first included. */
export const MAX_DELEGATION_DEPTH = 8

/** Seconds for which a delegated session may live. */
export const MAX_DELEGATION_SECONDS = 7 * 24 * 60 * 60

/** Seconds for which a refresh token may be used again, while its successor was not used. */
export const MAX_REFRESH_RETRY_SECONDS = 60

/** Used refresh tokens that are remembered for each grant. */
export const MAX_REFRESH_USES = 100

/** Hours after which an idle session is forgotten. */
export const SESSION_IDLE_HOURS = 24

/** Calls a second of one principal, on average. Whoever asks from this machine alone is not counted. */
export const CALLS_PER_SECOND = 50

/** Calls of one principal that may come at once, after a while without any. */
export const CALLS_AT_ONCE = 500

/** Open notification streams of one principal; beyond, its oldest is closed. */
export const MAX_STREAMS = 1_000

/** Open notification streams of a workspace; beyond, the principal with the most loses its oldest. */
export const MAX_WORKSPACE_STREAMS = 10_000

/**
 * Bytes that wait for a client that does not read its stream: more than one change can tell of. Then its
 * stream ends, and it may open another.
 */
export const MAX_STREAM_WAITING_BYTES = 2 * MIB

/** Resources that one stream or session may subscribe to. */
export const MAX_SUBSCRIPTIONS = 500

/** Resources that all streams and sessions of one principal may subscribe to. */
export const MAX_PRINCIPAL_SUBSCRIPTIONS = 50_000

/** Bytes of an archive's names and notes that stand together in one of its headers. */
export const MAX_TAR_NOTE_BYTES = 1 * MIB

/** Bytes that a packed archive may always unpack to. */
export const MAX_UNPACKED_BYTES = 1 * GIB

/** Beyond {@link MAX_UNPACKED_BYTES}: bytes to which each byte that was sent may unpack. */
export const MAX_UNPACK_RATIO = 100

/** Milliseconds for which an object that no row names yet is spared by the sweep. */
export const SWEEP_GRACE_MS = 60 * 60 * 1000
