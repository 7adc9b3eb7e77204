/** History of a file or folder, and one change with its diff, undo and restore. @module */

import { SafeSentence } from '../safe-path.tsx'
import { SafeLine } from '../safe-text.tsx'
import { ChangedFilesView } from './diff-view.tsx'
import type { Files } from './files.ts'
import { formatSize, type Dates } from './format.ts'
import { Empty, IconButton, Skeleton } from '../icons.tsx'
import type { Choice } from './preview.ts'
import type { HistoryEntry } from './tool-results.ts'

/** Props of {@link HistoryView}. */
export interface HistoryProps {
  readonly files: Files
  readonly dates: Dates
  readonly choice: Choice
}

/** Renders the history of the selection. */
export function HistoryView(props: HistoryProps) {
  const { files, dates, choice } = props
  const { entries, error, selected } = files.history.state
  if (error) return <Empty retry={() => files.history.open(choice)}>{error}</Empty>
  if (!entries) return <Skeleton />
  if (entries.length === 0) return <Empty>No changes yet.</Empty>
  if (selected) return <ChangeDetail {...props} entry={selected} />
  return (
    <div class="scroll">
      {entries.map((entry) => (
        <button class="history-entry quiet" onClick={() => files.history.select(entry)}>
          <SafeSentence text={entry.intent} />
          <span class="hint">
            <SafeLine text={describe(entry, dates)} />
          </span>
        </button>
      ))}
    </div>
  )
}

function ChangeDetail({ files, dates, choice, entry }: HistoryProps & { entry: HistoryEntry }) {
  const { history } = files
  const { version, id, intent, size } = entry
  const restore = () =>
    files.changes.propose({
      title: `Restore version ${version}?`,
      verb: 'Restore',
      tool: 'restore_file',
      args: { path: choice.path, version },
    })
  const isOld = entry !== history.state.entries?.[0]
  return (
    <div class="scroll">
      <div class="bar">
        <IconButton icon="back" label="All changes" onClick={() => history.select(null)} />
        {size >= 0 && isOld && <button onClick={restore}>Restore this version</button>}
        <button onClick={() => files.undo(id)}>Undo this change</button>
      </div>
      <strong>
        <SafeSentence text={intent} />
      </strong>
      <p class="hint">
        <SafeLine text={describe(entry, dates)} />
      </p>
      <ChangedFilesView files={history.state.files} />
      <p class="hint">{history.state.note}</p>
    </div>
  )
}

const describe = ({ actor, at, size, waits }: HistoryEntry, dates: Dates) =>
  [
    ...(waits ? ['Waits for approval'] : []),
    ...[actor, dates.full(at)],
    ...(size < 0 ? [] : [formatSize(size)]),
  ].join(' · ')
