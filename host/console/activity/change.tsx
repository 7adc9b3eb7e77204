/** The page of one change: its sentence, author, time and diff, with undo. @module */

import { ActorName, ClaimedName } from '../ui/claimed-name.tsx'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Copy } from '../ui/copy.tsx'
import { Fault, Note, PageHead, Waiting, When } from '../ui/parts.tsx'
import { Sentence } from '../ui/path.tsx'
import { Visible } from '../ui/visible.tsx'
import { undo } from './undo.tsx'
import { Review } from './review.tsx'
import { readEntries, type Entry } from './audit.ts'
import {
  touchesFiles,
  listChanges,
  nameApprover,
  buildReviewUri,
  describeChange,
  type Change,
} from './changes.ts'
import { groundsOf } from './decision.ts'
import { formatMoment } from '../ui/format.ts'
import { connectionStatus, openConnection, revision } from '../connect/connection.ts'
import { useLoad } from '../ui/load.ts'
import { linkTo } from '../shell/route.ts'
import { basePath, features } from '../connect/workspace.ts'

interface Props {
  readonly tool: string
  readonly id: string
}

/** Shows a change, found among the latest 200, and the links to its neighbours. */
export function ChangePage({ tool, id }: Props) {
  const { value, error, isLoading, reload } = useLoad(
    (signal) => findChange(id, signal),
    [connectionStatus.value, revision.value, id],
  )
  const change = value?.change
  return (
    <>
      <p class="crumb">
        <a href={linkTo(['activity'])}>Activity</a>
      </p>
      <PageHead
        title={change ? <Sentence text={value.sentence} /> : 'Change'}
        actions={change && <Actions change={change} sentence={value.sentence} />}
      >
        {value && !change && 'It is not among the latest changes, so only its diff is shown.'}
        {change && (
          <>
            Made <When at={change.at} />, {formatMoment(change.at)}
          </>
        )}
      </PageHead>
      {error ? <Fault what="Cannot read this change" error={error} retry={reload} /> : null}
      {!value && isLoading && <Waiting />}
      <div class="stack">
        {change?.waits && <ProposedNote />}
        {change && <Facts change={change} />}
        {(value || !error) && <Difference {...{ tool, id, change }} />}
        {value && <Neighbours {...value} />}
      </div>
    </>
  )
}

const ProposedNote = () => (
  <Note tone="info" title="This change waits for your approval.">
    The workspace does not have it yet. <a href={linkTo(['waiting'])}>Review and decide</a>
  </Note>
)

/** The diff, with its own title only if the change was not found, so that nothing else names it. */
function Difference({ tool, id, change }: Props & { readonly change: Change | null | undefined }) {
  if (!touchesFiles({ tool })) return <Note>This call changed no file, so there is no diff.</Note>
  return (
    <section class="card" aria-label="Diff">
      <Review
        uri={buildReviewUri({ tool, id })}
        title="Diff"
        version={change?.version}
        isTitled={change !== null}
      />
    </section>
  )
}

interface Found {
  readonly sentence: string
  readonly change: Change | null
  readonly newer: Change | null
  readonly older: Change | null
}

const MAX_SEARCHED = 200

async function findChange(id: string, signal: AbortSignal): Promise<Found> {
  const { changes } = await listChanges(openConnection(), { limit: MAX_SEARCHED }, signal)
  const at = changes.findIndex((change) => change.id === id)
  const last = changes.findLastIndex((change) => change.id === id)
  const change = changes[at] ?? null
  return {
    sentence: change ? describeChange(change, changes) : '',
    change,
    newer: at > 0 ? (changes[at - 1] ?? null) : null,
    older: at < 0 ? null : (changes[last + 1] ?? null),
  }
}

interface ActionsProps {
  readonly change: Change
  readonly sentence: string
}

function Actions({ change, sentence }: ActionsProps) {
  return (
    <>
      <Copy text={location.href} label="Copy link" small={false} />
      {features.value.undo && touchesFiles(change) && !change.waits && (
        <DecisionButton shown={change.id} onDecide={() => undo(change, sentence)}>
          <Icon name="undo" /> Undo
        </DecisionButton>
      )}
    </>
  )
}

function Facts({ change }: { readonly change: Change }) {
  const { tool, version, actor, id, approvedBy } = change
  const { value: entry } = useLoad((signal) => readEntry(change, signal), [id])
  const grounds = entry ? groundsOf(entry) : ''
  return (
    <dl class="facts wide">
      <dt>Tool</dt>
      <dd>
        <code>{tool}</code>
      </dd>
      <dt>Change number</dt>
      <dd class="numbers">{version}</dd>
      <dt>Made by</dt>
      <dd>
        <a href={linkTo(['activity'], { actor: actor.session ?? actor.principal })}>
          <ActorName actor={actor} />
        </a>
        {actor.session !== null && (
          <>
            {' '}
            · <a href={linkTo(['sessions'], { id: actor.session })}>session</a>
          </>
        )}
      </dd>
      {entry && entry.client !== null && (
        <>
          <dt>Client</dt>
          <dd>
            <ClaimedName name={entry.client} />, as it names itself
          </dd>
        </>
      )}
      {approvedBy !== null && (
        <>
          <dt>Approved by</dt>
          <dd>
            <Visible text={nameApprover(approverIn(entry) ?? approvedBy)} />
          </dd>
        </>
      )}
      {grounds !== '' && (
        <>
          <dt>Decided by</dt>
          <dd>{grounds}</dd>
        </>
      )}
      <dt>Id</dt>
      <dd>
        <code>{id}</code>
      </dd>
    </dl>
  )
}

/** The principal or the proven address that approved a change, as its audit entry has it. */
function approverIn(entry: Entry | null | undefined): string | null {
  const ground = entry?.grounds.find(({ kind }) => kind === 'approval')
  return ground?.kind === 'approval' ? ground.by : null
}

/** Reads the audit entry of a change, which is found by its time; null if there is none. */
async function readEntry({ id, at }: Change, signal: AbortSignal): Promise<Entry | null> {
  if (!features.peek().workspace) return null
  const moment = new Date(at).toISOString()
  const query = { since: moment, until: moment, outcome: 'applied' }
  const { entries } = await readEntries(basePath.peek(), query, signal)
  return entries.find((one) => one.id === id) ?? null
}

function Neighbours({ newer, older }: Found) {
  const to = ({ tool, id }: Change) => linkTo(['activity', tool, id])
  return (
    <nav class="row apart" aria-label="Other changes">
      {older ? (
        <a class="button quiet" href={to(older)}>
          <Icon name="down" /> Older change
        </a>
      ) : (
        <span />
      )}
      {newer && (
        <a class="button quiet" href={to(newer)}>
          <Icon name="up" /> Newer change
        </a>
      )}
    </nav>
  )
}
