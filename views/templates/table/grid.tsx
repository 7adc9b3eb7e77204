/**
 * The grid of a table: a sticky header, and only the visible rows, with the keys of the ARIA grid
 * pattern.
 *
 * One cell at a time is in the tab order. Arrows, Home, End, Page Up and Page Down move it, Space
 * selects a row, and Enter or Space on a header sorts.
 *
 * @module
 */

import type { TargetedKeyboardEvent } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { SafeLine } from '../../safe-text.tsx'
import { visibleRows, type Range } from '../../heights.ts'
import { ROW_HEIGHT, useViewport } from '../../virtual-list.tsx'
import { cellText, type Table } from '../data/rows.ts'
import { moveCell, type Cell } from './grid-keys.ts'
import type { Sort } from './order.ts'

export interface GridProps {
  readonly label: string
  readonly table: Table
  /** The rows that are shown, in order. */
  readonly order: Uint32Array
  readonly sort: Sort | null
  readonly setSort: (sort: Sort | null) => void
  readonly selected: ReadonlySet<number>
  readonly setSelected: (selected: ReadonlySet<number>) => void
}

/** Characters of a cell that are shown; the whole text is its tooltip. */
const MAX_CELL_LENGTH = 300

/** Renders the grid. Column 0 has the check boxes; row -1 is the header. */
export function Grid(props: GridProps) {
  const { label, table, order, selected, setSelected } = props
  const { ref, scroll, height } = useViewport()
  const [active, setActive] = useState<Cell>({ row: -1, column: 1 })
  const moved = useRef(false)
  const cell = {
    row: Math.min(active.row, order.length - 1),
    column: Math.min(active.column, table.columns.length),
  }
  const tracks = useMemo(() => measureColumns(table), [table])
  const pageRows = Math.max(1, Math.floor(height / ROW_HEIGHT) - 2)

  useLayoutEffect(() => {
    if (ref.current && moved.current) focusActive(ref.current, cell.row)
    moved.current = false
  }, [active])

  const toggle = (row: number) => setSelected(toggled(selected, row))
  const press = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const next = moveCell(event, cell, {
      rows: order.length,
      columns: table.columns.length + 1,
      pageRows,
    })
    const row = order[cell.row]
    if (next) {
      moved.current = true
      setActive(next)
    } else if (event.key === ' ' && row !== undefined && !isControl(event.target)) toggle(row)
    else return
    event.preventDefault()
  }
  const focusCell = (at: Cell) => setActive(at)
  const shown = rowsToRender(visibleRows(scroll, height, ROW_HEIGHT, order.length), cell.row)
  return (
    <div
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={order.length + 1}
      aria-colcount={table.columns.length + 1}
      aria-multiselectable="true"
      ref={ref}
      onKeyDown={press}
      style={tracks}
    >
      <Header {...props} {...{ cell, focusCell }} />
      <div role="rowgroup" style={`height:${order.length * ROW_HEIGHT}px`} class="grid-body">
        {shown.map((index) => (
          <GridRow
            key={order[index]}
            {...{ index, table, cell, focusCell, toggle }}
            row={order[index] ?? 0}
            isSelected={selected.has(order[index] ?? -1)}
          />
        ))}
      </div>
    </div>
  )
}

/** Rows whose texts decide how wide the columns are. */
const MEASURED_ROWS = 200

/** Returns the style that gives each column a width by its longest text; beyond the limits, texts are cut. */
function measureColumns({ columns, count, cell }: Table): string {
  const widths = columns.map(({ label }, column) => {
    let length = label.length + 3
    for (let row = 0; row < Math.min(count, MEASURED_ROWS); row++)
      length = Math.max(length, cellText(cell(row, column)).length)
    return 16 + 8 * Math.min(length, 50)
  })
  const tracks = widths.map((width) => `minmax(${Math.min(width, MAX_MIN_WIDTH)}px,${width}fr)`)
  const least = widths.reduce((sum, width) => sum + Math.min(width, MAX_MIN_WIDTH), CHECK_WIDTH)
  return `--tracks:${CHECK_WIDTH}px ${tracks.join(' ')};--least:${least}px`
}

/** Pixels of the column with the check boxes. */
const CHECK_WIDTH = 36

/** Pixels that a column has even where the frame is narrow. */
const MAX_MIN_WIDTH = 180

