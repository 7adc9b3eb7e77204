/**
 * Facts of a tool that are not deployed: the docs are made of them, and tests hold the tool to them. Those of
 * `copy_file` are in `copy-file.facts.ts`, beside the tool.
 *
 * `test/worker/tools/examples.test.ts` runs the examples, `test/worker/access/matrix.laws.test.ts` the rows of the
 * access matrix, and `test/platform/observe/cost.test.ts` counts what is used.
 *
 * @module
 */

import type { ARGUMENT_CODES } from '../../errors/codes.ts'
import type { Problem } from '../../errors/problem.ts'

type Arguments = Readonly<Record<string, unknown>>

/** A call of any tool. */
export interface Call {
  readonly tool: string
  readonly arguments: Arguments
  /** The `_meta` of the request. */
  readonly meta?: Readonly<Record<string, unknown>>
}

/** What one call uses of the things that Cloudflare bills, at most, with the alarm that it causes. */
export interface CallUsage {
  /** Requests to the object: calls and alarms. */
  readonly requests: number
  readonly rowsRead: number
  readonly rowsWritten: number
  /** R2 operations that change or list. */
  readonly classA: number
  /** R2 operations that read. */
  readonly classB: number
}

/** Access to a path, as a row of the access matrix needs it. */
export type Need = readonly [action: 'read' | 'write', path: string]

/** One call of the access matrix, with the access that it needs. */
export interface AccessRow {
  readonly arguments: Arguments
  readonly needs: readonly Need[]
  /** It may fail although the caller has the needed access. */
  readonly mayFail?: boolean
  /**
   * Why its result may depend on what the caller may not read:
   * - `write-only`: a caller that may write and not read learns whether its write succeeded
   * - `subtree`: a folder with something in it that may not be changed is neither moved nor deleted
   */
  readonly depends?: 'write-only' | 'subtree'
}

/** A file of the access matrix. */
export interface MatrixFile {
  readonly path: string
  /** A word of its name that occurs nowhere else. Its first line is `canary-` and that word. */
  readonly word: string
  /** The change that wrote it. */
  readonly change: string
  /** The version that wrote it. */
  readonly version: number
}

/** Why each hint of a tool is as it is, in one sentence, as directories ask for it. */
export interface HintReasons {
  readonly readOnly: string
  readonly destructive: string
  readonly openWorld: string
}

const INSIDE = 'It works on one private workspace, and reaches nothing else.'

/** The reasons of a tool that reads, from what it does. */
export const readHints = (what: string): HintReasons => ({
  readOnly: `${what}, and changes nothing.`,
  destructive: 'It changes nothing.',
  openWorld: INSIDE,
})

/** The reasons of a tool that changes something inside of the workspace. */
export const changeHints = (readOnly: string, destructive: string): HintReasons => ({
  readOnly,
  destructive,
  openWorld: INSIDE,
})

/** The tree of the access matrix. Each kind of caller may read and write some of it. */
export interface MatrixTree {
  readonly files: readonly MatrixFile[]
  readonly folders: readonly string[]
  /** Folders into which something may come. */
  readonly targets: readonly string[]
}

/** A folder with a `file` that has two texts, `first` and `second`, and with a folder `sub`. */
export interface ChangedFolder {
  readonly folder: string
  readonly file: string
  /** The versions of the first and of the second text. */
  readonly first: number
  readonly version: number
  /** The change that wrote the second text. */
  readonly change: string
}

/** What the docs and the tests know of a tool beyond its definition. */
export interface CheckedFacts {
  /** The arguments of a call that succeeds in a workspace in which only those of `given` were made. */
  readonly example: Arguments
  readonly given?: readonly Call[]
  /** Why its hints are as they are. */
  readonly hints: HintReasons
  /** The scopes that a caller without any is asked for by the example. */
  readonly scopes: readonly string[]
  /** Whether it names paths, so that access can refuse a call. */
  readonly hasPaths: boolean
  /** Its own reasons to refuse a call, beyond those of access and those of every change. */
  readonly refusals: readonly Problem['reason'][]
  /** Codes for its arguments that no schema shows. */
  readonly argumentCodes?: readonly (keyof typeof ARGUMENT_CODES)[]
  /** What the example uses. A change that uses less lowers the numbers; one that raises them needs a reason. */
  readonly uses: CallUsage
  /** What other calls use, by what is special about them: in a workspace of 250 small files and a large one, in `many`. */
  readonly alsoUses?: Readonly<Record<string, { arguments: Arguments; uses: CallUsage }>>
  /**
   * Calls of a tool that changes files, by what is special about them; each writes or names `canary`, or takes something
   * away. `test/platform/drafts/levels.laws.test.ts` has them at every approval level.
   */
  readonly changes?: Readonly<Record<string, (at: ChangedFolder) => Arguments>>
  /** Its rows of the access matrix. */
  readonly access: (tree: MatrixTree) => readonly AccessRow[]
}

/** Creates a {@link CallUsage}. */
export const usage = (
  requests: number,
  rowsRead: number,
  rowsWritten: number,
  [classA, classB]: readonly [number, number] = [0, 0],
): CallUsage => ({ requests, rowsRead, rowsWritten, classA, classB })

/** Returns what calls of a tool use: its example by the name of the tool, others as `tool, what is special`. */
export const usagesOf = (
  tool: string,
  { uses, alsoUses = {} }: CheckedFacts,
): [string, CallUsage][] => [
  [tool, uses],
  ...Object.entries(alsoUses).map(([what, call]): [string, CallUsage] => [
    `${tool}, ${what}`,
    call.uses,
  ]),
]

/** Returns the calls of an example: those before it, and itself as the last. */
export const exampleCalls = (tool: string, { given = [], example }: CheckedFacts): Call[] => [
  ...given,
  { tool, arguments: example },
]

/** The file of most examples. */
export const PLAN: Call = {
  tool: 'write_file',
  arguments: { path: 'docs/plan.md', content: '# Plan\n\nShip on Monday.\n' },
}

/** The same file, as a change that waits for approval. */
export const WAITING_PLAN: Call = { ...PLAN, meta: { policy: { approval: 'review' } } }

/** The change of it that some examples follow. */
export const EDITED_PLAN: readonly Call[] = [
  PLAN,
  {
    tool: 'edit_file',
    arguments: { path: 'docs/plan.md', edits: [{ find: 'Monday', replace: 'Friday' }] },
  },
]

/** Needs to read a path. */
export const reads = (path: string): Need[] => [['read', path]]

/** Needs to write a path. */
export const writes = (path: string): Need[] => [['write', path]]

/** Needs to read and to write a path. */
export const rewrites = (path: string): Need[] => [...reads(path), ...writes(path)]

/** A row for a call that succeeds for callers of any access, or may fail for each. */
export const withoutNeeds = (
  args: Arguments,
  more: Pick<AccessRow, 'depends'> = {},
): AccessRow => ({
  arguments: args,
  needs: [],
  mayFail: true,
  ...more,
})
