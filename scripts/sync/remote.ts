/**
 * The workspace as a sync uses it: what it has, what changed, and changes of one file or of many.
 *
 * @module
 */

import { UserError } from '../errors.ts'
import { STATE_FILE } from './names.ts'
import type { LocalFile, RemoteFile } from './plan.ts'

/** A workspace, and the folder of it that is kept in step. Names are relative to that folder. */
export interface Remote {
  /** Whether many files can be sent and received as an archive. */
  readonly takesArchives: boolean
  /** Lists everything. */
  list(): Promise<Listing>
  /** Lists what has changed after a version; null if the workspace no longer knows. */
  changes(after: number): Promise<Feed | null>
  /** Waits for a change after a version, for some seconds. */
  wait(after: number, signal: AbortSignal): Promise<void>
  /** Reads a file. */
  read(name: string): Promise<AsyncIterable<Uint8Array>>
  /** Reads everything at once, where archives are taken: `take` gets every file, in any order. */
  readAll(take: (name: string, body: AsyncIterable<Uint8Array>) => Promise<void>): Promise<void>
  /** Writes a file as it is on disk. */
  write(name: string, local: LocalFile, options: WriteOptions): Promise<Written>
  /** Deletes a file at a version. */
  remove(name: string, version: number): Promise<Written>
  /** Writes many files, except those that have changed after a version. */
  writeMany(files: readonly Upload[], after: number): Promise<readonly Refused[]>
}

/** Where files come from. Both are opaque. */
export interface Source {
  readonly workspace: string
  /** What decides which files may be read: another one where the rules or the link have changed. */
  readonly access: string
}

/** All files of the folder. */
export interface Listing {
  readonly source: Source
  readonly version: number
  readonly files: ReadonlyMap<string, RemoteFile>
  /** Names of other places, or that no disk can have. */
  readonly skipped: readonly Refused[]
}

/** What has changed. */
export interface Feed {
  readonly source: Source
  readonly version: number
  /** In order. */
  readonly changes: readonly FileChange[]
  readonly decided: readonly Decided[]
  readonly skipped: readonly Refused[]
}

/** A path after a change: a file, or anything else, and then nothing below is as it was. */
export interface FileChange {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'gone'
  readonly file: RemoteFile | null
}

/** A decision of the owner on what was sent. */
export interface Decided {
  readonly draft: string
  readonly outcome: string
  readonly at: number
  readonly note: string
  readonly names: readonly string[]
  /** Whether it has more names. */
  readonly isCut: boolean
}

/** A file that was not written, with the reason. */
export interface Refused {
  readonly name: string
  readonly reason: string
}

/** How a file is written. */
export interface WriteOptions {
  /** The version that it replaces; 0 if there must be none. */
  readonly version: number
  /** Left out where the disk has no such bit. */
  readonly executable?: boolean
}

/** A file to send. */
export interface Upload {
  readonly name: string
  readonly local: LocalFile
}

/** What became of a change. */
export type Written =
  | {
      readonly type: 'done'
      /** 0 for a deletion. */
      readonly version: number
      readonly hash: string | null
    }
  | { readonly type: 'waits'; readonly draft: string; readonly at: number }
  /** The workspace has another version. */
  | { readonly type: 'changed' }
  | { readonly type: 'refused'; readonly reason: string }

/** The error about a workspace that is older than what is remembered of it. */
export const wasReset = (before: number) =>
  new UserError(
    `Cannot sync: this folder has been in step with version ${before} of the workspace, which it never had. It was reset, or is another one. Remove ${STATE_FILE} to begin again`,
  )

/** The error about another workspace at the address. */
export const isAnother = () =>
  new UserError(
    `Cannot sync: this folder has been in step with another workspace, or with this one before its data was removed. Name the right address, or remove ${STATE_FILE} to begin again`,
  )
