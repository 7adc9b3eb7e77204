/**
 * Contents of the workspace, for the overview: totals, the top folder, and recently changed files.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { Icon } from '../parts/icons.tsx'
import { Empty, Fault, Waiting } from '../parts/parts.tsx'
import { listChanges } from '../state/changes.ts'
import { touchedBy, type Touched } from '../state/details.ts'
import { bytes, number, numbered } from '../state/format.ts'
import { jsonHere } from '../state/here.ts'
import { link, openConnection, touched } from '../state/link.ts'
import { useLoad } from '../state/load.ts'
import { linkTo } from '../state/route.ts'
import { textIn } from '../state/storage.ts'
import { answered, api, base, offers } from '../state/workspace.ts'

/** Shows the contents of the workspace. */
export function Holds() {
  const from = api.value
  const at = base.value
  const status = useLoad(async () => (from ? answered(from.status()) : null), [from, touched.value])
  const top = useLoad((signal) => topOf(at, signal), [at, touched.value])
  const { value, isLoading } = status
  const trouble = status.error ?? top.error
  const again = () => {
    status.reload()
    top.reload()
  }
  return (
    <>
      <header>
        <h2 id="holds">What it holds</h2>
        {offers.value.files && <a href={linkTo(['files'])}>Look through the files</a>}
      </header>
      {trouble ? (
        <Fault what="The files could not be counted." error={trouble} retry={again} />
      ) : null}
      {!value && isLoading && <Waiting />}
      {value && value.files > 0 && (
        <p class="amount numbers">
          <strong>{number(value.files)}</strong> {value.files === 1 ? 'file' : 'files'}
          <span>{bytes(value.bytes)}</span>
        </p>
      )}
      {value?.files === 0 && <NoFiles />}
      {top.value && top.value.entries.length > 0 && <Top {...top.value} />}
      {value && value.files > 0 && <Latest />}
    </>
  )
}

const NoFiles = () => (
  <Empty
    icon="files"
    title="It is empty"
    actions={
      <a class="button" href={linkTo([], { do: 'import' })}>
        <Icon name="upload" /> Import a folder
      </a>
    }
  >
    Bring files in, or let an agent write the first one.
  </Empty>
)

interface Entry {
  readonly name: string
  readonly path: string
  readonly type: string
  readonly size: number | null
}

interface TopLevel {
  readonly entries: readonly Entry[]
  readonly more: number | null
}

const SHOWN = 8
const READ = 200

async function topOf(at: string, signal: AbortSignal): Promise<TopLevel> {
  const page = await jsonHere(`${at}/files/?limit=${READ}`, signal)
  const list = isRecord(page) && Array.isArray(page['entries']) ? page['entries'] : []
  const entries = list.flatMap(readEntry).toSorted((a, b) => b.type.localeCompare(a.type))
  const more = entries.length - SHOWN
  return { entries: entries.slice(0, SHOWN), more: more > 0 ? more : null }
}

function readEntry(value: unknown): Entry[] {
  const [name, type] = [textIn(value, 'name'), textIn(value, 'type')]
  if (name === null || type === null) return []
  const size = isRecord(value) ? value['size'] : null
  return [{ name, path: `/${name}`, type, size: typeof size === 'number' ? size : null }]
}

function Top({ entries, more }: TopLevel) {
  return (
    <ul class="top" aria-label="At the top">
      {entries.map(({ name, path, type, size }) => (
        <li key={name}>
          <a href={linkTo(['files'], { path })}>
            <Icon name={type === 'folder' ? 'files' : 'file'} />
            <span>{name}</span>
            {size !== null && <small>{bytes(size)}</small>}
          </a>
        </li>
      ))}
      {more !== null && (
        <li class="faint small">and {numbered(more, 'more entry', 'more entries')}</li>
      )}
    </ul>
  )
}

const LATEST = 5
const LOOKED_AT = 6

/** Files of the most recent changes. */
function Latest() {
  const { value } = useLoad(latest, [link.value, touched.value])
  if (!value || value.length === 0) return null
  return (
    <>
      <h3 class="sub">Touched last</h3>
      <ul class="top">
        {value.map(({ path, added, removed }) => (
          <li key={path}>
            <a href={linkTo(['files'], { path })}>
              <Icon name="file" />
              <span>{path}</span>
              <small class="numbers">
                {added > 0 && <ins>+{number(added)}</ins>}{' '}
                {removed > 0 && <del>−{number(removed)}</del>}
              </small>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

async function latest(signal: AbortSignal): Promise<Touched[]> {
  const connection = openConnection()
  const { changes } = await listChanges(connection, { limit: LOOKED_AT }, signal)
  const readable = changes.filter(({ tool }) => tool !== 'import' && tool !== 'delegate')
  const lists = await Promise.all(
    readable.map((change) => touchedBy(connection, change, signal).catch(() => [])),
  )
  const seen = new Set<string>()
  // Newest first: an older change may name a file that was moved or deleted since.
  const there = lists.flat().filter(({ path, from, isGone }) => {
    const isNew = !seen.has(path)
    seen.add(path)
    if (from !== null) seen.add(from)
    return isNew && !isGone
  })
  return there.slice(0, LATEST)
}
