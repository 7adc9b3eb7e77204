/**
 * The files page: a folder or a file of the workspace, which can be edited, and the file browser with search and history.
 * For another server, and below a session link, the file browser alone is there: what the page reads is the owner's.
 *
 * @module
 */

import { resolvePath, ROOT, type StorePath } from '#core/path.ts'
import { FileComments } from '../comments/file-comments.tsx'
import { ownBase } from '../connect/workspace.ts'
import { SharedDraftNote } from '../drafts/shared-draft-note.tsx'
import { ShareButton } from '../page-links/share.tsx'
import { go, linkTo, route } from '../shell/route.ts'
import { Path } from '../ui/path.tsx'
import { Note, PageHead } from '../ui/parts.tsx'
import { Segments } from '../ui/segments.tsx'
import { Browser } from './browser.tsx'
import { unsavedPaths } from './editing.ts'
import { PlacePage } from './place.tsx'

/** Shows the page that the address names. */
export function Files() {
  const { path, query } = route.value
  const isOwn = ownBase.value !== null
  const isBrowser = !isOwn || path[1] === 'browser'
  const place = placeOf(query['path'])
  return (
    <>
      <PageHead
        title="Files"
        actions={
          isOwn && (
            <>
              <Pages value={isBrowser ? 'browser' : 'files'} path={query['path']} />
              <ShareButton path={query['path']} />
            </>
          )
        }
      >
        The files of the workspace. Earlier changes are under{' '}
        <a href={linkTo(['activity'])}>Activity</a>.
      </PageHead>
      <SharedDraftNote />
      <Unsaved shown={query['path'] ?? ''} />
      {isBrowser ? <Browser /> : <PlacePage key={place} path={place} />}
      <FileComments path={query['path']} />
    </>
  )
}

/** Returns the path that an address names; the root for none, and for what is no path. */
function placeOf(text = '/'): StorePath {
  const path = resolvePath(text)
  return path.ok ? path.value : ROOT
}

interface PagesProps {
  readonly value: 'files' | 'browser'
  readonly path: string | undefined
}

const Pages = ({ value, path }: PagesProps) => (
  <Segments
    label="What to show"
    value={value}
    options={[
      ['files', 'Files'],
      ['browser', 'Search and history'],
    ]}
    onChange={(next) => go(next === 'files' ? ['files'] : ['files', 'browser'], { path })}
  />
)

/** Names files with unsaved text that are not shown. */
function Unsaved({ shown }: { readonly shown: string }) {
  const paths = unsavedPaths().filter((path) => path !== shown)
  if (paths.length === 0) return null
  return (
    <div class="unsavedfiles">
      <Note tone="info" title="Unsaved text:">
        {paths.map((path, index) => (
          <span key={path}>
            {index > 0 && ', '}
            <a href={linkTo(['files'], { path })}>
              <Path text={path} />
            </a>
          </span>
        ))}
      </Note>
    </div>
  )
}
