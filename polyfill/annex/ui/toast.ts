/**
 * The notice: a tool ran that the person need not allow, but should know of.
 *
 * @module
 */

import type { ApprovalRequest } from '../approver.ts'
import { closedTree, el, shown } from './dom.ts'
import { drawIntent } from './draw.ts'
import { native } from './native.ts'

/** How long a notice stands. */
export const NOTICE_MS = 6_000

let current: HTMLElement | null = null

/** Tells that a tool runs. Where nothing can be shown, the trail still has it. */
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
