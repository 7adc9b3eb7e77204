/** Files of new apps: each is read as the templates read it, and bad input names its field. @module */

import { appJsonPath, starterFiles } from '#core/apps/starters.ts'
import { readTemplate, TEMPLATES } from '#core/apps/templates.ts'
import { recordOf } from '#core/json.ts'
import { parsePath } from '#core/path.ts'
import { describe, expect, it } from 'vitest'

function filesOf(template: string, data?: string) {
  const files = starterFiles({ template, name: 'my-board', data })
  if (!files.ok) throw new Error(JSON.stringify(files.error))
  return files.value
}

const manifestOf = (template: string, data?: string) =>
  recordOf(JSON.parse(filesOf(template, data)[0]?.text ?? ''))

const fieldsOf = (template: string, name: string, data?: string) => {
  const files = starterFiles({ template, name, data })
  return files.ok ? [] : files.error.map(({ field }) => field)
}

describe.each(TEMPLATES)('a new app of %s', (template) => {
  it('starts with a manifest that its template reads, and with the data that it names', () => {
    const [manifest, ...sample] = filesOf(template)
    expect(manifest?.path).toBe('/.apps/my-board/app.json')
    expect(manifest?.path).toBe(appJsonPath('my-board'))
    const { title, data, config } = manifestOf(template)
    expect(title).toBe('My board')
    expect(readTemplate(template, config)).toMatchObject({ ok: true })
    expect(sample.map(({ path }) => path)).toEqual(data)
    for (const { path, text } of sample) {
      expect(parsePath(path)).toContain('my-board')
      expect(text).toMatch(/\S\n$/)
      // A change in the folder of the app would take its approval away.
      expect(path).not.toMatch(/^\/\.apps/)
    }
  })

  it('shows the given file, and makes none', () => {
    const file = '/team/list.csv'
    expect(filesOf(template, file)).toHaveLength(1)
    const { data, write, config } = manifestOf(template, file)
    expect(data).toEqual([file])
    expect(write).toEqual(template === 'form' || template === 'kanban' ? [file] : undefined)
    expect(readTemplate(template, config)).toMatchObject({ ok: true })
  })
})

it('reads a path without its slash, and a pattern', () => {
  expect(manifestOf('kanban', 'tasks/*.md')).toMatchObject({
    data: ['/tasks/*.md'],
    write: ['/tasks/*.md'],
  })
})

it('has a column in the sample of a form for each of its fields', () => {
  const { fields } = recordOf(manifestOf('form')['config'])
  const names = (Array.isArray(fields) ? fields : []).map((field) => recordOf(field)['name'])
  expect(filesOf('form')[1]?.text).toBe(`${names.join(',')}\n`)
})

it.each(['', '.', '..', 'a/b', 'A', 'a b', '-a', 'a-', 'ä', 'x'.repeat(41), '__proto__'])(
  'refuses the name %j',
  (name) => expect(fieldsOf('kanban', name)).toEqual(['name']),
)

it.each(['', '/', '../secret', 'a/../../b', '[', '/tasks/'])('refuses the data %j', (data) => {
  expect(fieldsOf('kanban', 'board', data)).toEqual(['data'])
})

it('refuses data to which a form cannot append', () => {
  for (const data of ['/tasks/*.csv', '/a{b,c}.csv', '/notes.md', '/list'])
    expect(fieldsOf('form', 'order', data)).toEqual(['data'])
  for (const data of ['/a.csv', 'a.tsv', '/a.json', '/a.jsonl', '/a.ndjson'])
    expect(fieldsOf('form', 'order', data)).toEqual([])
})

it('reports every problem at once, by its field', () => {
  expect(fieldsOf('__proto__', 'No', '..')).toEqual(['template', 'name', 'data'])
})
