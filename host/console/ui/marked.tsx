/** Shows a stored sentence, with what looks like a path as code. @module */

import { truncate } from './format.ts'
import { Path } from './path.tsx'
import { Visible } from './visible.tsx'

const MAX_LENGTH = 400
const PATH =
  /(?<=^|\s)(?:\/|\.\/)?[\p{L}\p{N}_@.+-]*(?:\/[\p{L}\p{N}_@.+-]+)+\/?|(?<=^|\s)[\p{L}\p{N}_@+-]+\.[a-z]\w{0,7}(?=$|\s|,)/gu

/** Shows a sentence whose parts are unknown; paths are guessed. */
export function Marked({ text }: { readonly text: string }) {
  const shown = truncate(text, MAX_LENGTH)
  const parts = []
  let end = 0
  for (const { index, 0: path } of shown.matchAll(PATH)) {
    parts.push(<Visible text={shown.slice(end, index)} />, <Path key={index} text={path} />)
    end = index + path.length
  }
  return (
    <span class="sentence">
      {parts}
      <Visible text={shown.slice(end)} />
    </span>
  )
}
