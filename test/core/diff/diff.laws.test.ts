import { character } from '../../support/core/character.ts'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { applyHunks } from '../../support/core/apply-hunks.ts'
import { numberLines, rowsOf } from '#core/diff/layout.ts'
import { diffTexts, statsOf, type DiffLine, type Hunk } from '#core/diff/hunks.ts'
import { diffLines, splitLines } from '#core/diff/lines.ts'
import { runs } from '../../support/core/runs.ts'

/** Texts of few kinds of lines, so that two of them have much in common. */
const line = fc.constantFrom(
  ...[
    '',
    'a',
    'b',
    ' b',
    '}',
    '\ta',
    'a\r',
    '\r',
    'a\rb',
    'é',
    'e\u0301',
    '😀',
    '\u2028',
    '\ud83d',
  ],
  ...[
    'the quick brown fox',
    'the quick red fox',
    'the slow brown fox',
    'a quick brown fox',
    '-- a',
  ],
)
const text = fc.oneof(
  fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n')),
  fc.array(line, { maxLength: 40 }).map((lines) => lines.map((each) => `${each}\n`).join('')),
  fc.string({ unit: character, maxLength: 40 }),
)
const context = fc.integer({ min: 0, max: 4 })

/** One text, and another that is made of it by a few edits. */
const edited = fc
  .tuple(
    text,
    fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 3 }), fc.array(line, { maxLength: 3 }))),
  )
  .map(([old, edits]) => {
    const lines = old.split('\n')
    for (const [at, gone, added] of edits) lines.splice(at, gone, ...added)
    return [old, lines.join('\n')] as const
  })

const texts = fc.oneof(edited, fc.tuple(text, text))

function holds(law: (old: string, next: string, lines: number) => void, usual = 300) {
  fc.assert(
    fc.property(texts, context, ([old, next], lines) => law(old, next, lines)),
    runs(usual),
  )
}

describe('every difference', () => {
  it('applies to the old text and reverts from the new one', () => {
    holds((old, next, lines) => {
      const { hunks } = diffTexts(old, next, lines)
      expect(applyHunks(old, hunks)).toEqual({ ok: true, value: next })
      expect(applyHunks(next, hunks.map(turned))).toEqual({ ok: true, value: old })
    })
  })

  it('has no hunks for equal texts', () => {
    const none = { hunks: [], stats: { added: 0, removed: 0, hunks: 0 } }
    fc.assert(
      fc.property(text, (same) => {
        expect(diffTexts(same, same)).toEqual(none)
      }),
    )
  })

  it('leaves a line between two changes', () => {
    holds((old, next) => {
      const { changes } = diffLines(old, next)
      for (const [index, { oldStart, newStart }] of changes.entries()) {
        const above = changes[index - 1] ?? { oldEnd: -1, newEnd: -1 }
        expect(oldStart).toBeGreaterThan(above.oldEnd)
        expect(newStart - above.newEnd).toBe(oldStart - above.oldEnd)
      }
    })
  })

  it('has the statistics of its hunks', () => {
    holds((old, next, lines) => {
      const { hunks, stats } = diffTexts(old, next, lines)
      const count = (kind: DiffLine['kind']) =>
        hunks.flatMap((hunk) => hunk.lines).filter((each) => each.kind === kind).length
      expect(stats).toEqual({
        added: count('insert'),
        removed: count('delete'),
        hunks: hunks.length,
      })
      expect(stats).toEqual(statsOf(hunks))
      expect(stats.added - stats.removed).toBe(lengthOf(next) - lengthOf(old))
    })
  })

  it('has hunks that begin and end with available context, and do not touch', () => {
    holds((old, next, lines) => {
      let [oldEnd, newEnd] = [0, 0]
      for (const hunk of diffTexts(old, next, lines).hunks) {
        const [oldStart, newStart] = startsOf(hunk)
        const kinds = hunk.lines.map(({ kind }) => kind !== 'context')
        const before = kinds.indexOf(true)
        const after = kinds.length - 1 - kinds.lastIndexOf(true)
        const linesAfter = lengthOf(old) - (oldStart + hunk.oldLines)
        expect(before).toBe(Math.min(lines, oldStart + before))
        expect(after).toBe(Math.min(lines, linesAfter + after))
        expect(oldStart - oldEnd).toBe(newStart - newEnd)
        expect(oldStart).toBeGreaterThanOrEqual(oldEnd)
        oldEnd = oldStart + hunk.oldLines
        newEnd = newStart + hunk.newLines
      }
    })
  })

  it('marks the differences of paired lines, and never half of a character', () => {
    holds((old, next, lines) => {
      for (const row of diffTexts(old, next, lines).hunks.flatMap(rowsOf)) {
        const [left, right] = [row.left?.line, row.right?.line]
        if (left?.kind !== 'delete' || !left.spans) continue
        expect(right?.kind).toBe('insert')
        expect(withoutSpans(left)).toBe(right && withoutSpans(right))
        for (const each of [left, right]) expectSound(each)
      }
    })
  })

  it('shows each line once, with its number, below each other and side by side', () => {
    holds((old, next) => {
      const { hunks } = diffTexts(old, next, Infinity)
      const [oldLines, newLines] = [splitLines(old).texts, splitLines(next).texts]
      const numbered = hunks.flatMap(numberLines)
      const rows = hunks.flatMap(rowsOf)
      for (const lines of [numbered, rows.flatMap(({ left }) => left ?? [])]) {
        const left = lines.filter(({ oldNumber }) => oldNumber !== null)
        expect(left.map(({ oldNumber, line: { text } }) => [oldNumber, text])).toEqual(
          hunks.length === 0 ? [] : oldLines.map((text, index) => [index + 1, text]),
        )
      }
      for (const lines of [numbered, rows.flatMap(({ right }) => right ?? [])]) {
        const right = lines.filter(({ newNumber }) => newNumber !== null)
        expect(right.map(({ newNumber, line: { text } }) => [newNumber, text])).toEqual(
          hunks.length === 0 ? [] : newLines.map((text, index) => [index + 1, text]),
        )
      }
    })
  })

  it('survives a JSON round trip', () => {
    holds((old, next) => {
      const diff = diffTexts(old, next)
      expect(JSON.parse(JSON.stringify(diff))).toEqual(diff)
    })
  })

  it('changes no more lines than needed', () => {
    const long = fc.array(fc.nat({ max: 30 }), { minLength: 150, maxLength: 250 })
    fc.assert(
      fc.property(fc.oneof(texts, fc.tuple(long, long).map(asTexts)), ([old, next]) => {
        const { stats } = diffTexts(old, next)
        expect(stats.added + stats.removed).toBe(fewestChanges(old, next))
      }),
      { numRuns: 200 },
    )
  })
})

