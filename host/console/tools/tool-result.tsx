/**
 * The result of a call: the diff or the view first, then the text, then the raw data.
 *
 * @module
 */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import { factsOf } from '../../mcp/tool-facts.ts'
import type { CallToolResult, Tool } from '../../mcp/types.ts'
import { Blocks } from './blocks.tsx'
import { CodeTable, parseCode } from './code-table.tsx'
import { Json } from '../ui/json.tsx'
import { Tabs, type Tab } from '../ui/tabs.tsx'
import { Review } from '../activity/review.tsx'
import { ResultText } from '../markdown/call-text.tsx'
import { ResultView } from '../apps/result-view.tsx'
import { findDraft } from '../drafts/waiting-list.ts'
import { Outcome, ResultHead } from './result-outcome.tsx'
import type { ToolRun } from './tool-run.ts'

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
  const scrollAgain = useScrollTo(card, result)
  useEffect(() => {
    if (phase === 'done') focusHeading(card.current, state.change?.applied === true)
  }, [phase])
  const clear = () => {
    onClear()
    // Later, because an open dialog lets nothing behind it have the focus.
    setTimeout(() => document.querySelector<HTMLElement>('.actionbar button')?.focus())
  }
  if (phase === 'idle' || (!result && !error && phase !== 'denied')) return null
  return (
    <section
      ref={card}
      class={`card result ${isCurrent ? '' : 'old'}`}
      aria-labelledby="result"
      data-testid="result"
      data-state={phase}
    >
      <ResultHead state={state} isOver={isOver} onClear={clear} />
      <div class="stack">
        <Outcome state={state} isOver={isOver} />
        {result && <ResultText tool={tool} result={result} />}
        {result && !result.isError && (
          <Tabs
            label="Result format"
            chosen={chosen}
            onChoose={choose}
            tabs={buildTabs(tool, state, result, args, { rounds, onDrawn: scrollAgain })}
          />
        )}
      </div>
    </section>
  )
}

const INPUTS = ['pointermove', 'pointerdown', 'wheel', 'touchmove', 'keydown'] as const

/**
 * Scrolls to a new result before it is drawn. Returns a function that scrolls again, once the result has its height; it
 * does nothing after an input of the person, because a button would move away from the pointer.
 */
function useScrollTo(card: { readonly current: HTMLElement | null }, result: unknown): () => void {
  const isLeftAlone = useRef(true)
  const scroll = () => card.current?.scrollIntoView({ block: 'start' })
  useLayoutEffect(() => {
    scroll()
    isLeftAlone.current = true
    const leave = () => void (isLeftAlone.current = false)
    for (const name of INPUTS) addEventListener(name, leave, { passive: true })
    return () => {
      for (const name of INPUTS) removeEventListener(name, leave)
    }
  }, [result])
  return () => {
    if (isLeftAlone.current) scroll()
  }
}

/** Focuses the heading of a result after a change, or if the button that led to it was disabled and lost the focus. */
function focusHeading(card: HTMLElement | null, isChange: boolean): void {
  const { activeElement: focused } = document
  if (isChange || focused === document.body || focused?.matches('button:disabled'))
    card?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
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
  const code = parseCode(structuredContent)
  const hasView = factsOf(tool).ui !== null && !review
  return [
    ...(review
      ? tab('review', 'Diff', () => (
          <Review
            key={`${review} ${rounds}`}
            uri={review}
            title={tool.title}
            result={result}
            isTitled={rounds === 0}
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
    ...(code ? tab('code', 'Content', () => <CodeTable lines={code} />) : []),
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
