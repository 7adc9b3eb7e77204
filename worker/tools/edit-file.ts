/** `edit_file`: replaces pieces of text, each of which must occur exactly once. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod'
import { MAX_EDIT_BYTES, MAX_EDIT_STEPS, MAX_EDITS } from '../limits.ts'
import type { Problem } from '../errors/problem.ts'
import { createFinder, occurrences } from '../search/find-text.ts'
import { unlimited, type Meter } from '../search/meter.ts'
import { encodeText, withEndings } from '../encoding/text.ts'
import { ifVersion, path, wellFormed } from './lib/arguments.ts'
import { checkVersion, loadText } from './lib/files.ts'
import { nearestLines } from './lib/nearest.ts'
import { findFile } from './lib/read-lines.ts'
import { defineChange, rewriting } from './lib/tool.ts'
import { MAX_NAMED_LINES } from './limits.ts'

interface Edit {
  readonly find: string
  readonly replace: string
}

/** Plans one write of the edited text; line endings and a byte order mark are kept. */
export const editFile = defineChange({
  name: 'edit_file',
  title: 'Edit a file',
  description:
    'Replace text in a file. Each find must occur exactly once in the text that the previous edits ' +
    'produced. All edits are made, or none. Line endings are kept.',
  intent: 'Edit {path}',
  approval: 'review',
  view: 'review',
  destructive: true,
  idempotent: false,
  priority: 1,
  input: () =>
    z.strictObject({
      path,
      edits: z
        .array(z.strictObject({ find: wellFormed.min(1), replace: wellFormed }))
        .min(1)
        .max(MAX_EDITS),
      if_version: ifVersion,
    }),
  output: () => z.object({ path: z.string(), match_count: z.int() }),

  reads: true,
  touches: (input) => [rewriting(input.path)],

  async plan({ edits, if_version }, [place], { store, config }) {
    const file = findFile(store, place)
    if (!file.ok) return file
    const checked = checkVersion(store, place, if_version)
    if (!checked.ok) return checked

    const old = await loadText(store, file.value, MAX_EDIT_BYTES)
    if (!old.ok) return old
    const like = old.value
    const edited = await makeEdits(
      like.text,
      edits.map(({ find, replace }) => ({
        find: withEndings(find, like),
        replace: withEndings(replace, like),
      })),
    )
    if (!edited.ok) return edited

    const content = await store.hold(encodeText(edited.value, like))
    const shown = displayPath(place, defaultRoot(config))
    const count = edits.length
    return ok({
      steps: [{ type: 'put', path: place, content }],
      answer: {
        text: `Edited ${shown} in ${count} ${count === 1 ? 'place' : 'places'}`,
        structured: { path: shown, match_count: count },
      },
    })
  },
})

/** Steps after which other requests get a turn: a few hundredths of a second. */
const TURN_STEPS = 8 * 1024 * 1024

/** Applies edits in order. The problem names the first edit that cannot be applied, or a limit. */
export async function makeEdits(
  text: string,
  edits: readonly Edit[],
): Promise<Result<string, Problem>> {
  const meter = { left: MAX_EDIT_STEPS }
  let turn = meter.left
  let running = text
  for (const [index, edit] of edits.entries()) {
    const made = makeEdit(running, edit, index + 1, meter)
    if (!made.ok) return made
    running = made.value
    if (meter.left < 0) return err({ reason: 'over_budget', detail: TOO_MUCH })
    if (turn - meter.left < TURN_STEPS) continue
    await scheduler.wait(0)
    turn = meter.left
  }
  return ok(running)
}

const TOO_MUCH = `Cannot make these edits: they take more than ${MAX_EDIT_STEPS} steps in this file. Nothing was changed. Split them into several calls`

function makeEdit(
  text: string,
  { find, replace }: Edit,
  edit: number,
  meter: Meter,
): Result<string, Problem> {
  const findIn = createFinder(find)
  const at = findIn(text, 0, meter)
  if (at === -1)
    return err({ reason: 'find_not_found', find, edit, nearest: nearestLines(text, find) })
  // Searched from the next character on: `aa` occurs twice in `aaa`, so the edit is ambiguous.
  if (findIn(text, at + 1, meter) !== -1) return err(notUnique(text, find, edit))
  return ok(text.slice(0, at) + replace + text.slice(at + find.length))
}

function notUnique(text: string, find: string, edit: number): Problem {
  const lines: number[] = []
  let count = 0
  let line = 1
  let counted = 0
  for (const at of occurrences(text, find, 0, unlimited())) {
    count++
    if (lines.length === MAX_NAMED_LINES) continue
    for (; counted < at; counted++) if (text[counted] === '\n') line++
    if (lines.at(-1) !== line) lines.push(line)
  }
  return { reason: 'find_not_unique', find, edit, lines, count }
}
