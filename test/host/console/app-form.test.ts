/** The form of a new app: its fields write `app.json`, and an edited text keeps its edits. */

import { describe, expect, it } from 'vitest'
import { readTemplate, TEMPLATES } from '#core/apps/templates.ts'
import { changeFields, isEdited, startForm, titleOf } from '#host/console/new-app/app-form.ts'

const START = { template: 'kanban', name: 'tasks', data: '', title: null } as const

const manifestOf = (text: string): Record<string, unknown> => JSON.parse(text)

describe('fields write the text', () => {
  it.each(TEMPLATES)('with settings that %s accepts', (template) => {
    const { text, samples } = startForm({ ...START, template })
    const manifest = manifestOf(text)
    expect(readTemplate(manifest['template'], manifest['config']).ok).toBe(true)
    expect(manifest['data']).toEqual(samples.map(({ path }) => path))
  })

  it('with the title, the file and the template', () => {
    const titled = changeFields(startForm(START), { title: 'Work' })
    const form = changeFields(titled, { data: '/board.md', name: 'work', template: 'data-table' })
    expect(manifestOf(form.text)).toMatchObject({
      ...{ title: 'Work', template: 'data-table', data: ['/board.md'] },
    })
    expect([form.samples, isEdited(form), titleOf(form)]).toEqual([[], false, 'Work'])
  })

  it('keeps the text, and says why, while the path cannot be used', () => {
    const before = startForm(START)
    const form = changeFields(before, { data: '../x' })
    expect(form.text).toBe(before.text)
    expect(form.dataProblem).toContain('leaves the workspace')
    expect(changeFields(form, { data: 'x' }).dataProblem).toBeNull()
    expect(startForm({ ...START, data: '../x' })).toMatchObject({ data: '../x', text: before.text })
  })
})

describe('an edited text', () => {
  const edit = (part: object) => {
    const form = startForm(START)
    return { ...form, text: JSON.stringify({ ...manifestOf(form.text), ...part }) }
  }

  it('keeps its edits when a field changes', () => {
    const config = { columns: [{ id: 'Later' }] }
    const form = changeFields(edit({ config, description: 'Mine' }), { data: '/x.md', title: 'X' })
    expect(manifestOf(form.text)).toEqual({
      ...{ title: 'X', description: 'Mine', template: 'kanban', config },
      ...{ data: ['/x.md'], write: ['/x.md'] },
    })
  })

  it('keeps a member that the changed field does not write', () => {
    const form = changeFields(edit({ write: [] }), { title: 'X' })
    expect(manifestOf(form.text)).toMatchObject({ title: 'X', write: [] })
  })

  it('stays as it is while it is not JSON', () => {
    const form = changeFields({ ...startForm(START), text: '{' }, { title: 'X' })
    expect([form.text, titleOf(form)]).toEqual(['{', 'X'])
  })

  it('is written again for another template', () => {
    const form = changeFields(edit({ config: {} }), { template: 'progress' })
    expect([manifestOf(form.text)['template'], isEdited(form)]).toEqual(['progress', false])
  })
})
