/**
 * The sessions page: who has access to this workspace, what each session may do, and for how long.
 *
 * @module
 */

import { Icon } from '../ui/icons.tsx'
import { formatCount } from '../ui/format.ts'
import { Empty, Fault, Note, PageHead, Waiting } from '../ui/parts.tsx'
import { revision } from '../connect/connection.ts'
import { useLoad } from '../ui/load.ts'
import { route, setQuery } from '../shell/route.ts'
import { ownBase } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { AllLeases } from '../leases/lease-list.tsx'
import { AllPageLinks } from '../page-links/page-link-list.tsx'
import { useTrust } from '../trust/trust-list.tsx'
import { NewSession } from './new-session.tsx'
import { buildTree, SessionNode } from './session-tree.tsx'

/** Loads the sessions of the workspace; null where the server is another one. */
export function useSessions() {
  const base = ownBase.value
  return useLoad(
    async (signal) => (base === null ? null : sendAct(base, 'list_sessions', { signal })),
    [base, revision.value],
  )
}

/** Shows the sessions as a tree, with buttons to create and revoke them. */
export function Sessions() {
  const { value, error, isLoading, reload } = useSessions()
  const trust = useTrust()
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
        A session gives an agent part of your access for a limited time, by a link that you make or
        by signing in. A session below another one can never do more, and ends with it.
      </PageHead>
      {error ? <Fault what="Cannot read the sessions" error={error} retry={reload} /> : null}
      {trust.error ? (
        <Fault what="Cannot read what passes" error={trust.error} retry={trust.reload} />
      ) : null}
      {!value && isLoading && <Waiting />}
      {value?.sessions.length === 0 && <NoSessions />}
      {value && value.sessions.length > 0 && (
        <ul class="sessions">
          {buildTree(value.sessions).map((node) => (
            <SessionNode
              key={node.row.id}
              node={node}
              trusts={trust.value?.trusts ?? []}
              onGone={() => {
                reload()
                trust.reload()
              }}
            />
          ))}
        </ul>
      )}
      {value && value.left > 0 && <Left count={value.left} />}
      <AllPageLinks />
      <AllLeases />
      {route.value.query['do'] === 'new' && (
        <NewSession onMade={reload} onClose={() => setQuery({})} />
      )}
    </>
  )
}

const Left = ({ count }: { readonly count: number }) => (
  <Note>
    {formatCount(count, 'more session is', 'more sessions are')} not listed: links that you made and
    sign-ins come first. A session below another one ends with it. Revoke listed ones to see others.
  </Note>
)

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
    Agents at the address of the workspace may do everything that the rules allow. Make a link to
    restrict an agent.
  </Empty>
)
