/**
 * A row of `docs/proposals.md`: a feature of a proposal, how it is here, and the test that shows it, or the reason why it
 * is otherwise. `test/proposals.test.ts` checks that each test exists.
 *
 * @module
 */

/** A test: its file in `test/`, and its title. */
export type ShownBy = readonly [file: string, title: string]

/** A feature of a proposal. */
export interface Row {
  readonly feature: string
  readonly here: string
  /** Absent for a feature that does not exist here. */
  readonly test?: ShownBy
  /** Why it is not as the proposal says. */
  readonly reason?: string
}

/** The features of one proposal. */
export interface Proposal {
  readonly title: string
  /** Where the proposal is, and what was read of it. */
  readonly source: string
  readonly rows: readonly Row[]
}

/** A feature that is as the proposal says. */
export const same = (feature: string, here: string, test: ShownBy): Row => ({
  feature,
  here,
  test,
})

/** A feature that is otherwise, with a test of what is here. */
export const other = (feature: string, here: string, test: ShownBy, reason: string): Row => ({
  feature,
  here,
  test,
  reason,
})

/** A feature that does not exist here. */
export const none = (feature: string, reason: string): Row => ({
  feature,
  here: 'does not exist',
  reason,
})
