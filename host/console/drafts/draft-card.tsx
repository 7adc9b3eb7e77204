/** The card of a draft in the list of what waits: whose it is, how much it changes, and where to look first. @module */

import type { DraftSummary } from '#core/owner/answers/drafts.ts'
import { basePath } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { linkTo } from '../shell/route.ts'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { useLoad } from '../ui/load.ts'
import { Path } from '../ui/path.tsx'
import { SameName } from '../ui/same-name.tsx'
import { DraftActor, DraftReason, DraftTimes } from './draft-facts.tsx'
import { LineCounts } from '#views/diff/line-counts.tsx'

interface Props {
  readonly draft: DraftSummary
  /** Whether it was decided since the list was shown. */
  readonly isGone: boolean
}

/** Shows the card, a link to the draft. */
export const DraftCard = ({ draft, isGone }: Props) => (
  <a class="card" href={linkTo(['waiting', draft.id])}>
    <strong>
      <DraftActor draft={draft} />
    </strong>
    <span class="numbers">{isGone ? 'waits no more' : formatCount(draft.changes, 'change')}</span>
    <DraftTimes draft={draft} />
    <SameName row={draft} />
    <DraftReason draft={draft} />
    <Contents draft={draft} />
    <Icon name="arrow" />
  </a>
)

/** What it changes, in a place that is kept for it: nothing moves when it is read. */
function Contents({ draft: { id, touched } }: Pick<Props, 'draft'>) {
  const base = basePath.value
  const { value } = useLoad(
    (signal) => sendAct(base, 'sum_up_draft', { segments: { draft: id }, signal }),
    [base, id, touched],
  )
  return (
    <span class="contents">
      {value && (
        <>
          <span class="paths">
            {value.first.map(({ path, type }) => (
              <Path key={`${type} ${path}`} text={path} />
            ))}
            {value.files > value.first.length && (
              <span class="faint">
                and {formatCount(value.files - value.first.length, 'other file')}
              </span>
            )}
          </span>
          <span class="row">
            <LineCounts added={value.added} removed={value.removed} />
            {value.risky > 0 && (
              <span class="risky">
                <Icon name="warning" /> {formatCount(value.risky, 'file')} to look at first
              </span>
            )}
          </span>
        </>
      )}
    </span>
  )
}
