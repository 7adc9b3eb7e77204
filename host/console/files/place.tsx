/**
 * The page of one path: a folder, a file, or that nothing is there, with the folders above it as links.
 * `test/host/console/files/place.test.tsx` has the cases.
 *
 * @module
 */

import { useEffect } from 'preact/hooks'
import { ancestorsOf, nameOf, ROOT, type StorePath } from '#core/path.ts'
import { revision } from '../connect/connection.ts'
import { basePath, usePolling } from '../connect/workspace.ts'
import { linkTo } from '../shell/route.ts'
import { useLoad } from '../ui/load.ts'
import { Empty, Fault, Waiting } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { editingOf } from './editing.ts'
import { FilePage } from './file.tsx'
import { FolderPage } from './folder.tsx'
import { readPlace } from './source.ts'

/** Shows what is at a path, and reads it again when the workspace changes. */
export function PlacePage({ path }: { readonly path: StorePath }) {
  usePolling()
  return (
    <div class="fileplace" data-testid="place">
      <Crumbs path={path} />
      <Loaded path={path} />
    </div>
  )
}

function Loaded({ path }: { readonly path: StorePath }) {
  const base = basePath.value
  const { value, error, reload } = useLoad(
    async (signal) => ({ base, place: await readPlace(base, path, signal) }),
    [base, path, revision.value],
  )
  const editing = editingOf(path)
  const fault = error ? <Fault what="Cannot read the files" error={error} retry={reload} /> : null
  useFocus(value !== null)
  if (value === null && !error) return <Waiting>Reading the files…</Waiting>
  const place = value?.place ?? null
  if (place?.type === 'folder')
    return (
      <>
        {fault}
        <FolderPage path={path} first={place.page} onChanged={reload} />
      </>
    )
  if (place?.type !== 'file' && !editing) return fault ?? <Missing path={path} />
  const file = place?.type === 'file' ? place.file : null
  return (
    <>
      {fault}
      <FilePage path={path} file={file} isGone={place?.type === 'missing'} />
    </>
  )
}

/** Moves the focus to the path once it is shown, if the link that led here is gone. */
function useFocus(isRead: boolean): void {
  useEffect(() => {
    if (!isRead || document.activeElement !== document.body) return
    const current = document.querySelector<HTMLElement>('.crumbs [aria-current]')
    const place = current ?? document.querySelector<HTMLElement>('main h1')
    place?.focus({ preventScroll: true })
  }, [isRead])
}

/** Links to the folders above a path, and the path's own name. */
function Crumbs({ path }: { readonly path: StorePath }) {
  if (path === ROOT) return null
  return (
    <nav class="crumbs" aria-label="Folders">
      <ol>
        {[ROOT, ...ancestorsOf(path)].map((folder) => (
          <li key={folder}>
            <a href={linkTo(['files'], folder === ROOT ? {} : { path: folder })}>
              {folder === ROOT ? 'All files' : <Path text={nameOf(folder)} />}
            </a>
          </li>
        ))}
        <li aria-current="page" tabIndex={-1}>
          <Path text={nameOf(path)} />
        </li>
      </ol>
    </nav>
  )
}

const Missing = ({ path }: { readonly path: StorePath }) => (
  <Empty
    icon="search"
    title="Nothing is here"
    actions={
      <a class="button" href={linkTo(['files'])}>
        Show all files
      </a>
    }
  >
    <Path text={path} /> was moved or deleted, or never existed.
  </Empty>
)
