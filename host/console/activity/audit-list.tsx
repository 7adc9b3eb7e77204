/** A list of audit entries: the request, its outcome and the reason. @module */

import { ActorName, ClaimedName, ClaimedText } from '../ui/claimed-name.tsx'
import { Visible } from '../ui/visible.tsx'
import type { Entry } from './audit.ts'
import { touchesFiles, describeChange } from './changes.ts'
import { groundsOf, reasonOf } from './decision.ts'
import { linkTo } from '../shell/route.ts'
import { Badge, When, type Tone } from '../ui/parts.tsx'
import { Sentence } from '../ui/path.tsx'

const OUTCOME_LABELS: Readonly<Record<Entry['outcome'], readonly [string, Tone]>> = {
  applied: ['done', 'success'],
  proposed: ['proposed', 'info'],
  previewed: ['previewed', 'plain'],
  downloaded: ['downloaded', 'plain'],
  refused: ['refused', 'danger'],
}

interface Props {
  readonly entries: readonly Entry[]
  /** More entries of the audit log, to find the change that an undo names. */
  readonly among: readonly Entry[]
}

/** Shows audit entries as a list. */
export const AuditEntries = ({ entries, among }: Props) => (
  <ol class="changes">
    {entries.map((entry) => (
      <Line key={entry.seq} entry={entry} sentence={describeChange(entry, among)} />
    ))}
  </ol>
)

interface LineProps {
  readonly entry: Entry
  readonly sentence: string
}

function Line({ entry, sentence }: LineProps) {
  const { outcome, actor, client, at, seq, review } = entry
  const [word, tone] = OUTCOME_LABELS[outcome]
  const grounds = groundsOf(entry)
  return (
    <li>
      <EntryIntent entry={entry} sentence={sentence} />
      <span class="by">
        <ActorName actor={actor} /> ·{' '}
        {client !== null && (
          <>
            client <ClaimedName name={client} /> ·{' '}
          </>
        )}
        <When at={at} /> ·{' '}
        {outcome !== 'refused' && grounds !== '' && <Visible text={`allowed by ${grounds} · `} />}
        <span class="numbers">entry {seq}</span>
      </span>
      <Badge tone={tone}>{word}</Badge>
      {outcome === 'refused' && (
        <span class="why">
          {reasonOf(entry)} {grounds !== '' && <Visible text={`Decided by ${grounds}.`} />}
        </span>
      )}
      {review && <Words {...review} />}
    </li>
  )
}

/** What was written about a decision: the note of the person, and the reason that the agent gave. */
const Words = ({ note, reason }: NonNullable<Entry['review']>) => (
  <>
    {note !== '' && (
      <span class="why">
        Note: <Visible text={note} />
      </span>
    )}
    {reason !== '' && (
      <span class="why">
        Reason of the agent: <ClaimedText text={reason} />
      </span>
    )}
  </>
)

/** An applied change links to its page. */
function EntryIntent({ entry, sentence }: LineProps) {
  const { outcome, tool, id } = entry
  const text = <Sentence text={sentence} />
  return outcome === 'applied' && id !== '' && touchesFiles(entry) ? (
    <a href={linkTo(['activity', tool, id])}>{text}</a>
  ) : (
    <span class="what">{text}</span>
  )
}
