/**
 * The difference that a change or a preview makes, or that is between two moments: read from its resource and drawn in the
 * page. If the resource cannot be read, as that of a preview outside of the roots, the result has the lines.
 * `test/host/console/change-review.test.tsx` has the cases.
 *
 * @module
 */

import { useEffect, useMemo } from 'preact/hooks'
import { renderLater } from '#views/diff/lazy-render.ts'
import { changeOf } from '../../mcp/tool-facts.ts'
import { ConnectionError } from '../../mcp/errors.ts'
import type { CallToolResult } from '../../mcp/types.ts'
import { openConnection } from '../connect/connection.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, Note, Waiting } from '../ui/parts.tsx'
import { Sentence } from '../ui/path.tsx'
import { Visible } from '../ui/visible.tsx'
import { ChangeDiffs } from './change-diffs.tsx'
import { parseReview, reviewOfResult, type ChangeReview } from './change-files.ts'
import { readLinesOf, type ComparedState } from './line-source.ts'

interface Props {
  /** The address of the change as a resource. */
  readonly uri: string
  /** Names the difference for assistive technology. */
  readonly title: string
  /** The result that contains the change. */
  readonly result?: CallToolResult
  /** The version after an applied change, if it is known without a result. */
  readonly version?: number | undefined
  /** The state, the tool and the sentence of the change are beside the difference. */
  readonly isTitled?: boolean
  /** Called once the difference is drawn, or cannot be. */
  readonly onDrawn?: () => void
}

/** Shows the difference. */
export function Review(props: Props) {
  const { uri, title, result, isTitled = false, onDrawn } = props
  const { value, error, reload } = useLoad((signal) => readReview(uri, result, signal), [uri])
  const state = value && stateOf(value, props)
  const read = useMemo(() => readLinesOf(state), [state?.isPreview, state?.version])
  useEffect(() => {
    if (value === null && !error) return
    // The lines were queued before.
    return renderLater(() => onDrawn?.())
  }, [value, error])
  if (error && isMissing(error)) return <NoReview />
  if (error) return <Fault what="Cannot read the diff" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the diff…</Waiting>
  return (
    <div class="changereview" role="group" aria-label={title}>
      {!isTitled && <Title {...value} />}
      <ChangeDiffs review={value} read={read} />
    </div>
  )
}

async function readReview(
  uri: string,
  result: CallToolResult | undefined,
  signal: AbortSignal,
): Promise<ChangeReview> {
  try {
    const [contents] = await openConnection().readResource(`${uri}.json`, { signal })
    return parseReview(contents?.text ?? '')
  } catch (error) {
    const change = result && changeOf(result)
    if (!change) throw error
    return reviewOfResult({ ...change.raw, ...(change.waits && { waits: {} }) })
  }
}

/** The state that the lines were compared in; null if it is not known. */
function stateOf({ state }: ChangeReview, { result, version }: Props): ComparedState | null {
  const isPreview = state === 'previewed'
  const change = result && changeOf(result)
  const known = isPreview ? change?.raw['basis'] : (change?.version ?? version)
  if ((!isPreview && state !== 'applied') || typeof known !== 'number') return null
  return { isPreview, version: known }
}

const STATES: Readonly<Record<ChangeReview['state'], string>> = {
  previewed: 'Preview · nothing has been changed yet',
  applied: 'Applied',
  waits: 'Waits for approval · nothing has been changed yet',
  comparison: 'Comparison',
}

const Title = ({ state, tool, intent }: ChangeReview) => (
  <header>
    <p class="small faint">
      {STATES[state]} ·{' '}
      <code>
        <Visible text={tool} />
      </code>
    </p>
    <p class="intent">
      <Sentence text={intent} />
    </p>
  </header>
)

/** Whether the change does not exist, as opposed to a failure to read it. */
const isMissing = (error: unknown) =>
  error instanceof ConnectionError && ['protocol', 'not-found'].includes(error.problem.kind)

const NoReview = () => (
  <Note title="There is no diff for this change.">
    The change was not made by a tool, or the history no longer keeps it.
  </Note>
)
