/**
 * The table of problems: for each reason its code, HTTP status, sentence, details and examples.
 *
 * A new problem is one variant of {@link Problem} and one entry here. `docs/errors.md` is generated from this
 * table, and `test/worker/errors.test.ts` holds the sentence of each code.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import {
  MAX_CHECKPOINTS,
  MAX_DIFFERING_PATHS,
  MAX_EDIT_BYTES,
  MAX_FILE_BYTES,
  MAX_FILES,
  MAX_SEARCH_MS,
} from '../limits.ts'
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
  /** What the code means, for the documentation. */
  readonly meaning: string
  /** What could not be done and why, without a final period. */
  readonly message: Of<P, string>
  /** The next step, as whole sentences. */
  readonly advice: string | Of<P, string>
  /** Fields that a program needs beside the code. */
  readonly details?: Of<P, Record<string, unknown>>
  /** Problems whose sentences the documentation shows. */
  readonly examples: readonly P[]
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

const PATH = '/docs/plan.md' as StorePath
const FOLDER = '/docs' as StorePath

/** The table, with one entry for each reason. */
export const PROBLEMS: { readonly [R in Problem['reason']]: ProblemKind<ProblemOf<R>> } = {
  bad_argument: {
    code: ({ code }) => code,
    status: 400,
    meaning: 'An argument is missing or invalid.',
    message: ({ detail }) => detail.replace(/\.$/, ''),
    advice: '',
    examples: [],
  },
  bad_path: {
    code: 'INVALID_PATH',
    status: 400,
    meaning: 'The text is not a path.',
    message: ({ text, detail }) => `Cannot use ${quoteShort(text)} as a path: ${detail}`,
    advice: 'Use a path such as /docs/plan.md, or one relative to the default root.',
    examples: [{ reason: 'bad_path', text: '../../a', detail: 'it leaves the workspace' }],
  },
  outside_root: {
    code: 'PATH_OUTSIDE_ROOT',
    status: 409,
    meaning:
      'The path is outside the folders that the caller can use. Where a person can grant access to it ' +
      'for one call, the scopes are in `_meta.requested_scopes`.',
    message: ({ path, roots }) =>
      roots.length > 0
        ? `Cannot use ${path}: it is outside the accessible folders (${listed(roots)})`
        : `Cannot use ${path}: no folder is accessible`,
    advice: ({ requested, lacking, waits }) =>
      requested
        ? 'Use a path inside them, or ask the user to grant this call.'
        : `Required: ${listed(lacking)}.${waits ? ` ${WAITS}` : ''}`,
    details: ({ path, lacking }) => ({ path, required_scopes: lacking.slice(0, MAX_LISTED) }),
    examples: [
      {
        reason: 'outside_root',
        path: '/other/a.md' as StorePath,
        roots: ['/docs'],
        requested: ['read:file:/other/a.md'],
        lacking: ['read:file:/other/a.md'],
      },
      {
        reason: 'outside_root',
        path: '/other/a.md' as StorePath,
        roots: ['/docs'],
        requested: null,
        lacking: ['read:file:/other'],
        waits: true,
      },
    ],
  },
  insufficient_scope: {
    code: 'INSUFFICIENT_SCOPE',
    status: 409,
    meaning:
      'The session or the token lacks a scope. Over HTTP with a token this is a 403 with a challenge.',
    message: ({ scopes }) => `Insufficient scope. Required: ${listed(scopes)}`,
    advice: ({ waits }) => (waits ? WAITS : 'Ask the user for access with these scopes.'),
    details: ({ path, scopes }) => ({ path, required_scopes: scopes.slice(0, MAX_LISTED) }),
    examples: [
      { reason: 'insufficient_scope', path: PATH, scopes: [`write:file:${PATH}`] },
      { reason: 'insufficient_scope', path: PATH, scopes: [`write:file:${PATH}`], waits: true },
    ],
  },
  is_binary: {
    code: 'BINARY_FILE',
    status: 409,
    meaning: 'The file is not UTF-8 text, and the call needs text.',
    message: ({ path, mime, size }) =>
      `Cannot use ${path} as text: it is binary (${mime}, ${size} bytes)`,
    advice: ({ path }) =>
      `Read it with encoding base64, or as the resource file://${encodeURI(path)}.`,
    examples: [
      { reason: 'is_binary', path: '/logo.ico' as StorePath, mime: 'image/x-icon', size: 4286 },
    ],
  },
  too_large: {
    code: 'FILE_TOO_LARGE',
    status: 413,
    meaning: 'The file, or the content to store, exceeds a limit.',
    message: ({ path, size, limit }) =>
      `Cannot load ${path}: it has ${size} bytes, and the limit is ${limit} bytes`,
    advice: 'Read parts of it with encoding base64, or get it with transfer_link.',
    examples: [{ reason: 'too_large', path: PATH, size: 9_000_000, limit: MAX_EDIT_BYTES }],
  },
  version_conflict: {
    code: 'VERSION_CONFLICT',
    status: 412,
    meaning: 'The file is not at the version that the call requires. Nothing was changed.',
    message: conflict,
    advice: ({ current }) =>
      current === 0
        ? 'Nothing was changed. Find out whether it was moved or deleted.'
        : 'Nothing was changed. Read it again, then repeat the change.',
    details: ({ path, wanted, current }) => ({ path, if_version: wanted, version: current }),
    examples: [
      { reason: 'version_conflict', path: PATH, wanted: 3, current: 5 },
      { reason: 'version_conflict', path: PATH, wanted: 0, current: 5 },
      { reason: 'version_conflict', path: PATH, wanted: 3, current: 0 },
    ],
  },
  changed_meanwhile: {
    code: 'VERSION_CONFLICT',
    status: 412,
    meaning: 'Another call changed the file at the same time. Nothing was changed.',
    message: ({ path }) => `Cannot change ${path}: another call changed it at the same time`,
    advice: 'Nothing was changed. Read it again, then repeat the change.',
    examples: [{ reason: 'changed_meanwhile', path: PATH }],
  },
  find_not_found: {
    code: 'FIND_NOT_FOUND',
    status: 409,
    meaning: 'The text of an edit does not occur in the file. `nearest` has similar lines.',
    message: ({ edit, find }) =>
      `Cannot make edit ${edit}: ${quoteShort(find)} does not occur in the file`,
    advice: ({ nearest }) =>
      `Nothing was changed. Copy the text exactly, without line numbers.${nearestHint(nearest)}`,
    details: ({ edit, nearest }) => ({ edit, nearest }),
    examples: [
      {
        reason: 'find_not_found',
        find: 'ship on monday',
        edit: 1,
        nearest: [{ line: 3, text: 'Ship on Monday.' }],
      },
    ],
  },
  find_not_unique: {
    code: 'FIND_NOT_UNIQUE',
    status: 409,
    meaning: 'The text of an edit occurs more than once. `lines` and `match_count` say where.',
    message: ({ edit, find, count, lines }) =>
      `Cannot make edit ${edit}: ${quoteShort(find)} occurs ${count} times, on lines ${lines.join(', ')}`,
    advice: 'Nothing was changed. Add neighbouring lines to find until it occurs once.',
    details: ({ edit, lines, count }) => ({ edit, lines, match_count: count }),
    examples: [{ reason: 'find_not_unique', find: 'Monday', edit: 1, lines: [3, 8], count: 2 }],
  },
  root_denied: {
    code: ({ action }) => (action === 'move' ? 'MOVE_ROOT_DENIED' : 'DELETE_ROOT_DENIED'),
    status: 409,
    meaning: 'A root of the configuration cannot be moved or deleted.',
    message: ({ action }) => `Cannot ${action} this folder: it is a root`,
    advice: 'Use a path inside it.',
    examples: [
      { reason: 'root_denied', action: 'move' },
      { reason: 'root_denied', action: 'delete' },
    ],
  },
  into_itself: {
    code: 'INVALID_TO',
    status: 409,
    meaning: 'The target of a move or a copy is inside its source.',
    message: ({ from, to }) => `Cannot place ${from} at ${to}: a folder cannot contain itself`,
    advice: ({ from }) => `Choose a target outside of ${from}.`,
    examples: [{ reason: 'into_itself', from: FOLDER, to: '/docs/old' as StorePath }],
  },
  over_budget: {
    code: 'OVER_BUDGET',
    status: 409,
    meaning: 'The call takes more time or steps than one call may take.',
    message: ({ detail }) => detail.replace(/\.$/, ''),
    advice: '',
    examples: [
      {
        reason: 'over_budget',
        detail: `Cannot finish the search: it takes more than ${MAX_SEARCH_MS / 1000} seconds. Narrow it with root or glob, or use a simpler pattern.`,
      },
    ],
  },
  blocked: {
    code: 'PATH_BLOCKED',
    status: 403,
    meaning: 'The configuration, a policy or the session denies the path.',
    message: ({ path }) => `Cannot use ${path}: access is denied`,
    advice: 'Use another path.',
    examples: [{ reason: 'blocked', path: PATH }],
  },
  immutable: {
    code: 'PATH_IMMUTABLE',
    status: 403,
    meaning: 'The configuration or a policy lets the path be read, but not changed.',
    message: ({ path }) => `Cannot change ${path}: it is immutable`,
    advice: 'Write to another path.',
    examples: [{ reason: 'immutable', path: PATH }],
  },
  read_only: {
    code: 'READ_ONLY',
    status: 403,
    meaning: 'The workspace, the session or the call is read-only.',
    message: () => 'Cannot change files: this access is read-only',
    advice: 'Nothing was changed. Ask the user for write access.',
    examples: [{ reason: 'read_only' }],
  },
  access_changed: {
    code: 'ACCESS_CHANGED',
    status: 403,
    meaning: 'The configuration or the session changed while the call ran.',
    message: () => 'Cannot finish this call: the configuration or the session changed while it ran',
    advice: 'Nothing was changed. Repeat the call.',
    examples: [{ reason: 'access_changed' }],
  },
  preview_stale: {
    code: 'PREVIEW_STALE',
    status: 409,
    meaning:
      'The preview no longer shows what the call would do. It may also be expired or unknown.',
    message: ({ id }) => `Cannot apply the preview ${quoteShort(id)}: it is out of date or unknown`,
    advice: 'Nothing was changed. Preview the call again.',
    examples: [{ reason: 'preview_stale', id: 'p1' }],
  },
  no_change: {
    code: 'CHANGE_NOT_FOUND',
    status: 409,
    meaning: 'History does not have the change, or no longer.',
    message: ({ id }) => `Cannot undo ${quoteShort(id)}: history does not have this change`,
    advice: 'Use the version that the result of the change named.',
    examples: [{ reason: 'no_change', id: 'version 9' }],
  },
  changed_since: {
    code: 'CHANGED_SINCE',
    status: 409,
    meaning: 'A later change wrote one of the files.',
    message: ({ id, path }) => `Cannot undo ${quoteShort(id)}: ${path} was changed later`,
    advice: 'Nothing was changed. Undo the later change first.',
    examples: [{ reason: 'changed_since', id: 'version 4', path: PATH }],
  },
  no_version: {
    code: 'VERSION_NOT_FOUND',
    status: 409,
    meaning: 'History does not have the file at this version, or no longer.',
    message: ({ path, version }) =>
      `Cannot restore ${path} to version ${version}: history does not have it`,
    advice: 'Nothing was changed. Choose a newer version.',
    examples: [{ reason: 'no_version', path: PATH, version: 2 }],
  },
  no_checkpoint: {
    code: 'CHECKPOINT_NOT_FOUND',
    status: 404,
    meaning: 'No checkpoint that the caller can see has this id or name.',
    message: ({ name }) => `Cannot find the checkpoint ${quoteShort(name)}: it does not exist`,
    advice: 'List the checkpoints, and use the id or the name of one.',
    examples: [{ reason: 'no_checkpoint', name: 'Before the rewrite' }],
  },
  checkpoints_full: {
    code: 'CHECKPOINTS_FULL',
    status: 409,
    meaning: 'The workspace, or its sessions together, have as many checkpoints as they can have.',
    message: ({ limit }) => `Cannot create a checkpoint: there are ${limit} already`,
    advice: 'Ask the user to delete one.',
    examples: [{ reason: 'checkpoints_full', limit: MAX_CHECKPOINTS }],
  },
  too_many_paths: {
    code: 'TOO_MANY_PATHS',
    status: 409,
    meaning: 'More paths differ from the checkpoint than one call may restore.',
    message: ({ limit }) => `Cannot restore: more than ${limit} paths differ from the checkpoint`,
    advice: 'Nothing was changed. Restore one folder after another.',
    examples: [{ reason: 'too_many_paths', limit: MAX_DIFFERING_PATHS }],
  },
  not_found: {
    code: 'FILE_NOT_FOUND',
    status: 404,
    meaning: 'The path does not exist. A path that the caller cannot see has the same error.',
    message: ({ path }) => `Cannot find ${path}: it does not exist`,
    advice: 'Check the path, for example with find_files.',
    examples: [{ reason: 'not_found', path: PATH }],
  },
  exists: {
    code: 'TARGET_EXISTS',
    status: 409,
    meaning: 'The target exists already. Nothing is overwritten.',
    message: ({ path }) => `Cannot create ${path}: it exists already`,
    advice: 'Choose another path, or delete it first.',
    examples: [{ reason: 'exists', path: PATH }],
  },
  is_folder: {
    code: 'IS_A_FOLDER',
    status: 409,
    meaning: 'The path is a folder, and the call needs a file.',
    message: ({ path }) => `Cannot use ${path} as a file: it is a folder`,
    advice: 'Use the path of a file.',
    examples: [{ reason: 'is_folder', path: FOLDER }],
  },
  not_a_folder: {
    code: 'NOT_A_FOLDER',
    status: 409,
    meaning: 'The path is a file, and the call needs a folder.',
    message: ({ path }) => `Cannot use ${path} as a folder: it is a file`,
    advice: 'Use the path of a folder.',
    examples: [{ reason: 'not_a_folder', path: PATH }],
  },
  file_too_large: {
    code: 'FILE_TOO_LARGE',
    status: 413,
    meaning: 'The file, or the content to store, exceeds a limit.',
    message: ({ limit }) => `Cannot store this file: it has more than ${limit} bytes`,
    advice: 'Nothing was written. Split it into smaller files.',
    examples: [{ reason: 'file_too_large', limit: MAX_FILE_BYTES }],
  },
  storage_full: {
    code: 'STORAGE_FULL',
    status: 507,
    meaning: 'The disk or the object is full. Reading still works.',
    message: () => 'Cannot write: the storage is full',
    advice: 'Nothing was written. Make room where the data is stored, then try again.',
    examples: [{ reason: 'storage_full' }],
  },
  workspace_full: {
    code: 'WORKSPACE_FULL',
    status: 507,
    meaning: 'The workspace has as many files, folders or bytes as it can have.',
    message: ({ limit, unit }) => `Cannot write: the workspace is limited to ${limit} ${unit}`,
    advice: 'Nothing was written. Delete files first.',
    examples: [{ reason: 'workspace_full', limit: MAX_FILES, unit: 'files' }],
  },
  not_planned_again: {
    code: 'DRAFT_CONFLICT',
    status: 409,
    meaning:
      'A change of a draft does not fit the workspace any more, and cannot be planned again.',
    message: () =>
      'Cannot apply this change: its files were changed since, and it cannot be planned again',
    advice: 'Turn it down, and ask the agent to repeat it.',
    examples: [{ reason: 'not_planned_again' }],
  },
  content_dropped: {
    code: 'DRAFT_CONFLICT',
    status: 409,
    meaning: 'The content of a change of a draft is no longer stored.',
    message: () => 'Cannot apply this change: its content was deleted',
    advice: 'Turn it down, and ask the agent to repeat it.',
    examples: [{ reason: 'content_dropped' }],
  },
  draft_full: {
    code: 'DRAFT_FULL',
    status: 409,
    meaning: 'As many changes wait for approval as can wait, of one session or of one principal.',
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
    examples: [
      { reason: 'draft_full', limit: 10_000, unit: 'changes' },
      { reason: 'draft_full', limit: 50, unit: 'drafts' },
      { reason: 'draft_full', limit: 1_000_000, unit: 'path_bytes' },
    ],
  },
  no_draft: {
    code: 'DRAFT_NOT_FOUND',
    status: 404,
    meaning: 'There is no open draft with this id. It was decided, or has expired.',
    message: ({ draft }) =>
      `Cannot find the draft ${quoteShort(draft)}: it was decided or has expired`,
    advice: 'List the drafts again.',
    examples: [{ reason: 'no_draft', draft: '1a2b' }],
  },
  draft_changed: {
    code: 'DRAFT_CHANGED',
    status: 409,
    meaning: 'The draft, or the files that it concerns, changed after the revision that was shown.',
    message: ({ draft }) =>
      `Cannot decide on the draft ${quoteShort(draft)}: it has changed since it was shown`,
    advice: 'Nothing was changed. Look at it again.',
    examples: [{ reason: 'draft_changed', draft: '1a2b' }],
  },
  draft_conflict: {
    code: 'DRAFT_CONFLICT',
    status: 409,
    meaning: 'A change of the draft does not fit the workspace any more.',
    message: ({ draft, changes }) =>
      `Cannot approve this of the draft ${quoteShort(draft)}: ${changes.length} of the changes do not fit the workspace any more`,
    advice: 'Nothing was changed. Approve the others, and turn these down.',
    details: ({ changes }) => ({ changes: changes.slice(0, MAX_LISTED) }),
    examples: [{ reason: 'draft_conflict', draft: '1a2b', changes: ['c1'] }],
  },
  not_separable: {
    code: 'DRAFT_NOT_SEPARABLE',
    status: 409,
    meaning: 'The selected changes of a draft depend on others that are not selected.',
    message: ({ change, other }) =>
      `Cannot decide on the change ${quoteShort(change)} without ${quoteShort(other)}: they concern the same files`,
    advice: 'Nothing was changed. Select both.',
    details: ({ change, other }) => ({ change, other }),
    examples: [{ reason: 'not_separable', change: 'c2', other: 'c1' }],
  },
  one_at_a_time: {
    code: 'DRAFT_ONE_AT_A_TIME',
    status: 409,
    meaning: 'A change at the level `confirm` is approved on its own.',
    message: ({ change }) =>
      `Cannot approve the change ${quoteShort(change)} with others: it has to be confirmed on its own`,
    advice: 'Nothing was changed. Approve one change at a time.',
    details: ({ change }) => ({ change }),
    examples: [{ reason: 'one_at_a_time', change: 'c1' }],
  },
  passkey_required: {
    code: 'PASSKEY_REQUIRED',
    status: 403,
    meaning:
      'The decision needs a passkey. `passkey` in the response is what a page passes to WebAuthn.',
    message: () => 'Cannot decide: this needs a passkey',
    advice: 'Nothing was changed. Decide in the console, and confirm it with a passkey.',
    examples: [{ reason: 'passkey_required' }],
  },
  passkey_refused: {
    code: 'PASSKEY_REFUSED',
    status: 403,
    meaning:
      'The answer of the passkey is not for this decision, was used, is too old, or is not valid.',
    message: () => 'Cannot decide: the passkey was not accepted for this',
    advice: 'Nothing was changed. Decide again.',
    examples: [{ reason: 'passkey_refused' }],
  },
  passkey_elsewhere: {
    code: 'PASSKEY_ELSEWHERE',
    status: 403,
    meaning:
      'The passkeys were registered at another host name, and a browser uses them only there.',
    message: ({ host }) => `Cannot decide here: the passkeys are for ${quoteShort(host)}`,
    advice: 'Nothing was changed. Open the console at that address.',
    details: ({ host }) => ({ host }),
    examples: [{ reason: 'passkey_elsewhere', host: 'files.example.com' }],
  },
  no_passkey: {
    code: 'PASSKEY_NOT_FOUND',
    status: 404,
    meaning: 'There is no passkey with this id. It was removed.',
    message: ({ passkey }) => `Cannot find the passkey ${quoteShort(passkey)}: it was removed`,
    advice: 'List the passkeys again.',
    examples: [{ reason: 'no_passkey', passkey: '1a2b' }],
  },
  too_many_passkeys: {
    code: 'TOO_MANY_PASSKEYS',
    status: 409,
    meaning: 'The workspace has the maximum number of passkeys.',
    message: ({ limit }) => `Cannot register a passkey: there are ${limit} already`,
    advice: 'Remove one first.',
    examples: [{ reason: 'too_many_passkeys', limit: 20 }],
  },
  no_request: {
    code: 'REQUEST_NOT_FOUND',
    status: 404,
    meaning: 'No access request with this id waits. It was decided, or has expired.',
    message: ({ request }) =>
      `Cannot decide on the access request ${quoteShort(request)}: it does not wait`,
    advice: 'List the requests again.',
    examples: [{ reason: 'no_request', request: '1a2b' }],
  },
  no_app: {
    code: 'APP_NOT_FOUND',
    status: 404,
    meaning: 'There is no app with this name, or no decision on it.',
    message: ({ app }) =>
      `Cannot decide on the app ${quoteShort(app)}: there is none with this name`,
    advice: 'An app is a folder below /.apps with app.json or index.html.',
    examples: [{ reason: 'no_app', app: 'board' }],
  },
  app_changed: {
    code: 'APP_CHANGED',
    status: 409,
    meaning: 'The files of the app are not those that were shown.',
    message: ({ app }) => `Cannot decide on the app ${quoteShort(app)}: its files have changed`,
    advice: 'Look at it again.',
    examples: [{ reason: 'app_changed', app: 'board' }],
  },
  app_invalid: {
    code: 'APP_INVALID',
    status: 422,
    meaning: 'The app.json of the app has problems, or the app has no page.',
    message: ({ app }) => `Cannot approve the app ${quoteShort(app)}: it has problems`,
    advice: 'Its entry in /apps lists them.',
    examples: [{ reason: 'app_invalid', app: 'board' }],
  },
  not_allowable: {
    code: 'REQUEST_NOT_ALLOWABLE',
    status: 409,
    meaning: 'The access request cannot be allowed in this way.',
    message: ({ detail }) => `Cannot allow this access: ${NOT_ALLOWABLE[detail]}`,
    advice: 'Nothing was changed.',
    examples: [
      { reason: 'not_allowable', detail: 'ended' },
      { reason: 'not_allowable', detail: 'no_session' },
      { reason: 'not_allowable', detail: 'full' },
      { reason: 'not_allowable', detail: 'rules' },
    ],
  },
  turned_down: {
    code: 'TURNED_DOWN',
    status: 409,
    meaning: 'The user turned down the change of a call that waited, or did not decide in time.',
    message: ({ outcome }) =>
      outcome === 'expired'
        ? 'Cannot apply this change: the time to decide is over'
        : 'Cannot apply this change: the user turned it down',
    advice: ({ note, outcome }) =>
      note === '' || outcome === 'expired'
        ? 'Nothing was changed. Ask the user what to do instead.'
        : `Nothing was changed. Note of the user: ${JSON.stringify(note)}`,
    details: ({ outcome, note }) => ({ outcome, note }),
    examples: [
      { reason: 'turned_down', outcome: 'turned_down', note: 'Keep the title.' },
      { reason: 'turned_down', outcome: 'expired', note: '' },
    ],
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

function conflict({ path, wanted, current }: ProblemOf<'version_conflict'>): string {
  if (wanted === 0)
    return `Cannot create ${path}: it exists already, at version ${current}, and if_version is 0`
  const now = current === 0 ? 'it does not exist' : `it is at version ${current}`
  return `Cannot change ${path}: ${now}, and if_version is ${wanted}`
}

function nearestHint(nearest: readonly NumberedLine[]): string {
  if (nearest.length === 0) return ''
  return ` Nearest lines:\n${nearest.map(({ line, text }) => `${line}: ${text}`).join('\n')}`
}
