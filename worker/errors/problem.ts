/**
 * Problems: every expected failure of a call, as data.
 *
 * A tool returns a {@link Problem} and never text. Its code, sentence and HTTP status are in
 * `problem-table.ts`; the other error codes are in `codes.ts`.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { PROBLEMS, type ProblemKind } from './problem-table.ts'
import { shortText } from './short.ts'
import type { CheckpointsFull, StoreProblem } from '../store/store.ts'
import type { NoText } from '../texts/document.ts'
import type { Difference } from '../texts/lookalike.ts'

export { quoteShort } from './problem-table.ts'

/** An expected failure of a call. `reason` selects the variant. */
export type Problem =
  | { readonly reason: 'bad_argument'; readonly code: string; readonly detail: string }
  | {
      readonly reason: 'bad_path'
      readonly text: string
      readonly detail: string
      /** The path to send instead. */
      readonly meant?: StorePath
    }
  | {
      readonly reason: 'outside_root'
      readonly path: StorePath
      /** The folders that the caller may use, as far as it may know them. */
      readonly roots: readonly string[]
      /** Scopes that a person can grant for the call; null where no grant would help. */
      readonly requested: readonly string[] | null
      /** Scopes that the call lacks, whether they can be granted or not. */
      readonly lacking: readonly string[]
      /** Set if the call is listed as an access request, which the owner can allow. */
      readonly waits?: true
    }
  | {
      readonly reason: 'insufficient_scope'
      readonly path: StorePath
      /** Scopes that the session or the token lacks. */
      readonly scopes: readonly string[]
      /** Set if the call is listed as an access request, which the owner can allow. */
      readonly waits?: true
    }
  | {
      readonly reason: 'is_binary'
      readonly path: StorePath
      readonly mime: string
      readonly size: number
      /** The media type that the name says, if the content is of another. */
      readonly named?: string
    }
  /** Its text is extracted, so it cannot be edited. */
  | { readonly reason: 'is_document'; readonly path: StorePath; readonly mime: string }
  | {
      readonly reason: 'no_text'
      readonly path: StorePath
      readonly why: Exclude<NoText, 'unknown_format'>
      /** What the reader found. */
      readonly detail: string
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
      /** Set if the file has it, and an earlier edit of the call replaces it. */
      readonly isReplaced?: true
      /** Set if each line of `find` begins with its number. */
      readonly isNumbered?: true
      /** The only part of the file that looks the same, and where it differs. */
      readonly lookalike?: {
        readonly line: number
        readonly exact: string
        readonly differences: readonly Difference[]
      }
    }
  /** The line, counted from 1, has a byte that is no text. */
  | { readonly reason: 'damaged_line'; readonly edit: number; readonly line: number }
  | {
      readonly reason: 'find_not_unique'
      readonly find: string
      readonly edit: number
      readonly lines: readonly number[]
      readonly count: number
      /** Set if the file has it once at most, and an earlier edit of the call writes it. */
      readonly isWritten?: true
    }
  | { readonly reason: 'root_denied'; readonly action: 'move' | 'delete' }
  | { readonly reason: 'over_budget'; readonly detail: string }
  | { readonly reason: 'blocked'; readonly path: StorePath }
  | { readonly reason: 'immutable'; readonly path: StorePath }
  | { readonly reason: 'read_only' }
  | { readonly reason: 'access_changed' }
  | { readonly reason: 'preview_stale'; readonly id: string }
  | { readonly reason: 'no_change'; readonly id: string }
  | { readonly reason: 'superseded'; readonly id: string; readonly approval: string }
  | { readonly reason: 'changed_since'; readonly id: string; readonly path: StorePath }
  | { readonly reason: 'no_version'; readonly path: StorePath; readonly version: number }
  | { readonly reason: 'not_planned_again' }
  | { readonly reason: 'content_dropped' }
  | {
      readonly reason: 'draft_full'
      readonly limit: number
      readonly unit: 'changes' | 'bytes' | 'drafts' | 'path_bytes'
    }
  | { readonly reason: 'no_draft'; readonly draft: string }
  | { readonly reason: 'no_open_draft' }
  | { readonly reason: 'draft_changed'; readonly draft: string }
  | { readonly reason: 'no_comment'; readonly comment: string }
  | {
      readonly reason: 'no_lines'
      readonly path: StorePath
      readonly first: number
      readonly last: number
    }
  | {
      readonly reason: 'comments_full'
      readonly limit: number
      readonly of: 'workspace' | 'draft' | 'file' | 'thread'
    }
  | {
      readonly reason: 'draft_conflict'
      readonly draft: string
      readonly changes: readonly string[]
    }
  | { readonly reason: 'not_separable'; readonly change: string; readonly other: string }
  | { readonly reason: 'one_at_a_time'; readonly change: string }
  | {
      readonly reason: 'draft_unseen'
      readonly draft: string
      readonly paths: readonly StorePath[]
    }
  | {
      readonly reason: 'not_amendable'
      readonly file: string
      /** Why: it is not part of what is decided, no file after it, no text, too large, or named twice. */
      readonly detail: 'not_decided' | 'no_file' | 'no_text' | 'too_large' | 'twice'
    }
  | {
      readonly reason: 'bad_amendment'
      readonly file: string
      /** Counted from 1; null where the problem is not one of a single edit. */
      readonly edit: number | null
      readonly detail: 'no_line' | 'overlap' | 'too_long' | 'no_text' | 'other_hash' | 'no_change'
    }
  | { readonly reason: 'no_request'; readonly request: string }
  | {
      readonly reason: 'not_allowable'
      /**
       * Why: its session is over, there is none, or it was allowed too many scopes already; or the rules would not
       * be enough, or lack other entries than were shown.
       */
      readonly detail: 'ended' | 'no_session' | 'full' | 'rules'
    }
  | { readonly reason: 'passkey_required' }
  | { readonly reason: 'passkey_refused' }
  /** No passkey was registered for the host name of the page, but for this one. */
  | { readonly reason: 'passkey_elsewhere'; readonly host: string }
  | { readonly reason: 'no_passkey'; readonly passkey: string }
  | { readonly reason: 'too_many_passkeys'; readonly limit: number }
  | { readonly reason: 'no_checkpoint'; readonly name: string }
  | { readonly reason: 'no_app'; readonly app: string }
  | { readonly reason: 'app_changed'; readonly app: string }
  | { readonly reason: 'app_invalid'; readonly app: string }
  | {
      readonly reason: 'app_unseen'
      readonly app: string
      readonly paths: readonly StorePath[]
    }
  | { readonly reason: 'no_skill'; readonly skill: string }
  | { readonly reason: 'skill_changed'; readonly skill: string }
  | { readonly reason: 'skill_invalid'; readonly skill: string }
  | {
      readonly reason: 'skill_unseen'
      readonly skill: string
      readonly paths: readonly StorePath[]
    }
  | { readonly reason: 'too_many_paths'; readonly limit: number }
  | {
      readonly reason: 'leased'
      readonly action: 'lease' | 'change'
      readonly path: StorePath
      /** The quoted name of the holder; null where the caller may not learn of it. */
      readonly by: string | null
      /** Milliseconds since 1970; null where the caller may not learn of it. */
      readonly until: number | null
    }
  | {
      readonly reason: 'leases_full'
      readonly limit: number
      readonly of: 'principal' | 'workspace'
    }
  | { readonly reason: 'lease_too_wide'; readonly path: StorePath }
  | CheckpointsFull
  | {
      readonly reason: 'turned_down'
      readonly outcome: 'turned_down' | 'expired'
      readonly note: string
    }
  | StoreProblem

