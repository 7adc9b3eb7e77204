/**
 * Holds one draft as it is shown, loads further pages of it, and sends decisions.
 *
 * What is shown changes only when the person asks for it or has decided, so nothing takes the place of what was looked
 * at. Once it is known that the server has something else, nothing can be decided until that is shown.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { revision as workspaceRevision } from '../connect/connection.ts'
import { basePath } from '../connect/workspace.ts'
import { go } from '../shell/route.ts'
import { describeError } from '../ui/errors.ts'
import { formatCount } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { showToast } from '../ui/toasts.tsx'
import { chooseGroups } from './approval.ts'
import { showDecision } from './decision-note.tsx'
import { nameDraftActor } from './draft-facts.tsx'
import {
  readChanges,
  readDraft,
  readFiles,
  sendDecision,
  type Choice,
  type DecisionProblem,
} from './drafts-api.ts'
import type { DraftContents } from './drafts-parse.ts'
import { chooseAll, groupChanges, toggle } from './groups.ts'
import { askForUnseen } from './unseen.tsx'
import { dropDraft, refreshWaiting } from './waiting-list.ts'

/** What the person can decide. */
export type Verdict = 'approve' | 'turn-down'

/** A draft on the page, and what can be done with it. */
export type ShownDraft = ReturnType<typeof useDraft>

/** What the person has to know before the next decision. */
export interface Notice {
  /**
   * - `old`: the server has something else than what is shown, so nothing can be decided
   * - `rest`: a decision has left more than was shown before it, so not all of it can be approved without a look
   * - `note`: everything can be decided
   */
  readonly is: 'old' | 'rest' | 'note'
  readonly text: string
  /** What was shown before the decision. */
  readonly before?: DraftContents
}

const CHANGED = 'The draft, or what it changes, is no longer what was shown. Look at it again.'

const OTHER: Notice = { is: 'old', text: CHANGED }

const describeRest = (left: number) =>
  `${formatCount(left, 'change still waits', 'changes still wait')}, and may be new. Look at what is left.`

const SOME_SINGLE =
  'Nothing was decided yet. Some changes need a decision of their own. Approve again to approve the others.'

/** Loads a draft, and again after each decision. */
export function useDraft(id: string) {
  const shown = useContents(id)
  const { base, contents, selected, error, notice, isLoading, setNotice } = shown
  const [isBusy, setBusy] = useState(false)

  /** Sends a decision, and shows what is left. Resolves to whether the server has carried it out. */
  const decide = async (what: Verdict, choice: Choice, note?: string): Promise<boolean> => {
    if (contents === null || isBusy) return false
    setBusy(true)
    const { revision, summary } = contents
    const decision = { ...choice, revision, ...(note !== undefined && { note }) }
    const sent = await sendDecision({ base, id, what }, decision)
    setBusy(false)
    refreshWaiting()
    if (!sent.ok) {
      setNotice({ is: 'old', text: describeRefusal(sent.error) })
      return false
    }
    setNotice(null)
    if (what === 'approve') workspaceRevision.value++
    showDecision({ what, ...sent.value, actor: nameDraftActor(summary) })
    if (sent.value.left === 0) {
      dropDraft(id)
      go(['waiting'])
      return true
    }
    shown.reload({ is: 'rest', text: describeRest(sent.value.left), before: contents })
    return true
  }

  const loadAll = async (): Promise<DraftContents | null> => {
    if (contents === null) return null
    setBusy(true)
    const all = await shown.loadAll(contents)
    setBusy(false)
    return all
  }

  return {
    ...{ contents, selected, error, notice, decide },
    ...approvals({ contents, loadAll, setNotice, decide }),
    /** Whether nothing can be decided now. */
    isOff: isBusy || isLoading || notice?.is === 'old',
    /** Shows the draft as it is now, from its beginning. */
    reload: () => {
      shown.reload(null)
      document.querySelector('.draft')?.scrollIntoView()
    },
    /** Notes that the draft is not what is shown any more. */
    noteChange: () => setNotice(OTHER),
    /** Ends a notice that asks the person to look first. */
    goOn: () => setNotice(null),
    loadMore: async (what: Listed) => {
      if (contents) await shown.loadMore(contents, what)
    },
    toggle: (group: number) => shown.select(toggle(selected, group)),
    clear: () => shown.select(NONE),
  }
}

