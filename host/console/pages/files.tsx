/** The files page: the server's file browser app at full height. @module */

import { recordOf } from '#core/json.ts'
import { PageHead } from '../parts/parts.tsx'
import { View } from '../parts/view.tsx'
import { say } from '../state/toast.ts'
import { linkTo, route } from '../state/route.ts'
import { touched } from '../state/link.ts'
import { textIn } from '../state/storage.ts'
import { openAsked } from '../state/open-link.ts'

/** URI of the file browser app. */
export const FILE_BROWSER = 'ui://edgewise/files'

/** Shows the file browser. */
export function Files() {
  const { path } = route.value.query
  const told = (event: CustomEvent) => {
    if (event.type === 'mcp-open-link') openAsked(event, 'The file browser')
    if (event.type === 'mcp-call') changed(event.detail)
  }
  return (
    <>
      <PageHead title="Files">
        What is there now. What happened to it stands under{' '}
        <a href={linkTo(['activity'])}>Activity</a>.
      </PageHead>
      <div class="filling">
        <View
          uri={FILE_BROWSER}
          name="File browser"
          height="fill"
          modes={['inline', 'fullscreen']}
          {...(path !== undefined && { input: { path } })}
          onEvent={told}
        />
      </div>
    </>
  )
}

/** Confirms a change that the app made, and reloads what shows it. */
function changed(detail: unknown): void {
  const name = textIn(detail, 'name')
  const { outcome, _meta: meta } = recordOf(detail)
  const isPreview = recordOf(meta)['preview'] === true
  if (name === null || !CHANGING.has(name) || outcome !== 'done' || isPreview) return
  touched.value++
  say('The workspace was changed', { href: linkTo(['activity']), linkText: 'See what was done' })
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
