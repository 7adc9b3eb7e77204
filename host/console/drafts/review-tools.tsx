/** The options of the review: one column or two, white space, and the tree of files. @module */

import { Segments } from '../ui/segments.tsx'
import { reviewOptions, setReviewOption } from './review-options.ts'

interface Props {
  readonly showsTree: boolean
  readonly onTree: () => void
}

/** Shows the options. */
export function ReviewTools({ showsTree, onTree }: Props) {
  return (
    <div class="row">
      <button type="button" class="button quiet small" aria-pressed={showsTree} onClick={onTree}>
        Tree
      </button>
      <DiffTools />
    </div>
  )
}

/** Shows the options of differences, wherever some are drawn. */
export function DiffTools() {
  const { layout, ignoresSpace } = reviewOptions.value
  return (
    <>
      <button
        type="button"
        class="button quiet small"
        aria-pressed={ignoresSpace}
        title="Lines that differ in spaces and tabs alone are drawn as unchanged"
        onClick={() => setReviewOption({ ignoresSpace: !ignoresSpace })}
      >
        Hide white space
      </button>
      <Segments
        label="Layout of differences"
        value={layout}
        options={[
          ['unified', 'Unified'],
          ['split', 'Side by side'],
        ]}
        onChange={(next) => setReviewOption({ layout: next })}
      />
    </>
  )
}
