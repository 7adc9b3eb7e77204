/**
 * The notice: informs the user that a tool runs without approval (level `notify`).
 *
 * @module
 */

import type { ApprovalRequest } from '../approver.ts'
import { closedTree, el } from './dom.ts'
import { drawIntent, drawName } from './draw.ts'
import { intrinsics } from './intrinsics.ts'

/** Display time of a notice in milliseconds. */
export const NOTICE_MS = 6_000

let current: HTMLElement | null = null

/**
 * Shows the notice, replacing the previous one. Without a body nothing is shown; the audit log
 * still has the call.
 */
export function notify({ tool, title, intent }: ApprovalRequest): void {
  if (!document.body) return
  if (current) intrinsics.remove(current)
  const { host, root } = closedTree()
  const claim = intent?.text ? drawIntent(intent) : null
  const notice = el('aside', { role: 'status', popover: 'manual' }, [
    el('p', {}, [
      el('b', {}, [drawName(tool, title)]),
      claim ? ' “' : ' is used by an agent.',
      claim,
      claim && '”',
    ]),
  ])
  intrinsics.appendToRoot(root, notice)
  intrinsics.append(document.documentElement, host)
  intrinsics.showPopover(notice)
  current = host
  intrinsics.later(() => intrinsics.remove(host), NOTICE_MS)
}
