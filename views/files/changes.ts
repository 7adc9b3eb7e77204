/**
 * Changes made by the user: previewed, shown, applied, reported.
 *
 * A proposal is a call of a changing tool. It is previewed, shown and applied as previewed; if
 * something has changed meanwhile, nothing is written and a new preview is offered. A host that shows previews and asks
 * by itself (`ASKS_CAPABILITY`) gets the call at once, so that the user has one dialog.
 * `test/views/files/changes.test.ts` covers every outcome.
 *
 * @module
 */

import { errorMessage, ToolError, type Args, type ChangeResult, type Client } from './client.ts'

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
  /** `asked`: the host shows the preview, and asks. */
  readonly stage: 'planning' | 'shown' | 'asked' | 'applying' | 'failed'
  /** The preview; null until it arrives, or if the host cannot request one. */
  readonly preview: ChangeResult | null
  readonly error: string
}

/** What changes use of the client, and whether its host shows previews and asks. */
type ChangesClient = Pick<Client, 'preview' | 'apply' | 'hostAsks'>

/** The state of the current proposal and its actions. */
export class Changes {
  readonly #client: ChangesClient
  readonly #onChange: () => void
  readonly #onDone: (result: ChangeResult, proposal: Proposal) => void
  #draft: Draft | null = null

  /**
   * Creates the state without a proposal.
   *
   * @param onChange Called after every change of the state.
   * @param onDone Called after a proposal was applied.
   */
  constructor(
    client: ChangesClient,
    onChange: () => void,
    onDone: (result: ChangeResult, proposal: Proposal) => void,
  ) {
    this.#client = client
    this.#onChange = onChange
    this.#onDone = onDone
  }

  /** The current proposal; null if there is none. */
  get draft(): Draft | null {
    return this.#draft
  }

  /** Previews a proposal, in place of the current one. */
  async propose(proposal: Proposal): Promise<void> {
    if (this.#client.hostAsks) {
      const asked: Draft = { proposal, stage: 'asked', preview: null, error: '' }
      this.#replace(this.#draft, asked)
      return this.#send(asked)
    }
    const planning: Draft = { proposal, stage: 'planning', preview: null, error: '' }
    this.#replace(this.#draft, planning)
    try {
      const preview = await this.#client.preview(proposal.tool, proposal.args)
      this.#replace(planning, { ...planning, stage: 'shown', preview })
    } catch (error) {
      this.#replace(planning, { ...planning, stage: 'failed', error: errorMessage(error) })
    }
  }

  /** Applies the current proposal as previewed. */
  async apply(): Promise<void> {
    const draft = this.#draft
    if (draft?.stage !== 'shown') return
    const applying: Draft = { ...draft, stage: 'applying' }
    this.#replace(draft, applying)
    return this.#send(applying)
  }

  async #send(sent: Draft): Promise<void> {
    const { proposal, preview } = sent
    try {
      const result = await this.#client.apply(proposal.tool, proposal.args, preview?.change.id)
      this.#replace(sent, null)
      this.#onDone(result, proposal)
    } catch (error) {
      if (sent.stage === 'asked' && isDenied(error)) return this.#replace(sent, null)
      this.#replace(sent, {
        ...sent,
        proposal: withCurrentVersion(proposal, error),
        stage: 'failed',
        error: errorMessage(error),
      })
    }
  }

  /** Previews the same proposal again, against the current state. */
  async previewAgain(): Promise<void> {
    if (this.#draft) await this.propose(this.#draft.proposal)
  }

  /** Drops the current proposal. */
  cancel(): void {
    this.#replace(this.#draft, null)
  }

  /** Replaces the draft, unless the user has cancelled or replaced it meanwhile. */
  #replace(before: Draft | null, next: Draft | null): void {
    if (this.#draft !== before) return
    this.#draft = next
    this.#onChange()
  }
}

/** Returns the proposal for the retry after a conflict, with the current version. */
function withCurrentVersion(proposal: Proposal, error: unknown): Proposal {
  if (!isConflict(error) || error.version === 0) return proposal
  return { ...proposal, args: { ...proposal.args, if_version: error.version } }
}

const isDenied = (error: unknown) => error instanceof ToolError && error.code === DENIED

/** The code of the result that a host gives for a call that its user has denied. */
const DENIED = 'DENIED_BY_PERSON'

/** Reports whether an error is a version conflict. */
export function isConflict(error: unknown): error is ToolError {
  return error instanceof ToolError && error.code === 'VERSION_CONFLICT'
}
