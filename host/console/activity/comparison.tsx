/** The page of a checkpoint: what differs from it now or at another checkpoint, and its restoration. @module */

import { visible } from '#core/visible.ts'
import type { CheckpointRow } from './checkpoint-list.tsx'
import { revision } from '../connect/connection.ts'
import { SharedDraftNote } from '../drafts/shared-draft-note.tsx'
import { linkTo, route, setQuery } from '../shell/route.ts'
import { ActorName } from '../ui/claimed-name.tsx'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Fault, Note, PageHead, Waiting, When } from '../ui/parts.tsx'
import { formatMoment } from '../ui/format.ts'
import { Visible } from '../ui/visible.tsx'
import { useCheckpoints } from './checkpoint-list.tsx'
import { Review } from './review.tsx'
import { restoreCheckpoint } from './undo.tsx'

/** Shows the comparison that the address names. */
export function ComparisonPage({ id }: { readonly id: string }) {
  const { value, error, isLoading, reload } = useCheckpoints()
  const row = value?.find((one) => one.id === id)
  const { to = '', folder = '' } = route.value.query
  return (
    <>
      <p class="crumb">
        <a href={linkTo(['activity'])}>Activity</a>
      </p>
      <PageHead
        title={row ? <Visible text={row.name} /> : 'Checkpoint'}
        actions={
          row && (
            <DecisionButton
              shown={`${id} ${folder}`}
              onDecide={() => restoreCheckpoint(row, { among: value ?? [], folder })}
            >
              <Icon name="undo" /> {folder === '' ? 'Restore all files' : 'Restore this folder'}
            </DecisionButton>
          )
        }
      >
        {row && (
          <>
            Checkpoint by <ActorName actor={row.actor} /> · <When at={row.at} />,{' '}
            {formatMoment(row.at)}
          </>
        )}
      </PageHead>
      {error ? <Fault what="Cannot read the checkpoints" error={error} retry={reload} /> : null}
      {!value && isLoading && <Waiting />}
      {value && !row && <Note title="There is no such checkpoint.">It may have been deleted.</Note>}
      {row && (
        <>
          <Choice others={value?.filter((one) => one.id !== id) ?? []} to={to} folder={folder} />
          {to === '' && <SharedDraftNote />}
          <section class="card" aria-label="Differences">
            <Review
              key={`${to} ${folder} ${revision.value}`}
              uri={buildComparisonUri(id, to, folder)}
              title={`Differences from ${visible(row.name)}`}
              isTitled
            />
          </section>
        </>
      )}
    </>
  )
}

const buildComparisonUri = (from: string, to: string, folder: string) =>
  `ui://compare_checkpoints/${encodeURIComponent(folder || '/')}/${from}/${to || 'now'}`

interface ChoiceProps {
  readonly others: readonly CheckpointRow[]
  readonly to: string
  readonly folder: string
}

function Choice({ others, to, folder }: ChoiceProps) {
  const { query } = route.value
  return (
    <div class="filters" role="search" aria-label="What is compared">
      <label class="field">
        <span class="label">Compare with</span>
        <select
          value={to}
          onChange={({ currentTarget }) => setQuery({ ...query, to: currentTarget.value })}
        >
          <option value="">Now</option>
          {others.map((other) => (
            <option key={other.id} value={other.id}>
              {visible(other.name)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span class="label">File or folder</span>
        <input
          type="text"
          placeholder="/docs"
          value={folder}
          onChange={({ currentTarget }) => setQuery({ ...query, folder: currentTarget.value })}
        />
      </label>
    </div>
  )
}
