/**
 * Which changed files are not shown line by line, so that approving them takes a yes of its own. The page of a draft and
 * its approval both use it, and so do apps. `test/worker/drafts/compared-room.test.ts` tests it.
 *
 * @module
 */

import type { StorePath } from '#core/path.ts'
import { isReadable, isShown, learnShown } from '../changes/shown-diff.ts'
import type { Store } from '../store/store.ts'
import { statesOf, type Difference, type Unit } from './units.ts'

/** Compares long texts, so that {@link unseenPaths} knows which differences are shown. */
export async function learnUnseen(
  parts: readonly Pick<Unit, 'differences'>[],
  base: Pick<Store, 'contentOf' | 'bytes'>,
): Promise<void> {
  const compared = parts.flatMap(({ differences }) => differences.filter((one) => !one.uncompared))
  const states = compared.map(statesOf).filter((one) => isReadable(one, base))
  await learnShown(states, base)
}

/**
 * The paths whose new content is not shown line by line: it, or what it replaces, is no text, or too large to be
 * compared, or the difference is too long, or its list has no room for it. Content that moves there counts as well, because it may have been written
 * where nothing waits.
 */
export function unseenPaths(
  differences: readonly Difference[],
  base: Pick<Store, 'contentOf'>,
): StorePath[] {
  return differences.flatMap((difference) => {
    const states = statesOf(difference)
    const isSeen =
      states.after === null ||
      (!difference.uncompared && isReadable(states, base) && isShown(states, base))
    return isSeen ? [] : [difference.path]
  })
}
