/**
 * Changes: what a person is about to do, shown before it is done, and told afterwards.
 *
 * A proposal is a call of a changing tool. It is previewed, shown, and applied as it was shown; when
 * something has changed in between, nothing is written and the new preview is one press away.
 * `test/views/files-changes.test.ts` goes through every way it can end.
 *
 * @module
 */

import { Refusal, wordsOf, type Args, type Outcome, type Server } from './server.ts'

export interface Proposal {
  readonly title: string
  /** What the button says. */
  readonly verb: string
  readonly tool: string
  readonly args: Args
}

/** A proposal on its way. */
export interface Draft {
  readonly proposal: Proposal
  readonly stage: 'planning' | 'shown' | 'applying' | 'failed'
  /** What it would do; null where the host could not show it. */
  readonly outcome: Outcome | null
  readonly problem: string
}

export function createChanges(
  server: Pick<Server, 'preview' | 'apply'>,
  changed: () => void,
  done: (outcome: Outcome, proposal: Proposal) => void,
) {
  let draft: Draft | null = null

  /** Goes on with the draft, unless the person has left it meanwhile. */
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
    /** Shows the same proposal once more, against what is there now. */
    again: () => draft && propose(draft.proposal),
    cancel: () => go(draft, null),
    get draft() {
      return draft
    },
  }
}

/** After a conflict, the next preview is one of the version that is there now. */
function withVersion(proposal: Proposal, error: unknown): Proposal {
  if (!isConflict(error) || error.version === 0) return proposal
  return { ...proposal, args: { ...proposal.args, if_version: error.version } }
}

export function isConflict(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code === 'VERSION_CONFLICT'
}
