/** The message log: every message between the console and the server. @module */

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { LogFilter } from '../../records/types.ts'
import { saveBlob } from '../ui/download.ts'
import { Checkbox } from '../ui/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { Empty, PageHead } from '../ui/parts.tsx'
import { Segments } from '../ui/segments.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import { isRecording, traffic } from '../connect/connection.ts'
import { route } from '../shell/route.ts'
import { Detail, List } from './log-entries.tsx'

/** Most entries in the list; older ones can be exported. */
const MAX_SHOWN = 300

const DIRECTIONS = [
  ['all', 'All'],
  ['sent', 'Sent'],
  ['received', 'Received'],
] as const

/** What the filters hold. */
interface Filters {
  readonly text: string
  readonly method: string
  readonly direction: (typeof DIRECTIONS)[number][0]
  readonly errorsOnly: boolean
}

const NO_FILTERS: Filters = { text: '', method: '', direction: 'all', errorsOnly: false }

const toFilter = ({ text, method, direction, errorsOnly }: Filters): LogFilter => ({
  ...(text !== '' && { text }),
  ...(method !== '' && { method }),
  ...(direction !== 'all' && { direction }),
  ...(errorsOnly && { errorsOnly }),
})

/** Shows the message log, with filters and export. */
export function Log() {
  const round = useTraffic()
  const [filters, setFilters] = useState(NO_FILTERS)
  const filter = toFilter(filters)
  const found = useMemo(() => traffic.entries(filter).toReversed(), [round, JSON.stringify(filter)])
  const id = Number(route.value.path[1])
  const open = Number.isInteger(id) ? traffic.entry(id) : null
  return (
    <>
      <PageHead title="Log" actions={<Actions filter={filter} />}>
        Messages between the console and the server, newest first. Secrets are removed, also from
        exports.
      </PageHead>
      <FilterFields
        filters={filters}
        onChange={(part) => setFilters((before) => ({ ...before, ...part }))}
      />
      <p class="small faint" role="status">
        {formatCount(found.length, 'message')} of {traffic.size}, {formatBytes(traffic.bytes)}
        {traffic.dropped > 0 && `; ${formatCount(traffic.dropped, 'older message')} dropped`}
        {!isRecording.value && '; paused'}
      </p>
      {found.length === 0 ? (
        <Empty icon="log" title={traffic.size === 0 ? 'No messages yet' : 'Nothing matches'}>
          {traffic.size === 0
            ? 'Messages appear here as soon as the console sends a request.'
            : 'Change the filters to see more.'}
        </Empty>
      ) : (
        <div class="logsplit">
          <List entries={found.slice(0, MAX_SHOWN)} open={open?.id} />
          {open && <Detail entry={open} />}
        </div>
      )}
    </>
  )
}

interface FilterProps {
  readonly filters: Filters
  readonly onChange: (part: Partial<Filters>) => void
}

const FilterFields = ({ filters, onChange }: FilterProps) => (
  <div class="filters" role="search" aria-label="Filter the log">
    <label class="field">
      <span class="label">Text</span>
      <input
        type="search"
        value={filters.text}
        placeholder="In any message"
        onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
      />
    </label>
    <label class="field">
      <span class="label">Method</span>
      <select
        value={filters.method}
        onChange={({ currentTarget }) => onChange({ method: currentTarget.value })}
      >
        <option value="">Any</option>
        {traffic.methods().map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
    <Segments
      label="Direction"
      value={filters.direction}
      options={DIRECTIONS}
      onChange={(direction) => onChange({ direction })}
    />
    <Checkbox checked={filters.errorsOnly} onChange={(errorsOnly) => onChange({ errorsOnly })}>
      Errors only
    </Checkbox>
  </div>
)

/** Increases when the log changes; debounced, because messages come in bursts. */
function useTraffic(): number {
  const [round, setRound] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    const stop = traffic.onChange(() => {
      timer ??= setTimeout(() => {
        timer = null
        setRound((before) => before + 1)
      }, 100)
    })
    return () => {
      stop()
      if (timer !== null) clearTimeout(timer)
    }
  }, [])
  return round
}

function Actions({ filter }: { readonly filter: LogFilter }) {
  const save = () => {
    const time = new Date().toISOString().slice(0, 19).replaceAll(':', '')
    const lines = new Blob([traffic.exportLines(filter)], { type: 'application/jsonl' })
    saveBlob(lines, `edgewise-log-${time}.jsonl`)
  }
  return (
    <>
      <button
        type="button"
        class="button"
        aria-pressed={!isRecording.value}
        onClick={() => (isRecording.value = !isRecording.value)}
      >
        <Icon name={isRecording.value ? 'pause' : 'play'} />{' '}
        {isRecording.value ? 'Pause' : 'Resume'}
      </button>
      <button type="button" class="button" onClick={save}>
        <Icon name="download" /> Export
      </button>
      <button type="button" class="button" onClick={() => traffic.clear()}>
        <Icon name="trash" /> Clear
      </button>
    </>
  )
}
