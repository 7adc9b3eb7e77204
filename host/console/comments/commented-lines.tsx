/**
 * Lines of a file in a draft with their comments. A press on the number of a line, or `C` on a change, opens a form below
 * it; with Shift the press extends the lines. Threads are below their last line, and above the lines if they are outdated.
 * `test/host/console/comments.test.tsx` has the cases.
 *
 * @module
 */

import { render, type ComponentChildren } from 'preact'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CommentThread } from '#core/owner/answers/comments.ts'
import { isTyped } from '../drafts/keys.ts'
import { CommentForm } from './comment-form.tsx'
import { ShownComments } from './draft-comments.tsx'
import { findRow, isLineNumber, lineAt, placeBelow, type Line } from './line-of-row.ts'
import { Threads } from './threads.tsx'
import type { ChosenLines, Comments } from './use-comments.ts'

interface Props {
  readonly path: string
  /** Names the states of the file that are shown. */
  readonly digest: string | undefined
  /** Whether the lines are not those of the draft, because the person has edited them. */
  readonly isEdited?: boolean
  /** Its lines. */
  readonly children: ComponentChildren
}

type Chosen = Pick<ChosenLines, 'side' | 'first' | 'last'>

/** Shows lines with their comments; the lines alone where nothing can be commented on. */
export function CommentedLines(props: Props) {
  const comments = useContext(ShownComments)
  const { path, isEdited = false, children } = props
  if (!comments) return <>{children}</>
  if (!isEdited) return <Lines {...props} comments={comments} />
  return (
    <>
      <Threads threads={threadsOf(comments, path)} comments={comments} />
      {children}
    </>
  )
}

const threadsOf = ({ threads }: Comments, path: string) =>
  threads.filter((thread) => thread.path === path)

function Lines({ path, digest, children, comments }: Props & { readonly comments: Comments }) {
  const root = useRef<HTMLDivElement>(null)
  const round = useDrawn(root)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const choose = (line: Line | null, isFurther: boolean) => {
    if (line) setChosen((before) => extend(isFurther ? before : null, line))
  }
  const threads = threadsOf(comments, path)
  const close = () => setChosen(null)
  const send = async (text: string, lines: Chosen) => {
    const isSent = await comments.add(text, { path, digest, ...lines })
    if (isSent) close()
    return isSent
  }
  return (
    <div
      class="commented"
      ref={root}
      onClick={({ target, shiftKey }) => {
        if (isLineNumber(target)) choose(lineAt(target), shiftKey)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'c' || isTyped(event)) return
        event.preventDefault()
        choose(lineAt(event.target), false)
      }}
    >
      <Threads threads={threads.filter(({ first }) => first === null)} comments={comments} />
      {children}
      {[...groupByLine(threads)].map(([key, [line, those]]) => (
        <BelowLine key={key} root={root.current} line={line} round={round}>
          <Threads threads={those} comments={comments} />
        </BelowLine>
      ))}
      {chosen && (
        <BelowLine
          key={`form ${chosen.side} ${chosen.last}`}
          root={root.current}
          round={round}
          line={{ side: chosen.side, line: chosen.last }}
        >
          <CommentForm
            isFocused
            label={`Comment on ${nameLines(chosen)}`}
            onSend={(text) => send(text, chosen)}
            onCancel={close}
          />
        </BelowLine>
      )}
    </div>
  )
}

/** Extends chosen lines to another line of the same side. */
function extend(before: Chosen | null, { side, line }: Line): Chosen {
  if (before?.side !== side) return { side, first: line, last: line }
  return { side, first: Math.min(before.first, line), last: Math.max(before.last, line) }
}

const nameLines = ({ side, first, last }: Chosen) =>
  `${first === last ? `line ${first}` : `lines ${first} to ${last}`}${side === 'before' ? ' before the change' : ''}`

function groupByLine(threads: readonly CommentThread[]) {
  const groups = new Map<string, [Line, CommentThread[]]>()
  for (const thread of threads) {
    const { side, last } = thread
    if (last === null) continue
    const key = `${side} ${last}`
    const [, those] = groups.get(key) ?? [null, []]
    groups.set(key, [{ side, line: last }, [...those, thread]])
  }
  return groups
}

/** Counts how often tables of lines were drawn, which happens late. */
function useDrawn(root: { readonly current: HTMLElement | null }): number {
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (!root.current) return undefined
    const isTable = (node: Node) => node instanceof HTMLTableElement
    const observer = new MutationObserver((records) => {
      if (records.some(({ addedNodes }) => Array.from(addedNodes).some(isTable)))
        setRound((before) => before + 1)
    })
    observer.observe(root.current, { childList: true, subtree: true })
    setRound((before) => before + 1)
    return () => observer.disconnect()
  }, [])
  return round
}

interface BelowProps {
  readonly root: Element | null
  readonly line: Line
  /** Grows when lines were drawn. */
  readonly round: number
  readonly children: ComponentChildren
}

/** Draws its children below a line; below all lines, if that line is not drawn. */
function BelowLine({ root, line, round, children }: BelowProps) {
  const cell = useRef<HTMLTableCellElement | null>(null)
  const [isPlaced, setPlaced] = useState(false)
  useLayoutEffect(() => {
    if (cell.current?.isConnected) return
    const row = root && findRow(root, line)
    if (row) cell.current = placeBelow(row, cell.current)
    setPlaced(row !== null)
  }, [root, round])
  useLayoutEffect(() => {
    if (isPlaced && cell.current) render(<>{children}</>, cell.current)
  })
  useEffect(() => () => removeCell(cell.current), [])
  return isPlaced ? null : <>{children}</>
}

function removeCell(cell: HTMLElement | null): void {
  if (cell) render(null, cell)
  cell?.closest('tr')?.remove()
}
