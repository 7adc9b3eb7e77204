/**
 * The contract of the store: where the files of one workspace live.
 *
 * Readers see entries; writers hand in a {@link Proposal}, which names the workspace version it was
 * made against and is applied whole or not at all. Every applied proposal is a *change* and gets the
 * next version, so a file's version is the number of the change that touched it last.
 *
 * Held by every backend and checked by `test/worker/store-contract.ts`:
 * - What is not there is `null`, never an exception.
 * - `apply` changes nothing when it answers a problem, and everything when it answers a change.
 * - `apply` refuses when anything it touches has changed after `basis`.
 * - After `apply` answers, every later read sees the change, also after an eviction.
 * - Content that no version names is never visible, and is swept after a while.
 * - What history has dropped is `'forgotten'`, and never looks like what was not there.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { Result } from '#core/result.ts'
import type { Audit } from './audit.ts'
import type { StoreLimits } from './limits.ts'
import type { ChangeNote } from './note.ts'

export interface FileEntry {
  readonly type: 'file'
  readonly path: StorePath
  /** The row that holds the content. */
  readonly blob: number
  /** Bytes. */
  readonly size: number
  readonly mime: string
  /** The change that touched it last. */
  readonly version: number
  /** Milliseconds since 1970. */
  readonly mtime: number
}

export interface FolderEntry {
  readonly type: 'folder'
  readonly path: StorePath
  readonly version: number
  readonly mtime: number
}

export type Entry = FileEntry | FolderEntry

/** Content that is safely in the store but that no version names yet. Made by `hold`. */
export interface Content {
  /** SHA-256. */
  readonly hash: Uint8Array
  readonly size: number
  /** Valid UTF-8 without a NUL character. */
  readonly text: boolean
  readonly place:
    | { readonly type: 'inline'; readonly bytes: Uint8Array }
    | {
        readonly type: 'object'
        readonly key: string
        /** The content, where it was in memory anyway. */
        readonly bytes?: Uint8Array
      }
    /** It has a row already, because a version names it. */
    | { readonly type: 'blob' }
}

export type Step =
  | {
      readonly type: 'put'
      readonly path: StorePath
      readonly content: Content
      readonly mtime?: number
    }
  | { readonly type: 'folder'; readonly path: StorePath }
  | { readonly type: 'remove'; readonly path: StorePath }
  | { readonly type: 'move'; readonly from: StorePath; readonly to: StorePath }

/** What somebody wants to have done, and on the strength of which state. */
export interface Proposal {
  /** The workspace version that the steps were planned against. */
  readonly basis: number
  readonly steps: readonly Step[]
  readonly note: ChangeNote
  /** What it may add up to; without it, what this Worker is tested for. */
  readonly limits?: StoreLimits
  /** Finds out whether it could be applied, and leaves everything as it was. */
  readonly trial?: true
}

/** A change as history keeps it. */
export interface ChangeRecord extends Required<
  Omit<ChangeNote, 'decision' | 'digest' | 'about' | 'scopes_left_out'>
> {
  readonly version: number
  readonly at: number
}

/** A change that was just applied. */
export interface Change extends ChangeRecord {
  /** Whether files came or went, and did not only get other content. */
  readonly listChanged: boolean
}

/** Why a proposal was not applied. Nothing has been written. */
export type StoreProblem =
  | { readonly reason: 'changed_meanwhile'; readonly path: StorePath }
  | { readonly reason: 'not_found'; readonly path: StorePath }
  | { readonly reason: 'exists'; readonly path: StorePath }
  | { readonly reason: 'into_itself'; readonly from: StorePath; readonly to: StorePath }
  | { readonly reason: 'is_folder'; readonly path: StorePath }
  | { readonly reason: 'not_a_folder'; readonly path: StorePath }
  | { readonly reason: 'file_too_large'; readonly limit: number }
  | { readonly reason: 'storage_full' }
  | {
      readonly reason: 'workspace_full'
      readonly limit: number
      readonly unit: 'bytes' | 'files' | 'folders'
    }

