/**
 * The difference that a change makes, or has made: the server's own page for it, which needs no script
 * and no rights. Where that page cannot be read, as with a preview outside of the roots, the review
 * app draws it from the result instead.
 *
 * @module
 */

import { useEffect, useState } from 'preact/hooks'
import { changeOf } from '../../connection/facts.ts'
import type { CallToolResult } from '../../connection/types.ts'
import { linesOf } from '../state/details.ts'
import { openConnection } from '../state/link.ts'
import { Note, Waiting } from './parts.tsx'
import { View } from './view.tsx'

const REVIEW_APP = 'ui://edgewise/review'

interface Props {
  readonly uri: string
  readonly title: string
  /** The result that told of the change, from which it can be drawn as well. */
  readonly result?: CallToolResult
}

export function Review({ uri, title, result }: Props) {
  const [height, setHeight] = useState<number | null>(null)
  const [isUnreadable, setUnreadable] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    heightOf(uri, result, controller.signal).then(setHeight, () => setHeight(LOWEST))
    return () => controller.abort()
  }, [uri])
  if (isUnreadable && !result) return <Gone />
  if (isUnreadable && result)
    return <View uri={REVIEW_APP} name={title} result={result.raw} modes={MODES} />
  if (height === null) return <Waiting>Reading the difference…</Waiting>
  return (
    <View
      uri={uri}
      name={title}
      height={height}
      modes={MODES}
      onEvent={({ type }) => {
        if (type === 'mcp-error') setUnreadable(true)
      }}
    />
  )
}

const Gone = () => (
  <Note title="The difference cannot be shown.">
    It was not made by a tool, or the history has let it go. Undo still shows what would come back.
  </Note>
)

const MODES = ['inline', 'fullscreen'] as const

/** Pixels of the page's head, of each file's, and of a line. A page without a script cannot tell. */
const HEAD = innerWidth < 640 ? 260 : 150
const FILE = 52
const LINE = 20
const LOWEST = 240
const HIGHEST = 760

/** As high as the page will be, as far as can be told from its lines. */
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
