/**
 * The list of web-platform-tests in the documentation: every file has a test or a reason, and every
 * title that it names exists.
 */

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inProject } from '../scripts/settings.ts'

const TABLES: Readonly<Record<string, string>> = {
  execute: 'execute.ts',
  formSchemas: 'form-schemas.ts',
  forms: 'forms.ts',
  frames: 'frames.ts',
  list: 'list.ts',
  register: 'register.ts',
  surface: 'surface.ts',
}

const read = (path: string) => readFileSync(inProject(path), 'utf8')

/** The rows of the list: file, tests, reason. */
const rows = read('docs/web-platform-tests.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** The file that a part of the second column names, and the titles that it quotes. */
const parts = (cell: string) =>
  cell
    .split('; ')
    .filter((part) => part.includes('`'))
    .map((part) => {
      const name = /`([^`]+)`/.exec(part)?.[1] ?? ''
      const table = TABLES[name]
      const file = table ? `test/support/polyfill/cases/${table}` : name
      return { file, titles: [...part.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title) }
    })

describe('the list of web-platform-tests', () => {
  it('is whole', () => {
    expect(rows).toHaveLength(79)
    expect(new Set(rows.map(([, file]) => file)).size).toBe(rows.length)
  })

  it.each(rows)('%s%s has a test or a reason', (_, _file, tests = '', reason = '') => {
    expect(tests === '—' ? reason : tests).not.toBe('')
    for (const { file, titles } of parts(tests)) {
      expect(existsSync(inProject(file)), file).toBe(true)
      const text = read(file)
      for (const title of titles)
        expect(
          [`'${title}'`, `  ${title}: {`].some((one) => text.includes(one)),
          title,
        ).toBe(true)
    }
  })
})
