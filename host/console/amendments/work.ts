/**
 * What the owner has amended of the drafts on this page, and what is open in a field. It outlives the page of a draft, so
 * that a look at another page loses nothing; before the browser leaves, it asks. An amendment is of the two states that
 * were listed, so it is void once one of them is another. `test/host/console/amendments.test.tsx` has the cases.
 *
 * @module
 */

import { signal } from '@preact/signals'
import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { basePath } from '../connect/workspace.ts'
import { countLines, isAmended, numberOf, type Amendment } from './amendment.ts'

/** A file as it is listed. */
export type ListedFile = Pick<ChangedFile, 'path' | 'digest'>

/** What is done with a file. */
export interface FileWork extends ListedFile {
  /** The workspace and the draft. */
  readonly draft: string
  readonly amendment: Amendment | null
  /** The field, if it is open. */
  readonly field: Field | null
}

/** A field with a text. */
interface Field {
  /** What was typed; null if the text is as it was. */
  readonly typed: string | null
}

const work = signal<readonly FileWork[]>([])

/** Names a draft of the workspace that is shown. */
export const nameDraft = (id: string): string => `${basePath.value} ${id}`

/** Returns what is done with a file; nothing if that was of another state of it. */
const workOn = (draft: string, { path, digest }: ListedFile): FileWork | undefined =>
  work.value.find((one) => one.draft === draft && one.path === path && one.digest === digest)

/** The files whose amendments were dropped last, because the files have changed. */
export const dropped = signal<{ readonly draft: string; readonly paths: readonly string[] }>({
  draft: '',
  paths: [],
})

/** Returns what is done with the files of a draft. */
export const workOf = (draft: string): readonly FileWork[] =>
  work.value.filter((one) => one.draft === draft)

/** Whether a text was typed and not saved. */
export const isUnsaved = ({ field }: FileWork): boolean => typeof field?.typed === 'string'

/** Returns the amendment of a file. */
export const amendmentOf = (draft: string, file: ListedFile): Amendment | null =>
  workOn(draft, file)?.amendment ?? null

/** Returns the field of a file, if it is open. */
export const fieldOf = (draft: string, file: ListedFile): Field | null =>
  workOn(draft, file)?.field ?? null

/** Sets the amendment of a file, or ends it; one that changes nothing is none. */
export const setAmendment = (draft: string, file: ListedFile, next: Amendment | null): void =>
  setWork(draft, file, { amendment: next && isAmended(next) ? next : null })

/** Opens the field of a file, notes what is typed, or closes it. */
export const setField = (draft: string, file: ListedFile, field: Field | null): void =>
  setWork(draft, file, { field })

function setWork(draft: string, file: ListedFile, change: Partial<FileWork>): void {
  const { path, digest } = file
  const before = workOn(draft, file) ?? { draft, path, digest, amendment: null, field: null }
  const next: FileWork = { ...before, ...change }
  const others = work.value.filter((one) => one.draft !== draft || one.path !== path)
  replace(next.amendment || next.field ? [...others, next] : others)
}

/** Counts the files of a list that are amended. */
export const countAmendedFiles = (draft: string, files: readonly ListedFile[]): number =>
  files.filter((file) => amendmentOf(draft, file) !== null).length

/** Counts those with an amendment, or with a text that was typed and not saved: what turning down would lose. */
export const countLost = (draft: string, files: readonly ListedFile[]): number =>
  files.flatMap((file) => workOn(draft, file) ?? []).filter(hasWork).length

/** Names the amendments of files: the name is another one after each change of them. */
export const nameAmendments = (draft: string, files: readonly ListedFile[]): string =>
  files
    .flatMap((file) => amendmentOf(draft, file) ?? [])
    .map(numberOf)
    .join(' ')

/** Returns a file with the lines that its amendment leads to. */
export function countAmended<File extends ChangedFile>(draft: string, file: File): File {
  const amendment = amendmentOf(draft, file)
  if (amendment === null) return file
  const { added, removed } = countLines(amendment)
  return { ...file, added, removed }
}

/** Ends all that is done with files that were decided; with all of a draft without them. */
export function endWork(draft: string, paths: ReadonlySet<string> | null): void {
  replace(work.value.filter((one) => one.draft !== draft || paths?.has(one.path) === false))
}

/**
 * Ends what is done with files that are listed in another state. Returns whether something was lost by it.
 *
 * @param isWhole Whether the list is loaded as a whole, so that what it has not is not changed any more.
 */
export function endStaleWork(
  draft: string,
  files: readonly ListedFile[],
  isWhole: boolean,
): boolean {
  const digests = new Map(files.map(({ path, digest }) => [path, digest]))
  const isStale = ({ path, digest }: FileWork) =>
    digests.has(path) ? digests.get(path) !== digest : isWhole
  const stale = work.value.filter((one) => one.draft === draft && isStale(one))
  if (stale.length > 0) replace(work.value.filter((one) => !stale.includes(one)))
  const paths = stale.filter(hasWork).map(({ path }) => path)
  if (paths.length > 0) dropped.value = { draft, paths }
  return paths.length > 0
}

const hasWork = (one: FileWork) => one.amendment !== null || isUnsaved(one)

function replace(next: readonly FileWork[]): void {
  work.value = next
  if (next.some(hasWork)) addEventListener('beforeunload', ask)
  else removeEventListener('beforeunload', ask)
}

const ask = (event: BeforeUnloadEvent) => event.preventDefault()
