/** A list of audit entries: the request, its outcome and the reason. @module */

import type { Entry, Outcome } from '../state/audit.ts'
import { isDeed, nameOf } from '../state/changes.ts'
import { groundsOf, reasonOf } from '../state/decision.ts'
import { linkTo } from '../state/route.ts'
import { Marked } from './marked.tsx'
import { Badge, When, type Tone } from './parts.tsx'

const WORDS: Readonly<Record<Outcome, readonly [string, Tone]>> = {
  applied: ['done', 'success'],
  previewed: ['previewed', 'plain'],
  downloaded: ['downloaded', 'plain'],
  refused: ['refused', 'danger'],
}

/** Shows audit entries as a list. */
export const Entries = ({ entries }: { readonly entries: readonly Entry[] }) => (
  <ol class="changes">
    {entries.map((entry) => (
      <Line key={entry.seq} entry={entry} />
    ))}
  </ol>
)

function Line({ entry }: { readonly entry: Entry }) {
  const { outcome, actor, at, seq } = entry
  const [word, tone] = WORDS[outcome]
  const grounds = groundsOf(entry)
  return (
    <li>
      <What entry={entry} />
      <span class="by">
        {nameOf(actor)} · <When at={at} /> ·{' '}
        {outcome !== 'refused' && grounds !== '' && `allowed by ${grounds} · `}
        <span class="numbers">entry {seq}</span>
      </span>
      <Badge tone={tone}>{word}</Badge>
      {outcome === 'refused' && (
        <span class="why">
          {reasonOf(entry)} {grounds !== '' && `Decided by ${grounds}.`}
        </span>
      )}
    </li>
  )
}

/** An applied change links to its page. */
function What({ entry }: { readonly entry: Entry }) {
  const { outcome, tool, id, intent } = entry
  const text = <Marked text={intent} />
  return outcome === 'applied' && id !== '' && isDeed(entry) ? (
    <a href={linkTo(['activity', tool, id])}>{text}</a>
  ) : (
    <span class="what">{text}</span>
  )
}
