/** History of a file or folder, and one change with its diff, undo and restore. @module */

import { Visible } from '../review/words.tsx'
import type { Past } from './answers.ts'
import { FilesView } from './diff-view.tsx'
import type { Files } from './files.ts'
import { sizeText, type Dates } from './format.ts'
import { Empty, IconButton, Skeleton } from './icons.tsx'
import type { Choice } from './preview.ts'

interface HistoryProps {
  readonly files: Files
  readonly dates: Dates
  readonly choice: Choice
}

/** Renders the history of the selection. */
export function HistoryView({ files, dates, choice }: HistoryProps) {
  const { open, look, state } = files.past
  const { list, error, past } = state
  const factsOf = ({ actor, at, size }: Past) =>
    [actor, dates.full(at), ...(size < 0 ? [] : [sizeText(size)])].join(' · ')
  if (error) return <Empty retry={() => open(choice)}>{error}</Empty>
  if (!list) return <Skeleton />
  if (list.length === 0) return <Empty>Nothing has been changed here yet.</Empty>
  if (!past)
    return (
      <div class="scroll">
        {list.map((each) => (
          <button class="past quiet" onClick={() => look(each)}>
            <Visible text={each.intent} />
            <span class="hint">{factsOf(each)}</span>
          </button>
        ))}
      </div>
    )

  const { version, id, intent, size } = past
  const restore = () =>
    files.changes.propose({
      title: `Restore version ${version}?`,
      verb: 'Restore',
      tool: 'restore_file',
      args: { path: choice.path, version },
    })
  return (
    <div class="scroll">
      <div class="bar">
        <IconButton icon="back" label="All changes" onClick={() => look(null)} />
        {size >= 0 && past !== list[0] && <button onClick={restore}>Restore this version</button>}
        <button onClick={() => files.undo(id)}>Undo this change</button>
      </div>
      <strong>
        <Visible text={intent} />
      </strong>
      <p class="hint">{factsOf(past)}</p>
      <FilesView files={state.files} />
      <p class="hint">{state.note}</p>
    </div>
  )
}
