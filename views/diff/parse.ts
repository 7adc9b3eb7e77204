/**
 * Parses the difference of a file from JSON, as results, resources and the review of a draft have it. What is malformed
 * is left out. `test/views/review/review.test.ts` shows what it reads.
 *
 * @module
 */

import type { DiffLine, Hunk } from '#core/diff/hunks.ts'
import type { FileDiff } from '#core/diff/unified.ts'
import { isString, recordOf } from '#core/json.ts'

/** Parses a file; none without a path. */
export function parseFile(value: unknown): FileDiff[] {
  const { from, to, binary, omitted, hunks } = recordOf(value)
  const paths = { from: isString(from) ? from : null, to: isString(to) ? to : null }
  if (paths.from === null && paths.to === null) return []
  const parsed = toList(hunks).flatMap((hunk) => parseHunk(hunk) ?? [])
  return [{ ...paths, binary: binary === true || omitted === true, hunks: parsed }]
}

/** Parses the hunks of several files, each with the path of its file. */
export function parseHunks(hunks: unknown): FileDiff[] {
  const byPath = Map.groupBy(toList(hunks), (hunk) => {
    const { path } = recordOf(hunk)
    return isString(path) ? path : ''
  })
  return [...byPath]
    .flatMap(([path, own]) => parseFile({ from: path, to: path, hunks: own }))
    .filter(({ hunks }) => hunks.length > 0)
}

/** Whether every line ends with `\r\n`: the returns can then be left out of the lines. */
export const hasReturns = ({ hunks }: Pick<FileDiff, 'hunks'>): boolean =>
  hunks.some(({ lines }) => lines.some(({ text }) => text.endsWith('\r'))) &&
  hunks.every(({ lines }) => lines.every(({ noNewline, text }) => noNewline ?? text.endsWith('\r')))

/** Parses a hunk; null if it has no numbers. */
export function parseHunk(value: unknown): Hunk | null {
  const hunk = recordOf(value)
  const oldStart = toNumber(hunk['oldStart'])
  const oldLines = toNumber(hunk['oldLines'])
  const newStart = toNumber(hunk['newStart'])
  const newLines = toNumber(hunk['newLines'])
  if (oldStart === null || oldLines === null || newStart === null || newLines === null) return null
  return { oldStart, oldLines, newStart, newLines, lines: toList(hunk['lines']).flatMap(parseLine) }
}

function parseLine(value: unknown): DiffLine[] {
  const { kind, text, spans, noNewline } = recordOf(value)
  if ((kind !== 'context' && kind !== 'delete' && kind !== 'insert') || !isString(text)) return []
  return [
    {
      kind,
      text,
      ...(Array.isArray(spans) && { spans: spans.filter(isSpan) }),
      ...(noNewline === true && { noNewline }),
    },
  ]
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const toNumber = (value: unknown) => (typeof value === 'number' ? value : null)
const isSpan = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((at) => typeof at === 'number')
