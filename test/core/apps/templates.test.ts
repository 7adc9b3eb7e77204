/** The settings of the six templates: defaults, every setting, and the pointer of every problem. @module */

import {
  MAX_EXPAND_LEVEL,
  MAX_SETTING_ITEMS,
  MAX_SETTING_LENGTH,
  MAX_SETTING_PROBLEMS,
} from '#core/apps/limits.ts'
import { readTemplate, TEMPLATES } from '#core/apps/templates.ts'
import { describe, expect, it } from 'vitest'

const settingsOf = (template: string, config: unknown = {}) => {
  const read = readTemplate(template, config)
  return read.ok ? read.value.settings : read.error
}

const pointersOf = (template: string, config: unknown) => {
  const read = readTemplate(template, config)
  return read.ok ? [] : read.error.map(({ pointer }) => pointer)
}

it('has six templates, and refuses another one', () => {
  expect(TEMPLATES).toEqual([
    'form',
    'data-table',
    'progress',
    'diff-viewer',
    'tree-view',
    'kanban',
  ])
  for (const name of ['grid', '__proto__', 'constructor', 7, null, undefined])
    expect(pointersOf(String(name), {})).toEqual(['/template'])
})

describe('defaults', () => {
  it.each([
    ['data-table', { title: 'Data', columns: [] }],
    [
      'progress',
      {
        title: 'Progress',
        showPercentage: true,
        showCurrentStep: true,
        cancelTool: null,
        cancelConfirm: 'Are you sure you want to cancel?',
      },
    ],
    [
      'diff-viewer',
      {
        title: 'Diff Viewer',
        viewMode: 'split',
        showLineNumbers: true,
        syntaxHighlight: true,
        leftTitle: 'Original',
        rightTitle: 'Modified',
      },
    ],
    [
      'tree-view',
      {
        title: 'Tree View',
        showIcons: true,
        expandLevel: 1,
        selectable: false,
        onSelectTool: null,
      },
    ],
    [
      'kanban',
      {
        title: 'Kanban Board',
        columns: [],
        draggable: true,
        onMoveTool: null,
        onCardClickTool: null,
      },
    ],
  ])('of %s', (template, expected) => {
    expect(settingsOf(template)).toEqual(expected)
    expect(settingsOf(template, undefined)).toEqual(expected)
  })

  it('of a form with one field', () => {
    const field = { name: 'city', type: 'text', label: 'city', required: false, placeholder: '' }
    expect(settingsOf('form', { fields: [{ name: 'city' }] })).toEqual({
      title: 'Form',
      description: '',
      fields: [{ ...field, default: null, options: [] }],
      submitTool: null,
      submitArgs: {},
      cancelable: false,
    })
  })
})

it.each([
  ['progress', 'showPercentage'],
  ['progress', 'showCurrentStep'],
  ['diff-viewer', 'showLineNumbers'],
  ['diff-viewer', 'syntaxHighlight'],
  ['tree-view', 'showIcons'],
  ['kanban', 'draggable'],
])('%s: the switch %s is true by default, and can be false', (template, name) => {
  expect(settingsOf(template)).toMatchObject({ [name]: true })
  expect(settingsOf(template, { [name]: false })).toMatchObject({ [name]: false })
})

it('takes labels and titles from names, keys and ids', () => {
  expect(settingsOf('data-table', { columns: [{ key: 'a' }] })).toMatchObject({
    columns: [{ key: 'a', label: 'a', sortable: false }],
  })
  expect(settingsOf('kanban', { columns: [{ id: 'todo' }] })).toMatchObject({
    columns: [{ id: 'todo', title: 'todo' }],
  })
})

it('takes options as texts and as objects', () => {
  const options = ['a', { value: 'b', label: 'B' }, { value: 'c' }]
  const fields = [{ name: 'x', type: 'select', options }]
  expect(settingsOf('form', { fields })).toMatchObject({
    fields: [
      {
        options: [
          { value: 'a', label: 'a' },
          { value: 'b', label: 'B' },
          { value: 'c', label: 'c' },
        ],
      },
    ],
  })
})

describe('problems', () => {
  it.each<[string, unknown, string[]]>([
    ['form', [], ['/config', '/config/fields']],
    ['form', {}, ['/config/fields']],
    ['form', { fields: [{}] }, ['/config/fields/0/name']],
    ['form', { fields: [{ name: 'a', type: 'date' }] }, ['/config/fields/0/type']],
    ['form', { fields: [{ name: 'a' }, { name: 'a' }] }, ['/config/fields/1/name']],
    ['form', { fields: [{ name: 'a', type: 'select' }] }, ['/config/fields/0/options']],
    ['form', { fields: [{ name: 'a', default: [] }] }, ['/config/fields/0/default']],
    ['form', { fields: [{ name: 'a', default: 3 }] }, ['/config/fields/0/default']],
    ['form', { fields: [{ name: 'a' }], submitTool: 'a b' }, ['/config/submitTool']],
    ['form', { fields: [{ name: 'a' }], submitArgs: [] }, ['/config/submitArgs']],
    ['data-table', { columns: [{ key: 'a', sortable: 1 }] }, ['/config/columns/0/sortable']],
    ['data-table', { columns: [{ key: 'a' }, { key: 'a' }] }, ['/config/columns/1/key']],
    ['data-table', { 'a/b~c': 1 }, ['/config/a~1b~0c']],
    ['progress', { showPercentage: 'false' }, ['/config/showPercentage']],
    ['diff-viewer', { viewMode: 'side' }, ['/config/viewMode']],
    ['tree-view', { expandLevel: -1 }, ['/config/expandLevel']],
    ['kanban', { columns: 'To Do' }, ['/config/columns']],
    ['kanban', JSON.parse('{"__proto__":{"title":"x"}}'), ['/config/__proto__']],
  ])('%s %j', (template, config, expected) => {
    expect(pointersOf(template, config)).toEqual(expected)
  })

  it('are counted and lengths are limited', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ key: `${index}` }))
    expect(pointersOf('data-table', { columns: many(MAX_SETTING_ITEMS) })).toEqual([])
    expect(pointersOf('data-table', { columns: many(MAX_SETTING_ITEMS + 1) })).toEqual([
      '/config/columns',
    ])
    const title = (length: number) => pointersOf('kanban', { title: 'x'.repeat(length) })
    expect(title(MAX_SETTING_LENGTH)).toEqual([])
    expect(title(MAX_SETTING_LENGTH + 1)).toEqual(['/config/title'])
    const level = (expandLevel: number) => pointersOf('tree-view', { expandLevel })
    expect(level(MAX_EXPAND_LEVEL)).toEqual([])
    expect(level(MAX_EXPAND_LEVEL + 1)).toEqual(['/config/expandLevel'])
    const columns = Array.from({ length: MAX_SETTING_PROBLEMS + 5 }, () => ({ key: 7 }))
    expect(pointersOf('data-table', { columns }).length).toBe(MAX_SETTING_PROBLEMS)
  })
})
