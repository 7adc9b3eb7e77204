/**
 * Problems: every expected failure of a call, with its code and its message.
 *
 * A tool returns a {@link Problem} and never text. {@link sentence} is the only place that writes messages:
 * it says what could not be done, quotes the values, and names the next step.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { StoreProblem } from './store/store.ts'

/** An expected failure of a call. `reason` selects the variant. */
export type Problem =
  | { readonly reason: 'bad_argument'; readonly code: string; readonly detail: string }
  | { readonly reason: 'bad_path'; readonly text: string; readonly detail: string }
  | {
      readonly reason: 'outside_root'
      readonly path: StorePath
      /** The folders that the caller may use, as far as it may know them. */
      readonly roots: readonly string[]
      /** Scopes that a person can grant for the call; null where no grant would help. */
      readonly requested: readonly string[] | null
      /** Scopes that the call lacks, whether they can be granted or not. */
      readonly lacking: readonly string[]
    }
  | {
      readonly reason: 'insufficient_scope'
      readonly path: StorePath
      /** Scopes that the session or the token lacks. */
      readonly scopes: readonly string[]
    }
  | {
      readonly reason: 'is_binary'
      readonly path: StorePath
      readonly mime: string
      readonly size: number
    }
  | {
      readonly reason: 'too_large'
      readonly path: StorePath
      readonly size: number
      readonly limit: number
    }
  | {
      readonly reason: 'version_conflict'
      readonly path: StorePath
      readonly wanted: number
      readonly current: number
    }
  | {
      readonly reason: 'find_not_found'
      readonly find: string
      readonly edit: number
      readonly nearest: readonly NumberedLine[]
    }
  | {
      readonly reason: 'find_not_unique'
      readonly find: string
      readonly edit: number
      readonly lines: readonly number[]
      readonly count: number
    }
  | { readonly reason: 'root_denied'; readonly action: 'move' | 'delete' }
  | { readonly reason: 'over_budget'; readonly detail: string }
  | { readonly reason: 'blocked'; readonly path: StorePath }
  | { readonly reason: 'immutable'; readonly path: StorePath }
  | { readonly reason: 'read_only' }
  | { readonly reason: 'access_changed' }
  | { readonly reason: 'preview_stale'; readonly id: string }
  | { readonly reason: 'no_change'; readonly id: string }
  | { readonly reason: 'changed_since'; readonly id: string; readonly path: StorePath }
  | { readonly reason: 'no_version'; readonly path: StorePath; readonly version: number }
  | StoreProblem

/** One line of a file, counted from 1. */
export interface NumberedLine {
  readonly line: number
  readonly text: string
}

/** The stable code of a problem, for programs. */
export function codeOf(problem: Problem): string {
  switch (problem.reason) {
    case 'bad_argument':
      return problem.code
    case 'bad_path':
      return 'INVALID_PATH'
    case 'outside_root':
      return 'PATH_OUTSIDE_ROOT'
    case 'insufficient_scope':
      return 'INSUFFICIENT_SCOPE'
    case 'is_binary':
      return 'BINARY_FILE'
    case 'too_large':
    case 'file_too_large':
      return 'FILE_TOO_LARGE'
    case 'version_conflict':
    case 'changed_meanwhile':
      return 'VERSION_CONFLICT'
    case 'find_not_found':
      return 'FIND_NOT_FOUND'
    case 'find_not_unique':
      return 'FIND_NOT_UNIQUE'
    case 'root_denied':
      return problem.action === 'move' ? 'MOVE_ROOT_DENIED' : 'DELETE_ROOT_DENIED'
    case 'into_itself':
      return 'INVALID_TO'
    case 'over_budget':
      return 'OVER_BUDGET'
    case 'blocked':
      return 'PATH_BLOCKED'
    case 'immutable':
      return 'PATH_IMMUTABLE'
    case 'read_only':
      return 'READ_ONLY'
    case 'access_changed':
      return 'ACCESS_CHANGED'
    case 'preview_stale':
      return 'PREVIEW_STALE'
    case 'no_change':
      return 'CHANGE_NOT_FOUND'
    case 'changed_since':
      return 'CHANGED_SINCE'
    case 'no_version':
      return 'VERSION_NOT_FOUND'
    case 'not_found':
      return 'FILE_NOT_FOUND'
    case 'exists':
      return 'TARGET_EXISTS'
    case 'is_folder':
      return 'IS_A_FOLDER'
    case 'not_a_folder':
      return 'NOT_A_FOLDER'
    case 'workspace_full':
      return 'WORKSPACE_FULL'
    case 'storage_full':
      return 'STORAGE_FULL'
  }
}

/** The message of a full disk, for the caller and for the operator. */
export const STORAGE_FULL =
  'Cannot write: the storage is full. Nothing was written, and reading goes on. ' +
  'Make room on the disk where the data is kept, then try again'

