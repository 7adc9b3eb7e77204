/**
 * Changes made by the user: previewed, shown, applied, reported.
 *
 * A proposal is a call of a changing tool. It is previewed, shown and applied as previewed; if
 * something has changed meanwhile, nothing is written and a new preview is offered.
 * `test/views/files-changes.test.ts` covers every outcome.
 *
 * @module
 */

import { Refusal, wordsOf, type Args, type Outcome, type Server } from './server.ts'

/** A call of a changing tool that the user has started. */
export interface Proposal {
  readonly title: string
  /** The label of the button. */
  readonly verb: string
  readonly tool: string
  readonly args: Args
}

/** A proposal and its state. */
export interface Draft {
  readonly proposal: Proposal
  readonly stage: 'planning' | 'shown' | 'applying' | 'failed'
  /** The preview; null until it arrives, or if the host cannot request one. */
  readonly outcome: Outcome | null
  readonly problem: string
}

/**
 * Creates the state of the current proposal.
 *
 * @param changed Called after every change of the state.
 * @param done Called after a proposal was applied.
 */
export function createChanges(
  server: Pick<Server, 'preview' | 'apply'>,
  changed: () => void,
  done: (outcome: Outcome, proposal: Proposal) => void,
) {
  let draft: Draft | null = null

  /** Replaces the draft, unless the user has cancelled or replaced it meanwhile. */
  function go(was: Draft | null, next: Draft | null): void {
    if (draft !== was) return
    draft = next
    changed()
  }

  async function propose(proposal: Proposal): Promise<void> {
    const planning: Draft = { proposal, stage: 'planning', outcome: null, problem: '' }
    go(draft, planning)
    try {
      const outcome = await server.preview(proposal.tool, proposal.args)
      go(planning, { ...planning, stage: 'shown', outcome })
    } catch (error) {
      go(planning, { ...planning, stage: 'failed', problem: wordsOf(error) })
    }
  }

  async function apply(): Promise<void> {
    if (draft?.stage !== 'shown') return
    const { proposal, outcome } = draft
    const applying: Draft = { ...draft, stage: 'applying' }
    go(draft, applying)
    try {
      const made = await server.apply(proposal.tool, proposal.args, outcome?.change.id)
      go(applying, null)
      done(made, proposal)
    } catch (error) {
      const problem = wordsOf(error)
      go(applying, {
        ...applying,
        proposal: withVersion(proposal, error),
        stage: 'failed',
        problem,
      })
    }
  }

  return {
    propose,
    apply,
    /** Previews the same proposal again, against the current state. */
    again: () => draft && propose(draft.proposal),
    cancel: () => go(draft, null),
    get draft() {
      return draft
    },
  }
}

/** Returns the proposal for the retry after a conflict, with the current version. */
function withVersion(proposal: Proposal, error: unknown): Proposal {
  if (!isConflict(error) || error.version === 0) return proposal
  return { ...proposal, args: { ...proposal.args, if_version: error.version } }
}

/** Reports whether an error is a version conflict. */
export function isConflict(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code === 'VERSION_CONFLICT'
}
