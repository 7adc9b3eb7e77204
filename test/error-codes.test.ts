/** Every error code in the source has an entry in a table, from which `docs/errors.md` is generated. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as tables from '#worker/errors/codes.ts'
import { PROBLEMS } from '#worker/errors/problem-table.ts'

const text = (folder: string) =>
  execFileSync('git', ['ls-files', '-z', '--', folder], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => /\.tsx?$/.test(file) && !/errors\/codes|problem-table/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')

const found = (folder: string, pattern: RegExp) =>
  new Set([...text(folder).matchAll(pattern)].map(([, code = '']) => code))

const worker = new Set([
  ...Object.values(PROBLEMS).flatMap(({ code }) => (typeof code === 'string' ? [code] : [])),
  ...Object.keys({ ...tables.ARGUMENT_CODES, ...tables.HTTP_CODES, ...tables.RESULT_CODES }),
])

describe('a code of the source has an entry', () => {
  const ours = /(?:code: |refuse\(|notFound\(|unavailable\(|\d{3}, |\? )'([A-Z]+(?:_[A-Z]+)+)'/g
  it.each([...found('worker', ours)])('%s', (code) => expect(worker).toContain(code))

  it.each([...found('host/view', /Fault\('([A-Z_]+)'/g)])('%s of a view', (code) =>
    expect(Object.keys(tables.VIEW_CODES)).toContain(code),
  )

  it.each([...found('polyfill', /exception\('(\w+)'/g)])('%s of the polyfill', (name) =>
    expect(Object.keys(tables.POLYFILL_NAMES)).toContain(name),
  )

  it.each([...found('worker', /(?<![\w.])(-32\d{3})\b/g)])('%s of JSON-RPC', (code) =>
    expect(Object.keys(tables.RPC_CODES)).toContain(code),
  )
})

describe('an entry has its code in the source', () => {
  const all = text('worker')
  const own = Object.keys({ ...tables.HTTP_CODES, ...tables.RESULT_CODES })
  it.each(own)('%s', (code) => expect(all).toContain(`'${code}'`))
})
