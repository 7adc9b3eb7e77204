/**
 * The result of a call: the diff or the view first, then the text, then the raw data.
 *
 * @module
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import { factsOf } from '../../mcp/tool-facts.ts'
import type { CallToolResult, Tool } from '../../mcp/types.ts'
import { Blocks } from './blocks.tsx'
import { Icon } from '../ui/icons.tsx'
import { Json } from '../ui/json.tsx'
import { Badge, Fault, Note } from '../ui/parts.tsx'
import { Tabs, type Tab } from '../ui/tabs.tsx'
import { Review } from '../activity/review.tsx'
import { ResultText } from '../markdown/call-text.tsx'
import { ResultView } from '../apps/result-view.tsx'
import { findDraft } from '../drafts/waiting-list.ts'
import { linkTo } from '../shell/route.ts'
import type { ToolRun } from './tool-run.ts'
import { ToolError } from '../ui/errors.ts'

interface Props {
  readonly tool: Tool
  readonly state: ToolRun
  readonly args: JsonRecord
  readonly isCurrent: boolean
  readonly onClear: () => void
}

/** Shows a result in tabs, with its state; nothing before the first call. */
export function Result({ tool, state, args, isCurrent, onClear }: Props) {
  const [chosen, choose] = useState('')
  const { result, error, phase } = state
  const card = useRef<HTMLElement>(null)
  const { isOver, rounds } = useDecisions(state.change?.draft ?? null)
  const scroll = () => card.current?.scrollIntoView({ block: 'start' })
  useEffect(scroll, [result])
  if (phase === 'idle' || (!result && !error && phase !== 'denied')) return null
  return (
    <section
      ref={card}
      class={`card result ${isCurrent ? '' : 'old'}`}
      aria-labelledby="result"
      data-testid="result"
      data-state={phase}
    >
      <header>
        <h2 id="result">{nameResult(state)}</h2>
        <div class="row">
          <State state={state} />
          <button type="button" class="button quiet small" onClick={onClear}>
            <Icon name="cross" /> Clear
          </button>
        </div>
      </header>
      <div class="stack">
        {phase === 'denied' && (
          <Note tone="warning" title="The call was denied, so nothing was done.">
            To be asked again, forget the stored decision under{' '}
            <a href={linkTo(['rules'])}>Rules</a>.
          </Note>
        )}
        {phase === 'failed' && <Fault error={error} />}
        {result?.isError && <Fault error={new ToolError(result)} />}
        {state.change?.applied && <Applied {...state.change} />}
        {state.change?.waits && <Held draft={state.change.draft} isOver={isOver} />}
        {result?.isError && (
          <details>
            <summary>Raw JSON</summary>
            <Json value={result.raw} label="Raw result" />
          </details>
        )}
        {result && <ResultText tool={tool} result={result} />}
        {result && !result.isError && (
          <Tabs
            label="Result format"
            chosen={chosen}
            onChoose={choose}
            tabs={buildTabs(tool, state, result, args, { rounds, onDrawn: scroll })}
          />
        )}
      </div>
    </section>
  )
}

const Applied = ({ tool, id }: { readonly tool: string; readonly id: string }) => (
  <Note tone="success" title="Applied.">
    <a href={linkTo(['activity', tool, id])}>See the change in Activity</a>, where it can be undone.
  </Note>
)

/** Says that a change waits, until its draft was decided. */
function Held({ draft, isOver }: { readonly draft: string | null; readonly isOver: boolean }) {
  if (isOver)
    return (
      <Note tone="info" title="It no longer waits.">
        What was applied is in <a href={linkTo(['activity'])}>Activity</a>.
      </Note>
    )
  return (
    <Note tone="info" title="It waits for your approval.">
      The rules ask for it before anything changes here.{' '}
      <a href={linkTo(draft === null ? ['waiting'] : ['waiting', draft])}>Review and decide</a>
    </Note>
  )
}

/**
 * Follows a draft by the number of its changes: `rounds` counts the decisions. The list of what waits may not have a
 * new draft yet, so one that was never in it is not over.
 */
function useDecisions(draft: string | null) {
  const seen = useRef<number | null>(null)
  const rounds = useRef(0)
  const changes = draft === null ? null : (findDraft(draft)?.changes ?? 0)
  const isSmaller = changes !== null && seen.current !== null && changes < seen.current
  if (isSmaller) rounds.current++
  if (changes !== null && (isSmaller || changes > 0)) seen.current = changes
  return { isOver: seen.current === 0, rounds: rounds.current }
}

function nameResult({ phase, result, change }: ToolRun): string {
  if (phase === 'denied') return 'Denied'
  if (phase === 'failed' || result?.isError) return 'The call failed'
  if (change?.waits) return 'Waiting change'
  if (change) return change.applied ? 'Applied change' : 'Previewed change'
  return 'Result'
}

function State({ state: { change, took, phase, granted } }: { readonly state: ToolRun }) {
  return (
    <span class="badges">
      {change && !change.applied && !change.waits && (
        <Badge tone="info">Preview · nothing changed yet</Badge>
      )}
      {granted.map((scope) => (
        <Badge key={scope} title="Granted for this call">
          <code>{scope}</code>
        </Badge>
      ))}
      {took !== null && phase !== 'running' && <Badge>{Math.round(took)} ms</Badge>}
    </span>
  )
}

interface ReviewProps {
  /** How often its draft was decided: the page says something else then. */
  readonly rounds: number
  /** Called once a diff has its height. */
  readonly onDrawn: () => void
}

function buildTabs(
  tool: Tool,
  { change }: ToolRun,
  result: CallToolResult,
  args: JsonRecord,
  { rounds, onDrawn }: ReviewProps,
): Tab[] {
  const { content, structuredContent, raw } = result
  const review = change?.review
  const tab = (id: string, label: string, body: Tab['body'], isThere = true) =>
    isThere ? [{ id, label, body }] : []
  const hasView = factsOf(tool).ui !== null && !review
  return [
    ...(review
      ? tab('review', 'Diff', () => (
          <Review
            key={`${review} ${rounds}`}
            uri={review}
            title={tool.title}
            result={result}
            onDrawn={onDrawn}
          />
        ))
      : []),
    ...tab(
      'view',
      'View',
      () => <ResultView key={JSON.stringify(args)} tool={tool} input={args} result={raw} />,
      hasView,
    ),
    ...tab('text', 'Text for the model', () => <Blocks blocks={content} />, content.length > 0),
    ...tab(
      'data',
      'Data',
      () => <Json value={structuredContent} label="Structured content" />,
      structuredContent !== undefined,
    ),
    ...tab('raw', 'Raw JSON', () => <Json value={raw} label="Raw result" />),
  ]
}
