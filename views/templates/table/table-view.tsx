/**
 * T2, the data table: reads a file or a result, and offers filter, sort, selection and export.
 *
 * @module
 */

import type { SettingsOf } from '#core/apps/templates.ts'
import { useState } from 'preact/hooks'
import { visible } from '#core/visible.ts'
import { pluralize, SafeText } from '../../safe-text.tsx'
import type { Dashboard } from '../dashboard.ts'
import type { AppData, AppFile } from '../data/files.ts'
import { tableOfFile, tableOfJson, type Table } from '../data/rows.ts'
import { runSliced } from '../slices.ts'
import { useLoaded, type LoadContext } from '../use-loaded.ts'
import { ExportButton } from './export.tsx'
import { Grid } from './grid.tsx'
import { filterRows, sortRows, type Sort } from './order.ts'

export interface TableViewProps {
  readonly dashboard: Dashboard
  readonly data: AppData
  readonly settings: SettingsOf<'data-table'>
}

/** Renders the data table. */
export function TableView({ dashboard, data, settings }: TableViewProps) {
  const files = data.kind === 'files' ? data.files : []
  const [path, setPath] = useState('')
  const file = files.find((each) => each.path === path) ?? files[0]
  const loaded = useLoaded(
    (context) => loadTable(dashboard, data, file, settings, context),
    [data, file?.path],
  )
  const { value: table, error, share } = loaded
  return (
    <>
      {files.length > 1 && (
        <label class="field-line">
          File{' '}
          <select onChange={({ currentTarget }) => setPath(currentTarget.value)}>
            {files.map((each) => (
              <option value={each.path} selected={each === file}>
                {visible(each.path)}
              </option>
            ))}
          </select>
        </label>
      )}
      {error !== '' && (
        <p class="problem" role="alert">
          <SafeText text={error} />
        </p>
      )}
      {table && <LoadedTable key={file?.path ?? ''} {...{ dashboard, table, settings }} />}
      {!table && error === '' && (
        <p class="empty" role="status">
          Loading… {share > 0 && `${Math.round(share * 100)} %`}
        </p>
      )}
    </>
  )
}

async function loadTable(
  dashboard: Dashboard,
  data: AppData,
  file: AppFile | undefined,
  { columns }: SettingsOf<'data-table'>,
  { isCurrent, onPart }: LoadContext,
): Promise<Table | null> {
  if (data.kind === 'value') return tableOfJson(data.value, columns)
  if (!file) return tableOfJson([], columns)
  const text = await dashboard.text(file, onPart)
  return runSliced(tableOfFile(file.path, text, columns), isCurrent)
}

interface LoadedProps {
  readonly dashboard: Dashboard
  readonly table: Table
  readonly settings: SettingsOf<'data-table'>
}

function LoadedTable({ dashboard, table, settings }: LoadedProps) {
  const [query, setQuery] = useState('')
  const [sort, setSort] = useState<Sort | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const { value } = useLoaded(
    ({ isCurrent }) => orderRows(table, query, sort, isCurrent),
    [table, query, sort],
  )
  // After a change of the file, rows of the old one may be beyond its end.
  const order = value?.table === table ? value.rows : null
  const shown = order?.length ?? 0
  const chosen = [...selected].filter((row) => row < table.count)
  return (
    <>
      <div class="bar">
        <input
          type="search"
          placeholder="Filter rows"
          aria-label="Filter rows"
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <p class="sum" role="status">
          {order ? summarize(shown, table, chosen.length) : 'Sorting…'}
        </p>
        <ExportButton
          {...{ dashboard, table, title: settings.title }}
          rows={chosen.length > 0 ? chosen : order}
        />
      </div>
      <Grid
        label={dashboard.app.title}
        {...{ table, order: order ?? EMPTY, sort, setSort, selected, setSelected }}
      />
    </>
  )
}

const EMPTY = new Uint32Array()

async function orderRows(
  table: Table,
  query: string,
  sort: Sort | null,
  isCurrent: () => boolean,
): Promise<{ table: Table; rows: Uint32Array } | null> {
  const found = await runSliced(filterRows(table, query), isCurrent)
  if (!found || !sort) return found && { table, rows: found }
  const rows = await runSliced(sortRows(table, found, sort), isCurrent)
  return rows && { table, rows }
}

function summarize(shown: number, { count, leftOut }: Table, selected: number): string {
  const rows =
    shown === count
      ? pluralize(count, 'row')
      : `${shown.toLocaleString('en')} of ${pluralize(count, 'row')}`
  const more = leftOut > 0 ? `, ${leftOut.toLocaleString('en')} not shown` : ''
  return `${rows}${more}${selected > 0 ? `, ${selected.toLocaleString('en')} selected` : ''}`
}
