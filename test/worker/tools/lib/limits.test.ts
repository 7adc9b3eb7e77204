/** The limits of single tools: at the limit they work, and one beyond it is refused or cut. */

import { numberStream } from '../../../support/worker/number-stream.ts'
import { numberLines } from '#worker/tools/lib/line-counter.ts'
import { nearestLines } from '#worker/tools/lib/nearest.ts'
import {
  MAX_ACTOR_LENGTH,
  MAX_CHANGE_ID_LENGTH,
  MAX_COMPARED_LENGTH,
  MAX_COMPARED_LETTERS,
  MAX_COMPARED_LINES,
  MAX_CUT_LINES,
  MAX_KEPT_LINE_LENGTH,
  MAX_LISTED_CHANGES,
  MAX_LISTED_VERSIONS,
  MAX_NAMED_LINES,
  MAX_SIMILAR_LINE_BYTES,
  MAX_SIMILAR_LINES,
} from '#worker/tools/lib/limits.ts'
import { describe, expect, it } from 'vitest'
import { bytesOf, errorOf, freshWorkspace } from '../../../support/worker/client.ts'

const text = (length: number) => 'x'.repeat(length)

type Arguments = (size: number) => Record<string, unknown>

const ARGUMENTS: [string, string, number, Arguments, unknown, string][] = [
  [
    'MAX_LISTED_VERSIONS',
    'file_history',
    MAX_LISTED_VERSIONS,
    (limit) => ({ path: '/a', limit }),
    undefined,
    'INVALID_LIMIT',
  ],
  [
    'MAX_LISTED_CHANGES',
    'list_changes',
    MAX_LISTED_CHANGES,
    (limit) => ({ limit }),
    undefined,
    'INVALID_LIMIT',
  ],
  [
    'MAX_ACTOR_LENGTH',
    'list_changes',
    MAX_ACTOR_LENGTH,
    (length) => ({ actor: text(length) }),
    undefined,
    'INVALID_ACTOR',
  ],
  [
    'MAX_CHANGE_ID_LENGTH',
    'undo_change',
    MAX_CHANGE_ID_LENGTH,
    (length) => ({ id: text(length) }),
    'CHANGE_NOT_FOUND',
    'INVALID_ID',
  ],
]

it.each(ARGUMENTS)('%s is the most that %s accepts', async (_, tool, most, of, edge, over) => {
  const { code, put, raw } = freshWorkspace()
  await put('/a', 'one')
  expect(await code(tool, of(most))).toBe(edge)
  expect(await code(tool, of(most + 1))).toBe(over)
  expect(await raw('/a')).toEqual(bytesOf('one'))
})

describe('a refused edit', () => {
  /** Details of the error of an edit of a file, which stays as it is. */
  async function refusalOf(content: string, find: string) {
    const { call, put, raw } = freshWorkspace()
    await put('/a', content)
    const { result } = await call('edit_file', { path: '/a', edits: [{ find, replace: '' }] })
    expect(await raw('/a')).toEqual(bytesOf(content))
    return errorOf(result)
  }

  it.each([MAX_NAMED_LINES, MAX_NAMED_LINES + 1])(
    'names at most MAX_NAMED_LINES of %i, and counts all',
    async (count) => {
      const lines = Array.from({ length: MAX_NAMED_LINES }, (_, at) => at + 1)
      expect(await refusalOf('foo\n'.repeat(count), 'foo')).toMatchObject({
        code: 'FIND_NOT_UNIQUE',
        match_count: count,
        lines,
      })
    },
  )

  it.each([MAX_SIMILAR_LINES, MAX_SIMILAR_LINES + 1])(
    'shows at most MAX_SIMILAR_LINES of %i',
    async (count) => {
      const nearest = Array.from({ length: MAX_SIMILAR_LINES }, (_, at) => ({
        line: at + 1,
        text: 'hello world',
      }))
      expect(await refusalOf('hello world\n'.repeat(count), 'hello, world')).toMatchObject({
        code: 'FIND_NOT_FOUND',
        nearest,
      })
    },
  )

  it('shows MAX_SIMILAR_LINE_BYTES of a similar line', async () => {
    const most = text(MAX_SIMILAR_LINE_BYTES)
    const find = text(MAX_SIMILAR_LINE_BYTES + 2)
    expect(await refusalOf(most, find)).toMatchObject({ nearest: [{ line: 1, text: most }] })
    expect(await refusalOf(`${most}x`, find)).toMatchObject({
      nearest: [{ line: 1, text: `${most}[TRUNCATED: 1 bytes hidden]` }],
    })
  })
})

describe('similar lines are searched for', () => {
  const linesFound = (content: string, find = 'hello, world') =>
    nearestLines(content, find).map(({ line }) => line)

  it('in MAX_COMPARED_LINES', () => {
    const after = (lines: number) => linesFound(`${'\n'.repeat(lines)}hello world`)
    expect(after(MAX_COMPARED_LINES - 1)).toEqual([MAX_COMPARED_LINES])
    expect(after(MAX_COMPARED_LINES)).toEqual([])
  })

  it('in MAX_COMPARED_LENGTH of a line', () => {
    const after = (spaces: number) => linesFound(`${' '.repeat(spaces)}ab`, 'aba')
    expect(after(MAX_COMPARED_LENGTH - 'ab'.length)).toEqual([1])
    expect(after(MAX_COMPARED_LENGTH - 'ab'.length + 1)).toEqual([])
  })

  it('in MAX_COMPARED_LETTERS of all lines', () => {
    const whole = Math.floor(MAX_COMPARED_LETTERS / MAX_COMPARED_LENGTH)
    const left = MAX_COMPARED_LETTERS - whole * MAX_COMPARED_LENGTH
    const before = `${text(MAX_COMPARED_LENGTH)}\n`.repeat(whole)
    expect(linesFound(before + 'hello world'.padEnd(left))).toEqual([whole + 1])
    expect(linesFound(before + 'hello world'.padEnd(left + 1))).toEqual([])
  })
})

it.each([MAX_KEPT_LINE_LENGTH, MAX_KEPT_LINE_LENGTH + 1])(
  'a line that continues after %i characters is cut as any other',
  async (length) => {
    async function* pieces() {
      yield text(length)
      yield 'é\ntwo'
    }
    const window = { start: 1, column: 1, limit: 0, maxBytes: 0, maxLineBytes: 10 }
    expect(await numberStream(pieces(), window)).toEqual({
      content: `1: ${text(10)}[TRUNCATED: ${length - 10 + 2} bytes hidden]\n2: two`,
      count: 2,
      total: 2,
      cut: ['long_lines'],
      cutLines: [{ start_line: 1, column: 11, limit: 1 }],
    })
  },
)

it.each([MAX_CUT_LINES, MAX_CUT_LINES + 1])(
  'a result with %i long lines ends behind the last of MAX_CUT_LINES',
  (lines) => {
    const window = { start: 1, column: 1, limit: 0, maxBytes: 0, maxLineBytes: 3 }
    const { count, cutLines } = numberLines('long\n'.repeat(lines), window)
    expect([count, cutLines.length]).toEqual([MAX_CUT_LINES, MAX_CUT_LINES])
    expect(cutLines.at(-1)).toEqual({ start_line: MAX_CUT_LINES, column: 4, limit: 1 })
  },
)
