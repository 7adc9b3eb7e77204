/**
 * The card of an app or a skill: its state, what is wrong with it, its files, and the buttons that decide.
 *
 * `test/host/console/app-approvals.test.tsx` and `test/host/console/skills.test.tsx` cover it.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { askForUnseen } from '../drafts/unseen.tsx'
import { ClaimedName } from '../ui/claimed-name.tsx'
import { DecisionButton } from '../ui/decision-button.tsx'
import { useKeptHeight } from '../ui/kept-height.ts'
import { Badge, Note, type Tone } from '../ui/parts.tsx'
import { Visible } from '../ui/visible.tsx'
import type { FolderActs, ShownFolder } from './acts.ts'
import { FolderFiles } from './folder-files.tsx'

/** A decision on a folder. */
export type FolderAnswer = 'approve' | 'turn-down' | 'withdraw'

/** What a card shows, and what it calls. */
export interface CardProps {
  readonly base: string
  readonly row: ShownFolder
  readonly acts: FolderActs
  /** What the folder calls itself. */
  readonly title: string
  /** The file that declares what it is, for the place of a problem. */
  readonly manifest: string
  readonly isBusy: boolean
  /** Whether its files are no longer those that are shown. */
  readonly isGone: boolean
  readonly decide: (what: FolderAnswer) => void
  /** What it declares. */
  readonly children?: ComponentChildren
}

/** Whether an earlier state of it was approved. */
const wasApproved = ({ decided }: ShownFolder) => decided?.state === 'approved'

/** Returns the files that are approved although their content cannot be shown as text. */
export const unseenIn = ({ files }: ShownFolder) =>
  files.filter(({ unseen }) => unseen).map(({ path }) => path)

/** The states of a folder, with the look of each. */
export const STATES: Readonly<Record<ShownFolder['state'], readonly [Tone, string]>> = {
  waiting: ['warning', 'waits for you'],
  approved: ['success', 'approved'],
  turned_down: ['plain', 'turned down'],
  invalid: ['danger', 'has problems'],
}

/** Shows a folder, with the buttons that decide on exactly what is shown. */
export function FolderCard({ children, ...props }: CardProps) {
  const { base, row, acts, title, manifest, isGone } = props
  const { state, problems } = row
  const [tone, label] = STATES[state]
  const [head, follow] = useFocusAfter(state)
  return (
    <article {...useKeptHeight(isGone || state !== 'waiting')} class="card">
      <header ref={head} class="row" tabIndex={-1}>
        <h3>{row.manifest ? <ClaimedName name={title} /> : title}</h3>
        <Badge tone={tone}>{label}</Badge>
      </header>
      {children}
      {wasApproved(row) && state !== 'approved' && (
        <Note tone="warning">Its files have changed since you approved it. It is not served.</Note>
      )}
      {problems.map(({ pointer, message }) => (
        <Note key={`${pointer} ${message}`} tone="danger">
          <code>
            <Visible text={`${manifest}${pointer}`} />
          </code>{' '}
          <Visible text={message} />
        </Note>
      ))}
      <FolderFiles {...{ base, row, acts }} />
      {isGone ? (
        <p class="small faint">It has changed since, or it is gone.</p>
      ) : (
        <Buttons {...props} decide={withUnseen(props, follow)} />
      )}
    </article>
  )
}

/** Asks before an approval of files that cannot be shown as text. */
const withUnseen =
  ({ row, decide }: CardProps, follow: () => void): CardProps['decide'] =>
  (what) => {
    const send = () => {
      follow()
      decide(what)
    }
    const paths = unseenIn(row)
    if (what === 'approve' && paths.length > 0) askForUnseen({ paths, onYes: send })
    else send()
  }

/** Returns a place for the focus of a button that decides and is gone with the state, and what to call before that. */
function useFocusAfter(state: ShownFolder['state']) {
  const place = useRef<HTMLElement>(null)
  const isDecided = useRef(false)
  useEffect(() => {
    if (isDecided.current) place.current?.focus()
    isDecided.current = false
  }, [state])
  return [place, () => void (isDecided.current = true)] as const
}

function Buttons({ row, title, acts: { noun }, isBusy, decide }: CardProps) {
  const { name, revision: shown, state } = row
  // The approval of an invalid one still holds for the files that were approved.
  const isHeld = state === 'approved' || (state === 'invalid' && wasApproved(row))
  const button = (what: FolderAnswer, label: string, look: string) => (
    <DecisionButton
      shown={`${what} ${name} ${shown}`}
      look={look}
      isOff={isBusy}
      onDecide={() => decide(what)}
    >
      {label}
      <span class="unseen">
        : <Visible text={title} />
      </span>
    </DecisionButton>
  )
  return (
    <div class="row">
      {state === 'waiting' && button('approve', `Approve the ${noun}`, 'primary')}
      {state === 'waiting' && button('turn-down', 'Turn down', 'danger')}
      {isHeld && button('withdraw', 'Take back the approval', 'danger')}
      {state === 'turned_down' && button('withdraw', 'Decide again', '')}
    </div>
  )
}
