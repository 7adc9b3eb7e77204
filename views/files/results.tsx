/** Search field, which keeps the focus, and the list of results. @module */

import type { TargetedKeyboardEvent } from 'preact'
import { Visible } from '../review/words.tsx'
import type { Files } from './files.ts'
import { Empty, Icon, IconButton, type IconName } from './icons.tsx'
import type { Span } from './marks.ts'
import { Rows } from './rows.tsx'
import type { Query } from './search.ts'

interface SearchProps {
  readonly files: Files
  readonly onOpen: (index: number) => void
}

const LEAP = 10
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: LEAP, PageUp: -LEAP }

/** Longest query, in characters. */
const MOST = 200

/** Renders the search field; arrow keys move through the results. */
export function SearchField({ files, onOpen }: SearchProps) {
  const { ask, move, state } = files.search
  const { query, active, rows } = state
  const open = query.text !== ''
  const clear = () => ask({ text: '' })
  function press(event: TargetedKeyboardEvent<HTMLInputElement>): void {
    const step = STEPS[event.key]
    if (step) move(active + step)
    else if (event.key === 'Enter') onOpen(active)
    else if (event.key === 'Escape' && open) clear()
    else return
    event.preventDefault()
  }
  const mode = (each: Query['mode'], label: string) => (
    <button
      class="quiet"
      aria-pressed={query.mode === each}
      onClick={() => ask({ mode: each, pattern: false }, 0)}
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
          maxLength={MOST}
          spellcheck={false}
          value={query.text}
          onInput={(event) => ask({ text: event.currentTarget.value })}
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
          onClick={() => ask({ pattern: !query.pattern }, 0)}
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
  const { ask, state } = files.search
  const { rows, active, phase, said, query } = state
  if (phase === 'failed') return <Empty retry={() => ask({}, 0)}>{said}</Empty>
  if (phase === 'done' && rows.length === 0)
    return (
      <Empty>
        Nothing {query.mode === 'names' ? 'is called' : 'holds'} “{query.text}”. Try fewer letters,
        {query.mode === 'names' ? ' or a glob such as **/*.md' : ' all of them small'}.
      </Empty>
    )
  const draw = (index: number, style: string) => {
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
        title={row.shown}
        onClick={() => onOpen(index)}
      >
        {icon && <Icon name={icon} />}
        {row.type === 'line' && <span class="number-of">{row.number}</span>}
        <Marked text={row.shown} marks={row.marks} />
        {row.number > 0 && row.type !== 'line' && <span class="fact">{row.number}</span>}
      </div>
    )
  }
  return (
    <div class={phase === 'asking' ? 'fill busy' : 'fill'}>
      <Rows
        count={rows.length}
        {...{ active, draw }}
        follow={active}
        attributes={{ role: 'listbox', id: 'results', 'aria-label': 'Search results' }}
      />
      <p class="said hint">{phase === 'asking' ? 'Searching…' : said}</p>
    </div>
  )
}

/** Renders a text with its matches marked. */
export function Marked({ text, marks }: { text: string; marks: readonly Span[] }) {
  let at = 0
  const pieces = marks.map(([from, to]) => {
    const plain = text.slice(at, from)
    at = to
    return [
      <Visible text={plain} />,
      <mark>
        <Visible text={text.slice(from, to)} />
      </mark>,
    ]
  })
  return (
    <span class="name">
      {pieces}
      <Visible text={text.slice(at)} />
    </span>
  )
}
