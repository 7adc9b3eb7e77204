/**
 * What is shown of a draft, page by page, what is selected in it, and the notice about it. Pages of two revisions are
 * never mixed. `test/pages/console/waiting.slow.test.ts` uses it through the page.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { basePath } from '../connect/workspace.ts'
import { describeError } from '../ui/errors.ts'
import { useLoad } from '../ui/load.ts'
import { showToast } from '../ui/toasts.tsx'
import { hasUnseenChanges, OTHER, type Notice } from './draft-notice.ts'
import { sendAct } from '../owner/send-act.ts'
import type { DraftContents } from '#core/owner/answers/drafts.ts'

/** A list of a draft, which is loaded in pages. */
export type Listed = 'changes' | 'files'

/** No group. */
export const NONE: ReadonlySet<number> = new Set()

/** What belongs to one revision, and is void with the next one. */
interface OfRevision {
  readonly contents: DraftContents | null
  readonly selected: ReadonlySet<number>
}

/** Holds what is shown of a draft and selected in it, and a notice about it. */
export function useContents(id: string) {
  const base = basePath.value
  const { value, error, isLoading, reload } = useLoad(
    (signal) => sendAct(base, 'show_draft', { segments: { draft: id }, signal }),
    [base, id],
  )
  const [own, setOwn] = useState<OfRevision>({ contents: null, selected: NONE })
  const [notice, setNotice] = useState<Notice | null>(null)
  const isCurrent = own.contents !== null && own.contents.revision === value?.revision
  const contents = isCurrent ? own.contents : value
  const selected = isCurrent ? own.selected : NONE

  const showAgain = (next: Notice | null) => {
    setNotice(next)
    reload()
  }

  /** Loads the next page; null if it could not be loaded, or belongs to another revision. */
  const loadMore = async (from: DraftContents, what: Listed): Promise<DraftContents | null> => {
    try {
      const more = await readMore(base, from, what)
      if (more === null) setNotice(OTHER)
      else setOwn((before) => ({ contents: more, selected: selectedIn(more, before) }))
      return more
    } catch (failure) {
      showToast(describeError(failure).message, { tone: 'danger' })
      return null
    }
  }

  const loadAll = async (from: DraftContents): Promise<DraftContents | null> => {
    let all: DraftContents | null = from
    while (all !== null && all.changes_left_out > 0) all = await loadMore(all, 'changes')
    while (all !== null && all.files_left_out > 0) all = await loadMore(all, 'files')
    return all
  }

  const select = (groups: ReadonlySet<number>) => setOwn({ contents, selected: groups })
  return {
    base,
    contents,
    selected,
    error,
    isLoading,
    setNotice,
    notice: notice?.before && !hasUnseenChanges(contents, notice.before) ? null : notice,
    reload: showAgain,
    loadMore,
    loadAll,
    select,
  }
}

const selectedIn = ({ revision }: DraftContents, before: OfRevision) =>
  before.contents?.revision === revision ? before.selected : NONE

/** Adds the next page to what is shown; null if it belongs to another revision. */
async function readMore(
  base: string,
  from: DraftContents,
  what: Listed,
): Promise<DraftContents | null> {
  const { id, revision } = from
  const at = (offset: number) => ({
    segments: { draft: id },
    query: { revision, offset: `${offset}` },
  })
  if (what === 'changes') {
    const page = await sendAct(base, 'list_draft_changes', at(from.changes.length))
    if (page.revision !== revision) return null
    const changes = [...from.changes, ...page.changes]
    return { ...from, changes, changes_left_out: leftOf(page.changes, page.left) }
  }
  const page = await sendAct(base, 'list_draft_files', at(from.files.length))
  if (page.revision !== revision) return null
  const files = [...from.files, ...page.files]
  return { ...from, files, files_left_out: leftOf(page.files, page.left) }
}

/** A page without items is the last one, whatever the server counts. */
const leftOf = (items: readonly unknown[], left: number) => (items.length === 0 ? 0 : left)
