/** The page of one change: its sentence, author, time and diff, with undo. @module */

import { Icon } from '../parts/icons.tsx'
import { Marked } from '../parts/marked.tsx'
import { Copy } from '../parts/copy.tsx'
import { Fault, Note, PageHead, Waiting, When } from '../parts/parts.tsx'
import { undo } from '../parts/undo.tsx'
import { Review } from '../parts/review.tsx'
import { readEntries } from '../state/audit.ts'
import { isDeed, listChanges, nameOf, reviewOf, sentenceOf, type Change } from '../state/changes.ts'
import { groundsOf } from '../state/decision.ts'
import { moment } from '../state/format.ts'
import { link, openConnection, touched } from '../state/link.ts'
import { useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { base, offers } from '../state/workspace.ts'

interface Props {
  readonly tool: string
  readonly id: string
}

/** Shows a change, found among the latest 200, and the links to its neighbours. */
export function ChangePage({ tool, id }: Props) {
  const { value, error, isLoading, reload } = useLoad(
    (signal) => find(id, signal),
    [link.value, touched.value, id],
  )
  const change = value?.change
  return (
    <>
      <p class="crumb">
        <a href={linkTo(['activity'])}>Activity</a>
      </p>
      <PageHead
        title={change ? <Marked text={value.sentence} /> : 'A change'}
        actions={change && <Actions change={change} sentence={value.sentence} />}
      >
        {change && (
          <>
            {nameOf(change.actor)} · <When at={change.at} />, {moment(change.at)}
          </>
        )}
      </PageHead>
      {error ? <Fault what="This change could not be read." error={error} retry={reload} /> : null}
      {!value && isLoading && <Waiting />}
      <div class="stack">
        {change && <Facts change={change} />}
        {value && !change && (
          <Note title="It is not among the latest changes.">
            Its difference is shown for as long as the history has it.
          </Note>
        )}
        {(value || !error) && <Difference tool={tool} id={id} change={change} />}
        {value && <Neighbours {...value} />}
      </div>
    </>
  )
}

function Difference({ tool, id, change }: Props & { readonly change: Change | null | undefined }) {
  if (!isDeed({ tool })) return <Note>It touched no file, so there is no difference to show.</Note>
  return (
    <section class="card" aria-label="Difference">
      <Review uri={reviewOf({ tool, id })} title={change?.intent ?? 'Difference'} />
    </section>
  )
}

interface Found {
  readonly sentence: string
  readonly change: Change | null
  readonly newer: Change | null
  readonly older: Change | null
}

const LOOKED_AT = 200

async function find(id: string, signal: AbortSignal): Promise<Found> {
  const { changes } = await listChanges(openConnection(), { limit: LOOKED_AT }, signal)
  const at = changes.findIndex((change) => change.id === id)
  const last = changes.findLastIndex((change) => change.id === id)
  const change = changes[at] ?? null
  return {
    sentence: change ? sentenceOf(change, changes) : '',
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
      {offers.value.undo && isDeed(change) && (
        <button type="button" class="button" onClick={() => undo(change, sentence)}>
          <Icon name="undo" /> Undo
        </button>
      )}
    </>
  )
}

function Facts({ change }: { readonly change: Change }) {
  const { tool, version, actor, id } = change
  const { value: grounds } = useLoad((signal) => decidedBy(change, signal), [id])
  return (
    <dl class="facts wide">
      <dt>Tool</dt>
      <dd>
        <code>{tool}</code>
      </dd>
      <dt>Change number</dt>
      <dd class="numbers">{version}</dd>
      <dt>Who</dt>
      <dd>
        <a href={linkTo(['activity'], { actor: actor.session ?? actor.principal })}>{actor.text}</a>
        {actor.session !== null && (
          <>
            {' '}
            · <a href={linkTo(['sessions'], { id: actor.session })}>session</a>
          </>
        )}
      </dd>
      {grounds && (
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

/** Returns what allowed a change; its audit entry is found by its time. */
async function decidedBy({ id, at }: Change, signal: AbortSignal): Promise<string> {
  if (!offers.peek().workspace) return ''
  const moment = new Date(at).toISOString()
  const query = { since: moment, until: moment, outcome: 'applied' }
  const { entries } = await readEntries(base.peek(), query, signal)
  const entry = entries.find((one) => one.id === id)
  return entry ? groundsOf(entry) : ''
}

function Neighbours({ newer, older }: Found) {
  const to = ({ tool, id }: Change) => linkTo(['activity', tool, id])
  return (
    <nav class="row apart" aria-label="Other changes">
      {older ? (
        <a class="button quiet" href={to(older)}>
          <Icon name="down" /> Before it
        </a>
      ) : (
        <span />
      )}
      {newer && (
        <a class="button quiet" href={to(newer)}>
          <Icon name="up" /> After it
        </a>
      )}
    </nav>
  )
}
