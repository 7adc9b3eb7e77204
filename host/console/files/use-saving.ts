/**
 * Saves the text of an editor at the version that it was read at. If the file was changed since, nothing is saved, and
 * the text of the workspace is read for a comparison. `test/host/console/files/editor.test.tsx` has the cases.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { plainEndings } from '#core/diff/keep-endings.ts'
import { MAX_EDITED_BYTES } from '../amendments/proposed-text.ts'
import { basePath } from '../connect/workspace.ts'
import { AnswerError } from '../ui/errors.ts'
import { formatLimit } from '../ui/format.ts'
import { showToast } from '../ui/toasts.tsx'
import { closeEditing, editingOf, openEditing, textOfEditing, type Editing } from './editing.ts'
import { makeChange } from './make-change.ts'
import { describeSave } from './save-edits.ts'
import { readSource, type Source } from './source.ts'

/** What the workspace has instead of the text that the edits started from; null if the file is gone. */
export interface Conflict {
  readonly theirs: Source | null
}

/** Codes of a file that is another one, or not there any more. */
const CHANGED = new Set(['VERSION_CONFLICT', 'FILE_NOT_FOUND', 'FIND_NOT_FOUND', 'FIND_NOT_UNIQUE'])

/** Holds the state of saving a file, with the functions that change it. */
export function useSaving(path: string, onClosed: () => void) {
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const compare = async () => {
    const theirs = await readTheirs(path).catch((problem: unknown) => {
      setError(problem)
      return null
    })
    if (theirs) setConflict(theirs)
  }
  const save = async () => {
    const editing = editingOf(path)
    if (!editing || editing.typed === null || isSaving) return
    setSaving(true)
    setError(null)
    const problem = await saveText(editing, onClosed)
    setSaving(false)
    if (problem === 'conflict') await compare()
    else {
      setError(problem)
      if (problem === null) setConflict(null)
    }
  }
  return { isSaving, error, conflict, save, compare, endConflict: () => setConflict(null) }
}

/** Saves; returns what failed, or null. */
async function saveText(editing: Editing, onClosed: () => void): Promise<unknown> {
  const { path, source } = editing
  const text = textOfEditing(editing)
  if (new Blob([text]).size > MAX_EDITED_BYTES)
    return new AnswerError(`The text is larger than ${formatLimit(MAX_EDITED_BYTES)}.`, 0)
  const { tool, args } = describeSave(path, source, text)
  const made = await makeChange(tool, args)
  if (!made.ok) return CHANGED.has(made.error.code ?? '') ? 'conflict' : made.error.error
  if (made.value.waits) {
    closeEditing(path)
    onClosed()
    return null
  }
  showToast('Saved')
  await adopt(path, text)
  return null
}

/** Continues from what was saved; what was typed meanwhile stays. */
async function adopt(path: string, saved: string): Promise<void> {
  const now = await readSource(basePath.value, path).catch(() => null)
  const editing = editingOf(path)
  if (!now?.ok || !editing || plainEndings(now.value.text) !== saved) return
  openEditing(path, now.value, textOfEditing(editing))
}

async function readTheirs(path: string): Promise<Conflict> {
  try {
    const read = await readSource(basePath.value, path)
    if (read.ok) return { theirs: read.value }
    throw new AnswerError('The file is no text any more, or too large to be edited.', 0)
  } catch (error) {
    if (error instanceof AnswerError && error.status === 404) return { theirs: null }
    throw error
  }
}
