/**
 * The owner's own change where the rules demand a review: the press that applied its preview approves it as well, so
 * that the person is not asked again on another page.
 *
 * The server holds the change as it would one of an agent, and nothing in a call can approve it. The console then sends
 * the decision as its page of waiting changes does, with the digest of that one change. The server refuses a preview that
 * is stale, so what it holds is what was previewed. The change keeps waiting if the preview did not show all of it
 * (`shown-whole.ts`), if anything was applied or proposed since, or if it builds on others that wait. Only calls of the
 * console's own connection get here: `tools/calls.ts`.
 * `test/host/console/own-approval.test.ts` has the cases and the attacks.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { CHANGE_META, DRAFT_META } from '#core/wire.ts'
import type { Denied, Done, Outcome } from '../../consent/types.ts'
import { parseCallResult } from '../../mcp/parse.ts'
import type { Connection } from '../../mcp/connection.ts'
import { changeOf } from '../../mcp/tool-facts.ts'
import type { CallToolResult } from '../../mcp/types.ts'
import { readWorkspaceAddress } from '../../mcp/workspace-address.ts'
import type { FileList } from '#core/owner/answers/drafts.ts'
import { parseReview } from '../activity/change-files.ts'
import { type DecisionProblem, sendDecision } from '../drafts/send-decision.ts'
import { refreshWaiting } from '../drafts/waiting-list.ts'
import { sendAct } from '../owner/send-act.ts'
import { linkTo } from '../shell/route.ts'
import { formatCount } from '../ui/format.ts'
import { textIn } from '../ui/storage.ts'
import { showToast } from '../ui/toasts.tsx'
import { askToConfirm } from './queue.ts'
import { isShownWhole } from './shown-whole.ts'

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
  readonly digest: string
  /** What it and nothing else changes. */
  readonly together: FileList
}

/** A call whose preview the person has applied, in the workspace at `base`. */
export interface AppliedPreview {
  readonly base: string
  readonly connection: Pick<Connection, 'readResource'>
  readonly tool: string
  /** The id of the preview. */
  readonly preview: string
}

/**
 * Approves the change of a call whose preview the person has applied, if it waits and the preview showed all of it.
 *
 * @returns The outcome of the call: with the applied change, as it was if the change keeps waiting, or denied if the
 *   person did not go on and nothing waits.
 */
export async function approveShown(applied: AppliedPreview, outcome: Done): Promise<Outcome> {
  const { base } = applied
  const held = await findHeld(base, outcome.result).catch(() => null)
  if (held === null) return outcome
  if (!(await wasShown(applied, held))) return keepWaiting(held, NOT_SHOWN, outcome)
  const unseen = held.together.files.filter((file) => file.unseen).map(({ path }) => path)
  if (unseen.length > 0 && !(await askForUnseen(unseen))) return turnDown(base, held, outcome)
  const decision = { ...nameOf(held), digest: held.digest, unseen }
  const sent = await sendDecision({ base, id: held.draft, what: 'approve' }, decision)
  refreshWaiting()
  if (sent.ok) return { ...outcome, result: asApplied(outcome.result) }
  if (sent.error.code === 'PASSKEY_NOT_USED') return turnDown(base, held, outcome)
  showToast(sent.error.message, { tone: 'danger' })
  return outcome
}

const NOT_SHOWN = 'The preview did not show all of this change, so it waits for you.'

/** Whether the preview showed all that the change does. One that cannot be read did not. */
async function wasShown(applied: AppliedPreview, { together }: Held): Promise<boolean> {
  const { connection, tool, preview } = applied
  try {
    const [contents] = await connection.readResource(`ui://${tool}/${preview}.json`)
    return isShownWhole(parseReview(contents?.text ?? ''), together)
  } catch {
    return false
  }
}

/** Names what is decided. The person was shown no reason here, so none is recorded. */
const nameOf = ({ revision, change }: Held) => ({ revision, reason: '', changes: [change] })

/** Tells the person that the change waits, with a link to the page that shows all of it. */
function keepWaiting({ draft }: Held, text: string, outcome: Done): Done {
  const href = linkTo(['waiting', draft])
  showToast(text, { tone: 'info', href, linkText: 'Waiting for you' })
  return outcome
}

/** Finds the change as it waits; null if it is not exactly what was shown, or not of a caller without a session. */
async function findHeld(base: string, result: CallToolResult): Promise<Held | null> {
  const made = changeOf(result)
  if (!made?.waits || made.draft === null) return null
  const { id: change, draft } = made
  const { session, revision } = await sendAct(base, 'show_draft', { segments: { draft } })
  const single = await sendAct(base, 'show_draft_change', { segments: { draft, change } })
  const { changes, digest, conflict, together } = single
  const isAlone = changes.length === 1 && changes[0] === change && conflict === null
  if (session !== null || !isAlone) return null
  // Changes of all drafts have numbers of the workspace: this one is still the latest.
  if ((await sendAct(base, 'read_status', {})).version !== made.version) return null
  return { draft, change, revision, digest, together }
}

const askForUnseen = (paths: readonly string[]) =>
  askToConfirm({
    title: `Approve ${formatCount(paths.length, 'file')} without seeing the content?`,
    text: 'They are not text, or too long to be compared, or replace such files.',
    detail: paths.join('\n'),
    yes: 'Approve without seeing',
    danger: true,
  })

/** Takes the change back that the person did not approve. If that fails, it still waits. */
async function turnDown(base: string, held: Held, outcome: Done): Promise<Denied | Done> {
  const sent = await sendDecision({ base, id: held.draft, what: 'turn-down' }, nameOf(held))
  refreshWaiting()
  if (!sent.ok) return keepWaiting(held, describeLeft(sent.error), outcome)
  const { result } = outcome
  return { status: 'denied', by: 'person', what: 'approval', scopes: [], result }
}

const describeLeft = ({ message, isUnknown }: DecisionProblem) =>
  `${isUnknown ? 'It is unknown whether the change still waits' : 'The change was not approved, but still waits'}: ${message}`

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
