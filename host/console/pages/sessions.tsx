/**
 * The sessions page: who has access to this workspace, what each session may do, and for how long.
 *
 * @module
 */

import { visible } from '#core/visible.ts'
import type { SessionRow } from '../../connection/workspace-api.ts'
import { byHand } from '../parts/by-hand.ts'
import { Icon } from '../parts/icons.tsx'
import { Badge, Empty, Fault, PageHead, Waiting, When } from '../parts/parts.tsx'
import { Pieces } from '../parts/sentences.tsx'
import { Visible } from '../parts/visible.tsx'
import { nameOf } from '../state/changes.ts'
import { now } from '../state/clock.ts'
import { left } from '../state/format.ts'
import { touched } from '../state/link.ts'
import { useLoad } from '../state/load.ts'
import { confirmed } from '../state/questions.ts'
import { linkTo, route, setQuery } from '../state/route.ts'
import { sessionSentence } from '../state/sentences.ts'
import { focusBeside } from '../parts/focus-beside.ts'
import { say } from '../state/toast.ts'
import { answered, api } from '../state/workspace.ts'
import { NewSession } from './new-session.tsx'

/** Shows the sessions as a tree, with buttons to create and revoke them. */
export function Sessions() {
  const from = api.value
  const { value, error, isLoading, reload } = useLoad(
    async () => (from ? answered(from.sessions()) : []),
    [from, touched.value],
  )
  return (
    <>
      <PageHead
        title="Sessions"
        actions={
          <button type="button" class="button primary" onClick={() => setQuery({ do: 'new' })}>
            <Icon name="plus" /> Make a link
          </button>
        }
      >
        A session gives an agent a part of what you may do, for a while: by a link that you make, or
        because you let it sign in. What stands below another one can never do more, and ends with
        it.
      </PageHead>
      {error ? <Fault what="The sessions could not be read." error={error} retry={reload} /> : null}
      {!value && isLoading && <Waiting />}
      {value?.length === 0 && <NoSessions />}
      {value && value.length > 0 && (
        <ul class="sessions">
          {treeOf(value).map((node) => (
            <Node key={node.row.id} node={node} onGone={reload} />
          ))}
        </ul>
      )}
      {route.value.query['do'] === 'new' && (
        <NewSession onMade={reload} onClose={() => setQuery({})} />
      )}
    </>
  )
}

const NoSessions = () => (
  <Empty
    icon="sessions"
    title="No sessions"
    actions={
      <button type="button" class="button" onClick={() => setQuery({ do: 'new' })}>
        <Icon name="plus" /> Make a link
      </button>
    }
  >
    Agents that connect to the address of the workspace may do all that the rules allow. Make a link
    for one that should do less.
  </Empty>
)

interface TreeNode {
  readonly row: SessionRow
  readonly children: readonly TreeNode[]
}

/** Depth at which the tree is cut; the server's limit is lower. */
const DEEPEST = 12

function treeOf(rows: readonly SessionRow[]): TreeNode[] {
  const ids = new Set(rows.map(({ id }) => id))
  const under = Map.groupBy(rows, ({ parent }) =>
    parent !== null && ids.has(parent) ? parent : null,
  )
  const nodes = (parent: string | null, depth: number): TreeNode[] =>
    depth > DEEPEST
      ? []
      : (under.get(parent) ?? []).map((row) => ({ row, children: nodes(row.id, depth + 1) }))
  return nodes(null, 0)
}

interface NodeProps {
  readonly node: TreeNode
  readonly onGone: () => void
}

function Node({ node: { row, children }, onGone }: NodeProps) {
  const isChosen = route.value.query['id'] === row.id
  return (
    <li>
      <article class={`card session ${isChosen ? 'chosen' : ''}`} aria-label={visible(row.label)}>
        <div class="row apart">
          <h2>
            <Visible text={row.label} />
          </h2>
          <div class="row">
            <Left row={row} />
            <Revoke row={row} below={children.length} onGone={onGone} />
          </div>
        </div>
        <p>
          <Pieces pieces={sessionSentence(row)} />
        </p>
        <Details row={row} />
      </article>
      {children.length > 0 && (
        <ul>
          {children.map((node) => (
            <Node key={node.row.id} node={node} onGone={onGone} />
          ))}
        </ul>
      )}
    </li>
  )
}

const KINDS: Readonly<Record<string, string>> = {
  client: 'a client’s own',
  grant: 'signed in',
  transfer: 'transfer link',
}

const kindOf = ({ kind }: SessionRow): string => KINDS[kind] ?? 'link'

function Left({ row }: { readonly row: SessionRow }) {
  const { expires } = row
  const ms = expires === null ? null : expires - now.value
  return (
    <span class="badges">
      <Badge>{kindOf(row)}</Badge>
      {ms === null ? (
        <Badge>until it is idle</Badge>
      ) : (
        <Badge tone={ms <= 0 ? 'danger' : ms < 300_000 ? 'warning' : 'plain'}>
          {ms <= 0 ? 'over' : `${left(ms)} left`}
        </Badge>
      )}
    </span>
  )
}

function Details({
  row: { id, principal, created, scopes, policy },
}: {
  readonly row: SessionRow
}) {
  return (
    <p class="row small faint">
      <span>
        Made <When at={created} /> by{' '}
        {nameOf({ principal, text: principal, session: null }).toLowerCase()}
      </span>
      <a href={linkTo(['activity'], { actor: id })}>What it did</a>
      {scopes?.map((scope) => (
        <Badge key={scope}>
          <code>
            <Visible text={scope} />
          </code>
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
  readonly row: SessionRow
  readonly below: number
  readonly onGone: () => void
}) {
  const { id, label } = row
  const stops =
    kindOf(row) === 'signed in'
      ? 'It can do nothing any more until you let it sign in again'
      : 'Its link stops working at once'
  const revoke = async () => {
    const yes = await confirmed({
      title: `Revoke “${label}”?`,
      text: `${stops}${below > 0 ? ', and what is below it ends too' : ''}. What it did stays.`,
      yes: 'Revoke',
      danger: true,
    })
    const from = api.value
    if (!yes || !from) return
    const answer = await from.revokeSession(id)
    if (answer.ok) {
      say(`“${label}” was revoked`)
      focusBeside(`[data-revoke="${id}"]`, '[data-revoke]')
    } else say(answer.error.message, { tone: 'danger' })
    onGone()
  }
  return (
    <button
      type="button"
      class="button danger small"
      data-revoke={id}
      onClick={byHand(() => void revoke())}
    >
      Revoke<span class="unseen"> {visible(label)}</span>
    </button>
  )
}
