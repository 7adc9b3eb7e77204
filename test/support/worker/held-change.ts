/** Changes that wait for a passkey, and how the owner's page decides on them. @module */

import { recordOf } from '#core/json.ts'
import type { Authenticator, Forgery } from '../e2e/authenticator.ts'
import { freshWorkspace } from './client.ts'
import {
  configure,
  registerPasskey,
  sendAsPage,
  sendProof,
  type Answer,
  type Workspace,
} from './passkeys.ts'

/** A draft as the owner's page has it. */
export interface ShownDraft {
  readonly path: string
  readonly revision: string
  /** The ids of its changes, in order. */
  readonly changes: readonly string[]
}

/** Creates a workspace with a passkey in which these files wait to be written, at `confirm` unless `config` says else. */
export async function withHeldChanges(
  paths: readonly string[] = ['/a'],
  config: object = { approval: 'confirm' },
) {
  const workspace = freshWorkspace()
  const { status } = await configure(workspace, config)
  if (status !== 200) throw new Error('Cannot configure')
  for (const path of paths) await workspace.call('write_file', { path, content: 'new' })
  const authenticator = await registerPasskey(workspace)
  return { workspace, authenticator, draft: await showDraft(workspace) }
}

/** Reads the only draft. */
export async function showDraft({ fetch }: Pick<Workspace, 'fetch'>): Promise<ShownDraft> {
  const { drafts } = recordOf(await (await fetch('/drafts')).json())
  const { id } = recordOf(Array.isArray(drafts) ? drafts[0] : null)
  const path = `/drafts/${String(id)}`
  const { revision, changes } = recordOf(await (await fetch(path)).json())
  const ids = Array.isArray(changes) ? changes.map((one) => String(recordOf(one)['id'])) : []
  return { path, revision: String(revision), changes: ids }
}

/** The body of an approval of one change, or of everything. */
async function bodyOf(
  { fetch }: Pick<Workspace, 'fetch'>,
  { path, revision }: ShownDraft,
  changes?: readonly string[],
) {
  if (!changes) return { revision }
  const shown = recordOf(await (await fetch(`${path}/changes/${changes.at(-1)}`)).json())
  return { revision, changes, digest: shown['digest'] }
}

/** Sends the approval of one change, or of everything. */
export async function approve(
  workspace: Pick<Workspace, 'fetch'>,
  draft: ShownDraft,
  changes?: readonly string[],
): Promise<Answer> {
  const body = await bodyOf(workspace, draft, changes)
  return sendAsPage(workspace, `${draft.path}/approve`, { body })
}

/** Sends the approval with the answer of a passkey to a question. */
export async function approveWith(
  workspace: Pick<Workspace, 'fetch'>,
  draft: ShownDraft,
  answer: unknown,
  changes?: readonly string[],
): Promise<Answer> {
  const body = await bodyOf(workspace, draft, changes)
  return sendProof(workspace, `${draft.path}/approve`, { body }, answer)
}

/** Asks to approve the draft, answers the question with a forgery, and sends the approval with it. */
export async function approveForged(
  held: Awaited<ReturnType<typeof withHeldChanges>>,
  forgery: Forgery,
  authenticator: Authenticator = held.authenticator,
): Promise<Answer> {
  const { workspace, draft } = held
  const { body } = await approve(workspace, draft)
  return approveWith(workspace, draft, await authenticator.get(body['passkey'], forgery))
}
