/**
 * The table of problems: for each reason its code, HTTP status, sentence and details.
 *
 * A new problem is one variant of {@link Problem}, one entry here, and one in `problem-docs.ts`. `docs/errors.md` is
 * generated from both, and `test/worker/errors.test.ts` holds the sentence of each code.
 *
 * @module
 */

import { uriOf } from '#core/file-uri.ts'
import { parentOf } from '#core/path.ts'
import { MAX_AMENDMENT_BYTES, MAX_DIFF_BYTES } from '../limits.ts'
import type { NumberedLine, Problem } from './problem.ts'

/** The problem of one reason. */
export type ProblemOf<R extends Problem['reason']> = Extract<Problem, { readonly reason: R }>

/** A function of a problem. A method type, because the entry that `reason` selects takes that problem. */
type Of<P, T> = { of(problem: P): T }['of']

/** What is known of one reason. A sentence is `${message}. ${advice}`. */
export interface ProblemKind<P> {
  /** The stable code, for programs. */
  readonly code: string | Of<P, string>
  /** The status of the HTTP API. */
  readonly status: number
  /** What could not be done and why, without a final period. */
  readonly message: Of<P, string>
  /** The next step, as whole sentences. */
  readonly advice: string | Of<P, string>
  /** Fields that a program needs beside the code. */
  readonly details?: Of<P, Record<string, unknown>>
}

/** Folders or scopes that one message or one result names. */
const MAX_LISTED = 20

/** What an agent can do about a call that is listed for the owner. */
const WAITS = 'The owner can allow it; draft_status tells the decision.'

/** Why an access request cannot be allowed. */
const NOT_ALLOWABLE = {
  ended: 'its session is over',
  no_session: 'its caller has no session, so allow the call or change the rules',
  full: 'its session was allowed too many scopes, so change the rules',
  rules: 'the rules lack other entries than were shown, or would not be enough',
}

/** Why a path cannot be amended. */
const NOT_AMENDABLE = {
  not_decided: 'it is not among the files of what is approved',
  no_file: 'it is no file after the changes',
  no_text: 'its proposed content is not UTF-8 text',
  too_large: `its proposed content has more than ${MAX_DIFF_BYTES} bytes`,
  twice: 'it is named twice',
}

/** What is wrong with the edits of a path. */
const BAD_AMENDMENT = {
  no_line: 'the proposed text has no such lines',
  overlap: 'it begins before the end of the edit before it',
  too_long: `the edits insert more than ${MAX_AMENDMENT_BYTES} bytes`,
  no_text: 'what it inserts is not text',
  other_hash: '`hash` is not the SHA-256 of the text that the edits make',
  no_change: 'the edits change nothing',
}

/** Why a document has no text, and what helps. */
const NO_TEXT = {
  encrypted: {
    code: 'DOCUMENT_ENCRYPTED',
    advice: 'Ask the user for a copy without a password.',
  },
  scanned: {
    code: 'DOCUMENT_SCANNED',
    advice: 'Ask the user for a copy with recognized text.',
  },
  broken: {
    code: 'DOCUMENT_BROKEN',
    advice: 'Ask the user to save it again.',
  },
  too_large: {
    code: 'DOCUMENT_TOO_LARGE',
    advice: 'Ask the user to split it.',
  },
}

/** What an approval of content that cannot be shown needs. */
const UNSEEN = {
  advice: 'Nothing was changed. Open the files, and name their paths in `unseen`.',
  details: ({ paths }: { readonly paths: readonly string[] }) => ({
    paths: paths.slice(0, MAX_LISTED),
  }),
}

