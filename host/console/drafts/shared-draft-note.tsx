/**
 * The note of pages whose files the console reads over MCP, which includes the draft of callers without a session that
 * call themselves what the console does.
 *
 * @module
 */

import { linkTo } from '../shell/route.ts'
import { formatCount } from '../ui/format.ts'
import { Note } from '../ui/parts.tsx'
import { sharedDraft } from './waiting-list.ts'

/** Says that the files are shown with changes that the workspace does not have yet; nothing without a draft. */
export function SharedDraftNote() {
  const draft = sharedDraft.value
  if (draft === null) return null
  const { changes, id } = draft
  return (
    <div class="health">
      <Note
        tone="warning"
        title={`${formatCount(changes, 'change is', 'changes are')} shown that you have not approved.`}
      >
        The files appear as they would be with {changes === 1 ? 'it' : 'them'}.{' '}
        <a href={linkTo(['waiting', id])}>Review and decide</a>
      </Note>
    </div>
  )
}
