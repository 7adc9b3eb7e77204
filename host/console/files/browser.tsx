/** The file browser: the server's own app, with search, history and earlier versions. @module */

import { useMemo } from 'preact/hooks'
import { changeOf } from '../../mcp/tool-facts.ts'
import type { CallToolResult } from '../../mcp/types.ts'
import { View } from '../apps/view.tsx'
import { revision } from '../connect/connection.ts'
import { openSharing } from '../page-links/share.tsx'
import { linkTo, route } from '../shell/route.ts'
import { showToast } from '../ui/toasts.tsx'

/** URI of the file browser app. */
const FILE_BROWSER = 'ui://edgewise/files'

/** Shows the app, with the file that the address names. */
export function Browser() {
  const { path } = route.value.query
  // The app opens the file that a result names, as it does for the tools that have it as their view.
  const shown = useMemo(() => path && { content: [], structuredContent: { path } }, [path])
  return (
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