/** One state of one path. `file: null` means that the path was gone. */
export interface Version extends ChangeRecord {
  readonly file: FileEntry | null
}

export interface Totals {
  readonly version: number
  readonly files: number
  readonly folders: number
  readonly bytes: number
}

/** What lies below a folder. */
export interface Measure {
  readonly files: number
  readonly folders: number
  readonly bytes: number
  /** Bytes of the longest path. */
  readonly longestPath: number
}

/** Part of a file: `offset` from the start, `length` bytes. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** A change with what it touched. */
export interface AppliedChange extends ChangeRecord {
  /** The paths of which history still has the state that the change made, folders included. */
  readonly paths: readonly StorePath[]
  /** How many paths the change touched; null where an older release did not count them. */
  readonly touched: number | null
  /** Whether `paths` are all that it touched. False also where nobody can know. */
  readonly complete: boolean
}

/** Which changes an audit wants to see, newest first. */
export interface TrailQuery {
  readonly limit: number
  /** Only changes before this version. */
  readonly before?: number | undefined
  /** Only changes that touched this path or something below it. */
  readonly path?: StorePath | undefined
  /** A principal, a session, or the name of one. */
  readonly actor?: string | undefined
  /** Milliseconds since 1970. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

export interface WalkOptions {
  readonly after?: StorePath
  readonly holding?: { readonly text: string; readonly fold: boolean } | undefined
}

export interface Store {
  readonly audit: Audit

  /** The current workspace version, and what it holds. Costs no row. */
  readonly totals: Totals

  stat(path: StorePath): Entry | null
  /** A file's version, a folder's newest version of anything below it, or 0. */
  versionOf(path: StorePath): number
  /** The direct children of a folder in path order, from after the child `after` on. */
  list(folder: StorePath, page: { limit: number; after?: StorePath }): Entry[]
  /**
   * Everything below a folder in path order, from after the path `after` on. `holding` leaves out
   * paths without that text before they cost anything; with `fold`, ASCII case does not count.
   * Consume it in one go: an `await` in between may see a change in the middle.
   */
  walk(folder: StorePath, from?: WalkOptions): Iterable<Entry>
  measure(folder: StorePath): Measure

  /** The whole content. Callers check `size` first. */
  bytes(file: FileEntry): Promise<Uint8Array>
  /** The same for whoever passes over many files: none of it is remembered. */
  bytesOnce(file: FileEntry): Promise<Uint8Array>
  /** The same for a blob that may have been dropped meanwhile. */
  blobText(blob: number): Promise<string | null>
  stream(file: FileEntry, range?: ByteRange): Promise<ReadableStream<Uint8Array>>

  /** Makes content safe, so that a proposal can name it. */
  hold(bytes: Uint8Array): Promise<Content>
  /** The same for a stream whose size is known beforehand, without holding the whole in memory. */
  holdStream(
    stream: ReadableStream<Uint8Array>,
    size: number,
  ): Promise<Result<Content, StoreProblem>>
  apply(proposal: Proposal): Result<Change, StoreProblem>

  /** The states of a path, newest first. */
  history(path: StorePath, limit: number): Version[]
  /**
   * The state that a path had at a version. `null`: the path was not there. `'forgotten'`: history
   * dropped what it had of that time, so the path may have been there with any content.
   */
  stateAt(path: StorePath, version: number): Entry | null | 'forgotten'
  /** Content that a version names, to be named again. Null when it has been dropped. */
  contentOf(file: FileEntry): Content | null
  /** Reads content that is held and not yet named. */
  heldBytes(content: Content): Promise<Uint8Array>
  /** The changes that share an id, oldest first, with the paths that each touched. */
  changesOf(id: string): AppliedChange[]
  /** The newest changes of the workspace, before a version, filtered. */
  trail(query: TrailQuery): ChangeRecord[]

  /** Deletes what no version names; answers when it wants to be called again, or null. */
  sweep(now: number): Promise<number | null>
}
