/**
 * `webmcp-approvals.mjs`: the content of `<webmcp-approvals>`.
 *
 * It lists the tools that the visitor allowed for longer than once, ends these approvals, and sets what the
 * visitor prefers (`settings.ts`). It follows changes made elsewhere while it is in view. It writes nothing
 * but the storage, which any script of the origin can write, so that it needs no captured functions. `test/pages/polyfill/approvals-element.slow.test.ts` covers it.
 *
 * @module
 */

import { forgetTool, SITE, storeApproval, storeSensitiveLevel } from '../approval-store.ts'
import type { VisitApprovals } from '../visit-approvals.ts'
import { CSS, draw, el } from './draw.ts'
import { listRows } from './rows.ts'
import { createSettings } from './settings.ts'

/** Milliseconds between two looks for changes made in other tabs, and for approvals that expire. */
const LOOK_MS = 2_000

const refreshers = new WeakMap<HTMLElement, () => Promise<void>>()

/**
 * Shows the approvals in an element, or refreshes what it shows.
 *
 * @param visit The approvals that hold until this page closes.
 * @param days The days for which an approval can be remembered.
 */
export function showApprovals(element: HTMLElement, visit: VisitApprovals, days: number): void {
  const known = refreshers.get(element)
  if (known) return void known()
  const refresh = createRefresh(element, visit, days)
  refreshers.set(element, refresh)
  followWhileInView(element, () => void refresh())
  void refresh()
}

function createRefresh(
  element: HTMLElement,
  visit: VisitApprovals,
  days: number,
): () => Promise<void> {
  const root = element.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CSS)
  root.adoptedStyleSheets = [sheet]
  let last = 0
  let drawn = ''
  const refresh = async () => {
    const turn = ++last
    const listed = await listRows(visit)
    const text = JSON.stringify(listed)
    // A later look has newer rows. The same rows are not drawn again, because that moves the focus.
    if (turn !== last || text === drawn) return
    drawn = text
    draw(root, place, listed, forget)
    settings?.update(listed)
  }
  const forget = async (tool?: string) => {
    for (const one of visit.list())
      if (tool === undefined || one.tool === tool) visit.forget(one.definition)
    await forgetTool(tool)
    await refresh()
  }
  const settings = createSettings(days >= 1, {
    async setLevel(level) {
      await storeSensitiveLevel(level)
      await refresh()
    },
    async setTrust(isTrusted) {
      await (isTrusted ? storeApproval(SITE, SITE, 1) : forgetTool(SITE))
      await refresh()
    },
  })
  const place = el('div')
  root.append(place, ...(settings ? [settings.element] : []))
  return refresh
}

/** Calls back when the element comes into view or its tab is shown, and regularly in between. */
function followWhileInView(element: HTMLElement, look: () => void): void {
  let timer = 0
  const lookIfShown = () => {
    if (!document.hidden) look()
  }
  const follow = (entries: readonly IntersectionObserverEntry[]) => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', lookIfShown)
    if (!entries.at(-1)?.isIntersecting) return
    look()
    timer = window.setInterval(lookIfShown, LOOK_MS)
    document.addEventListener('visibilitychange', lookIfShown)
  }
  new IntersectionObserver(follow).observe(element)
}
