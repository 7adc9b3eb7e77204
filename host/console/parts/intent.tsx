/**
 * An intent sentence, with what the call brought in marked, so that a reader can tell the author's
 * words from the values.
 *
 * @module
 */

import type { Part } from '#core/intent/render.ts'
import { cut } from '../state/format.ts'
import { Visible } from './visible.tsx'

/** Characters of one value that a sentence shows. */
const MOST = 400

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
            <Visible text={cut(part.text, MOST)} />
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
