/**
 * Shows the diff of a change or a preview: the server's own review page, which needs no script and
 * no permissions. If that page cannot be read, as with a preview outside of the roots, the review
 * app renders the diff from the result instead.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { DRAWN_METHOD } from '#core/wire.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { changeOf } from '../../mcp/tool-facts.ts'
import { ConnectionError } from '../../mcp/errors.ts'
import type { CallToolResult } from '../../mcp/types.ts'
import { estimateReviewHeight } from './review-height.ts'
import { openConnection } from '../connect/connection.ts'
import { Fault, Note, Waiting } from '../ui/parts.tsx'
import { textIn } from '../ui/storage.ts'
import { View } from '../apps/view.tsx'

/** The app that draws a change from a result. */
export const REVIEW_APP = 'ui://edgewise/review'

interface Props {
  readonly uri: string
  readonly title: string
  /** The result that contains the change; the diff can be rendered from it as well. */
  readonly result?: CallToolResult
  /** The state, the tool and the sentence of the change are beside the diff, so the page leaves them out. */
  readonly isTitled?: boolean
  /** Called once the diff is drawn, or cannot be. */
  readonly onDrawn?: () => void
}

/** Shows the review page of a change. */
export function Review(props: Props) {
  const { uri, title, result, isTitled = false, onDrawn } = props
  const [isUnreadable, setUnreadable] = useState(false)
  const failures = useRef(0)
  const onElement = useDrawn(onDrawn)
  const { place, height, error, round, retry } = useHeight(props, () => setUnreadable(true))
  // The view does not say why it failed; reading the resource again does.
  const handleViewError = () => {
    if (result || ++failures.current > 1) setUnreadable(true)
    else retry()
  }
  if (isUnreadable && !result) return <NoReview />
  if (isUnreadable && result)
    return (
      <View
        uri={REVIEW_APP}
        isOfConsole
        name={title}
        result={result.raw}
        modes={REVIEW_MODES}
        onEvent={(event) => {
          if (isState(event, 'ready') || isState(event, 'failed')) onDrawn?.()
        }}
      />
    )
  if (error) return <Fault what="Cannot read the diff" error={error} retry={retry} />
  if (height === null)
    return (
      <div ref={place}>
        <Waiting>Reading the diff…</Waiting>
      </div>
    )
  return (
    <View
      key={round}
      uri={uri}
      isOfConsole
      name={isTitled ? NAME : title}
      isTitled={isTitled}
      height={height}
      modes={REVIEW_MODES}
      onElement={onElement}
      onEvent={({ type }) => {
        if (type === 'mcp-error') handleViewError()
      }}
    />
  )
}

/** The name above a page whose title is beside it. */
const NAME = 'Changed files'

/** Finds the height of the page before it is shown; without a result, a page may be missing. */
function useHeight(props: Props, onMissing: () => void) {
  const { uri, result } = props
  const [height, setHeight] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const controller = new AbortController()
    const fail = (error: unknown) => {
      if (controller.signal.aborted) return
      if (result) setHeight(FALLBACK_HEIGHT_PX)
      else if (isMissing(error)) onMissing()
      else setError(error)
    }
    const width = (place.current?.clientWidth ?? innerWidth) - BORDER_PX
    findHeight(props, width, controller.signal).then(setHeight, fail)
    return () => controller.abort()
  }, [uri, round])
  const retry = () => {
    setError(null)
    setHeight(null)
    setRound(round + 1)
  }
  return { place, height, error, round, retry }
}

/** Returns a function that takes the element; `onDrawn` is called when its sandbox reports the page as loaded. */
function useDrawn(onDrawn: (() => void) | undefined) {
  const element = useRef<HTMLElement | null>(null)
  const latest = useRef(onDrawn)
  latest.current = onDrawn
  useEffect(() => {
    const receive = ({ source, data }: MessageEvent) => {
      const frame = element.current?.shadowRoot?.querySelector('iframe')
      const isOwn = source !== null && source === frame?.contentWindow
      if (isOwn && textIn(data, 'method') === DRAWN_METHOD) latest.current?.()
    }
    addEventListener('message', receive)
    return () => removeEventListener('message', receive)
  }, [])
  return (shown: HTMLElement | null) => void (element.current = shown)
}

const isState = ({ type, detail }: CustomEvent, state: string) =>
  type === 'mcp-state' && textIn(detail, 'state') === state

/** Whether the page does not exist, as opposed to a failure to read it. */
const isMissing = (error: unknown) =>
  error instanceof ConnectionError && ['protocol', 'not-found'].includes(error.problem.kind)

const NoReview = () => (
  <Note title="There is no diff for this change.">
    The change was not made by a tool, or the history no longer keeps it.
  </Note>
)

/** The display modes of a review. */
export const REVIEW_MODES = ['inline', 'fullscreen'] as const

/** Width of the frame's borders. */
const BORDER_PX = 2
const MIN_HEIGHT_PX = 72
const FALLBACK_HEIGHT_PX = 240
const MAX_HEIGHT_PX = 760

/** Reads the facts of the page, and estimates its height in a place of that width. */
async function findHeight(
  { uri, result, isTitled = false }: Props,
  width: number,
  signal: AbortSignal,
): Promise<number> {
  const change = result ? changeOf(result) : null
  const hunks = change?.raw['hunks']
  // The hunks of several files do not say where each file begins.
  const isOne = recordOf(change?.raw['stats'])['files'] === 1
  const facts =
    change && isOne && Array.isArray(hunks) && hunks.length > 0
      ? { ...change, files: [{ to: change.paths[0], hunks }] }
      : await readFacts(uri, signal)
  const height = estimateReviewHeight(facts, width, isTitled)
  return Math.min(Math.max(height, MIN_HEIGHT_PX), MAX_HEIGHT_PX)
}

async function readFacts(uri: string, signal: AbortSignal): Promise<unknown> {
  const [contents] = await openConnection().readResource(`${uri}.json`, { signal })
  return JSON.parse(contents?.text ?? 'null')
}
