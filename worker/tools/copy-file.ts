/**
 * `copy_file`: copies a file, or a folder with everything in it. The copy refers to the same stored content.
 *
 * @module
 */

import { defaultRoot } from '#core/config.ts'
import { displayPath, isWithin, rebase, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import type { ReadStore } from '../access/workspace.ts'
import { MAX_COPY_ENTRIES } from '../limits.ts'
import type { Problem } from '../errors/problem.ts'
import type { Entry, Step } from '../store/store.ts'
import { path } from './lib/arguments.ts'
import { folderSize, targetExists, createPlacesSchema } from './lib/files.ts'
import { defineChange, readingFolder, writingTarget } from './lib/tool.ts'

/** Plans one step for each file and folder of the copy. */
export const copyFile = defineChange({
  name: 'copy_file',
  title: 'Copy',
  description:
    'Copy a file or a folder to a new path. Nothing is overwritten. A target that ends in / is a ' +
    'folder to copy it into.',
  intent: 'Copy {from} to {to}',
  approval: 'review',
  view: 'review',
  destructive: false,
  idempotent: false,
  reads: true,
  input: () => z.strictObject({ from: path, to: path }),
  output: createPlacesSchema,

  touches: ({ from, to }) => [readingFolder(from), writingTarget(to, from)],

  async plan(_input, [from, to], { store, config }) {
    const entry = store.stat(from)
    if (!entry) return err({ reason: 'not_found', path: from })
    const target = store.stat(to)
    if (target) return err(targetExists(target, from))
    if (isWithin(to, from)) return err({ reason: 'into_itself', from, to })
    const steps = copySteps(store, entry, to)
    if (!steps.ok) return steps
    const root = defaultRoot(config)
    const shown = { from: displayPath(from, root), to: displayPath(to, root) }
    const size = folderSize(store, entry)
    return ok({
      steps: steps.value,
      answer: {
        text: `Copied ${shown.from} to ${shown.to}${size.text}`,
        structured: { ...shown, ...size.counts },
      },
    })
  },
})

/** Copies what the caller can see; each new file refers to the existing content. */
function copySteps(store: ReadStore, entry: Entry, to: StorePath): Result<Step[], Problem> {
  const entries = entry.type === 'file' ? [entry] : [entry, ...store.walk(entry.path)]
  if (entries.length > MAX_COPY_ENTRIES) {
    const detail = `Cannot copy ${entry.path}: it has more than ${MAX_COPY_ENTRIES} files and folders. Copy its parts`
    return err({ reason: 'over_budget', detail })
  }
  const steps: Step[] = []
  for (const each of entries) {
    const path = rebase(each.path, entry.path, to)
    if (each.type === 'folder') {
      steps.push({ type: 'folder', path, isNew: true })
      continue
    }
    const content = store.contentOf(each)
    const mode = each.executable ? { executable: true } : {}
    if (content) steps.push({ type: 'put', path, content, ...mode, isNew: true })
  }
  return ok(steps)
}
