/** The tree of sessions: one card for each, with the sessions below it. @module */

import { quoteName } from '#core/quote.ts'
import { Path } from '../ui/path.tsx'
import { visible } from '#core/visible.ts'
import type { ShownSession } from '#core/owner/answers/sessions.ts'
import type { GivenTrust } from '#core/owner/answers/trust.ts'
import { TrustLines } from '../trust/trust-list.tsx'
import { ActorName, ClaimedName } from '../ui/claimed-name.tsx'
import { DecisionButton } from '../ui/decision-button.tsx'
import { SHORT_ID } from '../ui/same-name.tsx'
import { Badge, When } from '../ui/parts.tsx'
import { Pieces } from '../rules/sentence-list.tsx'
import { now } from '../ui/clock.ts'
import { formatRemaining } from '../ui/format.ts'
import { ScopeText } from '../requests/request-card.tsx'
import { askToConfirm } from '../questions/queue.ts'
import { linkTo, route } from '../shell/route.ts'
import { sessionSentence } from '../rules/config-sentences.ts'
import { focusBeside } from '../ui/focus-beside.ts'
import { showToast } from '../ui/toasts.tsx'
import { basePath } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { describeError } from '../ui/errors.ts'

/** A session, with the sessions that it delegated to. */
export interface TreeNode {
  readonly row: ShownSession
  readonly children: readonly TreeNode[]
}

/** Depth at which the tree is cut; the server's limit is lower. */
const MAX_DEPTH = 12

/** Arranges sessions as a tree; one without a listed parent is at the top. */
export function buildTree(rows: readonly ShownSession[]): TreeNode[] {
  const ids = new Set(rows.map(({ id }) => id))
  const under = Map.groupBy(rows, ({ parent }) =>
    parent !== null && ids.has(parent) ? parent : null,
  )
  const nodes = (parent: string | null, depth: number): TreeNode[] =>
    depth > MAX_DEPTH
      ? []
      : (under.get(parent) ?? []).map((row) => ({ row, children: nodes(row.id, depth + 1) }))
  return nodes(null, 0)
}

interface NodeProps {
  readonly node: TreeNode
  /** All trust that is in force. */
  readonly trusts: readonly GivenTrust[]
  readonly onGone: () => void
}

/** Shows a session and those below it. */
export function SessionNode({ node: { row, children }, trusts, onGone }: NodeProps) {
  const isChosen = route.value.query['id'] === row.id
  return (
    <li>
      <article class={`card session ${isChosen ? 'chosen' : ''}`} aria-label={visible(row.label)}>
        <div class="row apart">
          <h2>
            <ClaimedName name={row.label} />
          </h2>
          <div class="row">
            <Lifetime row={row} />
            <Revoke row={row} below={children.length} onGone={onGone} />
          </div>
        </div>
        <p>
          <Pieces pieces={sessionSentence(row)} />
        </p>
        {row.allowed.length > 0 && <Allowed row={row} onTaken={onGone} />}
        <TrustLines trusts={trusts.filter(({ session }) => session === row.id)} onEnded={onGone} />
        <Details row={row} />
      </article>
      {children.length > 0 && (
        <ul>
          {children.map((node) => (
            <SessionNode key={node.row.id} node={node} trusts={trusts} onGone={onGone} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** What the owner allowed the session on request, each with a button that takes it back. */
function Allowed({ row, onTaken }: { readonly row: ShownSession; readonly onTaken: () => void }) {
  const { id, label, allowed } = row
  const takeBack = async (scope: string) => {
    try {
      const given = { segments: { session: id }, query: { scope } }
      await sendAct(basePath.value, 'take_back_access', given)
      showToast(`Taken back from ${quoteName(label)}`)
    } catch (error) {
      showToast(describeError(error).message, { tone: 'danger' })
    }
    onTaken()
  }
  return (
    <ul class="allowed" aria-label="Allowed by you on request">
      {allowed.map((scope) => (
        <li key={scope} class="row">
          <span>
            You also allowed it to <ScopeText text={scope} />
          </span>
          <DecisionButton
            shown={`${id} ${scope}`}
            look="small"
            onDecide={() => void takeBack(scope)}
          >
            Take back<span class="unseen"> {visible(scope)}</span>
          </DecisionButton>
        </li>
      ))}
    </ul>
  )
}

const KINDS: Readonly<Record<string, string>> = {
  client: 'client',
  grant: 'signed in',
  transfer: 'transfer link',
}

const labelKind = ({ kind }: ShownSession): string => KINDS[kind] ?? 'link'

function Lifetime({ row }: { readonly row: ShownSession }) {
  const { expires } = row
  const ms = expires === null ? null : expires - now.value
  return (
    <span class="badges">
      <Badge>{labelKind(row)}</Badge>
      {ms === null ? (
        <Badge>ends when idle</Badge>
      ) : (
        <Badge tone={ms <= 0 ? 'danger' : ms < 300_000 ? 'warning' : 'plain'}>
          {ms <= 0 ? 'expired' : `${formatRemaining(ms)} left`}
        </Badge>
      )}
    </span>
  )
}

function Details({
  row: { id, principal, created, scopes, policy },
}: {
  readonly row: ShownSession
}) {
  return (
    <p class="row small faint">
      <span>
        Created <When at={created} /> by{' '}
        <ActorName actor={{ principal, text: principal, session: null }} /> ·{' '}
        <code>{id.slice(0, SHORT_ID)}</code>
      </span>
      <a href={linkTo(['activity'], { actor: id })}>Activity</a>
      {scopes?.map((scope) => (
        <Badge key={scope}>
          <Path text={scope} />
        </Badge>
      ))}
      {policy !== null && policy !== undefined && (
        <details>
          <summary>Policy</summary>
          <pre class="plainbox">{JSON.stringify(policy, null, 2)}</pre>
        </details>
      )}
    </p>
  )
}

function Revoke({
  row,
  below,
  onGone,
}: {
  readonly row: ShownSession
  readonly below: number
  readonly onGone: () => void
}) {
  const { id, label } = row
  const stops =
    labelKind(row) === 'signed in'
      ? 'The agent has no access until you let it sign in again'
      : 'The link stops working at once'
  const revoke = async () => {
    const yes = await askToConfirm({
      title: `Revoke ${quoteName(label)}?`,
      text: `${stops}${below > 0 ? ', and the sessions below it end too' : ''}. Its changes stay.`,
      yes: 'Revoke',
      danger: true,
    })
    if (!yes) return
    try {
      await sendAct(basePath.value, 'end_session', { segments: { session: id } })
      showToast(`${quoteName(label)} was revoked`)
      focusBeside(`[data-revoke="${id}"]`, '[data-revoke]')
    } catch (error) {
      showToast(describeError(error).message, { tone: 'danger' })
    }
    onGone()
  }
  return (
    <DecisionButton
      shown={id}
      look="danger small"
      named={{ 'data-revoke': id }}
      onDecide={() => void revoke()}
    >
      Revoke<span class="unseen"> {visible(label)}</span>
    </DecisionButton>
  )
}
