/**
 * The button that every decision is made with. A press counts only if the person made it, and only if the button has
 * been at the same place, uncovered and with the same thing to decide, for half a second; by key, if it has had the
 * focus that long. A press that comes too early says so.
 *
 * `test/host/console/decision-button.test.tsx` has its laws, and `test/decision-buttons.test.ts` finds buttons that decide
 * without it.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { byHand } from './by-hand.ts'
import { useSettled } from './settled.ts'
import { watchStill, type Still } from './still.ts'

/** Says that a press came too early. */
const EARLY = 'That press came too soon. Press again.'

/** Time (ms) for which the message is shown. */
const EARLY_MS = 4_000

interface Props {
  /** Names what a press decides, such as a revision: the delay begins again whenever it changes. */
  readonly shown: unknown
  readonly onDecide: () => void
  /** Whether there is nothing to decide now. The button keeps its focus, so it is not disabled. */
  readonly isOff?: boolean
  /** Classes beside those of all buttons. */
  readonly look?: string
  readonly children: ComponentChildren
  /** Further attributes, by which the page finds the button. */
  readonly named?: {
    readonly 'aria-label'?: string
    readonly title?: string
    readonly [data: `data-${string}`]: string | boolean
  }
}

/** Shows the button. */
export function DecisionButton(props: Props) {
  const { shown, onDecide, isOff = false, look = '', children, named } = props
  const { ref, isReady, counts } = useStill(shown)
  const [early, sayEarly] = useEarly(ref)
  const press = (event: MouseEvent) => {
    if (isOff) return
    byHand(() => (counts(event) ? onDecide() : sayEarly()))(event)
  }
  return (
    <>
      <button
        {...named}
        ref={ref}
        type="button"
        class={`button decides ${look}`}
        aria-disabled={isOff || !isReady}
        onKeyDown={dropRepeated}
        onClick={press}
      >
        {children}
        {early !== null && (
          <span key={early.at} class={`early ${early.side}`} aria-hidden="true">
            {EARLY}
          </span>
        )}
      </button>
      {early !== null && (
        <span key={early.at} class="unseen" role="alert">
          {EARLY}
        </span>
      )}
    </>
  )
}

/** A key that is held since another button had the focus would press this one as well. */
function dropRepeated(event: KeyboardEvent): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
}

/** Returns whether a press would count, as it is shown and as it is at a press. */
function useStill(shown: unknown) {
  const ref = useRef<HTMLButtonElement>(null)
  const still = useRef<Still | null>(null)
  const [isStill, setStill] = useState(false)
  const isSettled = useSettled(shown)
  useEffect(() => {
    if (ref.current) still.current = watchStill(ref.current, setStill)
    return () => still.current?.stop()
  }, [])
  useEffect(() => still.current?.restart(), [shown])
  const counts = (event: MouseEvent) => isSettled && still.current?.counts(event) === true
  return { ref, isReady: isSettled && isStill, counts }
}

interface Early {
  /** The side of the button at which the message is shown. */
  readonly side: 'start' | 'end'
  /** When it was pressed. Each press has a message of its own, which is announced. */
  readonly at: number
}

/** Returns the message while it is shown, and what shows it. */
function useEarly(button: { readonly current: HTMLElement | null }) {
  const [early, setEarly] = useState<Early | null>(null)
  useEffect(() => {
    const timer = early === null ? undefined : setTimeout(() => setEarly(null), EARLY_MS)
    return () => clearTimeout(timer)
  }, [early])
  const say = () => {
    const left = button.current?.getBoundingClientRect().left ?? 0
    setEarly({ side: left < innerWidth / 2 ? 'start' : 'end', at: performance.now() })
  }
  return [early, say] as const
}
