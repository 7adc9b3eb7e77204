/** The files page: the server's file browser app at full height. @module */

import { useMemo } from 'preact/hooks'
import { changeOf } from '../../mcp/tool-facts.ts'
import type { CallToolResult } from '../../mcp/types.ts'
import { FileComments } from '../comments/file-comments.tsx'
import { SharedDraftNote } from '../drafts/shared-draft-note.tsx'
import { openSharing, ShareButton } from '../page-links/share.tsx'
import { PageHead } from '../ui/parts.tsx'
import { View } from '../apps/view.tsx'
import { showToast } from '../ui/toasts.tsx'
import { linkTo, route } from '../shell/route.ts'
import { revision } from '../connect/connection.ts'

/** URI of the file browser app. */
const FILE_BROWSER = 'ui://edgewise/files'

/** Shows the file browser. */
export function Files() {
  const { path } = route.value.query
  // The app opens the file that a result names, as it does for the tools that have it as their view.
  const shown = useMemo(() => path && { content: [], structuredContent: { path } }, [path])
  return (
    <>
      <PageHead title="Files" actions={<ShareButton path={path} />}>
        The files of the workspace. Earlier changes are under{' '}
        <a href={linkTo(['activity'])}>Activity</a>.
      </PageHead>
      <SharedDraftNote />
      <FileComments path={path} />
      <div class="filling">
        <View
          uri={FILE_BROWSER}
          name="File browser"
          isOfConsole
          height="fill"
          modes={['inline', 'fullscreen']}
          {...(shown && { result: shown })}
          onEvent={openSharing}
          onResult={noteChange}
        />
      </div>
    </>
  )
}

/** Reports what became of a change that the app made, and reloads what shows it. */
function noteChange(result: CallToolResult): void {
  const change = changeOf(result)
  if (result.isError || !change || !(change.applied || change.waits)) return
  revision.value++
  if (change.waits)
    return showToast(`Waits for your approval: ${change.intent}`, {
      tone: 'info',
      href: linkTo(['waiting']),
      linkText: 'Review and decide',
    })
  showToast('The workspace was changed', {
    href: linkTo(['activity']),
    linkText: 'See the activity',
  })
}