/** Writes the message of a problem, for a user or a model. */
export function sentence(problem: Problem): string {
  switch (problem.reason) {
    case 'bad_argument':
      return problem.detail
    case 'bad_path':
      return `Cannot use ${quoteShort(problem.text)} as a path: ${problem.detail}`
    case 'outside_root':
      return outsideRoot(problem)
    case 'insufficient_scope':
      return `Insufficient scope. Required: ${listed(problem.scopes)}`
    case 'is_binary':
      return `${problem.path} is not UTF-8 text (${problem.mime}, ${problem.size} bytes). Read it with encoding base64, or as the resource file://${encodeURI(problem.path)}`
    case 'too_large':
      return `${problem.path} has ${problem.size} bytes; this works up to ${problem.limit} bytes`
    case 'version_conflict':
      return conflict(problem.path, problem.wanted, problem.current)
    case 'find_not_found':
      return `Edit ${problem.edit}: ${quoteShort(problem.find)} does not occur in the file${hint(problem.nearest)}`
    case 'find_not_unique':
      return `Edit ${problem.edit}: ${quoteShort(problem.find)} occurs ${problem.count} times, on lines ${problem.lines.join(', ')}, and must occur once. Add a neighbouring line to it`
    case 'root_denied':
      return `Cannot ${problem.action} a root folder`
    case 'into_itself':
      return `Cannot move ${problem.from} into itself, to ${problem.to}`
    case 'over_budget':
      return problem.detail
    case 'blocked':
      return `${problem.path} may not be used`
    case 'immutable':
      return `${problem.path} may be read and not be changed`
    case 'read_only':
      return 'This workspace is read-only for you. Nothing was changed'
    case 'access_changed':
      return 'The rules or the session changed during this call. Nothing was changed. Repeat the call'
    case 'preview_stale':
      return `The preview ${quoteShort(problem.id)} no longer shows what this call would do, and nothing was written. Preview it again`
    case 'no_change':
      return `There is no change ${quoteShort(problem.id)}, or history has let it go`
    case 'changed_since':
      return `Cannot undo ${quoteShort(problem.id)}: ${problem.path} was changed after it. Undo the later change first`
    case 'no_version':
      return `Cannot bring back ${problem.path} as it was at version ${problem.version}: history does not hold it. Nothing was changed`
    case 'changed_meanwhile':
      return `${problem.path} was changed by somebody else at the same moment, and nothing was written. Read it again`
    case 'not_found':
      return `There is no ${problem.path}`
    case 'exists':
      return `${problem.path} exists already. Delete it first, or choose another name`
    case 'is_folder':
      return `${problem.path} is a folder`
    case 'not_a_folder':
      return `${problem.path} is a file, so nothing can lie below it`
    case 'file_too_large':
      return `A file may have ${problem.limit} bytes at most`
    case 'storage_full':
      return STORAGE_FULL
    case 'workspace_full':
      return `The workspace may hold ${problem.limit} ${problem.unit} at most. Delete something first`
  }
}

/** Returns the fields of a problem that a program needs beside the code. */
export function detailsOf(problem: Problem): Record<string, unknown> {
  const { reason } = problem
  if (reason === 'version_conflict')
    return { path: problem.path, if_version: problem.wanted, version: problem.current }
  if (reason === 'find_not_found') return { edit: problem.edit, nearest: problem.nearest }
  if (reason === 'find_not_unique')
    return { edit: problem.edit, lines: problem.lines, match_count: problem.count }
  if (reason === 'outside_root')
    return { path: problem.path, required_scopes: problem.lacking.slice(0, MAX_LISTED) }
  if (reason === 'insufficient_scope')
    return { path: problem.path, required_scopes: problem.scopes.slice(0, MAX_LISTED) }
  return 'path' in problem ? { path: problem.path } : {}
}

/** Folders or scopes that one message names. */
const MAX_LISTED = 20

function listed(items: readonly string[]): string {
  const more = items.length - MAX_LISTED
  const shown = items.slice(0, MAX_LISTED).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown
}

function outsideRoot({ path, roots, requested, lacking }: Problem & { reason: 'outside_root' }) {
  const where = roots.length > 0 ? `the folders that may be used: ${listed(roots)}` : 'all folders'
  const outside = `${path} lies outside ${where}`
  return requested ? outside : `${outside}. Required: ${listed(lacking)}`
}

function conflict(path: StorePath, wanted: number, current: number): string {
  if (wanted === 0)
    return `${path} exists already, at version ${current}, and if_version 0 asks for a new file`
  if (current === 0) return `${path} does not exist any more; if_version was ${wanted}`
  return `${path} is at version ${current} and not ${wanted}: somebody changed it. Nothing was written. Read it again`
}

function hint(nearest: readonly NumberedLine[]): string {
  if (nearest.length === 0) return ''
  return `. The nearest lines are:\n${nearest.map(({ line, text }) => `${line}: ${text}`).join('\n')}`
}

/** Quotes a value as JSON, so that no control character reaches a terminal, and cuts it short. */
export function quoteShort(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text
  return JSON.stringify(short)
}
