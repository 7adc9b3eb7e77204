/** The model of the review: changes and segments. */

import { diffTexts } from '#core/diff/hunks.ts'
import { describe, expect, it } from 'vitest'
import { parseChange, classifyFile, isWhole, addFiles } from '../../../views/review/change.ts'
import { splitSegments, type OpenedGaps, type Segment } from '../../../views/diff/segments.ts'

const meta = (change: unknown) => ({ _meta: { 'dev.edgewise/change': change } })

describe('a change', () => {
  it('is parsed, without malformed parts', () => {
    const lines = [
      { kind: 'context', text: 'a' },
      { kind: 'insert', text: 'b', spans: [[0, 1], 'x'], noNewline: true },
      { kind: 'other', text: 'c' },
      7,
    ]
    const hunk = { path: '/a', oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines }
    const change = parseChange(meta({ id: 'x', tool: 't', hunks: [hunk, { path: '/b' }, null] }))
    expect(change).toMatchObject({ id: 'x', tool: 't', intent: '', applied: false, expires: null })
    expect(change?.files).toEqual([
      {
        from: '/a',
        to: '/a',
        binary: false,
        hunks: [
          {
            oldStart: 1,
            oldLines: 1,
            newStart: 1,
            newLines: 2,
            lines: [lines[0], { kind: 'insert', text: 'b', spans: [[0, 1]], noNewline: true }],
          },
        ],
      },
    ])
    expect(change?.stats).toEqual({ added: 1, removed: 0, hunks: 1, files: 1 })
  })

  it.each([undefined, null, 7, [], {}, { id: 1, tool: 't' }, { id: 'x' }])('is not %j', (bad) => {
    expect(parseChange(meta(bad))).toBeNull()
    expect(parseChange({})).toBeNull()
  })

  it('needs its resource if the hunks are incomplete', () => {
    const hunk = (before: string, after: string) =>
      diffTexts(before, after).hunks.map((each) => ({ path: '/a', ...each }))
    const whole = (change: object) => {
      const read = parseChange(meta({ id: 'x', tool: 't', ...change }))
      return read && isWhole(read)
    }
    const one = { stats: { files: 1 } }
    expect(whole({ hunks: hunk('a\n', 'b\n'), ...one })).toBe(true)
    expect(whole({ hunks: hunk('', 'b\n'), ...one })).toBe(false)
    expect(whole({ hunks: hunk('a\n', ''), ...one })).toBe(false)
    expect(whole({ hunks: hunk('a\n', 'b\n'), stats: { files: 2 } })).toBe(false)
    expect(whole({ hunks: [], ...one, hunks_left_out: true })).toBe(false)
  })

  it('is whole if the host lists its files', () => {
    const { hunks } = diffTexts('', 'b\n')
    const files = [{ from: null, to: '/a', binary: false, hunks }, { from: 7 }]
    const change = parseChange(meta({ id: 'x', tool: 't', files }))
    expect(change).toMatchObject({ files: [files[0]], isListed: true, stats: { added: 1 } })
    expect(change && isWhole(change)).toBe(true)
  })

  it('is completed from the valid parts of its resource', () => {
    const change = parseChange(meta({ id: 'x', tool: 't', hunks_left_out: true }))
    if (!change) throw new Error('It can be read')
    const files = [{ from: '/a', to: null, binary: true, hunks: [] }, { from: null, to: null }, 3]
    const filled = addFiles(change, JSON.stringify({ files, more: 2 }))
    expect(filled).toMatchObject({ files: [files[0]], more: 2, linesLeftOut: false })
    expect(filled.files.map(classifyFile)).toEqual(['deleted'])
    expect(addFiles(change, 'no JSON').files).toEqual([])
  })
})

describe('segments', () => {
  const before = Array.from({ length: 500 }, (_, i) => `${i + 1}`).join('\n') + '\n'
  const after = before.replace('\n100\n', '\n100\nnew\n').replace('\n300\n', '\n')
  const file = { from: '/a', to: '/a', binary: false, hunks: diffTexts(before, after).hunks }
  const NONE: OpenedGaps = new Map()
  const gaps = (segments: readonly Segment[]) => segments.filter((each) => each.kind === 'gap')

  it('count the collapsed lines before, between and after the hunks', () => {
    expect(gaps(splitSegments(file, 'unified', NONE))).toMatchObject([
      { oldStart: 1, newStart: 1, count: 97, above: false, below: true },
      { oldStart: 104, newStart: 105, count: 193, above: true, below: true },
      { oldStart: 304, newStart: 304, count: null, above: true, below: false },
    ])
  })

  it('show the lines opened at the two ends of a gap, with their numbers', () => {
    const opened = new Map([[1, { top: ['104', '105'], bottom: ['296'] }]])
    const segments = splitSegments(file, 'split', opened)
    expect(gaps(segments)[1]).toMatchObject({ oldStart: 106, newStart: 107, count: 190 })
    const numbers = segments
      .flatMap((each) => (each.kind === 'block' ? each.rows : []))
      .filter(({ left }) => left !== null && ['105', '296'].includes(left.line.text))
      .map(({ left, right }) => [left?.oldNumber, right?.newNumber])
    expect(numbers).toEqual([
      [105, 106],
      [296, 297],
    ])
  })

  it('have no gap left when everything is open', () => {
    const lines = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => `${from + i}`)
    const opened: OpenedGaps = new Map([
      [0, { top: lines(1, 97), bottom: [] }],
      [1, { top: [], bottom: lines(104, 193) }],
      [2, { top: lines(304, 197), bottom: [], total: 197 }],
    ])
    const segments = splitSegments(file, 'unified', opened)
    expect(gaps(segments)).toEqual([])
    const rows = segments.flatMap((each) => (each.kind === 'block' ? each.rows : []))
    const news = rows.flatMap(({ left, right }) => (right ?? left)?.newNumber ?? [])
    expect(news).toEqual(lines(1, 500).map(Number))
  })

  it('cut a long hunk into blocks, and stay the same as long as the hunk does', () => {
    const hunks = diffTexts('', before).hunks
    const long = { from: null, to: '/a', binary: false, hunks }
    const blocks = splitSegments(long, 'unified', NONE)
    expect(blocks.length).toBeGreaterThan(3)
    expect(blocks.map((each) => each.kind === 'block' && each.within)).toEqual(
      blocks.map((_, index) => index > 0),
    )
    expect(splitSegments(long, 'unified', NONE)[0]).toBe(blocks[0])
  })
})
