/**
 * Shows the diff of a change or a preview: the server's own review page, which needs no script and
 * no permissions. If that page cannot be read, as with a preview outside of the roots, the review
 * app renders the diff from the result instead.
 *
 * @module
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import { changeOf } from '../../connection/facts.ts'
import { ConnectionError } from '../../connection/problem.ts'
import type { CallToolResult } from '../../connection/types.ts'
import { linesOf } from '../state/details.ts'
import { openConnection } from '../state/link.ts'
import { Fault, Note, Waiting } from './parts.tsx'
import { View } from './view.tsx'

const REVIEW_APP = 'ui://edgewise/review'

interface Props {
  readonly uri: string
  readonly title: string
  /** The result that contains the change; the diff can be rendered from it as well. */
  readonly result?: CallToolResult
}

/** Shows the review page of a change. */
export function Review({ uri, title, result }: Props) {
  const [height, setHeight] = useState<number | null>(null)
  const [isUnreadable, setUnreadable] = useState(false)
  const [trouble, setTrouble] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  const failures = useRef(0)
  useEffect(() => {
    const controller = new AbortController()
    const failed = (error: unknown) => {
      if (controller.signal.aborted) return
      if (result) setHeight(LOWEST)
      else if (isMissing(error)) setUnreadable(true)
      else setTrouble(error)
    }
    heightOf(uri, result, controller.signal).then(setHeight, failed)
    return () => controller.abort()
  }, [uri, round])
  const again = () => {
    setTrouble(null)
    setHeight(null)
    setRound(round + 1)
  }
  // The view does not say why it failed; reading the resource again does.
  const viewFailed = () => {
    if (result || ++failures.current > 1) setUnreadable(true)
    else again()
  }
  if (isUnreadable && !result) return <Gone />
  if (isUnreadable && result)
    return <View uri={REVIEW_APP} name={title} result={result.raw} modes={MODES} />
  if (trouble)
    return <Fault what="The difference could not be read." error={trouble} retry={again} />
  if (height === null) return <Waiting>Reading the difference…</Waiting>
  return (
    <View
      key={round}
      uri={uri}
      name={title}
      height={height}
      modes={MODES}
      onEvent={({ type }) => {
        if (type === 'mcp-error') viewFailed()
      }}
    />
  )
}

/** Whether the page does not exist, as opposed to a failure to read it. */
const isMissing = (error: unknown) =>
  error instanceof ConnectionError && ['protocol', 'not-found'].includes(error.problem.kind)

const Gone = () => (
  <Note title="The difference cannot be shown.">
    It was not made by a tool, or the history has let it go. Undo still shows what would come back.
  </Note>
)

const MODES = ['inline', 'fullscreen'] as const

/**
 * Heights in pixels of the page's header, a file's header and a line. A page without a script
 * cannot report its height.
 */
const HEAD = innerWidth < 640 ? 260 : 150
const FILE = 52
const LINE = 20
const LOWEST = 240
const HIGHEST = 760

/** Estimates the height of the page from its lines. */
async function heightOf(
  uri: string,
  result: CallToolResult | undefined,
  signal: AbortSignal,
): Promise<number> {
  const hunks = result ? changeOf(result)?.raw['hunks'] : undefined
  const { lines, files } = Array.isArray(hunks)
    ? { lines: hunks.reduce((sum: number, hunk) => sum + linesOf(hunk).length + 1, 0), files: 1 }
    : await countLines(uri, signal)
  return Math.min(Math.max(HEAD + files * FILE + lines * LINE, LOWEST), HIGHEST)
}

async function countLines(uri: string, signal: AbortSignal) {
  const [contents] = await openConnection().readResource(`${uri}.diff`, { signal })
  const all = (contents?.text ?? '').split('\n')
  const files = all.filter((line) => line.startsWith('+++ ')).length
  return { lines: all.filter((line) => /^[ +\-@](?!\+\+ |-- )/.test(line)).length, files }
}
