/** The message log: every message between the console and the server. @module */

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { LogFilter } from '../../records/types.ts'
import { Icon } from '../parts/icons.tsx'
import { Empty, PageHead } from '../parts/parts.tsx'
import { Segments } from '../parts/segments.tsx'
import { bytes, numbered } from '../state/format.ts'
import { isRecording, traffic } from '../state/link.ts'
import { route } from '../state/route.ts'
import { Detail, List } from './log-entries.tsx'

/** Most entries in the list; older ones can be exported. */
const SHOWN = 300

const DIRECTIONS = [
  ['all', 'All'],
  ['sent', 'Sent'],
  ['received', 'Received'],
] as const

/** Shows the message log, with filters and export. */
export function Log() {
  const round = useTraffic()
  const [text, setText] = useState('')
  const [method, setMethod] = useState('')
  const [direction, setDirection] = useState<(typeof DIRECTIONS)[number][0]>('all')
  const [errorsOnly, setErrorsOnly] = useState(false)
  const filter: LogFilter = {
    ...(text !== '' && { text }),
    ...(method !== '' && { method }),
    ...(direction !== 'all' && { direction }),
    ...(errorsOnly && { errorsOnly }),
  }
  const found = useMemo(() => traffic.entries(filter).toReversed(), [round, JSON.stringify(filter)])
  const id = Number(route.value.path[1])
  const open = Number.isInteger(id) ? traffic.entry(id) : null
  return (
    <>
      <PageHead title="Log" actions={<Actions filter={filter} />}>
        Every message on the wire, newest first. Secrets are left out, here and in what is exported.
      </PageHead>
      <div class="filters" role="search" aria-label="Filter the log">
        <label class="field">
          <span class="label">Text</span>
          <input
            type="search"
            value={text}
            placeholder="In any message"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <label class="field">
          <span class="label">Method</span>
          <select value={method} onChange={({ currentTarget }) => setMethod(currentTarget.value)}>
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
          value={direction}
          options={DIRECTIONS}
          onChange={setDirection}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={errorsOnly}
            onChange={({ currentTarget }) => setErrorsOnly(currentTarget.checked)}
          />
          Errors only
        </label>
      </div>
      <p class="small faint" role="status">
        {numbered(found.length, 'message')} of {traffic.size}, {bytes(traffic.bytes)}
        {traffic.dropped > 0 && `; ${numbered(traffic.dropped, 'older one')} let go`}
        {!isRecording.value && '; paused'}
      </p>
      {found.length === 0 ? (
        <Empty icon="log" title={traffic.size === 0 ? 'Nothing was said yet' : 'Nothing matches'}>
          {traffic.size === 0
            ? 'As soon as the console asks the server for something, it stands here.'
            : 'Loosen the filter to see more.'}
        </Empty>
      ) : (
        <div class="logsplit">
          <List entries={found.slice(0, SHOWN)} open={open?.id} />
          {open && <Detail entry={open} />}
        </div>
      )}
    </>
  )
}

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
    const url = URL.createObjectURL(
      new Blob([traffic.exportLines(filter)], { type: 'application/jsonl' }),
    )
    const anchor = document.createElement('a')
    anchor.href = url
    anchor.download = `edgewise-log-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.jsonl`
    anchor.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
  return (
    <>
      <button
        type="button"
        class="button"
        aria-pressed={!isRecording.value}
        onClick={() => (isRecording.value = !isRecording.value)}
      >
        <Icon name={isRecording.value ? 'pause' : 'play'} /> {isRecording.value ? 'Pause' : 'Go on'}
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
