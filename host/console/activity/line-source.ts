/** The unchanged lines around a change of the history, or around a preview. @module */

import { recordOf } from '#core/json.ts'
import type { LineReader } from '#views/diff/gap.tsx'
import { createFileReader } from '#views/diff/numbered-lines.ts'
import { openConnection, tools } from '../connect/connection.ts'
import { callReadOnly } from '../tools/calls.ts'

const TOOL = 'read_file'

/** The state of the workspace that a file was compared in. */
export interface ComparedState {
  /** A preview is compared with the files before it. */
  readonly isPreview: boolean
  /** The version before a preview, or after a change. */
  readonly version: number
}

/** Creates the reader; null if the state is not known, or the server has no tool for it. */
export function readLinesOf(state: ComparedState | null): LineReader | null {
  if (state === null || !tools.peek().some(({ name }) => name === TOOL)) return null
  const { isPreview, version } = state
  return createFileReader({
    isOld: isPreview,
    isSame: (of) => typeof of === 'number' && (isPreview ? of <= version : of === version),
    readFile: async (args) =>
      recordOf((await callReadOnly(openConnection(), TOOL, args)).structuredContent),
  })
}
