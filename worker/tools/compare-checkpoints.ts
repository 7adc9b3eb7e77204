/** `compare_checkpoints`: the files that differ between a checkpoint and another one, or now. For views. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath, ROOT, type StorePath } from '#core/path.ts'
import { ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { addressOfComparison, describeComparison, findCheckpoint } from '../changes/comparison.ts'
import { totalStats, type PlacedDiff } from '../changes/describe.ts'
import { path } from './lib/arguments.ts'
import { firstFitting } from './lib/first-fitting.ts'
import { checkpoint } from './lib/checkpoints.ts'
import { defineRead, readingFolder } from './lib/tool.ts'

/** Compares two moments. The review resource has the lines of every file. */
export const compareCheckpoints = defineRead({
  name: 'compare_checkpoints',
  title: 'Compare checkpoints',
  description: 'List the files that differ between a checkpoint and another one, or now.',
  intent: 'Compare the checkpoint {from} with {to|now} [in {folder}]',
  approval: 'none',
  appOnly: true,
  input: () =>
    z.strictObject({
      from: checkpoint,
      to: z.optional(checkpoint),
      folder: z.optional(path).check(z.describe('Only files in this folder')),
    }),
  output: () =>
    z.object({
      files: z.array(
        z.object({
          path: z.string(),
          from: z.optional(z.string()).check(z.describe('Path before it was moved')),
          status: z.enum(['added', 'deleted', 'moved', 'modified']),
          added: z.int().check(z.describe('Lines')),
          removed: z.int(),
        }),
      ),
      more: z.int().check(z.describe('Number of differing files that files does not list')),
      complete: z.boolean().check(z.describe('Whether more counts all of them')),
      review: z.string().check(z.describe('Resource that shows the lines')),
    }),

  touches: ({ folder }) => (folder === undefined ? [] : [readingFolder(folder)]),

  async read({ from, to }, [folder], { store, config }) {
    const first = findCheckpoint(store, from)
    if (!first.ok) return first
    const last = to === undefined ? ok(null) : findCheckpoint(store, to)
    if (!last.ok) return last
    const comparison = { from: first.value, to: last.value, folder: folder ?? ROOT }
    const facts = await describeComparison(comparison, store)
    const root = defaultRoot(config)
    const all = facts.files.map((file) => toShownFile(file, root))
    const write = ({ status, path: shown }: (typeof all)[number]) => `${status}  ${shown}`
    const files = firstFitting(all, write)
    const more = facts.more + all.length - files.length
    const lines = files.map(write)
    const rest = more > 0 ? [`and ${more} more files`] : []
    return ok({
      text: [...lines, ...rest].join('\n') || 'No differences',
      structured: {
        files,
        more,
        complete: facts.incomplete !== true,
        review: addressOfComparison(comparison),
      },
    })
  },
})

function toShownFile(file: PlacedDiff, root: StorePath) {
  const { from, to } = file
  const { added, removed } = totalStats([file])
  const isMoved = from !== null && to !== null && from !== to
  return {
    path: displayPath(to ?? from ?? root, root),
    ...(isMoved && { from: displayPath(from, root) }),
    status: isMoved ? 'moved' : from === null ? 'added' : to === null ? 'deleted' : 'modified',
    added,
    removed,
  }
}
