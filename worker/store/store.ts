/**
 * The contract of the store: where the files of one workspace live.
 *
 * Readers see entries; writers hand in a {@link Proposal}, which names the workspace version it was
 * made against and is applied whole or not at all. Every applied proposal is a *change* and gets the
 * next version, so a file's version is the number of the change that touched it last.
 *
 * Held by every backend and checked by `test/support/worker/store-contract.ts`:
 * - What is not there is `null`, never an exception.
 * - `apply` changes nothing when it answers a problem, and everything when it answers a change.
 * - `apply` refuses when anything it touches has changed after `basis`.
 * - After `apply` answers, every later read sees the change, also after an eviction.
 * - Content that no version names is never visible, and is swept after a while.
 * - A read that is given `within` costs what it costs where there is nothing else.
 * - What history has dropped is `'forgotten'`, and never looks like what was not there.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { Result } from '#core/result.ts'
import type { Audit } from '../audit/audit.ts'
import type { ReadonlyBytes } from '../encoding/bytes.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { DocumentFormat, Extracted } from '../texts/document.ts'
import type { Encoding } from '../texts/encoding.ts'
import type { StoreLimits } from './limits.ts'
import type { LineIndexes } from './line-index.ts'
import type { PathRanges } from './path-ranges.ts'
import type { Actor, Approval, ChangeNote } from '../audit/change-note.ts'

/** A file. */
export interface FileEntry {
  readonly type: 'file'
  readonly path: StorePath
  /** The row that holds the content. */
  readonly blob: number
  /** Size in bytes. */
  readonly size: number
  readonly mime: string
  /** The version of the change that touched it last. */
  readonly version: number
  /** Milliseconds since 1970. */
  readonly mtime: number
  /** Whether its owner may execute it, where it has permissions: the bit that git keeps as well. */
  readonly executable?: true
}

/** A folder. Version and time are as in {@link FileEntry}. */
export interface FolderEntry {
  readonly type: 'folder'
  readonly path: StorePath
  readonly version: number
  readonly mtime: number
}

/** What a path can hold. */
export type Entry = FileEntry | FolderEntry

/** Content that is stored safely but not named by a version yet. Made by `hold`. */
export interface Content {
  /** SHA-256. */
  readonly hash: Uint8Array
  readonly size: number
  /** How it becomes text, or that it is none. */
  readonly encoding: Encoding
  readonly place:
    | { readonly type: 'inline'; readonly bytes: ReadonlyBytes }
    | {
        readonly type: 'object'
        readonly key: string
        /** The content, if it was in memory anyway. */
        readonly bytes?: ReadonlyBytes
      }
    /** It already has a row, because a version names it. */
    | { readonly type: 'blob' }
}

/** One operation of a proposal. `mtime` is in milliseconds since 1970, by default the time of the change. */
export type Step =
  | {
      readonly type: 'put'
      readonly path: StorePath
      readonly content: Content
      readonly mtime?: number
      /** By default as the file at the path; a new one is not. */
      readonly executable?: boolean
      /** Refused if there is anything at the path, also what the caller cannot see. */
      readonly isNew?: true
    }
  | { readonly type: 'folder'; readonly path: StorePath; readonly isNew?: true }
  | { readonly type: 'remove'; readonly path: StorePath }
  /**
   * Removes a folder that one of these versions created, if it is empty and was not there at the version `before`;
   * otherwise nothing happens, and the change is the same. So it tells nothing of what is in the folder.
   */
  | {
      readonly type: 'prune'
      readonly path: StorePath
      readonly versions: readonly number[]
      readonly before: number
    }
  | { readonly type: 'move'; readonly from: StorePath; readonly to: StorePath }

/** The steps of a change, and the state that they were planned against. */
export interface Proposal {
  /** The workspace version that the steps were planned against. */
  readonly basis: number
  readonly steps: readonly Step[]
  readonly note: ChangeNote
  /** The limits of the change; by default those that this Worker is tested for. */
  readonly limits?: StoreLimits
  /** Checks whether it could be applied, without changing anything. */
  readonly dryRun?: true
  /** A change of the workspace gets the next version: only {@link DraftProposal} names one. */
  readonly as?: never
}

/** The same for a draft. */
export interface DraftProposal extends Omit<Proposal, 'as'> {
  /** The version and the time of a change that is written again; by default the next and now. */
  readonly as?: Pick<ChangeRecord, 'version' | 'at'>
}

/** A change as history keeps it. */
export interface ChangeRecord extends Required<
  Omit<ChangeNote, 'decision' | 'digest' | 'about' | 'approval'>
> {
  readonly version: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** Null unless a person approved it. */
  readonly approval: Approval | null
}

/** A change that was just applied. */
export interface Change extends ChangeRecord {
  /** The paths at which files were added or removed, also by a move. */
  readonly listed: readonly StorePath[]
}

/** A change that was applied, and its steps. */
export interface AppliedSteps {
  readonly change: Change
  readonly steps: readonly Step[]
}

