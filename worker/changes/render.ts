/** The formats of a change: a page, a patch, and JSON. @module */

import { printUnified, quoteName, type FileDiff } from '#core/diff/unified.ts'
import { isWithin, ROOT, type StorePath } from '#core/path.ts'
import { APP_MIME } from '#core/wire.ts'
import type { Facts } from './facts.ts'
import { totalStats, type PlacedDiff } from './describe.ts'
import { reviewPage } from './review-page/page.ts'

/** The media type of a patch. */
export const DIFF_MIME = 'text/x-diff'

/**
 * Renders a change as `diff`, as `json`, or else as the page. Paths in a patch are relative to the folder
 * `root`.
 */
export function renderFacts(described: Facts, form: string | undefined, root: StorePath) {
  const left_out = described.files.filter((file) => file.omitted).length
  const facts = { ...described, ...(left_out > 0 && { left_out }) }
  if (form === 'diff') return { mimeType: DIFF_MIME, text: patchOf(facts, root) }
  if (form === 'json') return { mimeType: 'application/json', text: JSON.stringify(facts) }
  return { mimeType: APP_MIME, text: reviewPage(reviewOf(facts)) }
}

/** Notes come before the first file, where programs that read patches ignore them. */
function patchOf(facts: Facts, root: StorePath): string {
  const notes = [...leftOutNotes(facts), ...formNotes(facts)].map((note) => `# ${note}\n`)
  return notes.join('') + printUnified(namedFrom(root, facts.files.map(withoutClaims)))
}

/** A text without its lines is printed like a binary file, or the patch would say that it is empty. */
function withoutClaims(file: PlacedDiff): PlacedDiff {
  return file.omitted ? { ...file, binary: true } : file
}

/**
 * Makes paths relative to the default root if all files are in it, because the names in a patch share one
 * folder.
 */
function namedFrom(root: StorePath, files: readonly PlacedDiff[]): readonly FileDiff[] {
  const isInside = (path: StorePath | null) =>
    path === null || (path !== root && isWithin(path, root))
  if (root === ROOT || !files.every(({ from, to }) => isInside(from) && isInside(to))) return files
  const named = (path: StorePath | null) => path && path.slice(root.length)
  return files.map((file) => ({ ...file, from: named(file.from), to: named(file.to) }))
}

/** A reader of a patch does not see how its lines end, and how they are encoded. */
function formNotes({ files }: Facts): string[] {
  return files.flatMap(({ from, to, endings, encoding }) => {
    const name = quoteName(to ?? from ?? '')
    return [
      ...(endings ? [`Line endings of ${name}: ${endings}`] : []),
      ...(encoding ? [`Encoding of ${name}: ${encoding}`] : []),
    ]
  })
}

function leftOutNotes({ left_out = 0 }: Facts): string[] {
  if (left_out === 0) return []
  const files = left_out === 1 ? '1 file are' : `${left_out} files are`
  return [`The lines of ${files} left out: the difference is too large`]
}

/** Files that were not read have lines that no count includes. */
function uncountedNotes({ files, more }: Facts): string[] {
  const unread = files.filter(({ omitted, left_out }) => omitted && !left_out).length
  const { added, removed } = totalStats(files)
  const number = unread + (added + removed > 0 ? more : 0)
  if (number === 0) return []
  return [`The lines of ${number === 1 ? '1 file' : `${number} files`} are not counted`]
}

function notesOf(facts: Facts): string[] {
  const { applied, more, forgotten = 0, incomplete, comparison } = facts
  return [
    ...leftOutNotes(facts),
    ...(incomplete && comparison ? ['More files differ. Compare a folder to see them'] : []),
    ...(applied && incomplete ? ['History may no longer have all files of this change'] : []),
    ...(more > 0 ? [`${more} more files are not shown one by one`] : []),
    ...uncountedNotes(facts),
    ...(forgotten === 1
      ? ['1 file is not shown: history no longer has its earlier state']
      : forgotten > 1
        ? [`${forgotten} files are not shown: history no longer has their earlier state`]
        : []),
  ]
}

function reviewOf(facts: Facts) {
  const { tool, intent, applied, waits, files, more, bytes, comparison } = facts
  return {
    more,
    ...(comparison && { comparison }),
    ...(waits && { waits }),
    ...(bytes !== undefined && { bytes }),
    tool,
    intent,
    applied,
    notes: notesOf(facts),
    files: files.map((file) => ({ ...file, stats: totalStats([file]) })),
  }
}
