/** The marks of the draft that is shown: what was viewed, and what is new since the last visit. @module */

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ChangedFile, DraftContents } from '#core/owner/answers/drafts.ts'
import { basePath } from '../connect/workspace.ts'
import { isViewed, readMarks, setListed, setViewed, sinceLastVisit, writeMarks } from './viewed.ts'

/** Marks of the files of a draft. */
export type ShownMarks = ReturnType<typeof useMarks>

/** Reads the marks of a draft, and keeps what is listed now for the next visit. */
export function useMarks({ id, revision, files }: DraftContents) {
  const name = `${basePath.value} ${id}`
  const [{ viewed }, setMarks] = useState(() => readMarks(name))
  // What was listed before this revision, which the effect below writes over.
  const before = useMemo(() => readMarks(name), [name, revision])
  useEffect(
    () => writeMarks(name, setListed({ ...readMarks(name), viewed }, files)),
    [files, viewed],
  )
  const marks = { ...before, viewed }
  return {
    isViewed: (file: ChangedFile) => isViewed(marks, file),
    since: (file: ChangedFile) => sinceLastVisit(before, file),
    setViewed: (file: ChangedFile, is: boolean) => setMarks((now) => setViewed(now, file, is)),
    /** Files of the list that were not viewed. */
    countUnviewed: (listed: readonly ChangedFile[]) =>
      listed.filter((file) => !isViewed(marks, file)).length,
  }
}