/** Why a proposal was not applied. Nothing has been written. */
export type StoreProblem =
  | { readonly reason: 'changed_meanwhile'; readonly path: StorePath }
  /** `meant` is what the caller sees under a similar spelling. */
  | { readonly reason: 'not_found'; readonly path: StorePath; readonly meant?: StorePath }
  /** `inside` is where a folder that is the target takes what was to replace it. */
  | { readonly reason: 'exists'; readonly path: StorePath; readonly inside?: StorePath }
  | { readonly reason: 'into_itself'; readonly from: StorePath; readonly to: StorePath }
  | { readonly reason: 'is_folder'; readonly path: StorePath }
  | { readonly reason: 'not_a_folder'; readonly path: StorePath }
  | { readonly reason: 'file_too_large'; readonly limit: number }
  | { readonly reason: 'storage_full' }
  | {
      readonly reason: 'workspace_full'
      /** Null for a caller that may not read everything, who would learn how much there is of what it cannot see. */
      readonly limit: number | null
      readonly unit: 'bytes' | 'files' | 'folders'
    }

/** One state of one path. `file` is null if the path was deleted or is a folder. */
export interface Version extends ChangeRecord {
  readonly file: FileEntry | null
}

/** The current version of a workspace, and the size of its current files. */
export interface Totals {
  readonly version: number
  readonly files: number
  readonly folders: number
  readonly bytes: number
}

/** The totals of everything below a folder. */
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
  /** The paths whose state after the change is still in history, including folders. */
  readonly paths: readonly StorePath[]
  /** The number of paths that the change touched. */
  readonly touched: number
  /** Whether `paths` are all paths that it touched. */
  readonly complete: boolean
}

/** Filters for changes; all given ones must match. `within` is the part of `path` that counts. */
export interface ChangesQuery extends Within {
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
  /** Only changes of the workspace, without those of the draft that is read. */
  readonly applied?: boolean
}

/** The changes of a folder between two versions. */
export interface Span extends Within {
  readonly folder: StorePath
  /** Without the change of this version. */
  readonly after: number
  /** With the change of this version. */
  readonly until: number
}

/** The part of the tree that is read: no row outside of it is. */
export interface Within {
  /** All paths, if omitted. */
  readonly within?: PathRanges | undefined
}

/** A page of {@link Store.list}. */
export interface ListPage extends Within {
  readonly limit: number
  readonly after?: StorePath
}

/** Options of {@link Store.walk}. */
export interface WalkOptions extends Within {
  readonly after?: StorePath
  readonly holding?: { readonly text: string; readonly fold: boolean } | undefined
  /** A query of the index of names, made by `search/name-query.ts`. */
  readonly names?: string | null | undefined
}

/** A version of the workspace with a name. */
export interface Checkpoint {
  readonly id: string
  readonly name: string
  readonly version: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly actor: Actor
}

/** Why a checkpoint was not created: there are as many as there can be. */
export interface CheckpointsFull {
  readonly reason: 'checkpoints_full'
  readonly limit: number
}

/** The checkpoints of one workspace. */
export interface Checkpoints {
  /** Names the current version. */
  create(name: string, actor: Actor): Result<Checkpoint, CheckpointsFull>
  /** All checkpoints, newest first. */
  list(): Checkpoint[]
  /** Deletes a checkpoint; null if there is none. Versions held for it are dropped later. */
  delete(id: string): Checkpoint | null
  /** Drops a batch of versions that deleted checkpoints held. Returns whether there may be more. */
  release(): boolean
}

/**
 * Files that are kept as they were when they were pinned, whatever becomes of their paths and of history. A pin has a name,
 * under which it is dropped. Both are to be done in a transaction.
 */
export interface Pins {
  /** Keeps the content of files. */
  add(pin: string, files: readonly FileEntry[]): void
  /** The files of a pin at and below a path, in path order. */
  list(pin: string, path: StorePath): FileEntry[]
  /** Drops a pin, and the content that nothing else names. */
  drop(pin: string): void
}

/** The state in which a change left a path. */
export interface TouchedState {
  readonly path: StorePath
  /** Null if the path was deleted or moved away. */
  readonly entry: Entry | null
  /** The SHA-256 of a file in lower-case hexadecimal. */
  readonly hash: string | null
}

/** Which states of a change are read: those at and below `path`, in path order, starting after the path `after`. */
export interface StatesQuery extends Within {
  readonly path: StorePath
  readonly after?: StorePath | undefined
  readonly limit: number
}

/** The applied changes of a workspace in the order in which they were made, without drafts. */
export interface Feed {
  /** The changes after a version, oldest first. */
  changesAfter(version: number, limit: number): ChangeRecord[]
  /** The states in which the change with a version left its paths, as far as history still has them. */
  statesAfter(version: number, query: StatesQuery): TouchedState[]
  /** When the newest change up to a version was made, in milliseconds since 1970; 0 if there is none. */
  timeAt(version: number): number
  /** The oldest version after which all changes are kept, if `newest` is the newest version. */
  oldestKept(newest: number): number
  /** The newest version of each of some paths that a change has written, moved or deleted after a version. */
  changedAfter(paths: readonly StorePath[], version: number): ReadonlyMap<StorePath, number>
  /** A random text that this workspace keeps, and no other has. */
  secret(): string
}

