/** The bar that finds a text in the editor, and replaces it. `test/host/console/files/editor.test.tsx` uses it. @module */

import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { formatNumber } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { replaceIn, type Place } from './code-field.tsx'
import { findAll, MAX_FOUND, nextPlace } from './find.ts'

interface Props {
  readonly value: string
  readonly area: RefObject<HTMLTextAreaElement | null>
  /** What is looked for first: the selection. */
  readonly initial: string
  readonly onFound: (place: Place | null) => void
  readonly onClose: () => void
}

/** Shows the bar. Enter goes to the next place, Shift Enter to the one before, Escape closes it. */
export function FindBar(props: Props) {
  const { area, onClose } = props
  const { wanted, by, at, count, look, setBy, go, replace } = useFind(props)
  const first = useRef<HTMLInputElement>(null)
  // What is typed after the shortcut belongs here.
  useLayoutEffect(() => first.current?.select(), [])
  const close = () => {
    onClose()
    area.current?.focus()
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    // The buttons of the bar are pressed with Enter as well.
    if (event.key === 'Enter' && !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    if (event.key === 'Escape') close()
    else go(event.shiftKey ? -1 : 1)
  }
  const field = (label: string, value: string, onInput: (text: string) => void) => (
    <input
      {...(label === 'Find' && { ref: first })}
      type="text"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  )
  return (
    <div class="findbar" role="search" aria-label="Find in this file" onKeyDown={handleKey}>
      {field('Find', wanted, look)}
      <span class="faint small numbers" role="status">
        {wanted === '' ? '' : describeFound(count, at)}
      </span>
      <Step label="Previous" icon="up" onPress={() => go(-1)} />
      <Step label="Next" icon="down" onPress={() => go(1)} />
      {field('Replace with', by, setBy)}
      <button type="button" class="button small" onClick={replace}>
        Replace
      </button>
      <Step label="Close" icon="cross" onPress={close} />
    </div>
  )
}

/** Holds what is looked for, and goes to the places where it is. */
function useFind({ value, area, initial, onFound }: Props) {
  const [wanted, setWanted] = useState(initial)
  const [by, setBy] = useState('')
  const [at, setAt] = useState(-1)
  const found = useMemo(() => findAll(value, wanted), [value, wanted])
  useEffect(() => () => onFound(null), [])
  const look = (text: string) => {
    setAt(-1)
    setWanted(text)
  }
  const go = (step: 1 | -1) => {
    const caret = area.current?.selectionStart ?? 0
    const index = nextPlace(found, step === 1 && at !== -1 ? caret + 1 : caret, step)
    const place = found[index]
    setAt(index)
    onFound(place === undefined ? null : { at: place, length: wanted.length })
    if (area.current && place !== undefined) show(area.current, place, wanted.length)
  }
  const replace = () => {
    const place = found[at]
    if (!area.current || place === undefined) return go(1)
    const end = place + by.length
    const made = { from: place, to: place + wanted.length, insert: by, start: end, end }
    const focused = document.activeElement
    replaceIn(area.current, made)
    if (focused instanceof HTMLElement) focused.focus()
    setAt(-1)
    onFound(null)
  }
  return { wanted, by, at, count: found.length, look, setBy, go, replace }
}

const Step = (props: {
  readonly label: string
  readonly icon: 'up' | 'down' | 'cross'
  readonly onPress: () => void
}) => (
  <button
    type="button"
    class="button quiet small icononly"
    aria-label={props.label}
    title={props.label}
    onClick={props.onPress}
  >
    <Icon name={props.icon} />
  </button>
)

function describeFound(count: number, at: number): string {
  const all = `${formatNumber(count)}${count === MAX_FOUND ? ' or more' : ''}`
  if (count === 0) return 'Not found'
  return at === -1 ? `${all} found` : `${formatNumber(at + 1)} of ${all}`
}

/** Lines above a place that are shown. */
const LINES_ABOVE = 4

/** Selects a place and brings it into view; the focus stays where it is. */
function show(field: HTMLTextAreaElement, at: number, length: number): void {
  field.setSelectionRange(at, at + length)
  const before = field.value.slice(0, at)
  const line = before.split('\n').length - 1
  const height = Number.parseFloat(getComputedStyle(field).lineHeight) || 20
  if (field.wrap !== 'off') return field.focus()
  const column = at - (before.lastIndexOf('\n') + 1)
  field.scrollTop = Math.max(0, line - LINES_ABOVE) * height
  // About the width of a letter, so that a place far to the right is visible.
  field.scrollLeft = Math.max(0, (column - 40) * height * 0.4)
}
