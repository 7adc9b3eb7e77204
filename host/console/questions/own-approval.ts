/**
 * The owner's own change where the rules demand a review: the press that applied its preview approves it as well, so
 * that the person is not asked again on another page.
 *
 * The server holds the change as it would one of an agent, and nothing in a call can approve it. The console then sends
 * the decision as its page of waiting changes does, with the digest of that one change. The server refuses a preview that
 * is stale, so what it held is what was shown; if anything was applied or proposed between that and the digest, or if the
 * change builds on others that wait, it keeps waiting. Only calls of the console's own connection get here: `tools/calls.ts`.
 * `test/host/console/own-approval.test.ts` has the cases and the attacks.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { CHANGE_META, DRAFT_META } from '#core/wire.ts'
import type { Denied, Done, Outcome } from '../../consent/types.ts'
import { parseCallResult } from '../../mcp/parse.ts'
import { changeOf } from '../../mcp/tool-facts.ts'
import type { CallToolResult } from '../../mcp/types.ts'
import { readWorkspaceAddress } from '../../mcp/workspace-address.ts'
import { sendDecision } from '../drafts/send-decision.ts'
import { refreshWaiting } from '../drafts/waiting-list.ts'
import { sendAct } from '../owner/send-act.ts'
import { formatCount } from '../ui/format.ts'
import { textIn } from '../ui/storage.ts'
import { showToast } from '../ui/toasts.tsx'
import { askToConfirm } from './queue.ts'

/** Returns the path of the workspace that an address names as its owner does; null for a link and another server. */
export function findOwnBase(url: string): string | null {
  const found = readWorkspaceAddress(url)
  if (found === null || found.isLink || found.origin !== location.origin) return null
  return found.name === 'default' ? '' : `/w/${found.name}`
}

/** A held change as it is decided. */
interface Held {
  readonly draft: string
  readonly change: string
  readonly revision: string
  readonly reason: string
  readonly digest: string
  /** Files whose content cannot be shown as text. */
  readonly unseen: readonly string[]
}

/**
 * Approves the change of a call whose preview the person has applied, if it waits.
 *
 * @returns The outcome of the call: with the applied change, as it was if the change keeps waiting, or denied if the
 *   person did not go on. Then nothing waits.
 */
export async function approveShown(base: string, outcome: Done): Promise<Outcome> {
  const held = await findHeld(base, outcome.result).catch(() => null)
  if (held === null) return outcome
  if (held.unseen.length > 0 && !(await askForUnseen(held.unseen)))
    return turnDown(base, held, outcome)
  const { draft, change, ...named } = held
  const decision = { ...named, changes: [change] }
  const sent = await sendDecision({ base, id: draft, what: 'approve' }, decision)
  refreshWaiting()
  if (sent.ok) return { ...outcome, result: asApplied(outcome.result) }
  if (sent.error.code === 'PASSKEY_NOT_USED') return turnDown(base, held, outcome)
  showToast(sent.error.message, { tone: 'danger' })
  return outcome
}

/** Finds the change as it waits; null if it is not exactly what was shown, or not of a caller without a session. */
async function findHeld(base: string, result: CallToolResult): Promise<Held | null> {
  const made = changeOf(result)
  if (!made?.waits || made.draft === null) return null
  const { id: change, draft } = made
  const { session, revision, reason } = await sendAct(base, 'show_draft', { segments: { draft } })
  const single = await sendAct(base, 'show_draft_change', { segments: { draft, change } })
  const { changes, digest, conflict, together } = single
  const isAlone = changes.length === 1 && changes[0] === change && conflict === null
  if (session !== null || !isAlone || together.files_left_out > 0) return null
  // Changes of all drafts have numbers of the workspace: this one is still the latest.
  if ((await sendAct(base, 'read_status', {})).version !== made.version) return null
  const unseen = together.files.filter((file) => file.unseen).map(({ path }) => path)
  return { draft, change, revision, reason, digest, unseen }
}

const askForUnseen = (paths: readonly string[]) =>
  askToConfirm({
    title: `Approve ${formatCount(paths.length, 'file')} without seeing the content?`,
    text: 'They are not text, or too long to be compared, or replace such files.',
    detail: paths.join('\n'),
    yes: 'Approve without seeing',
    danger: true,
  })

/** Takes the change back that the person did not approve. */
async function turnDown(
  base: string,
  { draft, change, revision, reason }: Held,
  { result }: Done,
): Promise<Denied> {
  await sendDecision(
    { base, id: draft, what: 'turn-down' },
    { revision, reason, changes: [change] },
  )
  refreshWaiting()
  return { status: 'denied', by: 'person', what: 'approval', scopes: [], result }
}

/** The result as the call has it where nothing waits. */
function asApplied({ raw }: CallToolResult): CallToolResult {
  const { [DRAFT_META]: _draft, ...meta } = recordOf(raw['_meta'])
  const { draft: waits, ...structured } = recordOf(raw['structuredContent'])
  const content = Array.isArray(raw['content']) ? raw['content'] : []
  return parseCallResult({
    ...raw,
    ...('structuredContent' in raw && { structuredContent: structured }),
    content: content.map((block: unknown) => {
      const text = textIn(block, 'text')
      return text === null
        ? block
        : { ...recordOf(block), text: text.replace(`. ${String(waits)}`, '') }
    }),
    _meta: { ...meta, [CHANGE_META]: { ...recordOf(meta[CHANGE_META]), applied: true } },
  })
}
