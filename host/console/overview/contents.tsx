/**
 * Contents of the workspace, for the overview: totals, the top folder, and recently changed files.
 *
 * @module
 */

import { Path } from '../ui/path.tsx'
import { isRecord } from '#core/json.ts'
import { Icon } from '../ui/icons.tsx'
import { Empty, Fault, Waiting } from '../ui/parts.tsx'
import { listApplied } from '../activity/changes.ts'
import { readTouchedFiles, type TouchedFile } from '../activity/touched-files.ts'
import { formatBytes, formatNumber, formatCount } from '../ui/format.ts'
import { getJson } from '../connect/http.ts'
import { connectionStatus, openConnection, revision } from '../connect/connection.ts'
import { useLoad } from '../ui/load.ts'
import { linkTo } from '../shell/route.ts'
import { textIn } from '../ui/storage.ts'
import { basePath, features, ownBase } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'

/** Shows the contents of the workspace. */
export function Contents() {
  const own = ownBase.value
  const at = basePath.value
  const status = useLoad(
    async (signal) => (own === null ? null : sendAct(own, 'read_status', { signal })),
    [own, revision.value],
  )
  const top = useLoad((signal) => readTopFolder(at, signal), [at, revision.value])
  const { value, isLoading } = status
  const error = status.error ?? top.error
  const retry = () => {
    status.reload()
    top.reload()
  }
  return (
    <>
      <header>
        <h2 id="contents">Contents</h2>
        {features.value.files && <a href={linkTo(['files'])}>Browse files</a>}
      </header>
      {error ? <Fault what="Cannot count the files" error={error} retry={retry} /> : null}
      {!value && isLoading && <Waiting />}
      {value && value.files > 0 && (
        <p class="amount numbers">
          <strong>{formatNumber(value.files)}</strong> {value.files === 1 ? 'file' : 'files'}
          <span>{formatBytes(value.bytes)}</span>
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
    title="No files"
    actions={
      <a class="button" href={linkTo([], { do: 'import' })}>
        <Icon name="upload" /> Import a folder
      </a>
    }
  >
    Import a folder, or let an agent write the first file.
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

const MAX_SHOWN = 8
const MAX_READ = 200

async function readTopFolder(at: string, signal: AbortSignal): Promise<TopLevel> {
  const page = await getJson(`${at}/files/?limit=${MAX_READ}`, signal)
  const list = isRecord(page) && Array.isArray(page['entries']) ? page['entries'] : []
  const entries = list.flatMap(readEntry).toSorted((a, b) => b.type.localeCompare(a.type))
  const more = entries.length - MAX_SHOWN
  return { entries: entries.slice(0, MAX_SHOWN), more: more > 0 ? more : null }
}

function readEntry(value: unknown): Entry[] {
  const [name, type] = [textIn(value, 'name'), textIn(value, 'type')]
  if (name === null || type === null) return []
  const size = isRecord(value) ? value['size'] : null
  return [{ name, path: `/${name}`, type, size: typeof size === 'number' ? size : null }]
}

function Top({ entries, more }: TopLevel) {
  return (
    <ul class="top" aria-label="Top folder">
      {entries.map(({ name, path, type, size }) => (
        <li key={name}>
          <a href={linkTo(['files'], { path })}>
            <Icon name={type === 'folder' ? 'files' : 'file'} />
            <span>
              <Path text={name} />
            </span>
            {size !== null && <small>{formatBytes(size)}</small>}
          </a>
        </li>
      ))}
      {more !== null && (
        <li class="faint small">and {formatCount(more, 'more entry', 'more entries')}</li>
      )}
    </ul>
  )
}

const MAX_LATEST = 5
const MAX_CHANGES = 6

/** Files of the most recent changes. */
function Latest() {
  const { value } = useLoad(readLatestFiles, [connectionStatus.value, revision.value])
  if (!value || value.length === 0) return null
  return (
    <>
      <h3 class="sub">Recently changed files</h3>
      <ul class="top">
        {value.map(({ path, added, removed }) => (
          <li key={path}>
            <a href={linkTo(['files'], { path })}>
              <Icon name="file" />
              <Path text={path} />
              <small class="numbers">
                {added > 0 && <ins>+{formatNumber(added)}</ins>}{' '}
                {removed > 0 && <del>−{formatNumber(removed)}</del>}
              </small>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

async function readLatestFiles(signal: AbortSignal): Promise<TouchedFile[]> {
  const connection = openConnection()
  const { changes } = await listApplied(connection, { limit: MAX_CHANGES }, signal)
  const readable = changes.filter(({ tool }) => tool !== 'import' && tool !== 'delegate')
  const lists = await Promise.all(
    readable.map((change) => readTouchedFiles(connection, change, signal).catch(() => [])),
  )
  const seen = new Set<string>()
  // Newest first: an older change may name a file that was moved or deleted since.
  const there = lists.flat().filter(({ path, from, isGone }) => {
    const isNew = !seen.has(path)
    seen.add(path)
    if (from !== null) seen.add(from)
    return isNew && !isGone
  })
  return there.slice(0, MAX_LATEST)
}
