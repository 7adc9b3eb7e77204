/**
 * What a workspace tells the notifier: how much waits for the owner, from whom, and where to decide. It has no content: no
 * path, no intent, no argument.
 *
 * `test/worker/notifier/sentence.test.ts` tests its limits.
 *
 * @module
 */

/** The state of one workspace, for the notices to the person. */
export interface Summary {
  /** The name of the workspace. */
  readonly workspace: string
  /** Whether something began to wait, so that the person is notified. Otherwise only counts have changed. */
  readonly isNews: boolean
  /** Number of changes, access requests, apps and skills that wait. */
  readonly changes: number
  readonly requests: number
  readonly apps: number
  readonly skills: number
  /** Number of applied changes of which the rules have the owner notified, and which were not seen. */
  readonly applied: number
  /** Names of those whose changes wait, as agents claim them: at most {@link MAX_NAMES}, and how many more there are. */
  readonly from: readonly string[]
  readonly others: number
  /** The page of the console that shows it; only its path where the origin of the console is not known. */
  readonly url: string
}

/** Maximum number of names in a summary, and of characters of each. */
export const MAX_NAMES = 3
export const MAX_NAME_LENGTH = 60
