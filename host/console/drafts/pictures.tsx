/** A picture before and after a change, beside each other. @module */

import { sidesIn, type Side } from './whole-file.tsx'

const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i

/** Whether a browser can draw a file, by its name. */
export const isPicture = (path: string): boolean => PICTURE.test(path)

const NAMES: Readonly<Record<Side, string>> = { before: 'Before', after: 'After' }

/** Shows the states that exist. An image runs no script, whatever is in it. */
export const Pictures = (props: {
  readonly addressOf: (side: Side) => string
  readonly sides: Readonly<Record<Side, boolean>>
}) => (
  <div class="pictures">
    {sidesIn(props.sides).map((side) => (
      <figure key={side}>
        <img src={props.addressOf(side)} alt={`The picture ${side}`} loading="lazy" />
        <figcaption>{NAMES[side]}</figcaption>
      </figure>
    ))}
  </div>
)
