/**
 * Shows an intent sentence and marks the values from the call, to tell them from the author's
 * words.
 *
 * @module
 */

import type { Part } from '#core/intent/render.ts'
import { CallValue } from '../ui/path.tsx'
import { Visible } from '../ui/visible.tsx'

/** Shows an intent sentence. */
export function Intent({
  parts,
  large = false,
}: {
  readonly parts: readonly Part[]
  readonly large?: boolean
}) {
  return (
    <span class={`sentence ${large ? 'large' : ''}`}>
      {parts.map((part, index) => {
        if (part.type === 'text') return <Visible key={index} text={part.text} />
        return part.type === 'value' ? (
          <CallValue key={index} text={part.text} name={part.key} />
        ) : (
          <span key={index} class="open">
            {part.key}
          </span>
        )
      })}
    </span>
  )
}
