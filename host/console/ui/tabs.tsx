/** Tabs with the keyboard behaviour of the ARIA tabs pattern. @module */

import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A tab; `body` is rendered only while it is chosen. */
export interface Tab {
  readonly id: string
  readonly label: ComponentChildren
  readonly body: () => ComponentChildren
}

interface Props {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

/** Shows tabs; an unknown choice shows the first one. */
export function Tabs({ label, tabs, chosen, onChoose }: Props) {
  const base = useId()
  const shown = tabs.find(({ id }) => id === chosen) ?? tabs[0]
  if (!shown) return null
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = tabs.indexOf(shown)
    const next = Number.isFinite(step)
      ? (at + step + tabs.length) % tabs.length
      : step > 0
        ? tabs.length - 1
        : 0
    const tab = tabs[next]
    if (!tab) return
    onChoose(tab.id)
    document.getElementById(`${base}-${tab.id}`)?.focus()
  }
  return (
    <div>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id, label: text }) => (
          <button
            key={id}
            id={`${base}-${id}`}
            type="button"
            role="tab"
            aria-selected={id === shown.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === shown.id ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {text}
          </button>
        ))}
      </div>
      <div id={`${base}-panel`} role="tabpanel" aria-labelledby={`${base}-${shown.id}`}>
        {shown.body()}
      </div>
    </div>
  )
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  Home: -Infinity,
  End: Infinity,
}