/** The table, with one entry for each reason. */
export const PROBLEMS: { readonly [R in Problem['reason']]: ProblemKind<ProblemOf<R>> } = {
  bad_argument: {
    code: ({ code }) => code,
    status: 400,
    message: ({ detail }) => detail.replace(/\.$/, ''),
    advice: '',
  },
  bad_path: {
    code: 'INVALID_PATH',
    status: 400,
    message: ({ text, detail }) => `Cannot use ${quoteShort(text)} as a path: ${detail}`,
    advice: ({ meant }) =>
      meant
        ? `Send ${meant} instead.`
        : 'Use a path such as /docs/plan.md, or one relative to the default root.',
    details: ({ meant }) => (meant ? { meant } : {}),
  },
  outside_root: {
    code: 'PATH_OUTSIDE_ROOT',
    status: 403,
    message: ({ path, roots }) =>
      roots.length > 0
        ? `Cannot use ${path}: it is outside the accessible folders (${listed(roots)})`
        : `Cannot use ${path}: no folder is accessible`,
    advice: ({ requested, lacking, waits }) =>
      requested
        ? 'Use a path inside them, or ask the user to grant this call.'
        : `Required: ${listed(lacking)}.${waits ? ` ${WAITS}` : ''}`,
    details: ({ path, lacking }) => ({ path, required_scopes: lacking.slice(0, MAX_LISTED) }),
  },
  insufficient_scope: {
    code: 'INSUFFICIENT_SCOPE',
    status: 403,
    message: ({ scopes }) => `Insufficient scope. Required: ${listed(scopes)}`,
    advice: ({ waits }) => (waits ? WAITS : 'Ask the user for access with these scopes.'),
    details: ({ path, scopes }) => ({ path, required_scopes: scopes.slice(0, MAX_LISTED) }),
  },
  is_binary: {
    code: 'BINARY_FILE',
    status: 409,
    message: ({ path, mime, size, named }) =>
      `Cannot use ${path} as text: it is binary (${mime}, ${size} bytes)${
        named ? `, and not ${named} as its name says` : ''
      }`,
    advice: ({ path }) => `Read it with encoding base64, or as the resource ${uriOf(path)}.`,
  },
  is_document: {
    code: 'DOCUMENT_READ_ONLY',
    status: 409,
    message: ({ path, mime }) =>
      `Cannot edit ${path}: it is a document (${mime}), and its text is extracted`,
    advice:
      'Nothing was changed. Write what is new to a text file beside it, or replace the document with write_file and content_base64.',
  },
  no_text: {
    code: ({ why }) => NO_TEXT[why].code,
    status: 409,
    message: ({ path, detail }) => `Cannot read the text of ${path}: ${detail}`,
    advice: ({ path, why }) =>
      `${NO_TEXT[why].advice} Its bytes are read with encoding base64, or as the resource ${uriOf(path)}.`,
    details: ({ path }) => ({ path }),
  },
  too_large: {
    code: 'FILE_TOO_LARGE',
    status: 413,
    message: ({ path, size, limit }) =>
      `Cannot load ${path}: it has ${size} bytes, and the limit is ${limit} bytes`,
    advice: 'Read parts of it with encoding base64, or get it with transfer_link.',
  },
  version_conflict: {
    code: 'VERSION_CONFLICT',
    status: 412,
    message: conflict,
    advice: ({ wanted, current }) =>
      current === 0
        ? 'Nothing was changed. Find out whether it was moved or deleted.'
        : wanted === 0
          ? `Nothing was changed. Choose another path, or read it and change it with if_version ${current}.`
          : 'Nothing was changed. Read it again, then repeat the change.',
    details: ({ path, wanted, current }) => ({ path, if_version: wanted, version: current }),
  },
  changed_meanwhile: {
    code: 'VERSION_CONFLICT',
    status: 412,
    message: ({ path }) => `Cannot change ${path}: another call changed it at the same time`,
    advice: 'Nothing was changed. Read it again, then repeat the change.',
  },
  find_not_found: {
    code: 'FIND_NOT_FOUND',
    status: 409,
    message: ({ edit, find, isReplaced }) =>
      `Cannot make edit ${edit}: ${quoteShort(find)} ${isReplaced ? 'was replaced by an earlier edit of this call' : 'does not occur in the file'}`,
    advice: ({ nearest, isReplaced, isNumbered, lookalike }) =>
      isReplaced
        ? 'Nothing was changed. Join the edits of the same text into one, or find the text that the earlier edit writes.'
        : lookalike
          ? `Nothing was changed. ${lookalikeHint(lookalike)}`
          : `Nothing was changed. Copy the text exactly${isNumbered ? ', without line numbers' : ''}.${nearestHint(nearest)}`,
    details: ({ edit, nearest, lookalike }) => ({
      edit,
      ...(lookalike && { exact: lookalike.exact, differences: lookalike.differences }),
      nearest,
    }),
  },
  find_not_unique: {
    code: 'FIND_NOT_UNIQUE',
    status: 409,
    message: ({ edit, find, count, lines }) =>
      `Cannot make edit ${edit}: ${quoteShort(find)} occurs ${count} times, on lines ${lines.join(', ')}`,
    advice: ({ isWritten }) =>
      `Nothing was changed. ${isWritten ? 'Earlier edits of this call write it too, and are made first. Make this edit before them, or add' : 'Add'} neighbouring lines to find until it occurs once.`,
    details: ({ edit, lines, count }) => ({ edit, lines, match_count: count }),
  },
  damaged_line: {
    code: 'DAMAGED_LINE',
    status: 409,
    message: ({ edit, line }) =>
      `Cannot make edit ${edit}: line ${line} has bytes that are not valid UTF-8 or a NUL, shown as U+FFFD`,
    advice:
      'Nothing was changed. Edit other lines, or read the file with encoding base64, and write all of it: with content_base64 to keep its encoding, or with content as UTF-8.',
    details: ({ edit, line }) => ({ edit, line }),
  },
  root_denied: {
    code: ({ action }) => (action === 'move' ? 'MOVE_ROOT_DENIED' : 'DELETE_ROOT_DENIED'),
    status: 409,
    message: ({ action }) => `Cannot ${action} this folder: it is a root`,
    advice: 'Use a path inside it.',
  },
  into_itself: {
    code: 'INVALID_TO',
    status: 409,
    message: ({ from, to }) => `Cannot place ${from} at ${to}: a folder cannot contain itself`,
    advice: ({ from }) => `Choose a target outside of ${from}.`,
  },
  over_budget: {
    code: 'OVER_BUDGET',
    status: 409,
    message: ({ detail }) => detail.replace(/\.$/, ''),
    advice: '',
  },
  blocked: {
    code: 'PATH_BLOCKED',
    status: 403,
    message: ({ path }) => `Cannot use ${path}: access is denied`,
    advice: 'Use another path.',
  },
  immutable: {
    code: 'PATH_IMMUTABLE',
    status: 403,
    message: ({ path }) => `Cannot change ${path}: it is immutable`,
    advice: 'Write to another path.',
  },
  read_only: {
    code: 'READ_ONLY',
    status: 403,
    message: () => 'Cannot change files: this access is read-only',
    advice: 'Nothing was changed. Ask the user for write access.',
  },
  access_changed: {
    code: 'ACCESS_CHANGED',
    status: 403,
    message: () => 'Cannot finish this call: the configuration or the session changed while it ran',
    advice: 'Nothing was changed. Repeat the call.',
  },
  preview_stale: {
    code: 'PREVIEW_STALE',
    status: 409,
    message: ({ id }) => `Cannot apply the preview ${quoteShort(id)}: it is out of date or unknown`,
    advice: 'Nothing was changed. Preview the call again.',
  },
  no_change: {
    code: 'CHANGE_NOT_FOUND',
    status: 409,
    message: ({ id }) => `Cannot undo ${quoteShort(id)}: history does not have this change`,
    advice: 'Use the version that the result of the change named, or one of list_changes.',
  },
  superseded: {
    code: 'CHANGE_SUPERSEDED',
    status: 409,
    message: ({ id }) =>
      `Cannot undo ${quoteShort(id)}: it wrote no file. A change that was approved with it replaced it, or it left the files as they were`,
    advice: ({ approval }) => `Undo the whole approval ${quoteShort(approval)} instead.`,
  },
  changed_since: {
    code: 'CHANGED_SINCE',
    status: 409,
    message: ({ id, path }) => `Cannot undo ${quoteShort(id)}: ${path} was changed later`,
    advice:
      'Nothing was changed. Edit the file and keep the later change, or undo that first; list_changes has its version.',
  },
  no_version: {
    code: 'VERSION_NOT_FOUND',
    status: 409,
    message: ({ path, version }) =>
      `Cannot restore ${path} to version ${version}: history does not have it`,
    advice: 'Nothing was changed. Choose one of file_history.',
  },
  no_checkpoint: {
    code: 'CHECKPOINT_NOT_FOUND',
    status: 404,
    message: ({ name }) => `Cannot find the checkpoint ${quoteShort(name)}: it does not exist`,
    advice: 'Use the id or the name of one of list_checkpoints.',
  },
  checkpoints_full: {
    code: 'CHECKPOINTS_FULL',
    status: 409,
    message: ({ limit }) => `Cannot create a checkpoint: there are ${limit} already`,
    advice: 'Ask the user to delete one.',
  },
  too_many_paths: {
    code: 'TOO_MANY_PATHS',
    status: 409,
    message: ({ limit }) => `Cannot restore: more than ${limit} paths differ from the checkpoint`,
    advice: 'Nothing was changed. Restore one folder after another.',
  },
  leased: {
    code: 'LEASED',
    status: 423,
    message: ({ action, path, by, until }) =>
      by === null || until === null
        ? `Cannot ${action} ${path}: another caller has leased it, or something in it`
        : `Cannot ${action} ${path}: ${by} has leased it until ${new Date(until).toISOString()}`,
    advice: 'Work elsewhere meanwhile, or ask the user to end the lease.',
    details: ({ path, until }) => ({
      path,
      ...(until !== null && { until: new Date(until).toISOString() }),
    }),
  },
  leases_full: {
    code: 'LEASES_FULL',
    status: 409,
    message: ({ limit, of }) =>
      of === 'principal'
        ? `Cannot lease more paths: there are ${limit} leases at most for one principal`
        : `Cannot lease more paths: there are ${limit} leases in the workspace already`,
    advice: 'Release some with ttl_seconds 0, or lease a folder in place of its files.',
  },
  lease_too_wide: {
    code: 'LEASE_TOO_WIDE',
    status: 403,
    message: ({ path }) =>
      `Cannot lease ${path}: not everything in it may be changed with your access`,
    advice: 'Lease the files or folders that you change.',
    details: ({ path }) => ({ path }),
  },
  not_found: {
    code: 'FILE_NOT_FOUND',
    status: 404,
    message: ({ path }) => `Cannot find ${path}: it does not exist`,
    advice: ({ meant }) =>
      meant ? `Did you mean ${meant}?` : 'Check the path, for example with find_files.',
    details: ({ path, meant }) => ({ path, ...(meant && { meant }) }),
  },
  exists: {
    code: 'TARGET_EXISTS',
    status: 409,
    message: ({ path }) => `Cannot create ${path}: it exists already`,
    advice: ({ inside }) =>
      inside
        ? `It is a folder. To place something in it, use ${inside} as the target.`
        : 'Choose another path.',
    details: ({ path, inside }) => ({ path, ...(inside && { inside }) }),
  },
  is_folder: {
    code: 'IS_A_FOLDER',
    status: 409,
    message: ({ path }) => `Cannot use ${path} as a file: it is a folder`,
    advice: 'Use the path of a file, for example one of list_folder.',
  },
  not_a_folder: {
    code: 'NOT_A_FOLDER',
    status: 409,
    message: ({ path }) => `Cannot use ${path} as a folder: it is a file`,
    advice: ({ path }) => `Use the path of a folder, such as ${parentOf(path)}.`,
  },
  file_too_large: {
    code: 'FILE_TOO_LARGE',
    status: 413,
    message: ({ limit }) => `Cannot store this file: it has more than ${limit} bytes`,
    advice: 'Nothing was written. Split it into smaller files.',
  },
  storage_full: {
    code: 'STORAGE_FULL',
    status: 507,
    message: () => 'Cannot write: the storage is full',
    advice: 'Nothing was written. Make room where the data is stored, then try again.',
  },
  workspace_full: {
    code: 'WORKSPACE_FULL',
    status: 507,
    message: ({ limit, unit }) =>
      limit === null
        ? 'Cannot write: the workspace has no room for it'
        : `Cannot write: the workspace is limited to ${limit} ${unit}`,
    advice: 'Nothing was written. Ask the user to make room.',
  },
  not_planned_again: {
    code: 'DRAFT_CONFLICT',
    status: 409,
    message: () =>
      'Cannot apply this change: its files were changed since, and it cannot be planned again',
    advice: 'Turn it down, and ask the agent to repeat it.',
  },
  content_dropped: {
    code: 'DRAFT_CONFLICT',
    status: 409,
    message: () => 'Cannot apply this change: its content was deleted',
    advice: 'Turn it down, and ask the agent to repeat it.',
  },
  draft_full: {
    code: 'DRAFT_FULL',
    status: 409,
    message: ({ limit, unit }) =>
      unit === 'path_bytes'
        ? `Cannot propose this change: it names too many paths (limit: ${limit} bytes)`
        : unit === 'drafts'
          ? `Cannot propose this change: ${limit} drafts wait for approval already`
          : unit === 'bytes'
            ? `Cannot propose this change: what waits for approval of one principal is limited to ${limit} bytes`
            : `Cannot propose this change: a draft is limited to ${limit} ${unit}`,
    advice:
      'Nothing was changed. Wait until the user has decided on what waits, or propose a smaller change.',
  },
  no_draft: {
    code: 'DRAFT_NOT_FOUND',
    status: 404,
    message: ({ draft }) =>
      `Cannot find the draft ${quoteShort(draft)}: it was decided or has expired`,
    advice: 'List the drafts again.',
  },
  no_open_draft: {
    code: 'DRAFT_NOT_FOUND',
    status: 404,
    message: () => 'Cannot store the reason: no change of yours waits for approval',
    advice: 'Make the change first. If its result says that it waits, call this again.',
  },
  draft_changed: {
    code: 'DRAFT_CHANGED',
    status: 409,
    message: ({ draft }) =>
      `Cannot continue with the draft ${quoteShort(draft)}: it, or what it changes, has changed since it was shown`,
    advice: 'Nothing was changed. Look at it again.',
  },
  no_comment: {
    code: 'COMMENT_NOT_FOUND',
    status: 404,
    message: ({ comment }) => `Cannot find the comment ${quoteShort(comment)}: it does not exist`,
    advice: 'Nothing was stored. Use the id of one of edgewise://comments.',
  },
  no_lines: {
    code: 'LINES_NOT_FOUND',
    status: 409,
    message: ({ path, first, last }) =>
      `Cannot comment on the lines ${first} to ${last} of ${path}: it does not have them`,
    advice: 'Look at the file again.',
  },
  comments_full: {
    code: 'COMMENTS_FULL',
    status: 409,
    message: ({ limit, of }) => `Cannot comment: the ${of} has ${limit} comments already`,
    advice: 'Delete some first.',
  },
  draft_conflict: {
    code: 'DRAFT_CONFLICT',
    status: 409,
    message: ({ draft, changes }) =>
      `Cannot approve this of the draft ${quoteShort(draft)}: ${changes.length} of the changes do not fit the workspace any more`,
    advice: 'Nothing was changed. Approve the others, and turn these down.',
    details: ({ changes }) => ({ changes: changes.slice(0, MAX_LISTED) }),
  },
  not_separable: {
    code: 'DRAFT_NOT_SEPARABLE',
    status: 409,
    message: ({ change, other }) =>
      `Cannot decide on the change ${quoteShort(change)} without ${quoteShort(other)}: they concern the same files`,
    advice: 'Nothing was changed. Select both.',
    details: ({ change, other }) => ({ change, other }),
  },
  one_at_a_time: {
    code: 'DRAFT_ONE_AT_A_TIME',
    status: 409,
    message: ({ change }) =>
      `Cannot approve the change ${quoteShort(change)} with others: it has to be confirmed on its own`,
    advice: 'Nothing was changed. Approve it without the others.',
    details: ({ change }) => ({ change }),
  },
  draft_unseen: {
    code: 'DRAFT_UNSEEN',
    status: 409,
    message: ({ draft, paths }) =>
      `Cannot approve this of the draft ${quoteShort(draft)}: ${describeUnseen(paths)}`,
    ...UNSEEN,
  },
  not_amendable: {
    code: 'NOT_AMENDABLE',
    status: 400,
    message: ({ file, detail }) => `Cannot amend ${quoteShort(file)}: ${NOT_AMENDABLE[detail]}`,
    advice: 'Nothing was changed. Approve without it, or turn its changes down with a note.',
    details: ({ file, detail }) => ({ path: file, detail }),
  },
  bad_amendment: {
    code: 'INVALID_AMENDMENT',
    status: 400,
    message: ({ file, edit, detail }) =>
      `Cannot amend ${quoteShort(file)}${edit === null ? '' : ` by the edit ${edit}`}: ${BAD_AMENDMENT[detail]}`,
    advice: 'Nothing was changed. Load the proposed file again, and send edits of it.',
    details: ({ file, edit, detail }) => ({ path: file, detail, ...(edit !== null && { edit }) }),
  },
  passkey_required: {
    code: 'PASSKEY_REQUIRED',
    status: 403,
    message: () => 'Cannot decide: this needs a passkey',
    advice: 'Nothing was changed. Decide in the console, and confirm it with a passkey.',
  },
  passkey_refused: {
    code: 'PASSKEY_REFUSED',
    status: 403,
    message: () => 'Cannot decide: the passkey was not accepted for this',
    advice: 'Nothing was changed. Decide again.',
  },
  passkey_elsewhere: {
    code: 'PASSKEY_ELSEWHERE',
    status: 403,
    message: ({ host }) => `Cannot decide here: the passkeys are for ${quoteShort(host)}`,
    advice: 'Nothing was changed. Open the console at that address.',
    details: ({ host }) => ({ host }),
  },
  no_passkey: {
    code: 'PASSKEY_NOT_FOUND',
    status: 404,
    message: ({ passkey }) => `Cannot find the passkey ${quoteShort(passkey)}: it was removed`,
    advice: 'List the passkeys again.',
  },
  too_many_passkeys: {
    code: 'TOO_MANY_PASSKEYS',
    status: 409,
    message: ({ limit }) => `Cannot register a passkey: there are ${limit} already`,
    advice: 'Remove one first.',
  },
  no_request: {
    code: 'REQUEST_NOT_FOUND',
    status: 404,
    message: ({ request }) =>
      `Cannot decide on the access request ${quoteShort(request)}: it does not wait`,
    advice: 'List the requests again.',
  },
  no_app: {
    code: 'APP_NOT_FOUND',
    status: 404,
    message: ({ app }) =>
      `Cannot decide on the app ${quoteShort(app)}: there is none with this name`,
    advice:
      'An app is a folder below /.apps with app.json or index.html, or one of mcp-bash with ui.meta.json.',
  },
  app_changed: {
    code: 'APP_CHANGED',
    status: 409,
    message: ({ app }) =>
      `Cannot show or decide on the app ${quoteShort(app)}: its files have changed`,
    advice: 'Look at it again.',
  },
  app_invalid: {
    code: 'APP_INVALID',
    status: 422,
    message: ({ app }) => `Cannot approve the app ${quoteShort(app)}: it has problems`,
    advice: 'Its entry in /apps lists them.',
  },
  app_unseen: {
    code: 'APP_UNSEEN',
    status: 409,
    message: ({ app, paths }) =>
      `Cannot approve the app ${quoteShort(app)}: ${describeUnseen(paths)}`,
    ...UNSEEN,
  },
  no_skill: {
    code: 'SKILL_NOT_FOUND',
    status: 404,
    message: ({ skill }) =>
      `Cannot decide on the skill ${quoteShort(skill)}: there is none with this name`,
    advice: 'A skill is a folder below /.skills with SKILL.md.',
  },
  skill_changed: {
    code: 'SKILL_CHANGED',
    status: 409,
    message: ({ skill }) =>
      `Cannot show or decide on the skill ${quoteShort(skill)}: its files have changed`,
    advice: 'Look at it again.',
  },
  skill_invalid: {
    code: 'SKILL_INVALID',
    status: 422,
    message: ({ skill }) => `Cannot approve the skill ${quoteShort(skill)}: it has problems`,
    advice: 'Its entry in /skills lists them.',
  },
  skill_unseen: {
    code: 'SKILL_UNSEEN',
    status: 409,
    message: ({ skill, paths }) =>
      `Cannot approve the skill ${quoteShort(skill)}: ${describeUnseen(paths)}`,
    ...UNSEEN,
  },
  not_allowable: {
    code: 'REQUEST_NOT_ALLOWABLE',
    status: 409,
    message: ({ detail }) => `Cannot allow this access: ${NOT_ALLOWABLE[detail]}`,
    advice: 'Nothing was changed.',
  },
  turned_down: {
    code: 'TURNED_DOWN',
    status: 409,
    message: ({ outcome }) =>
      outcome === 'expired'
        ? 'Cannot apply this change: the time to decide is over'
        : 'Cannot apply this change: the user turned it down',
    advice: ({ note, outcome }) =>
      note === '' || outcome === 'expired'
        ? 'Nothing was changed. Ask the user what to do instead.'
        : `Nothing was changed. Note of the user: ${JSON.stringify(note)}`,
    details: ({ outcome, note }) => ({ outcome, note }),
  },
}

