import { expect, it } from 'vitest'
import { visibilityOf } from '#core/visibility.ts'
import vectors from '../vectors/visibility.json' with { type: 'json' }

it.each(vectors)('$id', ({ tool_meta: meta, same_server, expected }) => {
  const { model, app, warning } = visibilityOf(meta)
  expect({
    in_model_list: model,
    app_may_call: app && same_server,
    warning: warning !== null,
  }).toEqual(expected)
})

it.each([null, undefined, 42, 'app', [], { ui: null }, { ui: 'app' }, { ui: ['app'] }])(
  'reads %j as a tool without visibility',
  (meta) => expect(visibilityOf(meta)).toEqual({ model: true, app: true, warning: null }),
)

it.each([
  [['model', 'apps'], { model: true, app: true }],
  [[['app']], { model: false, app: false }],
  [{ app: true }, { model: false, app: false }],
  ['apps', { model: false, app: true }],
])('warns of %j', (visibility, expected) => {
  expect(visibilityOf({ ui: { visibility } })).toEqual({ ...expected, warning: expect.any(String) })
})

it('reads nothing from a prototype', () => {
  const meta = { ui: Object.create({ visibility: ['app'] }) }
  expect(visibilityOf(meta).model).toBe(true)
})
