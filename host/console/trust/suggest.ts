/**
 * What the dialog of trust suggests for a draft: the deepest folder that contains its files, its tools, and times.
 *
 * `test/host/console/trust.test.tsx` has the cases.
 *
 * @module
 */

import type { DraftContents } from '#core/owner/answers/drafts.ts'

/** The times that can be chosen, with their labels. */
export const TIMES = [
  ['hour', '1 hour'],
  ['hours', '4 hours'],
  ['tonight', 'Until tonight'],
  ['day', '24 hours'],
] as const

/** One of {@link TIMES}. */
export type TimeChoice = (typeof TIMES)[number][0]

const HOUR_MS = 3_600_000

/** Returns when a choice ends, in milliseconds since 1970. Tonight is the next midnight of the person. */
export function timeOf(choice: TimeChoice, now: number): number {
  if (choice === 'hour') return now + HOUR_MS
  if (choice === 'hours') return now + 4 * HOUR_MS
  // Less than a day, so that it is still permitted once the request arrives at a server whose clock is behind.
  const day = now + 24 * HOUR_MS - 60_000
  return choice === 'day' ? day : Math.min(day, new Date(now).setHours(24, 0, 0, 0))
}

/** Returns the deepest folder that contains all files of a draft. */
export function folderOf({ files }: Pick<DraftContents, 'files'>): string {
  const paths = files.flatMap(({ path, from }) => [path, ...(from === undefined ? [] : [from])])
  const folders = paths.map((path) => path.split('/').slice(1, -1))
  const [first = []] = folders
  const end = first.findIndex((name, index) => folders.some((other) => other[index] !== name))
  return `/${first.slice(0, end === -1 ? first.length : end).join('/')}`
}

/** Returns the tools of a draft, each once. */
export const toolsOf = ({ changes }: Pick<DraftContents, 'changes'>): string[] =>
  [...new Set(changes.map(({ tool }) => tool))].toSorted()
