/**
 * One access request: who asks for what, what each answer would open, and the buttons. The sentence of the call is
 * cut, so every path and every scope that a press allows is listed: none is behind a number or in a list that scrolls.
 *
 * `test/host/console/access-requests.test.tsx` covers it.
 *
 * @module
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import { readScope } from '#core/scope.ts'
import { Path, Sentence } from '../ui/path.tsx'
import { ActorName } from '../ui/claimed-name.tsx'
import { DecisionButton } from '../ui/decision-button.tsx'
import { TextField } from '../ui/fields.tsx'
import { When } from '../ui/parts.tsx'
import { SameName } from '../ui/same-name.tsx'
import { useKeptHeight } from '../ui/kept-height.ts'
import { Visible } from '../ui/visible.tsx'
import type { AllowedCall, WaitingRequest } from '#core/owner/answers/requests.ts'
import { RulesDialog } from './rules-dialog.tsx'
import type { ShownRequest, Verdict } from './use-requests.ts'

interface Props extends ShownRequest {
  readonly isBusy: boolean
  readonly decide: (verdict: Verdict) => void
}

/** Names the caller of a request. */
export const CallerName = ({
  call: { actor, ...facts },
}: {
  readonly call: WaitingRequest | AllowedCall
}) => <ActorName actor={{ text: actor, ...facts }} />

/** Shows a request, with its buttons or with what became of it. */
export function RequestCard({ row, outcome, isBusy, decide }: Props) {
  const { intent, tool, opened, scopes, paths, can } = row
  const isWider = can.includes('session') || can.includes('rules')
  const kept = useKeptHeight(outcome !== null)
  return (
    <article {...kept} class={`card request ${outcome === null ? '' : 'over'}`}>
      <h3>
        <Sentence text={intent || tool} />
      </h3>
      <p class="small faint">
        <CallerName call={row} /> · <When at={opened} />
      </p>
      <SameName row={row} />
      <Paths paths={paths} />
      {outcome === null && <Extent scopes={scopes} isWider={isWider} />}
      {outcome === null ? (
        <Buttons row={row} isBusy={isBusy} decide={decide} />
      ) : (
        <Outcome outcome={outcome} />
      )}
    </article>
  )
}

function Paths({ paths }: Pick<WaitingRequest, 'paths'>) {
  if (paths.length === 0) return null
  return (
    <ul class="paths" aria-label="Files and folders of this call">
      {paths.map((path) => (
        <li key={path}>
          <Path text={path} />
        </li>
      ))}
    </ul>
  )
}

interface ExtentProps extends Pick<WaitingRequest, 'scopes'> {
  /** Whether it can be allowed for more than this call. */
  readonly isWider: boolean
}

/** Says what would be open. */
function Extent({ scopes, isWider }: ExtentProps) {
  return (
    <div class="small extent">
      {isWider ? 'For longer than once, it may' : 'For this call, it may'}
      <ul>
        {scopes.map((scope) => (
          <li key={scope}>
            <ScopeText text={scope} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Describes a scope in words. A file and a folder have the same form, so its path covers both. */
export function ScopeText({ text }: { readonly text: string }) {
  const scope = readScope(text)
  const [action, kind] = scope.ok ? scope.value.words : []
  const path = scope.ok ? scope.value.path : null
  if ((action !== 'read' && action !== 'write') || (kind !== undefined && kind !== 'file'))
    return (
      <code>
        <Visible text={text} />
      </code>
    )
  const verb = action === 'read' ? 'read' : 'change'
  if (path === null || path === '/') return <strong>{verb} everything in the workspace</strong>
  return (
    <>
      {verb} everything in <Path text={path} />
    </>
  )
}

const OUTCOMES: Readonly<Record<WaitingRequest['can'][number] | 'refused' | 'gone', string>> = {
  call: 'Allowed once. The agent can make this call within an hour.',
  session: 'Allowed for its session. Take it back under Sessions.',
  rules: 'Added to the rules.',
  refused: 'Refused.',
  gone: 'It no longer waits.',
}

/** Takes the focus of the button that decided, which is gone. */
function Outcome({ outcome }: { readonly outcome: keyof typeof OUTCOMES }) {
  const ref = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (outcome !== 'gone') ref.current?.focus()
  }, [])
  return (
    <p ref={ref} class="outcome" role="status" tabIndex={-1}>
      {OUTCOMES[outcome]}
    </p>
  )
}

function Buttons({ row, isBusy, decide }: Omit<Props, 'outcome'>) {
  const { can, roots, scopes } = row
  const [note, setNote] = useState('')
  const [isAsking, setAsking] = useState(false)
  const button = (label: string, act: () => void, tone = '') => (
    <DecisionButton shown={`${row.id} ${label}`} look={tone} isOff={isBusy} onDecide={act}>
      {label}
    </DecisionButton>
  )
  return (
    <>
      {can.length === 0 && <p class="small">Its session is over, so it cannot be allowed.</p>}
      {scopes.some((scope) => scope.startsWith('write')) && (
        <p class="small faint">What it writes is not shown before it is made.</p>
      )}
      <div class="row">
        {can.includes('call') && button('Allow once', () => decide({ for: 'call' }))}
        {can.includes('session') &&
          button('Allow for this session', () => decide({ for: 'session' }))}
        {can.includes('rules') && button('Allow in the rules…', () => setAsking(true))}
        {button('Refuse', () => decide({ note: note.trim() }), 'danger')}
      </div>
      <details class="small">
        <summary>Add a note to a refusal</summary>
        <TextField label="Note to the agent" value={note} onInput={setNote} maxLength={2_000} />
      </details>
      {isAsking && (
        <RulesDialog
          roots={roots}
          onClose={() => setAsking(false)}
          onYes={() => decide({ for: 'rules', roots })}
        />
      )}
    </>
  )
}
