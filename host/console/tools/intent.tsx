/**
 * Shows an intent sentence and marks the values from the call, to tell them from the author's
 * words.
 *
 * @module
 */

import type { Part } from '#core/intent/render.ts'
import { truncate } from '../ui/format.ts'
import { Visible } from '../ui/visible.tsx'

/** Most characters of one value. */
const MAX_LENGTH = 400

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
          <mark key={index} title={part.key}>
            <Visible text={truncate(part.text, MAX_LENGTH)} />
          </mark>
        ) : (
          <span key={index} class="open">
            {part.key}
          </span>
        )
      })}
    </span>
  )
}