interface ApprovalParts {
  readonly contents: DraftContents | null
  /** Loads all changes and files; null if they are not as they were shown. */
  readonly loadAll: () => Promise<DraftContents | null>
  readonly setNotice: (notice: Notice) => void
  readonly decide: (what: Verdict, choice: Choice) => Promise<boolean>
}

function approvals({ contents, loadAll, setNotice, decide }: ApprovalParts) {
  /** Sends an approval, after a question about files that cannot be shown as text. */
  const approve = (choice: Choice) => {
    const { unseen = [] } = choice
    const send = () => void decide('approve', choice)
    if (unseen.length > 0) askForUnseen({ paths: unseen, onYes: send })
    else send()
  }
  /** Approves groups that were shown. */
  const approveGroups = async (groups: readonly number[]) => {
    const all = await loadAll()
    if (all !== null) approve(await chooseGroups(all, groups))
  }
  /** Approves everything that can be approved at once. What is not loaded yet could not be seen before. */
  const approveAll = async () => {
    const all = await loadAll()
    if (all === null || contents === null) return
    const groups = groupChanges(all.changes)
    const choice = chooseAll(groups)
    const isNew = contents.changesLeft > 0 && groups.single.size > 0
    if (choice === null || isNew) return setNotice({ is: 'note', text: SOME_SINGLE })
    approve(await chooseGroups(all, choice.groups ?? null))
  }
  return { approve, approveGroups, approveAll }
}

function describeRefusal({ code, message, isUnknown }: DecisionProblem): string {
  if (isUnknown) return `${message}. It is unknown whether the decision was carried out. (${code})`
  return `Nothing was decided. ${code === 'DRAFT_CHANGED' ? CHANGED : `${message} (${code})`}`
}

type Listed = 'changes' | 'files'

const NONE: ReadonlySet<number> = new Set()

/** What belongs to one revision, and is void with the next one. */
interface OfRevision {
  readonly contents: DraftContents | null
  readonly selected: ReadonlySet<number>
}

/** Holds what is shown of a draft and selected in it, and a notice about it. */
function useContents(id: string) {
  const base = basePath.value
  const { value, error, isLoading, reload } = useLoad(
    (signal) => readDraft(base, id, signal),
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
    while (all !== null && all.changesLeft > 0) all = await loadMore(all, 'changes')
    while (all !== null && all.filesLeft > 0) all = await loadMore(all, 'files')
    return all
  }

  const select = (groups: ReadonlySet<number>) => setOwn({ contents, selected: groups })
  return {
    ...{ base, contents, selected, error, isLoading, setNotice },
    notice: notice?.before && !hasNew(contents, notice.before) ? null : notice,
    ...{ reload: showAgain, loadMore, loadAll, select },
  }
}

/** Whether there is something to approve that was not shown before, or more than was shown. */
function hasNew(now: DraftContents | null, before: DraftContents): boolean {
  const known = new Set(before.changes.map(({ digest }) => digest))
  const isMore = (now?.changesLeft ?? 0) > before.changesLeft
  return isMore || now?.changes.some(({ digest }) => digest !== null && !known.has(digest)) === true
}

const selectedIn = ({ revision }: DraftContents, before: OfRevision) =>
  before.contents?.revision === revision ? before.selected : NONE

/** Adds the next page to what is shown; null if it belongs to another revision. */
async function readMore(
  base: string,
  from: DraftContents,
  what: Listed,
): Promise<DraftContents | null> {
  const { revision } = from
  const { id } = from.summary
  if (what === 'changes') {
    const page = await readChanges(base, id, { revision, offset: from.changes.length })
    if (page.revision !== revision) return null
    return { ...from, changes: [...from.changes, ...page.items], changesLeft: page.left }
  }
  const page = await readFiles(base, id, { revision, offset: from.files.length })
  if (page.revision !== revision) return null
  return { ...from, files: [...from.files, ...page.items], filesLeft: page.left }
}