/** Quotes a value as JSON, so that no control character reaches a terminal, and cuts it short. */
export function quoteShort(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text
  return JSON.stringify(short)
}

function listed(items: readonly string[]): string {
  const more = items.length - MAX_LISTED
  const shown = items.slice(0, MAX_LISTED).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown
}

function describeUnseen([first = '', ...others]: readonly string[]): string {
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  return `the content of ${quoteShort(first)}${more} cannot be shown as text`
}

function conflict({ path, wanted, current }: ProblemOf<'version_conflict'>): string {
  if (wanted === 0)
    return `Cannot create ${path}: it exists already, at version ${current}, and if_version is 0`
  const now = current === 0 ? 'it does not exist' : `it is at version ${current}`
  return `Cannot change ${path}: ${now}, and if_version is ${wanted}`
}

type Lookalike = NonNullable<Extract<Problem, { reason: 'find_not_found' }>['lookalike']>

function lookalikeHint({ exact, differences }: Lookalike): string {
  const named = differences.map(
    ({ line, column, found, sent }) =>
      `line ${line}, column ${column}: ${found || 'nothing'} in the file, ${sent || 'nothing'} in find`,
  )
  return `It differs only where it cannot be seen: ${named.join('; ')}. Send this as find, in JSON: ${escapeInvisible(exact)}`
}

/** Writes a text as JSON in which everything that a reader could mistake is escaped. */
const escapeInvisible = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\u0300-\u036f\u007f-\u00a0\u00ad\u1680\u2000-\u206f\u2212\u3000\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function nearestHint(nearest: readonly NumberedLine[]): string {
  if (nearest.length === 0) return ''
  return ` Nearest lines:\n${nearest.map(({ line, text }) => `${line}: ${text}`).join('\n')}`
}
