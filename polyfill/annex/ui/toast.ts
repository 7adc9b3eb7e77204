/**
 * The notice: informs the user that a tool runs without approval (level `notify`).
 *
 * @module
 */

import type { ApprovalRequest } from '../approver.ts'
import { closedTree, el, shown } from './dom.ts'
import { drawIntent } from './draw.ts'
import { native } from './native.ts'

/** Display time of a notice in milliseconds. */
export const NOTICE_MS = 6_000

let current: HTMLElement | null = null

/**
 * Shows the notice, replacing the previous one. Without a body nothing is shown; the audit log
 * still has the call.
 */
export function tell({ tool, intent }: ApprovalRequest): void {
  if (!document.body) return
  if (current) native.remove(current)
  const { host, root } = closedTree()
  const said = intent?.text ? ['“', drawIntent(intent), '”'] : ['is used by an agent.']
  const notice = el('aside', { role: 'status', popover: 'manual' }, [
    el('p', {}, [el('b', {}, [shown(tool, 128)]), ' ', ...said]),
  ])
  native.appendToRoot(root, notice)
  native.append(document.documentElement, host)
  native.showPopover(notice)
  current = host
  native.later(() => native.remove(host), NOTICE_MS)
}