/** One line of a file, counted from 1. */
export interface NumberedLine {
  readonly line: number
  readonly text: string
}

/** Returns the stable code of a problem, for programs. */
export function codeOf(problem: Problem): string {
  const { code } = kindOf(problem)
  return typeof code === 'string' ? code : code(problem)
}

/** Returns the HTTP status of a problem. */
export const statusOf = (problem: Problem): number => kindOf(problem).status

/** Writes the message of a problem, for a user or a model: what failed and why, then the next step. */
export function sentence(problem: Problem): string {
  const { advice } = kindOf(problem)
  const next = typeof advice === 'string' ? advice : shortText(advice(problem))
  return `${cause(problem)}${next && ` ${next}`}`
}

/** Says what could not be done and why, without the next step, which is one of the caller. */
export function cause(problem: Problem): string {
  return `${shortText(kindOf(problem).message(problem))}.`
}

/** Returns the fields of a problem that a program needs beside the code. */
export function detailsOf(problem: Problem): Record<string, unknown> {
  const { details } = kindOf(problem)
  if (details) return details(problem)
  return 'path' in problem ? { path: problem.path } : {}
}

/** The message of a full disk, for the caller and for the operator. */
export const STORAGE_FULL = sentence({ reason: 'storage_full' })

function kindOf({ reason }: Problem): ProblemKind<Problem> {
  return PROBLEMS[reason]
}

/** Returns a problem without what it says of the whole workspace, for a caller that may not read everything. */
export const withoutTotals = (problem: Problem): Problem =>
  problem.reason === 'workspace_full' ? { ...problem, limit: null } : problem
