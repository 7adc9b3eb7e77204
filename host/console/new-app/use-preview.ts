/**
 * Checks the text of `app.json` a short pause after each edit, and keeps what was shown last while the
 * text has problems.
 *
 * @module
 */

import { useEffect, useState } from 'preact/hooks'
import type { StarterFile } from '#core/apps/starters.ts'
import type { SettingProblem } from '#core/apps/templates.ts'
import { revision } from '../connect/connection.ts'
import { previewName, type AppForm } from './app-form.ts'
import { checkApp, type CheckedPage } from './check-app.ts'
import { samplesOf } from './preview-data.ts'

/** Time without an edit after which the text is checked, in milliseconds. */
const PAUSE_MS = 400

/** What a preview shows. */
export interface Shown extends CheckedPage {
  readonly name: string
  /** Sample data that the app names and that is not written yet. */
  readonly samples: readonly StarterFile[]
}

export interface PreviewState {
  /** The last app without problems; null if there was none yet. */
  readonly shown: Shown | null
  readonly problems: readonly SettingProblem[]
  /** Whether the name of the form belongs to an app already. */
  readonly isTaken: boolean
  /** Why the text could not be checked. */
  readonly error: unknown
  /** Whether the state is that of the text as it is now. */
  readonly isCurrent: boolean
}

/** A preview, and how it is checked again. */
export interface CheckedPreview extends PreviewState {
  readonly retry: () => void
}

const START: PreviewState = {
  shown: null,
  problems: [],
  isTaken: false,
  error: null,
  isCurrent: false,
}

/** Checks the form, and again after each change of it or of the workspace. */
export function usePreview(base: string, form: AppForm): CheckedPreview {
  const [state, setState] = useState(START)
  const [round, setRound] = useState(0)
  const name = previewName(form)
  const { text, samples } = form
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setState((before) => ({ ...before, isCurrent: false }))
    const check = async () => {
      const { isTaken, problems, checked } = await checkApp(base, { name, text }, signal)
      const used = checked ? samplesOf(checked.data, samples) : []
      const found = { isTaken: isTaken && name === form.name, problems, error: null }
      setState(({ shown: before }) => ({
        ...found,
        shown: checked ? { ...checked, name, samples: used } : before,
        isCurrent: true,
      }))
    }
    const fail = (error: unknown) => {
      if (!signal.aborted) setState((before) => ({ ...before, error, isCurrent: true }))
    }
    const timer = setTimeout(() => void check().catch(fail), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [base, name, form.name, text, samples, revision.value, round])
  return { ...state, retry: () => setRound((before) => before + 1) }
}
