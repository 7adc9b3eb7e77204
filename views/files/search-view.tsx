/** Search field, which keeps the focus, and the list of results. @module */

import { visible } from '#core/visible.ts'
import type { TargetedKeyboardEvent } from 'preact'
import { SafeLine } from '../safe-text.tsx'
import type { Files } from './files.ts'
import { Empty, Icon, IconButton, type IconName } from '../icons.tsx'
import type { Span } from './match-highlights.ts'
import { VirtualList } from '../virtual-list.tsx'
import type { Query } from './search.ts'

interface SearchProps {
  readonly files: Files
  readonly onOpen: (index: number) => void
}

const PAGE_ROWS = 10
const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE_ROWS,
  PageUp: -PAGE_ROWS,
}

/** Longest query, in characters. */
const MAX_QUERY_LENGTH = 200

/** Renders the search field; arrow keys move through the results. */
export function SearchField({ files, onOpen }: SearchProps) {
  const { search } = files
  const { query, active, rows } = search.state
  const open = query.text !== ''
  const clear = () => search.change({ text: '' })
  function press(event: TargetedKeyboardEvent<HTMLInputElement>): void {
    const step = STEPS[event.key]
    if (step) search.moveTo(active + step)
    else if (event.key === 'Enter') onOpen(active)
    else if (event.key === 'Escape' && open) clear()
    else return
    event.preventDefault()
  }
  const mode = (each: Query['mode'], label: string) => (
    <button
      class="quiet"
      aria-pressed={query.mode === each}
      onClick={() => search.change({ mode: each, pattern: false }, 0)}
    >
      {label}
    </button>
  )
  return (
    <div class="search" role="search">
      <span class="box">
        <Icon name="search" />
        <input
          class="field"
          role="combobox"
          aria-label="Search"
          aria-expanded={open && rows.length > 0}
          aria-controls="results"
          aria-autocomplete="list"
          aria-activedescendant={open && active >= 0 ? `result-${active}` : undefined}
          placeholder="Search ( / )"
          maxLength={MAX_QUERY_LENGTH}
          spellcheck={false}
          value={query.text}
          onInput={(event) => search.change({ text: event.currentTarget.value })}
          onKeyDown={press}
        />
        {open && <IconButton icon="close" label="Clear the search" onClick={clear} />}
      </span>
      {mode('names', 'Names')}
      {mode('contents', 'Contents')}
      {query.mode === 'contents' && (
        <button
          class="quiet"
          aria-pressed={query.pattern}
          aria-label="Regular expression"
          title="Regular expression"
          onClick={() => search.change({ pattern: !query.pattern }, 0)}
        >
          .*
        </button>
      )}
    </div>
  )
}

const ICONS: Record<string, IconName> = {
  folder: 'folder',
  name: 'file',
  file: 'text',
  count: 'text',
}

/** Renders the results of the current query. */
export function Results({ files, onOpen }: SearchProps) {
  const { search } = files
  const { rows, active, phase, summary, leftOut, query } = search.state
  if (phase === 'failed') return <Empty retry={() => search.change({}, 0)}>{summary}</Empty>
  if (phase === 'done' && rows.length === 0)
    return (
      <Empty>
        No {query.mode === 'names' ? 'name' : 'line'} matches “{query.text}”. Try fewer letters,
        {query.mode === 'names' ? ' or a glob such as **/*.md' : ' in lower case'}.
        {leftOut && <p class="hint">{visible(leftOut)}</p>}
      </Empty>
    )
  const renderRow = (index: number, style: string) => {
    const row = rows[index]
    if (!row) return
    const icon = ICONS[row.type]
    return (
      <div
        key={index}
        id={`result-${index}`}
        role="option"
        class={`row is-${row.type}`}
        aria-selected={index === active}
        aria-setsize={rows.length}
        aria-posinset={index + 1}
        style={style}
        title={visible(row.text)}
        onClick={() => onOpen(index)}
      >
        {icon && <Icon name={icon} />}
        {row.type === 'line' && <span class="number-of">{row.number}</span>}
        <MarkedText text={row.text} marks={row.marks} />
        {row.number > 0 && row.type !== 'line' && <span class="fact">{row.number}</span>}
      </div>
    )
  }
  return (
    <div class={phase === 'running' ? 'fill busy' : 'fill'}>
      <VirtualList
        count={rows.length}
        active={active}
        render={renderRow}
        scrollKey={active}
        attributes={{ role: 'listbox', id: 'results', 'aria-label': 'Search results' }}
      />
      <p class="summary hint">{phase === 'running' ? 'Searching…' : summary}</p>
    </div>
  )
}

/** Renders a text with its matches marked. */
export function MarkedText({ text, marks }: { text: string; marks: readonly Span[] }) {
  let at = 0
  const pieces = marks.map(([from, to]) => {
    const plain = text.slice(at, from)
    at = to
    return [
      <SafeLine text={plain} />,
      <mark>
        <SafeLine text={text.slice(from, to)} />
      </mark>,
    ]
  })
  return (
    <span class="name">
      {pieces}
      <SafeLine text={text.slice(at)} />
    </span>
  )
}
