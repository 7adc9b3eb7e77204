/** The outcome of a call, stated once: as the heading of its result, with what a person can do next. @module */

import type { ChangeFacts } from '../../mcp/tool-facts.ts'
import { touchesFiles } from '../activity/changes.ts'
import { undo } from '../activity/undo.tsx'
import { features } from '../connect/workspace.ts'
import { linkTo } from '../shell/route.ts'
import { ToolError } from '../ui/errors.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Json } from '../ui/json.tsx'
import { Path } from '../ui/path.tsx'
import { Badge, Fault } from '../ui/parts.tsx'
import type { ToolRun } from './tool-run.ts'

interface Props {
  readonly state: ToolRun
  /** Whether the draft of a change that waited was decided. */
  readonly isOver: boolean
}

/** Shows the heading, with the buttons of the result. */
export function ResultHead({ state, isOver, onClear }: Props & { readonly onClear: () => void }) {
  return (
    <header>
      <h2 id="result" tabIndex={-1}>
        {nameResult(state, isOver)}
      </h2>
      <div class="row">
        <State state={state} />
        {state.change?.applied && <UndoButton change={state.change} onUndone={onClear} />}
        <button type="button" class="button quiet small" onClick={onClear}>
          <Icon name="cross" /> Clear
        </button>
      </div>
    </header>
  )
}

/** Shows why a call failed or waits, and where its change is. */
export function Outcome({ state: { phase, result, error, change }, isOver }: Props) {
  return (
    <>
      {phase === 'denied' && (
        <p>
          To be asked again, call it again. If no question comes then, a stored decision denies it:
          forget it under <a href={linkTo(['rules'])}>Rules</a>.
        </p>
      )}
      {phase === 'failed' && <Fault error={error} />}
      {phase !== 'denied' && result?.isError && <Fault error={new ToolError(result)} />}
      {change?.applied && (
        <p>
          <a href={linkTo(['activity', change.tool, change.id])}>See the change in Activity</a>
        </p>
      )}
      {change?.waits && <Held draft={change.draft} isOver={isOver} />}
      {result?.isError && (
        <details>
          <summary>Raw JSON</summary>
          <Json value={result.raw} label="Raw result" />
        </details>
      )}
    </>
  )
}

interface UndoProps {
  readonly change: ChangeFacts
  readonly onUndone: () => void
}

/** Undoes the applied change after a preview. The result is not current then, so it is removed. */
function UndoButton({ change, onUndone }: UndoProps) {
  if (!features.value.undo || !touchesFiles(change)) return null
  return (
    <DecisionButton
      shown={change.id}
      look="small"
      onDecide={() => undo(change, change.intent, onUndone)}
    >
      <Icon name="undo" /> Undo
    </DecisionButton>
  )
}

/** Says why a change waits, until its draft was decided. */
function Held({ draft, isOver }: { readonly draft: string | null; readonly isOver: boolean }) {
  if (isOver)
    return (
      <p>
        What was applied is in <a href={linkTo(['activity'])}>Activity</a>.
      </p>
    )
  return (
    <p>
      The rules ask for it before anything changes here.{' '}
      <a href={linkTo(draft === null ? ['waiting'] : ['waiting', draft])}>Review and decide</a>
    </p>
  )
}

function nameResult({ phase, result, change }: ToolRun, isOver: boolean): string {
  if (phase === 'denied') return 'The call was denied, so nothing was done'
  if (phase === 'failed' || result?.isError) return 'The call failed'
  if (change?.waits) return isOver ? 'No longer waits' : 'Waits for your approval'
  if (change) return change.applied ? 'Change applied' : 'Preview: nothing is applied yet'
  return 'Result'
}

function State({ state: { took, phase, granted } }: { readonly state: ToolRun }) {
  return (
    <span class="badges">
      {granted.map((scope) => (
        <Badge key={scope}>
          granted <Path text={scope} />
        </Badge>
      ))}
      {took !== null && phase !== 'running' && <Badge>{Math.round(took)} ms</Badge>}
    </span>
  )
}