function asTexts([old, next]: [number[], number[]]) {
  return [old.join('\n'), next.join('\n')] as const
}

function turned(hunk: Hunk): Hunk {
  const other = { context: 'context', delete: 'insert', insert: 'delete' } as const
  return {
    oldStart: hunk.newStart,
    oldLines: hunk.newLines,
    newStart: hunk.oldStart,
    newLines: hunk.oldLines,
    lines: hunk.lines.map((each) => ({ ...each, kind: other[each.kind] })),
  }
}

function startsOf({ oldStart, oldLines, newStart, newLines }: Hunk) {
  return [oldStart - (oldLines > 0 ? 1 : 0), newStart - (newLines > 0 ? 1 : 0)] as const
}

function lengthOf(text: string): number {
  return splitLines(text).texts.length
}

/** What stays of a line without its marks; white space between two marks belongs to them. */
function withoutSpans({ text, spans = [] }: DiffLine): string {
  const kept = spans.map(([from], index) => text.slice(spans[index - 1]?.[1] ?? 0, from))
  return [...kept, text.slice(spans.at(-1)?.[1] ?? 0)].join('').replaceAll(/\s/g, '')
}

const WHOLE_PAIR = /^[\u{10000}-\u{10ffff}]$/u

function expectSound(line: DiffLine | undefined): void {
  let last = -1
  for (const [from, to] of line?.spans ?? []) {
    expect(from).toBeGreaterThan(last)
    expect(to).toBeGreaterThan(from)
    for (const at of [from, to]) expect(line?.text.slice(at - 1, at + 1)).not.toMatch(WHOLE_PAIR)
    last = to
  }
  expect(last).toBeLessThanOrEqual(line?.text.length ?? 0)
}

function fewestChanges(old: string, next: string): number {
  const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const [before, after] = [linesOf(old), linesOf(next)]
  let row = new Array<number>(after.length + 1).fill(0)
  for (const each of before) {
    const below = [0]
    for (const [j, other] of after.entries()) {
      const best = Math.max(row[j + 1] ?? 0, below[j] ?? 0)
      below.push(each === other ? (row[j] ?? 0) + 1 : best)
    }
    row = below
  }
  return before.length + after.length - 2 * (row.at(-1) ?? 0)
}
