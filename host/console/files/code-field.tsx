/**
 * The field in which a text is edited: a text area, with the numbers and the colours of the visible lines drawn behind
 * its own letters. What the browser has for text areas (undo, selection, screen readers, spelling, touch) is left to it.
 * Tab indents; Escape and then Tab leaves the field. `test/host/console/files/editor.test.tsx` has the cases.
 *
 * @module
 */

import type { RefObject } from 'preact'
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { visible } from '#core/visible.ts'
import { breakLine, findIndentUnit, indent, outdent, type Replaced } from './field-keys.ts'
import { createPainter, type Painter } from './painter.ts'

interface Props {
  readonly path: string
  readonly value: string
  readonly area: RefObject<HTMLTextAreaElement | null>
  /** Whether long lines are broken; without colours and numbers, which would not be beside their lines. */
  readonly wraps: boolean
  /** The place of a text that was found, which is marked. */
  readonly found: Place | null
  readonly onInput: (value: string) => void
  /** Handles a key before the field does; true if it did. */
  readonly onKey: (event: KeyboardEvent) => boolean
}

/** A part of the text, in UTF-16 units. */
export interface Place {
  readonly at: number
  readonly length: number
}

/** Shows the field. */
export function CodeField(props: Props) {
  const { path, value, area, wraps, onInput } = props
  const id = useId()
  const view = useView(area, wraps)
  const handleKey = useKeys(props)
  const lines = useMemo(() => value.split('\n'), [value])
  const digits = { '--digits': `${Math.max(2, String(lines.length).length)}ch` }
  return (
    <div class={`codefield ${wraps ? 'wraps' : ''}`} style={digits}>
      {!wraps && <Painted {...props} lines={lines} view={view.state} />}
      <textarea
        {...{ id, spellcheck: false, autocapitalize: 'off', autocomplete: 'off' }}
        ref={area}
        wrap={wraps ? 'soft' : 'off'}
        value={value}
        aria-label={`Text of ${visible(path)}`}
        aria-describedby={`${id}-help`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onKeyDown={handleKey}
        onScroll={view.look}
      />
      <p class="unseen" id={`${id}-help`}>
        Tab indents. To leave the field, press Escape and then Tab.
      </p>
    </div>
  )
}

/** What of the text is visible, in CSS pixels. */
interface View {
  readonly top: number
  readonly left: number
  readonly height: number
  readonly lineHeight: number
}

function useView(area: Props['area'], wraps: boolean) {
  const [state, setState] = useState<View>({ top: 0, left: 0, height: 0, lineHeight: 20 })
  const look = () => {
    const field = area.current
    if (!field) return
    const lineHeight = Number.parseFloat(getComputedStyle(field).lineHeight) || 20
    const { scrollTop: top, scrollLeft: left, clientHeight: height } = field
    setState({ top, left, height, lineHeight })
  }
  useLayoutEffect(() => {
    look()
    const watch = new ResizeObserver(look)
    if (area.current) watch.observe(area.current)
    return () => watch.disconnect()
  }, [wraps])
  return { state, look }
}

/** Lines that are drawn above and below the visible ones. */
const AROUND = 4

interface PaintedProps extends Props {
  readonly lines: readonly string[]
  readonly view: View
}

/** Draws the numbers and the colours of the visible lines. Assistive technology reads the field itself. */
function Painted({ path, value, lines, view, found }: PaintedProps) {
  const painter = useMemo(() => createPainter(path.slice(path.lastIndexOf('/') + 1)), [path])
  useMemo(() => painter.setLines(lines), [painter, lines])
  const { top, left, height, lineHeight } = view
  const first = Math.max(0, Math.floor(top / lineHeight) - AROUND)
  const last = Math.min(lines.length, Math.ceil((top + height) / lineHeight) + AROUND)
  const mark = useMemo(() => found && markOf(value, found), [value, found])
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  const shift = first * lineHeight - top
  return (
    <>
      <div class="codenumbers" aria-hidden="true">
        <div style={{ transform: `translateY(${shift}px)` }}>
          {shown.map((line) => (
            <div key={line}>{line + 1}</div>
          ))}
        </div>
      </div>
      <div class="codelines code" aria-hidden="true">
        <div style={{ transform: `translate(${-left}px, ${shift}px)` }}>
          {shown.map((line) => (
            <div key={line}>
              {mark?.line === line ? (
                <Marked text={lines[line] ?? ''} {...mark} />
              ) : (
                <Tokens painter={painter} line={line} />
              )}
            </div>
          ))}
        </div>
      </div>
    </>
  )
}

/** Characters of a line that are drawn; no window is as wide. */
const MAX_DRAWN = 5_000

const Tokens = ({ painter, line }: { readonly painter: Painter; readonly line: number }) => {
  let room = MAX_DRAWN
  return (
    <>
      {painter.tokensOf(line).map(([text, kind], index) => {
        const drawn = text.slice(0, Math.max(0, room))
        room -= text.length
        return kind ? (
          <span key={index} class={kind}>
            {drawn}
          </span>
        ) : (
          drawn
        )
      })}
    </>
  )
}

interface Mark {
  readonly line: number
  readonly from: number
  readonly to: number
}

function markOf(value: string, { at, length }: Place): Mark {
  const before = value.slice(0, at)
  const from = at - (before.lastIndexOf('\n') + 1)
  return { line: before.split('\n').length - 1, from, to: from + length }
}

const Marked = ({ text, from, to }: Omit<Mark, 'line'> & { readonly text: string }) => (
  <>
    {text.slice(0, from)}
    <mark>{text.slice(from, to)}</mark>
    {text.slice(to, MAX_DRAWN)}
  </>
)

/** Handles the keys of the field. */
function useKeys({ area, onKey, value }: Props) {
  const isLeaving = useRef(false)
  const unit = useRef<string | null>(null)
  return (event: KeyboardEvent) => {
    const field = area.current
    if (!field || event.isComposing) return
    if (onKey(event)) return event.preventDefault()
    const wasLeaving = isLeaving.current
    if (event.key !== 'Shift') isLeaving.current = event.key === 'Escape'
    if (event.ctrlKey || event.metaKey || event.altKey || wasLeaving) return
    const selected = { value: field.value, start: field.selectionStart, end: field.selectionEnd }
    unit.current ??= findIndentUnit(value)
    const isTab = event.key === 'Tab'
    if (!isTab && (event.key !== 'Enter' || event.shiftKey)) return
    event.preventDefault()
    if (!isTab) return replaceIn(field, breakLine(selected))
    const made = event.shiftKey ? outdent(selected, unit.current) : indent(selected, unit.current)
    if (made) replaceIn(field, made)
  }
}

/** Replaces a part of the text of a field, in the way that its undo knows. */
export function replaceIn(field: HTMLTextAreaElement, made: Replaced): void {
  field.focus()
  field.setSelectionRange(made.from, made.to)
  const command = made.insert === '' ? 'delete' : 'insertText'
  // No other way of changing a text area keeps its undo.
  if (made.from !== made.to || made.insert !== '') insert(field, command, made)
  field.setSelectionRange(made.start, made.end)
}

function insert(field: HTMLTextAreaElement, command: string, made: Replaced): void {
  if (document.execCommand(command, false, made.insert)) return
  field.setRangeText(made.insert, made.from, made.to)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
