/**
 * An error of a call fits its limit as a whole: paths, scopes, notes and lines of files whose JSON is much longer than
 * they are. What a client needs to call again is kept first.
 */

import { recordOf } from '#core/json.ts'
import { parsePath } from '#core/path.ts'
import { failed } from '#worker/tools/lib/tool-result.ts'
import type { Problem } from '#worker/errors/problem.ts'
import { MAX_ERROR_BYTES } from '#worker/limits.ts'
import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'

/** Room for what surrounds an error in a response. */
const AROUND = 400

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

const LONG_PATH = parsePath(`/${Array.from({ length: 4 }, () => '"'.repeat(239)).join('/')}`)

const SCOPES = Array.from({ length: 30 }, (_, at) => `write:file:${LONG_PATH}${at}`)

const LINES = [1, 2, 3].map((line) => ({ line, text: '\u0001'.repeat(400) }))

const PROBLEMS: readonly Problem[] = [
  { reason: 'turned_down', outcome: 'turned_down', note: '\u0001'.repeat(2_000) },
  { reason: 'turned_down', outcome: 'turned_down', note: '"'.repeat(2_000) },
  { reason: 'find_not_found', find: '\u0001'.repeat(300), edit: 1, nearest: LINES },
  { reason: 'insufficient_scope', path: LONG_PATH, scopes: SCOPES },
  { reason: 'outside_root', path: LONG_PATH, roots: SCOPES, requested: SCOPES, lacking: SCOPES },
  { reason: 'version_conflict', path: LONG_PATH, wanted: 1, current: 2 },
  { reason: 'draft_unseen', draft: 'x', paths: SCOPES.map(() => LONG_PATH) },
  { reason: 'into_itself', from: LONG_PATH, to: LONG_PATH },
]

it.each(PROBLEMS.map((problem) => [problem.reason, problem] as const))(
  '%s has the size of an error, with its code',
  (_reason, problem) => {
    const error = failed(problem)
    expect(bytesOf(error)).toBeLessThanOrEqual(MAX_ERROR_BYTES - AROUND)
    const { code } = recordOf(recordOf(error._meta)['dev.edgewise/error'])
    expect(code).toMatch(/^[A-Z_]+$/)
    expect(JSON.stringify(error.content)).toContain(`[${String(code)}]`)
  },
)

it('the first scope to request stays whole', () => {
  const { _meta: meta } = failed(PROBLEMS[4] ?? { reason: 'read_only' })
  expect(recordOf(meta)['requested_scopes']).toEqual(SCOPES.slice(0, 1))
})

it('a note stays whole as long as it has room', () => {
  const note = 'Use the other folder. '.repeat(20)
  const { _meta: meta } = failed({ reason: 'turned_down', outcome: 'turned_down', note })
  expect(recordOf(recordOf(meta)['dev.edgewise/error'])).toMatchObject({ note })
})

it.each(['\u0001', '"', 'a'])('a URI of 4,000 times %j that does not exist', async (sign) => {
  const reply = await freshWorkspace().send('resources/read', { uri: sign.repeat(4_000) })
  expect(reply.error).toMatchObject({ data: { uri: expect.any(String) } })
  expect(bytesOf(reply)).toBeLessThanOrEqual(MAX_ERROR_BYTES)
})

it('similar lines of control characters', async () => {
  const workspace = freshWorkspace()
  const line = (end: string) => `${'\u0001'.repeat(300)}${end}`
  await workspace.put('/a', ['a', 'b', 'c'].map(line).join('\n'))
  const edits = [{ find: line('d'), replace: 'x' }]
  const reply = await workspace.call('edit_file', { path: 'a', edits })
  expect(reply.result?.isError).toBe(true)
  expect(bytesOf(reply)).toBeLessThanOrEqual(MAX_ERROR_BYTES)
})
