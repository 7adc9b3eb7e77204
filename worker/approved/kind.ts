/**
 * What the kinds of approved folders differ in: apps (`worker/apps/`) and skills (`worker/skills/`).
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import type { Result } from '#core/result.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { Problem } from '../errors/problem.ts'
import type { SealedFolder } from './folder.ts'
import type { ListedKind } from './listed.ts'

/** One problem of a folder or of its manifest, with its place as a JSON Pointer (RFC 6901). */
export interface ManifestProblem {
  readonly pointer: string
  readonly message: string
}

/** A kind of folders that are served once the owner has approved them. */
export interface ApprovedKind<Manifest> extends ListedKind {
  /** The table of its decisions, which is a group of its own. */
  readonly table: 'apps' | 'skills'
  readonly folderOf: (name: string) => StorePath
  /** Reads a folder without its contents; null if it is none of this kind, or has more than it may have. */
  readonly readFolder: (store: ReadStore, name: string) => SealedFolder | null
  /** Finds a folder as the owner sees it, also one that cannot be approved. `isKept`: it is approved. */
  readonly findFolder: (store: ReadStore, name: string, isKept: boolean) => SealedFolder | null
  /** Reads what the folder declares. */
  readonly readManifest: (
    store: ReadStore,
    folder: SealedFolder,
  ) => Promise<Result<Manifest, readonly ManifestProblem[]>>
  /** The problem of a folder that has more than it may have. */
  readonly broken: ManifestProblem
  /** The errors of a decision. */
  readonly problems: {
    readonly missing: (name: string) => Problem
    readonly changed: (name: string) => Problem
    readonly invalid: (name: string) => Problem
    readonly unseen: (name: string, paths: readonly StorePath[]) => Problem
  }
}