/** Returns the visible rows, and the active one, which has the focus or may receive it. */
function rowsToRender({ from, to }: Range, active: number): number[] {
  const rows = Array.from({ length: to - from }, (_, index) => from + index)
  if (active >= 0 && active < from) rows.unshift(active)
  if (active >= to) rows.push(active)
  return rows
}

/** Whether an element handles Space itself. */
const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input, button')

function toggled(set: ReadonlySet<number>, row: number): ReadonlySet<number> {
  const next = new Set(set)
  if (!next.delete(row)) next.add(row)
  return next
}

/** Scrolls to a row, and moves the focus to the cell in the tab order. */
function focusActive(grid: HTMLElement, row: number): void {
  if (row >= 0) scrollToRow(grid, row)
  grid.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
}

function scrollToRow(grid: HTMLElement, row: number): void {
  const top = row * ROW_HEIGHT
  // The header is above the rows and covers one.
  const min = top + 2 * ROW_HEIGHT - grid.clientHeight
  grid.scrollTop = Math.max(min, Math.min(top, grid.scrollTop))
}

interface HeaderProps extends GridProps {
  readonly cell: Cell
  readonly focusCell: (cell: Cell) => void
}

function Header({
  table,
  order,
  sort,
  setSort,
  selected,
  setSelected,
  cell,
  focusCell,
}: HeaderProps) {
  const isAll = order.length > 0 && order.every((row) => selected.has(row))
  const tab = (column: number) => (cell.row === -1 && cell.column === column ? 0 : -1)
  return (
    <div role="rowgroup" class="grid-head">
      <div role="row" aria-rowindex={1} class="grid-row">
        <span role="columnheader" aria-colindex={1} class="check">
          <input
            type="checkbox"
            aria-label="Select all rows"
            checked={isAll}
            tabIndex={tab(0)}
            onFocus={() => focusCell({ row: -1, column: 0 })}
            onChange={() => setSelected(isAll ? new Set() : new Set(order))}
          />
        </span>
        {table.columns.map(({ label, sortable }, index) => (
          <span
            role="columnheader"
            aria-colindex={index + 2}
            aria-sort={
              sort?.column !== index ? undefined : sort.descending ? 'descending' : 'ascending'
            }
            tabIndex={sortable ? undefined : tab(index + 1)}
            onFocus={() => focusCell({ row: -1, column: index + 1 })}
          >
            {sortable ? (
              <button
                class="sort"
                tabIndex={tab(index + 1)}
                onClick={() => setSort(nextSort(sort, index))}
              >
                <SafeLine text={label} />
                <span aria-hidden="true">
                  {sort?.column === index ? (sort.descending ? ' ▼' : ' ▲') : ''}
                </span>
              </button>
            ) : (
              <SafeLine text={label} />
            )}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Ascending, then descending, then the order of the file. */
function nextSort(sort: Sort | null, column: number): Sort | null {
  if (sort?.column !== column) return { column, descending: false }
  return sort.descending ? null : { column, descending: true }
}

interface RowProps {
  readonly index: number
  readonly row: number
  readonly table: Table
  readonly cell: Cell
  readonly isSelected: boolean
  readonly focusCell: (cell: Cell) => void
  readonly toggle: (row: number) => void
}

function GridRow({ index, row, table, cell, isSelected, focusCell, toggle }: RowProps) {
  const tab = (column: number) => (cell.row === index && cell.column === column ? 0 : -1)
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      class="grid-row"
      style={`top:${index * ROW_HEIGHT}px;height:${ROW_HEIGHT}px`}
    >
      <span role="gridcell" aria-colindex={1} class="check">
        <input
          type="checkbox"
          aria-label={`Select row ${index + 1}`}
          checked={isSelected}
          tabIndex={tab(0)}
          onFocus={() => focusCell({ row: index, column: 0 })}
          onClick={() => toggle(row)}
        />
      </span>
      {table.columns.map((_, column) => {
        const value = table.cell(row, column)
        const text = cellText(value)
        return (
          <span
            role="gridcell"
            aria-colindex={column + 2}
            class={typeof value === 'number' ? 'number' : undefined}
            tabIndex={tab(column + 1)}
            title={text.length > 40 ? text : undefined}
            onFocus={() => focusCell({ row: index, column: column + 1 })}
          >
            <SafeLine text={firstLine(text)} />
          </span>
        )
      })}
    </div>
  )
}

function firstLine(text: string): string {
  const line = text.replaceAll(/\r?\n/g, ' ')
  return line.length > MAX_CELL_LENGTH ? `${line.slice(0, MAX_CELL_LENGTH).toWellFormed()}…` : line
}
