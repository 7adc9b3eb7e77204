/** `edit_file`: replaces pieces of text, each of which must occur exactly once. @module */

import { defaultRoot } from '#core/config.ts'
import { displayPath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import { MAX_EDIT_BYTES, MAX_EDIT_STEPS, MAX_EDITS } from '../limits.ts'
import type { Problem } from '../errors/problem.ts'
import { createFinder, occurrences } from '../search/find-text.ts'
import { unlimited, type Meter } from '../search/meter.ts'
import { hasMarks } from '../texts/damaged.ts'
import { countNewlines, readLines, replacePart, writeLines, type Lines } from '../texts/endings.ts'
import { encodeText, withoutMarks, withUnixLines, type Text } from '../texts/text.ts'
import { ifVersion, path, wellFormed } from './lib/arguments.ts'
import { checkVersion, loadText } from './lib/files.ts'
import { findFile } from './lib/read-lines.ts'
import { defineChange, rewriting } from './lib/tool.ts'
import { MAX_NAMED_LINES } from './lib/limits.ts'

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
        .array(z.strictObject({ find: wellFormed.check(z.minLength(1)), replace: wellFormed }))
        .check(z.minLength(1), z.maxLength(MAX_EDITS)),
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
    const edited = await makeEdits(old.value, edits)
    if (!edited.ok) return edited

    const content = await store.hold(encodeText(edited.value))
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
export async function makeEdits(old: Text, edits: readonly Edit[]): Promise<Result<Text, Problem>> {
  const meter = { left: MAX_EDIT_STEPS }
  let turn = meter.left
  const before = readLines(old.content)
  let running = before
  for (const [index, edit] of edits.entries()) {
    const made = makeEdit(running, edit, { ...old, edit: index + 1, meter })
    if (!made.ok) {
      const shown = ({ text }: Lines) => withoutMarks(text, old.encoding)
      const blamed = index === 0 ? made.error : blameEarlier(made.error, shown(before), meter)
      return err(await explainNotFound(blamed, shown(running), meter))
    }
    running = made.value
    if (meter.left < 0) return err({ reason: 'over_budget', detail: TOO_MUCH })
    if (turn - meter.left < TURN_STEPS) continue
    await scheduler.wait(0)
    turn = meter.left
  }
  return ok({ ...old, content: writeLines(running) })
}

const TOO_MUCH = `Cannot make these edits: they take more than ${MAX_EDIT_STEPS} steps in this file. Nothing was changed. Split them into several calls`

/** One edit of a call, counted from 1, and the steps that are left for it. */
interface Making extends Pick<Text, 'encoding'> {
  readonly edit: number
  readonly meter: Meter
}

/** Finds a text however its lines end, and replaces it. */
function makeEdit(
  lines: Lines,
  { find: sent, replace }: Edit,
  { edit, encoding, meter }: Making,
): Result<Lines, Problem> {
  const text = withoutMarks(lines.text, encoding)
  const find = wantedText(text, sent, meter)
  const findIn = createFinder(find)
  const at = findIn(text, 0, meter)
  if (at === -1) return err({ reason: 'find_not_found', find, edit, nearest: [] })
  // Searched from the next character on: `aa` occurs twice in `aaa`, so the edit is ambiguous.
  if (findIn(text, at + 1, meter) !== -1) return err(notUnique(text, find, edit))
  const end = at + find.length
  const line = encoding === 'damaged' ? findDamaged(lines.text, at, end) : null
  if (line !== null) return err({ reason: 'damaged_line', edit, line })
  return ok(replacePart(lines, at, end, replace))
}

/** Marks the problem of a later edit that the file itself does not have: an earlier edit of the call made it. */
function blameEarlier(problem: Problem, text: string, meter: Meter): Problem {
  if (problem.reason !== 'find_not_found' && problem.reason !== 'find_not_unique') return problem
  const findIn = createFinder(problem.find)
  const at = findIn(text, 0, meter)
  if (problem.reason === 'find_not_found')
    return at === -1 ? problem : { ...problem, isReplaced: true }
  const next = at === -1 ? -1 : findIn(text, at + 1, meter)
  return next === -1 ? { ...problem, isWritten: true } : problem
}

/** Explains why a text was not found. The module is loaded late, because most edits find theirs. */
async function explainNotFound(problem: Problem, text: string, meter: Meter): Promise<Problem> {
  if (problem.reason !== 'find_not_found' || problem.isReplaced) return problem
  const { explainMismatch } = await import('./lib/mismatch.ts')
  return explainMismatch(text, problem.find, problem.edit, meter)
}

/** The text to find among lines that end with `\n`. A `\r` may belong to a line and not to its end. */
function wantedText(text: string, sent: string, meter: Meter): string {
  const find = withUnixLines(sent)
  return find === sent || createFinder(sent)(text, 0, meter) === -1 ? find : sent
}

/** Returns the first damaged line of a part of a text, counted from 1; null if there is none. */
function findDamaged(text: string, at: number, end: number): number | null {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const newline = text.indexOf('\n', end - 1)
  const part = text.slice(start, newline === -1 ? text.length : newline)
  const damaged = part.split('\n').findIndex(hasMarks)
  return damaged === -1 ? null : countNewlines(text.slice(0, start)) + damaged + 1
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
