/**
 * A folder: its entries in columns, what can be made of them, and files that are dropped on it.
 * `test/host/console/files/place.test.tsx` has the cases.
 *
 * @module
 */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { StorePath } from '#core/path.ts'
import { basePath } from '../connect/workspace.ts'
import { linkTo } from '../shell/route.ts'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { Empty, Fault } from '../ui/parts.tsx'
import { CreateDialog, type Creation } from './create-dialog.tsx'
import { DropZone } from './drop-zone.tsx'
import { EntryTable } from './entry-table.tsx'
import { Import } from './import.tsx'
import { addressOf, readPage, type Entry, type FolderPage as Page } from './source.ts'
import type { LocalFile } from './tar.ts'

interface Props {
  readonly path: StorePath
  readonly first: Page
  readonly onChanged: () => void
}

/** Most pages after the first that are shown: all of them are read again after each change. */
const MAX_PAGES = 9

/** What is open above the folder. */
type Open =
  | { readonly what: Creation }
  | { readonly what: 'import'; readonly files: readonly LocalFile[] }
  | null

/** Shows a folder. */
export function FolderPage({ path, first, onChanged }: Props) {
  const { entries, next, error, more, isFull } = usePages(path, first)
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <DropZone folder={path} onFiles={(files) => setOpen({ what: 'import', files })}>
      <div class="foldertools">
        <p class="faint small numbers">
          {formatCount(entries.length, 'entry', 'entries')}
          {next !== null && ' shown, more below'}
        </p>
        <Tools path={path} onOpen={setOpen} />
      </div>
      {entries.length === 0 ? (
        <Empty icon="files" title="An empty folder">
          Create a file, or drop files and folders here.
        </Empty>
      ) : (
        <EntryTable entries={entries} isComplete={next === null} />
      )}
      {error ? <Fault what="Cannot read more entries" error={error} retry={more} /> : null}
      {next !== null && isFull && (
        <p class="faint">
          There are more entries. Find them with{' '}
          <a href={linkTo(['files', 'browser'], { path })}>Search and history</a>.
        </p>
      )}
      {next !== null && !error && !isFull && (
        <p class="row">
          <button type="button" class="button" onClick={more}>
            Show more
          </button>
        </p>
      )}
      {open?.what === 'import' && (
        <Import initial={{ files: open.files, to: path }} onClose={() => (close(), onChanged())} />
      )}
      {open !== null && open.what !== 'import' && (
        <CreateDialog what={open.what} folder={path} onClose={close} />
      )}
    </DropZone>
  )
}

interface ToolsProps {
  readonly path: StorePath
  readonly onOpen: (open: Open) => void
}

const Tools = ({ path, onOpen }: ToolsProps) => (
  <div class="row">
    <button type="button" class="button small" onClick={() => onOpen({ what: 'file' })}>
      <Icon name="plus" /> New file
    </button>
    <button type="button" class="button small" onClick={() => onOpen({ what: 'folder' })}>
      <Icon name="files" /> New folder
    </button>
    <button
      type="button"
      class="button small"
      onClick={() => onOpen({ what: 'import', files: [] })}
    >
      <Icon name="upload" /> Import
    </button>
    <a
      class="button small"
      href={`${addressOf(basePath.value, path, 'export')}?format=zip`}
      download
    >
      <Icon name="download" /> Download as zip
    </a>
  </div>
)

/** Holds the pages that were read. When the folder is read again, so are all of them. */
function usePages(path: StorePath, first: Page) {
  const [rest, setRest] = useState<readonly Page[]>([])
  const [error, setError] = useState<unknown>(null)
  const running = useRef<AbortController | null>(null)
  const base = basePath.value
  const read = async (count: number, from: string | null) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setError(null)
    try {
      const pages = await readPages({ base, path, count, from, signal: controller.signal })
      if (!controller.signal.aborted) return pages
    } catch (problem) {
      if (!controller.signal.aborted) setError(problem)
    }
    return null
  }
  useEffect(() => {
    if (rest.length > 0)
      void read(rest.length, first.next).then((pages) => {
        if (pages) setRest(pages)
      })
    return () => running.current?.abort()
  }, [first])
  const next = rest.at(-1)?.next ?? (rest.length > 0 ? null : first.next)
  const entries = useMemo(
    () => uniqueByPath([...first.entries, ...rest.flatMap((page) => page.entries)]),
    [first, rest],
  )
  const more = () =>
    void read(1, next).then((pages) => {
      if (pages) setRest((before) => [...before, ...pages])
    })
  return { entries, next, error, more, isFull: rest.length >= MAX_PAGES }
}

interface Wanted {
  readonly base: string
  readonly path: string
  readonly count: number
  readonly from: string | null
  readonly signal: AbortSignal
}

async function readPages({ base, path, count, from, signal }: Wanted): Promise<readonly Page[]> {
  const pages: Page[] = []
  let after = from
  while (after !== null && pages.length < count) {
    const page = await readPage(base, path, { after, signal })
    pages.push(page)
    after = page.next
  }
  return pages
}

/** An entry that was moved between two reads could be on two pages. */
const uniqueByPath = (entries: readonly Entry[]): readonly Entry[] => [
  ...new Map(entries.map((entry) => [entry.path, entry])).values(),
]
