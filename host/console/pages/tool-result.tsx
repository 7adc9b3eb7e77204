/**
 * The result of a call: the diff or the view first, then the text, then the raw data.
 *
 * @module
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { JsonRecord } from '#core/json.ts'
import { factsOf } from '../../connection/facts.ts'
import type { CallToolResult, Tool } from '../../connection/types.ts'
import { Blocks } from '../parts/blocks.tsx'
import { Icon } from '../parts/icons.tsx'
import { Json } from '../parts/json.tsx'
import { Badge, Fault, Note } from '../parts/parts.tsx'
import { Tabs, type Tab } from '../parts/tabs.tsx'
import { Review } from '../parts/review.tsx'
import { View } from '../parts/view.tsx'
import { linkTo } from '../state/route.ts'
import type { Trial } from '../state/trial.ts'
import { ToolError } from '../state/words.ts'

interface Props {
  readonly tool: Tool
  readonly trial: Trial
  readonly args: JsonRecord
  readonly isCurrent: boolean
  readonly onClear: () => void
}

/** Shows a result in tabs, with its state; nothing before the first call. */
export function Result({ tool, trial, args, isCurrent, onClear }: Props) {
  const [chosen, choose] = useState('')
  const { result, error, phase } = trial
  const card = useRef<HTMLElement>(null)
  useEffect(() => card.current?.scrollIntoView({ block: 'start' }), [result])
  if (phase === 'idle' || (!result && !error && phase !== 'denied')) return null
  return (
    <section
      ref={card}
      class={`card result ${isCurrent ? '' : 'old'} ${trial.change ? 'tall' : ''}`}
      aria-labelledby="result"
    >
      <header>
        <h2 id="result">{titleOf(trial)}</h2>
        <div class="row">
          <State trial={trial} />
          <button type="button" class="button quiet small" onClick={onClear}>
            <Icon name="cross" /> Clear
          </button>
        </div>
      </header>
      <div class="stack">
        {phase === 'denied' && (
          <Note tone="warning" title="It was not allowed, so nothing was done.">
            A decision that was remembered can be forgotten under{' '}
            <a href={linkTo(['rules'])}>Rules</a>.
          </Note>
        )}
        {phase === 'failed' && <Fault error={error} />}
        {result?.isError && <Fault error={new ToolError(result)} />}
        {trial.change?.applied && (
          <Note tone="success" title="Applied.">
            <a href={linkTo(['activity', trial.change.tool, trial.change.id])}>
              See it in Activity
            </a>
            , where it can be undone.
          </Note>
        )}
        {result && (
          <Tabs
            label="The result as"
            chosen={chosen}
            onChoose={choose}
            tabs={tabsOf(tool, trial, result, args)}
          />
        )}
      </div>
    </section>
  )
}

function titleOf({ phase, result, change }: Trial): string {
  if (phase === 'denied') return 'Not allowed'
  if (phase === 'failed' || result?.isError) return 'It did not work'
  if (change) return change.applied ? 'What was done' : 'What would be done'
  return 'Result'
}

function State({ trial: { change, took, phase, granted } }: { readonly trial: Trial }) {
  return (
    <span class="badges">
      {change && !change.applied && <Badge tone="info">Preview · nothing changed yet</Badge>}
      {granted.map((scope) => (
        <Badge key={scope} title="Granted for this call">
          <code>{scope}</code>
        </Badge>
      ))}
      {took !== null && phase !== 'running' && <Badge>{Math.round(took)} ms</Badge>}
    </span>
  )
}

function tabsOf(tool: Tool, { change }: Trial, result: CallToolResult, args: JsonRecord): Tab[] {
  const { content, structuredContent, raw, isError } = result
  const review = change?.review
  const tab = (id: string, label: string, body: Tab['body'], isThere = true) =>
    isThere ? [{ id, label, body }] : []
  const hasView = factsOf(tool).ui !== null && !isError && !review
  return [
    ...(review
      ? tab('review', 'Difference', () => (
          <Review key={review} uri={review} title={tool.title} result={result} />
        ))
      : []),
    ...tab(
      'view',
      'View',
      () => (
        <View key={JSON.stringify(args)} tool={tool} input={args} result={raw} name={tool.title} />
      ),
      hasView,
    ),
    ...tab('text', 'What a model reads', () => <Blocks blocks={content} />, content.length > 0),
    ...tab(
      'data',
      'Data',
      () => <Json value={structuredContent} label="Structured content" />,
      structuredContent !== undefined,
    ),
    ...tab('raw', 'Raw JSON', () => <Json value={raw} label="The whole result" />),
  ]
}
