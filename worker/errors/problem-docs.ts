/**
 * The meaning and examples of each problem, from which `docs/errors.md` is generated and the sentences are tested. The
 * Worker does not import it.
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
import type { Problem } from './problem.ts'
import type { ProblemOf } from './problem-table.ts'

/** The documentation of one reason. */
export interface ProblemDocs<P> {
  /** What the code means. */
  readonly meaning: string
  /** Problems whose sentences are shown. */
  readonly examples: readonly P[]
}

const PATH = '/docs/plan.md' as StorePath
const FOLDER = '/docs' as StorePath

/** The documentation, with one entry for each reason. */
export const PROBLEM_DOCS: { readonly [R in Problem['reason']]: ProblemDocs<ProblemOf<R>> } = {
  bad_argument: {
    meaning: 'An argument is missing or invalid.',
    examples: [],
  },
  bad_path: {
    meaning:
      'The text is not a path, or is spelled as none is meant, such as `~/a` or `"/a"`. `meant` is the path to send.',
    examples: [
      { reason: 'bad_path', text: 'a\tb', detail: 'it holds a control character' },
      { reason: 'bad_path', text: `"${PATH}"`, detail: 'it is not written as a path', meant: PATH },
    ],
  },
  outside_root: {
    meaning:
      'The path is outside the folders that the caller can use. Where a person can grant access to it ' +
      'for one call, the scopes are in `_meta.requested_scopes`.',
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
    meaning:
      'The session or the token lacks a scope. Over HTTP with a token this is a 403 with a challenge.',
    examples: [
      { reason: 'insufficient_scope', path: PATH, scopes: [`write:file:${PATH}`] },
      { reason: 'insufficient_scope', path: PATH, scopes: [`write:file:${PATH}`], waits: true },
    ],
  },
  is_binary: {
    meaning: 'The file is not text, and the call needs text.',
    examples: [
      { reason: 'is_binary', path: '/logo.ico' as StorePath, mime: 'image/x-icon', size: 4286 },
      {
        reason: 'is_binary',
        path: '/logo.gif' as StorePath,
        mime: 'application/octet-stream',
        size: 6,
        named: 'image/gif',
      },
    ],
  },
  is_document: {
    meaning: 'The file is a document, and an edit needs text that is in the file itself.',
    examples: [
      { reason: 'is_document', path: '/report.pdf' as StorePath, mime: 'application/pdf' },
    ],
  },
  no_text: {
    meaning: 'The file is a document, and its text cannot be extracted.',
    examples: [
      {
        reason: 'no_text',
        path: '/report.pdf' as StorePath,
        why: 'encrypted',
        detail: 'it needs a password',
      },
      {
        reason: 'no_text',
        path: '/report.pdf' as StorePath,
        why: 'scanned',
        detail: 'its pages are pictures without text',
      },
      {
        reason: 'no_text',
        path: '/report.pdf' as StorePath,
        why: 'broken',
        detail: 'it is damaged',
      },
      {
        reason: 'no_text',
        path: '/report.pdf' as StorePath,
        why: 'too_large',
        detail: 'it has more than 5000 pages',
      },
    ],
  },
  too_large: {
    meaning: 'The file, or the content to store, exceeds a limit.',
    examples: [{ reason: 'too_large', path: PATH, size: 9_000_000, limit: MAX_EDIT_BYTES }],
  },
  version_conflict: {
    meaning: 'The file is not at the version that the call requires. Nothing was changed.',
    examples: [
      { reason: 'version_conflict', path: PATH, wanted: 3, current: 5 },
      { reason: 'version_conflict', path: PATH, wanted: 0, current: 5 },
      { reason: 'version_conflict', path: PATH, wanted: 3, current: 0 },
    ],
  },
  changed_meanwhile: {
    meaning: 'Another call changed the file at the same time. Nothing was changed.',
    examples: [{ reason: 'changed_meanwhile', path: PATH }],
  },
  find_not_found: {
    meaning:
      'The text of an edit does not occur in the file. `nearest` has similar lines. If a text looks the same, `exact` is what to send, and `differences` says where it differs.',
    examples: [
      {
        reason: 'find_not_found',
        find: 'ship on monday',
        edit: 1,
        nearest: [{ line: 3, text: 'Ship on Monday.' }],
      },
      {
        reason: 'find_not_found',
        find: 'on Monday',
        edit: 2,
        nearest: [],
        isReplaced: true,
      },
      {
        reason: 'find_not_found',
        find: 'on Monday',
        edit: 1,
        nearest: [{ line: 3, text: 'Ship on\u00a0Monday.' }],
        lookalike: {
          line: 3,
          exact: 'on\u00a0Monday',
          differences: [{ line: 3, column: 3, found: 'U+00A0', sent: 'U+0020' }],
        },
      },
    ],
  },
  find_not_unique: {
    meaning: 'The text of an edit occurs more than once. `lines` and `match_count` say where.',
    examples: [
      { reason: 'find_not_unique', find: 'Monday', edit: 1, lines: [3, 8], count: 2 },
      {
        reason: 'find_not_unique',
        find: 'Monday',
        edit: 2,
        lines: [3, 8],
        count: 2,
        isWritten: true,
      },
    ],
  },
  damaged_line: {
    meaning:
      'The text of an edit is in a line with bytes that are no text, which would be lost. `line` says which.',
    examples: [{ reason: 'damaged_line', edit: 1, line: 3 }],
  },
  root_denied: {
    meaning: 'A root of the configuration cannot be moved or deleted.',
    examples: [
      { reason: 'root_denied', action: 'move' },
      { reason: 'root_denied', action: 'delete' },
    ],
  },
  into_itself: {
    meaning: 'The target of a move or a copy is inside its source.',
    examples: [{ reason: 'into_itself', from: FOLDER, to: '/docs/old' as StorePath }],
  },
  over_budget: {
    meaning: 'The call takes more time or steps than one call may take.',
    examples: [
      {
        reason: 'over_budget',
        detail: `Cannot finish the search: it takes more than ${MAX_SEARCH_MS / 1000} seconds. Narrow it with root or glob, or use a simpler pattern.`,
      },
    ],
  },
  blocked: {
    meaning: 'The configuration, a policy or the session denies the path.',
    examples: [{ reason: 'blocked', path: PATH }],
  },
  immutable: {
    meaning: 'The configuration or a policy lets the path be read, but not changed.',
    examples: [{ reason: 'immutable', path: PATH }],
  },
  read_only: {
    meaning: 'The workspace, the session or the call is read-only.',
    examples: [{ reason: 'read_only' }],
  },
  access_changed: {
    meaning: 'The configuration or the session changed while the call ran.',
    examples: [{ reason: 'access_changed' }],
  },
  preview_stale: {
    meaning:
      'The preview no longer shows what the call would do. It may also be expired or unknown.',
    examples: [{ reason: 'preview_stale', id: 'p1' }],
  },
  no_change: {
    meaning: 'History does not have the change, or no longer.',
    examples: [{ reason: 'no_change', id: 'version 9' }],
  },
  superseded: {
    meaning:
      'The change was approved and wrote no file: one that was approved with it replaced it, or it left the files as they were.',
    examples: [{ reason: 'superseded', id: 'c1', approval: 'a1' }],
  },
  changed_since: {
    meaning: 'A later change wrote one of the files.',
    examples: [{ reason: 'changed_since', id: 'version 4', path: PATH }],
  },
  no_version: {
    meaning: 'History does not have the file at this version, or no longer.',
    examples: [{ reason: 'no_version', path: PATH, version: 2 }],
  },
  no_checkpoint: {
    meaning: 'No checkpoint that the caller can see has this id or name.',
    examples: [{ reason: 'no_checkpoint', name: 'Before the rewrite' }],
  },
  checkpoints_full: {
    meaning:
      'The user, or the principal of all sessions with the most, has as many checkpoints as it can have.',
    examples: [{ reason: 'checkpoints_full', limit: MAX_CHECKPOINTS }],
  },
  too_many_paths: {
    meaning: 'More paths differ from the checkpoint than one call may restore.',
    examples: [{ reason: 'too_many_paths', limit: MAX_DIFFERING_PATHS }],
  },
  leased: {
    meaning:
      'Another caller has leased the path, a folder above it, or something in it: it cannot be leased as well, or the ' +
      'owner makes leases binding there. It says who and until when, if the path may be read.',
    examples: [
      {
        ...{ reason: 'leased', action: 'lease', path: PATH },
        ...{ by: '"helper"', until: Date.UTC(2026, 0, 1) },
      },
      { reason: 'leased', action: 'change', path: PATH, by: null, until: null },
    ],
  },
  leases_full: {
    meaning: 'The principal, or the workspace, has as many leases as there can be.',
    examples: [
      { reason: 'leases_full', limit: 20, of: 'principal' },
      { reason: 'leases_full', limit: 200, of: 'workspace' },
    ],
  },
  lease_too_wide: {
    meaning:
      'The access of the caller keeps something in the folder from it, so it cannot lease all of it.',
    examples: [{ reason: 'lease_too_wide', path: FOLDER }],
  },
  not_found: {
    meaning:
      'The path does not exist. A path that the caller cannot see has the same error. `meant` is what exists under a ' +
      'similar spelling, such as `/a.ts` for `/a.ts:12`.',
    examples: [
      { reason: 'not_found', path: PATH },
      { reason: 'not_found', path: `${PATH}:12` as StorePath, meant: PATH },
    ],
  },
  exists: {
    meaning:
      'The target exists already. Nothing is overwritten. `inside` is the target that places the source in a folder.',
    examples: [
      { reason: 'exists', path: PATH },
      { reason: 'exists', path: FOLDER, inside: PATH },
    ],
  },
  is_folder: {
    meaning: 'The path is a folder, and the call needs a file.',
    examples: [{ reason: 'is_folder', path: FOLDER }],
  },
  not_a_folder: {
    meaning: 'The path is a file, and the call needs a folder.',
    examples: [{ reason: 'not_a_folder', path: PATH }],
  },
  file_too_large: {
    meaning: 'The file, or the content to store, exceeds a limit.',
    examples: [{ reason: 'file_too_large', limit: MAX_FILE_BYTES }],
  },
  storage_full: {
    meaning: 'The disk or the object is full. Reading still works.',
    examples: [{ reason: 'storage_full' }],
  },
  workspace_full: {
    meaning: 'The workspace has as many files, folders or bytes as it can have.',
    examples: [{ reason: 'workspace_full', limit: MAX_FILES, unit: 'files' }],
  },
  not_planned_again: {
    meaning:
      'A change of a draft does not fit the workspace any more, and cannot be planned again.',
    examples: [{ reason: 'not_planned_again' }],
  },
  content_dropped: {
    meaning: 'The content of a change of a draft is no longer stored.',
    examples: [{ reason: 'content_dropped' }],
  },
  draft_full: {
    meaning: 'As many changes wait for approval as can wait, of one session or of one principal.',
    examples: [
      { reason: 'draft_full', limit: 10_000, unit: 'changes' },
      { reason: 'draft_full', limit: 50, unit: 'drafts' },
      { reason: 'draft_full', limit: 1_000_000, unit: 'path_bytes' },
    ],
  },
  no_draft: {
    meaning: 'There is no open draft with this id. It was decided, or has expired.',
    examples: [{ reason: 'no_draft', draft: '1a2b' }],
  },
  no_open_draft: {
    meaning: 'A reason was given, and no change of the caller waits for approval.',
    examples: [{ reason: 'no_open_draft' }],
  },
  draft_changed: {
    meaning: 'The draft, or the files that it concerns, changed after the revision that was shown.',
    examples: [{ reason: 'draft_changed', draft: '1a2b' }],
  },
  no_comment: {
    meaning: 'There is no comment with this id, or the caller may not read it.',
    examples: [{ reason: 'no_comment', comment: '1a2b' }],
  },
  no_lines: {
    meaning: 'The file does not have the lines that a comment is about.',
    examples: [{ reason: 'no_lines', path: PATH, first: 8, last: 9 }],
  },
  comments_full: {
    meaning:
      'The workspace, the draft, the file or the thread has as many comments as it may have.',
    examples: [{ reason: 'comments_full', limit: 100, of: 'thread' }],
  },
  draft_conflict: {
    meaning: 'A change of the draft does not fit the workspace any more.',
    examples: [{ reason: 'draft_conflict', draft: '1a2b', changes: ['c1'] }],
  },
  not_separable: {
    meaning: 'The selected changes of a draft depend on others that are not selected.',
    examples: [{ reason: 'not_separable', change: 'c2', other: 'c1' }],
  },
  one_at_a_time: {
    meaning: 'A change at the level `confirm` is approved on its own.',
    examples: [{ reason: 'one_at_a_time', change: 'c1' }],
  },
  draft_unseen: {
    meaning:
      'An approval writes content that cannot be shown as text, and does not name its paths in `unseen`.',
    examples: [{ reason: 'draft_unseen', draft: '1a2b', paths: [PATH] }],
  },
  not_amendable: {
    meaning: 'An approval amends a path that is no text file after what is approved.',
    examples: [{ reason: 'not_amendable', file: PATH, detail: 'not_decided' }],
  },
  bad_amendment: {
    meaning:
      'The edits of an approval do not fit the proposed text, or make another one than they name.',
    examples: [{ reason: 'bad_amendment', file: PATH, edit: 2, detail: 'overlap' }],
  },
  passkey_required: {
    meaning:
      'The decision needs a passkey. `passkey` in the response is what a page passes to WebAuthn.',
    examples: [{ reason: 'passkey_required' }],
  },
  passkey_refused: {
    meaning:
      'The answer of the passkey is not for this decision, was used, is too old, or is not valid.',
    examples: [{ reason: 'passkey_refused' }],
  },
  passkey_elsewhere: {
    meaning:
      'The passkeys were registered at another host name, and a browser uses them only there.',
    examples: [{ reason: 'passkey_elsewhere', host: 'files.example.com' }],
  },
  no_passkey: {
    meaning: 'There is no passkey with this id. It was removed.',
    examples: [{ reason: 'no_passkey', passkey: '1a2b' }],
  },
  too_many_passkeys: {
    meaning: 'The workspace has the maximum number of passkeys.',
    examples: [{ reason: 'too_many_passkeys', limit: 20 }],
  },
  no_request: {
    meaning: 'No access request with this id waits. It was decided, or has expired.',
    examples: [{ reason: 'no_request', request: '1a2b' }],
  },
  no_app: {
    meaning: 'There is no app with this name, or no decision on it.',
    examples: [{ reason: 'no_app', app: 'board' }],
  },
  app_changed: {
    meaning: 'The files of the app are not those that were shown.',
    examples: [{ reason: 'app_changed', app: 'board' }],
  },
  app_invalid: {
    meaning: 'The app.json of the app has problems, or the app has no page.',
    examples: [{ reason: 'app_invalid', app: 'board' }],
  },
  app_unseen: {
    meaning:
      'An approval of an app has files that cannot be shown as text, and does not name their paths in `unseen`.',
    examples: [{ reason: 'app_unseen', app: 'board', paths: [PATH] }],
  },
  no_skill: {
    meaning: 'There is no skill with this name, or no decision on it.',
    examples: [{ reason: 'no_skill', skill: 'git-workflow' }],
  },
  skill_changed: {
    meaning: 'The files of the skill are not those that were shown.',
    examples: [{ reason: 'skill_changed', skill: 'git-workflow' }],
  },
  skill_invalid: {
    meaning: 'The SKILL.md of the skill has problems, or its folder has too much.',
    examples: [{ reason: 'skill_invalid', skill: 'git-workflow' }],
  },
  skill_unseen: {
    meaning:
      'An approval of a skill has files that cannot be shown as text, and does not name their paths in `unseen`.',
    examples: [{ reason: 'skill_unseen', skill: 'git-workflow', paths: [PATH] }],
  },
  not_allowable: {
    meaning: 'The access request cannot be allowed in this way.',
    examples: [
      { reason: 'not_allowable', detail: 'ended' },
      { reason: 'not_allowable', detail: 'no_session' },
      { reason: 'not_allowable', detail: 'full' },
      { reason: 'not_allowable', detail: 'rules' },
    ],
  },
  turned_down: {
    meaning: 'The user turned down the change of a call that waited, or did not decide in time.',
    examples: [
      { reason: 'turned_down', outcome: 'turned_down', note: 'Keep the title.' },
      { reason: 'turned_down', outcome: 'expired', note: '' },
    ],
  },
}
