/** Names the files whose amendments are void because the files have changed, until it is dismissed. @module */

import { Note } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { describeDropped } from './words.ts'
import { dropped } from './work.ts'

/** Paths that are named. */
const MAX_NAMED = 20

/** Shows the note, if there is something to say of the draft. */
export function DroppedNote({ draft }: { readonly draft: string }) {
  const { paths } = dropped.value
  if (dropped.value.draft !== draft || paths.length === 0) return null
  return (
    <Note tone="warning" role="status">
      {describeDropped(paths.length)}
      <ul>
        {paths.slice(0, MAX_NAMED).map((path) => (
          <li key={path}>
            <Path text={path} />
          </li>
        ))}
      </ul>
      <div class="row">
        <button
          type="button"
          class="button small"
          onClick={() => void (dropped.value = { draft, paths: [] })}
        >
          Dismiss
        </button>
      </div>
    </Note>
  )
}
