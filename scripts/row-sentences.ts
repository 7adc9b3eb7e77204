/**
 * The sentences about the rows of the benchmark: what limits each, and what was done where a goal was missed. They are
 * read from the rows and not from the last run, so that a sentence can be corrected without another run.
 *
 * @module
 */

import { readdirSync } from 'node:fs'
import { z } from 'zod'
import { inProject } from './settings.ts'

const row = z.object({
  name: z.string(),
  goal: z.string(),
  limit: z.string().optional(),
  tried: z.string().optional(),
})

const rowModule = z.object({ rows: z.array(row) })

/** The words of a row; see `bench/row.ts`. */
export type RowSentences = z.infer<typeof row>

/** Reads the words of all rows. */
export async function readRowSentences(): Promise<RowSentences[]> {
  const folder = inProject('bench/rows')
  const files = readdirSync(folder).toSorted()
  const modules: unknown[] = await Promise.all(files.map((file) => import(`${folder}/${file}`)))
  return modules.flatMap((module) => rowModule.parse({ ...Object(module) }).rows)
}