/** The files of one workspace, see the contract at the top of this file. */
export interface Store {
  readonly audit: Audit
  /** The named versions of the workspace, whose states history keeps. */
  readonly checkpoints: Checkpoints
  /** The applied changes, oldest first. */
  readonly feed: Feed

  /** The current version and totals of the workspace. Reads no row. */
  readonly totals: Totals

  /** The entry at a path; null if there is none. The root is always a folder. */
  stat(path: StorePath): Entry | null
  /** The same, for a file whose content is read next: it may come with the entry. */
  open(path: StorePath): Entry | null
  /** The version of a file, the newest version at or below a folder, or 0. */
  versionOf(path: StorePath): number
  /** The direct children of a folder in path order, starting after the child `after`. */
  list(folder: StorePath, page: ListPage): Entry[]
  /**
   * Everything below a folder in path order, starting after the path `after`. `holding` skips most paths
   * without that text at no cost; with `fold`, ASCII case is ignored. `names` skips most paths that its query does
   * not find, without reading them; `within` makes it void, because the index has the names outside as well. Consume it without an `await` in
   * between, or a change may become visible in the middle.
   */
  walk(folder: StorePath, from?: WalkOptions): Iterable<Entry>
  /** The totals of everything below a folder, without the folder itself. */
  measure(folder: StorePath): Measure

  /** The whole content. Callers check `size` first. */
  bytes(file: FileEntry): MaybePromise<ReadonlyBytes>
  /**
   * The text of a blob, without the cache, for reading many; null if it was dropped meanwhile. `mayExtract` is called for a
   * document whose text was not extracted yet: unless it returns true, the text is empty.
   */
  blobText(blob: number, mayExtract?: () => boolean): Promise<string | null>
  /** The SHA-256 of each of some blobs, in lower-case hexadecimal. */
  hashesOf(blobs: readonly number[]): ReadonlyMap<number, string>
  /** Where lines of large texts begin, as far as they were read. */
  readonly lineIndexes: LineIndexes
  /** The content, or a part of it, as a stream. */
  stream(file: FileEntry, range?: ByteRange): Promise<ReadableStream<Uint8Array>>

  /**
   * The text of a document; null if the content is none. It is extracted once, and kept with the content. With the format
   * of a file that is text itself, its text for readers, which is not kept.
   */
  documentText(
    file: Pick<FileEntry, 'blob' | 'size'>,
    format?: DocumentFormat | null,
  ): Promise<Extracted | null>

  /** The text of a document that is stored but not named yet; null if the content is none. */
  heldDocument(content: Content): Promise<Extracted | null>

  /** Stores content safely, so that a proposal can name it. */
  hold(bytes: ReadonlyBytes): Promise<Content>
  /** The same for a stream of known size, without loading all of it into memory. */
  holdStream(
    stream: ReadableStream<Uint8Array>,
    size: number,
  ): Promise<Result<Content, StoreProblem>>
  /** Applies all steps of a proposal, or none. */
  apply(proposal: Proposal): Result<Change, StoreProblem>

  /** The states of a path, newest first. */
  history(path: StorePath, limit: number): Version[]
  /**
   * The state that a path had at a version. `null`: the path did not exist. `'forgotten'`: history of that
   * time was dropped, so the path may have existed with any content.
   */
  stateAt(path: StorePath, version: number): Entry | null | 'forgotten'
  /**
   * The version that a number names: that of a change, also where the number is the one that it had in a draft and it
   * was approved as it was proposed. Null if history has no such change.
   */
  resolveVersion(version: number): number | null
  /** Content that a version names, to be named again. Null if it has been dropped. */
  contentOf(file: Pick<FileEntry, 'blob' | 'size'>): Content | null
  /** Reads content that is stored but not named yet. */
  heldBytes(content: Content): Promise<ReadonlyBytes>
  /** The same without waiting; null if the content is an object that is not in memory. */
  heldNow(content: Content): ReadonlyBytes | null
  /**
   * The changes that share an id or an approval, oldest first, with the paths that each touched. With `within`, a change
   * that touched a path outside of these ranges is not complete.
   */
  changesOf(id: string, within?: PathRanges): AppliedChange[]
  /** The newest changes that match a query, newest first. */
  listChanges(query: ChangesQuery): ChangeRecord[]
  /**
   * The paths at and below a folder that were written in a span, in path order: all of them if the span ends
   * at a checkpoint or now. Consume it without an `await` in between.
   */
  changedPaths(span: Span): Iterable<StorePath>

  /** Deletes unnamed objects. Resolves to when it is next due, in milliseconds since 1970, or null. */
  sweep(now: number): Promise<number | null>
}

/** The files of a workspace as a draft shows them. A change of it can be written again under the version that it had. */
export interface DraftStore extends Store {
  apply(proposal: DraftProposal): Result<Change, StoreProblem>
}
