/** One long line: what `read_file` and `read_multiple_files` cut, the named arguments read on, to the end. */

import { recordOf } from '#core/json.ts'
import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'

type Workspace = ReturnType<typeof freshWorkspace>

/** As text a result names the same arguments: those of the first line that was cut. */
const NAMED =
  /read on in a cut line with (?:read_file, )?start_line (\d+), column (\d+), limit (\d+)/

async function callData({ call }: Workspace, name: string, args: Record<string, unknown>) {
  const { result } = await call(name, args)
  return { data: recordOf(result?.structuredContent), text: result?.content[0]?.text ?? '' }
}

/** Returns the arguments that read on in the first cut line, after a check that the text names them as well. */
function restIn(data: Record<string, unknown>, text: string): Record<string, unknown> | null {
  const rest = Array.isArray(data['cut_lines']) ? recordOf(data['cut_lines'][0]) : null
  const named = NAMED.exec(text)?.slice(1).map(Number)
  expect(named ?? null).toEqual(rest && [rest['start_line'], rest['column'], rest['limit']])
  return rest
}

const partOf = (data: Record<string, unknown>) =>
  String(data['content'])
    .split('\n', 1)[0]
    ?.replace(/^\d+: /, '')
    .replace(/\[TRUNCATED: \d+ bytes hidden\]$/, '')

/** Reads the rest of a line, which two results may not have in common. */
async function readRest(workspace: Workspace, path: string, first: Record<string, unknown> | null) {
  const parts: (string | undefined)[] = []
  for (let rest = first; rest;) {
    const { data, text } = await callData(workspace, 'read_file', { path, ...rest })
    expect(data).toMatchObject({ count: 1, column: rest['column'] })
    parts.push(partOf(data))
    rest = restIn(data, text)
  }
  return parts.join('')
}

const word = 'function a(b){return"ü€😀"}'
const LINES: [string, string][] = [
  ['a bundle of one line, 720 kB', word.repeat(30_000).slice(0, 660_000)],
  [
    'a line before others, in a text that is streamed',
    `${word.repeat(4_000)}\n${'x\n'.repeat(600_000)}`,
  ],
  ['a line with Windows line ends around it', `one\r\n${word.repeat(4_000)}\r\ntwo\r\n`],
]

it.each(LINES)('%s is read to its end, every character once', async (_what, content) => {
  const workspace = freshWorkspace()
  await workspace.put('/a.js', content)
  const lines = content.split(/\r?\n/)
  const at = lines.findIndex((line) => line.length > 1_000)
  const first = await callData(workspace, 'read_file', { path: 'a.js' })
  expect(first.data).toMatchObject({ truncated: true, code: 'TRUNCATED_LONG_LINES' })
  const rest = restIn(first.data, first.text)
  expect(rest).toMatchObject({ start_line: at + 1, limit: 1 })
  const shown = String(first.data['content']).split('\n')[at] ?? ''
  const whole = partOf({ content: shown }) + (await readRest(workspace, 'a.js', rest))
  expect(whole === lines[at]).toBe(true)
})

it('read_multiple_files names what reads on in each of its files', async () => {
  const workspace = freshWorkspace()
  const contents = [word.repeat(1_000), `short\n${word.repeat(2_000)}\nlast`]
  for (const [at, content] of contents.entries()) await workspace.put(`/${at}.js`, content)
  const paths = ['0.js', '1.js']
  const { data, text } = await callData(workspace, 'read_multiple_files', { paths })
  const sections = text.split('\n\n')
  for (const [at, file] of [data['files']].flat().map(recordOf).entries()) {
    const path = paths[at] ?? ''
    const content = contents[at] ?? ''
    const rest = restIn(file, sections[at] ?? '')
    const next = Number(file['count']) + 1
    if (!rest) {
      expect(sections[at]).toContain(`continue with read_file, start_line ${next}`)
      continue
    }
    const line = content.split('\n')[Number(rest['start_line']) - 1]
    expect(`${partOf(file)}${await readRest(workspace, path, rest)}`).toBe(line)
  }
})

it('a column behind the end of a line is named', async () => {
  const { text, put, code } = freshWorkspace()
  await put('/a', 'one\ntwo\n')
  const args = { path: 'a', start_line: 1, column: 4 }
  expect(await text('read_file', args)).toBe(
    '1: \n2: two\n(version 1; line 1 has nothing from column 4 on)',
  )
  expect(await text('read_file', { ...args, column: 2 })).toBe('1: ne\n2: two')
  expect(await code('read_file', { ...args, column: 0 })).toBe('INVALID_COLUMN')
})
