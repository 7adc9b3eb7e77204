/** The files page: the server's file browser app at full height. @module */

import { useMemo } from 'preact/hooks'
import { recordOf } from '#core/json.ts'
import { PageHead } from '../ui/parts.tsx'
import { View } from '../apps/view.tsx'
import { showToast } from '../ui/toasts.tsx'
import { linkTo, route } from '../shell/route.ts'
import { revision } from '../connect/connection.ts'
import { textIn } from '../ui/storage.ts'

/** URI of the file browser app. */
const FILE_BROWSER = 'ui://edgewise/files'

/** Shows the file browser. */
export function Files() {
  const { path } = route.value.query
  // The app opens the file that a result names, as it does for the tools that have it as their view.
  const shown = useMemo(() => path && { content: [], structuredContent: { path } }, [path])
  const handleEvent = (event: CustomEvent) => {
    if (event.type === 'mcp-call') noteChange(event.detail)
  }
  return (
    <>
      <PageHead title="Files">
        The files of the workspace. Earlier changes are under{' '}
        <a href={linkTo(['activity'])}>Activity</a>.
      </PageHead>
      <div class="filling">
        <View
          uri={FILE_BROWSER}
          name="File browser"
          height="fill"
          modes={['inline', 'fullscreen']}
          {...(shown && { result: shown })}
          onEvent={handleEvent}
        />
      </div>
    </>
  )
}

/** Confirms a change that the app made, and reloads what shows it. */
function noteChange(detail: unknown): void {
  const name = textIn(detail, 'name')
  const { outcome, _meta: meta } = recordOf(detail)
  const isPreview = recordOf(meta)['preview'] === true
  if (name === null || !CHANGING.has(name) || outcome !== 'done' || isPreview) return
  revision.value++
  showToast('The workspace was changed', {
    href: linkTo(['activity']),
    linkText: 'See the activity',
  })
}

const CHANGING = new Set([
  'write_file',
  'edit_file',
  'move_file',
  'copy_file',
  'create_folder',
  'delete_file',
  'restore_file',
  'undo_change',
])
