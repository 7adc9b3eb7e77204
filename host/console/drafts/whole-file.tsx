/**
 * What a person is shown of a file that cannot be shown in full: that this is so, and links to the whole file before and
 * after. Drafts and approvals of apps share it. `test/host/console/app-approvals.test.tsx` covers it.
 *
 * @module
 */

import { Badge, Note } from '../ui/parts.tsx'

/** Marks such a file in a list. */
export const UnseenBadge = () => <Badge tone="warning">not shown in full</Badge>

/** States it above the lines, which are the text of a document, or none. */
export const UnseenNote = () => (
  <Note tone="warning">
    It is not shown in full: it, or what it replaces, is not text, or too long to be compared. Open
    it before you decide.
  </Note>
)

/** The state of a file: before the change, or after it. */
export type Side = 'before' | 'after'

/** The states that exist, in order. */
export const sidesIn = (sides: Readonly<Record<Side, boolean>>): readonly Side[] =>
  (['before', 'after'] as const).filter((side) => sides[side])

/**
 * Links to the whole file, which the browser shows as plain text or as a picture.
 *
 * @param addressOf Returns the address of a state.
 * @param sides The states that exist.
 */
export const WholeFile = (props: {
  readonly addressOf: (side: Side) => string
  readonly sides: Readonly<Record<Side, boolean>>
}) => (
  <p class="row">
    {sidesIn(props.sides).map((side) => (
      <a
        key={side}
        class="button quiet small"
        href={props.addressOf(side)}
        target="_blank"
        rel="noreferrer"
      >
        Open the file {side}
      </a>
    ))}
  </p>
)
