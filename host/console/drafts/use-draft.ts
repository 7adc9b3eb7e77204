/**
 * Holds one draft as it is shown, loads further pages of it, and sends decisions.
 *
 * What is shown changes only when the person asks for it or has decided, so nothing takes the place of what was looked
 * at. Once it is known that the server has something else, nothing can be decided until that is shown.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { chooseAmended, useStaleWork } from '../amendments/choose-amended.ts'
import { endWork, nameDraft, workOf, type FileWork } from '../amendments/work.ts'
import { revision as workspaceRevision } from '../connect/connection.ts'
import { go } from '../shell/route.ts'
import { chooseGroups } from './approval.ts'
import { showDecision } from './decision-note.tsx'
import { nameDraftActor } from './draft-facts.tsx'
import { describeRest, noticeOf, OTHER, SOME_SINGLE, type Notice } from './draft-notice.ts'
import { sendDecision, type Choice } from './send-decision.ts'
import type { Decided, DraftContents } from '#core/owner/answers/drafts.ts'
import { chooseAll, groupChanges, toggle } from './groups.ts'
import { NONE, useContents, type Listed } from './shown-contents.ts'
import { askForUnseen } from './unseen.tsx'
import { dropDraft, refreshWaiting } from './waiting-list.ts'

/** What the person can decide. */
export type Verdict = 'approve' | 'turn-down'

/** A draft on the page, and what can be done with it. */
export type ShownDraft = ReturnType<typeof useDraft>

/** Loads a draft, and again after each decision. */
export function useDraft(id: string) {
  const shown = useContents(id)
  const { base, contents, selected, error, notice, isLoading, setNotice } = shown
  const [isBusy, setBusy] = useState(false)
  useStaleWork(contents)

  /** Sends a decision, and shows what is left. Resolves to whether the server has carried it out. */
  const decide = async (what: Verdict, choice: Choice, note?: string): Promise<boolean> => {
    if (contents === null || isBusy) return false
    setBusy(true)
    const { revision, reason } = contents
    const decision = { ...choice, revision, reason, ...(note !== undefined && { note }) }
    const sent = await sendDecision({ base, id, what }, decision)
    setBusy(false)
    refreshWaiting()
    if (!sent.ok) {
      setNotice(noticeOf(sent.error))
      return false
    }
    setNotice(null)
    noteDecided(contents, { what, choice, decided: sent.value })
    const { left } = sent.value
    if (left === 0) leaveDraft(id)
    else shown.reload({ is: 'rest', text: describeRest(left), before: contents })
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
    contents,
    selected,
    error,
    notice,
    decide,
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

function leaveDraft(id: string): void {
  dropDraft(id)
  go(['waiting'])
}

interface ApprovalParts {
  readonly contents: DraftContents | null
  /** Loads all changes and files; null if they are not as they were shown. */
  readonly loadAll: () => Promise<DraftContents | null>
  readonly setNotice: (notice: Notice) => void
  readonly decide: (what: Verdict, choice: Choice) => Promise<boolean>
}

interface Done {
  readonly what: Verdict
  readonly choice: Choice
  readonly decided: Decided
}

/** Shows a decision, ends what was done with its files, and lets other pages read them again. */
function noteDecided(contents: DraftContents, { what, choice, decided }: Done): void {
  if (what === 'approve') workspaceRevision.value++
  endWork(nameDraft(contents.id), pathsIn(contents, choice))
  const amended = choice.amended?.length ?? 0
  showDecision({ what, ...decided, amended, actor: nameDraftActor(contents) })
}

/** The paths of the files that a choice decides, as far as they are known; null for all. */
function pathsIn({ files }: DraftContents, choice: Choice): ReadonlySet<string> | null {
  const { groups, changes, amended = [] } = choice
  if (!groups && !changes) return null
  const listed = files.filter(({ group }) => groups?.includes(group))
  return new Set([...listed, ...amended].map(({ path }) => path))
}

const worksOn = (contents: DraftContents | null) => (contents ? workOf(nameDraft(contents.id)) : [])

function approvals({ contents, loadAll, setNotice, decide }: ApprovalParts) {
  /** Sends an approval, after a question about files that cannot be shown as text. */
  const approve = (choice: Choice) => {
    const { unseen = [] } = choice
    const send = () => void decide('approve', choice)
    if (unseen.length > 0) askForUnseen({ paths: unseen, onYes: send })
    else send()
  }
  /** Approves groups, or everything, with what is amended of their files. */
  const approveShown = async (
    all: DraftContents,
    groups: readonly number[] | null,
    works: readonly FileWork[],
  ) => {
    const amended = await chooseAmended(all, groups, works)
    if (!amended.ok) return setNotice({ is: 'note', text: amended.error })
    approve({ ...(await chooseGroups(all, groups)), ...amended.value })
  }
  /** Approves groups that were shown. */
  const approveGroups = async (groups: readonly number[]) => {
    // Taken at the press: what is amended while the rest is loaded is no part of it.
    const works = worksOn(contents)
    const all = await loadAll()
    if (all !== null) await approveShown(all, groups, works)
  }
  /** Approves everything that can be approved at once. What is not loaded yet could not be seen before. */
  const approveAll = async () => {
    const works = worksOn(contents)
    const all = await loadAll()
    if (all === null || contents === null) return
    const groups = groupChanges(all.changes)
    const choice = chooseAll(groups)
    const isNew = contents.changes_left_out > 0 && groups.single.size > 0
    if (choice === null || isNew) return setNotice(SOME_SINGLE)
    await approveShown(all, choice.groups ?? null, works)
  }
  return { approve, approveGroups, approveAll }
}
