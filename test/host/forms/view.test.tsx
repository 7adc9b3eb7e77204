/** Forms in a page: filled in with keyboard and mouse, and checked for accessibility. */

import axe from 'axe-core'
import { SchemaForm, type SchemaFormProps } from '#host/forms/schema-form.tsx'
import { render } from 'preact'
import { useState } from 'preact/hooks'
import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'

let root: HTMLElement | undefined
let value: unknown
let valid: boolean | undefined

type Given = Partial<SchemaFormProps> & { readonly schema: unknown }

function Held({ start, ...props }: Given & { readonly start: unknown }) {
  const [held, setHeld] = useState(start)
  return (
    <SchemaForm
      idPrefix="f"
      label="Arguments"
      {...props}
      value={held}
      onChange={(next, isValid) => {
        value = next
        valid = isValid
        setHeld(next)
      }}
    />
  )
}

function show(props: Given, start: unknown = {}): HTMLElement {
  root = document.createElement('main')
  document.body.append(root)
  value = start
  valid = undefined
  render(<Held {...props} start={start} />, root)
  return root
}

afterEach(() => {
  if (root) render(null, root)
  root?.remove()
})

const field = (name: string) => page.getByLabelText(name, { exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })

it('fills in texts, and unsets a cleared one', async () => {
  show({
    schema: {
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['content'],
    },
  })
  await userEvent.fill(field('Path'), '/notes/today.md')
  expect(value).toEqual({ path: '/notes/today.md' })
  expect(valid).toBe(false)
  await userEvent.fill(field('Content'), 'one\ntwo')
  expect(value).toEqual({ path: '/notes/today.md', content: 'one\ntwo' })
  expect(valid).toBe(true)
  await userEvent.clear(field('Path'))
  await userEvent.clear(field('Content'))
  expect(value).toEqual({ content: '' })
})

it('leaves a text empty on purpose', async () => {
  show({ schema: { properties: { content: { type: 'string' } }, required: ['content'] } })
  await userEvent.click(button('Leave empty'))
  expect(value).toEqual({ content: '' })
  expect(valid).toBe(true)
})

it.each([{ minLength: 1 }, { format: 'date' }, { format: 'email' }])(
  'offers to leave no text empty that %j requires',
  async (rule) => {
    show({ schema: { properties: { name: { type: 'string', ...rule } }, required: ['name'] } })
    await expect.element(field('Name')).toBeVisible()
    expect(button('Leave empty').elements()).toEqual([])
  },
)

it('keeps numbers as numbers and the text as typed', async () => {
  show({
    schema: { properties: { limit: { type: 'integer', minimum: 1 }, ratio: { type: 'number' } } },
  })
  await userEvent.type(field('Ratio'), '1.50')
  expect(value).toEqual({ ratio: 1.5 })
  await expect.element(field('Ratio')).toHaveValue('1.50')
  await userEvent.fill(field('Limit'), '-')
  expect(value).toEqual({ ratio: 1.5, limit: '-' })
  expect(valid).toBe(false)
  await userEvent.fill(field('Limit'), '')
  expect(value).toEqual({ ratio: 1.5 })
})

it('shows a problem after the field is left, linked to the field', async () => {
  show({
    schema: { properties: { limit: { type: 'integer', minimum: 1, description: 'How many' } } },
  })
  const input = field('Limit')
  await userEvent.fill(input, '0')
  expect(input.element().getAttribute('aria-invalid')).toBe(null)
  await userEvent.tab()
  await expect.element(input).toHaveAttribute('aria-invalid', 'true')
  await expect.element(input).toHaveAccessibleDescription('How many At least 1.')
})

it('sets booleans, choices and sets of choices', async () => {
  show({
    schema: {
      properties: {
        glob: { type: 'boolean', default: false },
        hint: { enum: ['none', 'review'] },
        tags: { type: 'array', uniqueItems: true, items: { enum: ['a', 'b'] } },
      },
    },
  })
  await userEvent.click(page.getByRole('radio', { name: 'Yes' }))
  await userEvent.selectOptions(field('Hint'), 'review')
  await userEvent.click(page.getByRole('checkbox', { name: 'b' }))
  await userEvent.click(page.getByRole('checkbox', { name: 'a' }))
  expect(value).toEqual({ glob: true, hint: 'review', tags: ['b', 'a'] })
  await userEvent.click(page.getByRole('radio', { name: 'Not set (no)' }))
  await userEvent.selectOptions(field('Hint'), 'Not set')
  await userEvent.click(page.getByRole('checkbox', { name: 'b' }))
  await userEvent.click(page.getByRole('checkbox', { name: 'a' }))
  expect(value).toEqual({})
})

it('adds, moves and removes list items, and moves the focus', async () => {
  show({ schema: { properties: { paths: { type: 'array', items: { type: 'string' } } } } })
  await userEvent.click(button('Add to Paths'))
  await userEvent.keyboard('one')
  await userEvent.click(button('Add to Paths'))
  await userEvent.keyboard('two')
  expect(value).toEqual({ paths: ['one', 'two'] })
  await userEvent.click(button('Move entry 2 of Paths up'))
  expect(value).toEqual({ paths: ['two', 'one'] })
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move entry 1 of Paths down')
  await userEvent.keyboard('{Enter}')
  expect(value).toEqual({ paths: ['one', 'two'] })
  await userEvent.click(button('Remove entry 1 of Paths'))
  await userEvent.click(button('Remove entry 1 of Paths'))
  expect(value).toEqual({})
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Add to Paths')
})

it('fills in lists of objects', async () => {
  const edit = {
    type: 'object',
    required: ['find', 'replace'],
    properties: { find: { type: 'string' }, replace: { type: 'string' } },
  }
  show({
    schema: {
      required: ['edits'],
      properties: { edits: { type: 'array', minItems: 1, items: edit } },
    },
  })
  await userEvent.click(button('Add to Edits'))
  await userEvent.fill(field('Find'), 'a')
  expect(valid).toBe(false)
  await userEvent.fill(field('Replace'), 'b')
  expect(value).toEqual({ edits: [{ find: 'a', replace: 'b' }] })
  expect(valid).toBe(true)
})

it('adds members that the schema does not name', async () => {
  show({ schema: { type: 'object', additionalProperties: { type: 'number' } } })
  await userEvent.click(button('Add a member to Arguments'))
  await userEvent.fill(field('Name'), 'a/b')
  await userEvent.tab()
  await userEvent.fill(field('Value of a/b'), '7')
  expect(value).toEqual({ 'a/b': 7 })
  await userEvent.click(button('Remove a/b'))
  expect(value).toEqual({})
})

it('adds and removes an optional object', async () => {
  show({
    schema: {
      properties: {
        options: { type: 'object', required: ['mode'], properties: { mode: { const: 'fast' } } },
      },
    },
  })
  await userEvent.click(button('Add Options'))
  expect(value).toEqual({ options: { mode: 'fast' } })
  await userEvent.click(button('Remove Options'))
  expect(value).toEqual({})
})

it('chooses a variant, also where the value fits several', async () => {
  show({
    schema: {
      properties: {
        to: {
          anyOf: [
            { type: 'string', title: 'One' },
            { type: 'array', title: 'Many', items: { type: 'string' } },
          ],
        },
      },
    },
  })
  await userEvent.selectOptions(field('Kind'), 'Many')
  await userEvent.click(button('Add to Many'))
  await userEvent.keyboard('x')
  expect(value).toEqual({ to: ['x'] })
  await userEvent.selectOptions(field('Kind'), 'One')
  expect(value).toEqual({})
  await userEvent.fill(field('One'), 'y')
  expect(value).toEqual({ to: 'y' })
})

it('sets null, and a value again', async () => {
  show({ schema: { required: ['name'], properties: { name: { type: ['string', 'null'] } } } })
  await userEvent.click(button('Set to null: Name'))
  expect(value).toEqual({ name: null })
  expect(valid).toBe(true)
  await userEvent.click(button('Set a value of Name'))
  expect(value).toEqual({ name: '' })
})

it('edits JSON, and is invalid while the text is not JSON', async () => {
  show({ schema: { properties: { any: {} } } })
  await userEvent.fill(field('Any'), '{"a": [1')
  expect(valid).toBe(false)
  await expect.element(page.getByText('This is not valid JSON yet.')).toBeVisible()
  await userEvent.fill(field('Any'), '{"a": [1]}')
  expect(value).toEqual({ any: { a: [1] } })
  expect(valid).toBe(true)
  await userEvent.clear(field('Any'))
  expect(value).toEqual({})
})

it('edits the whole value as JSON', async () => {
  show({ schema: { properties: { path: { type: 'string' } } } }, { path: '/a', more: 1 })
  await userEvent.click(button('As JSON'))
  await expect.element(field('Arguments')).toHaveValue('{\n  "path": "/a",\n  "more": 1\n}')
  await userEvent.fill(field('Arguments'), '{"path": 5')
  expect(valid).toBe(false)
  await userEvent.click(button('As JSON'))
  await expect.element(field('Path')).toHaveValue('/a')
  await userEvent.click(button('As JSON'))
  await userEvent.fill(field('Arguments'), '{"path": "/b"}')
  await userEvent.click(button('As JSON'))
  await expect.element(field('Path')).toHaveValue('/b')
})

it('shows all problems with showProblems="all"', async () => {
  show({
    schema: { required: ['path'], properties: { path: { type: 'string' } } },
    showProblems: 'all',
  })
  await expect.element(page.getByText('This is required.')).toBeVisible()
})

it('can be read-only', async () => {
  show(
    { schema: { properties: { path: { type: 'string' }, hint: { enum: ['a'] } } }, readOnly: true },
    { path: '/a' },
  )
  expect(field('Path').element().hasAttribute('readonly')).toBe(true)
  await expect.element(field('Hint')).toBeDisabled()
})

it('renders untrusted text as text', () => {
  const evil = '<img src=x onerror="document.title=1">'
  const main = show({
    schema: {
      title: evil,
      description: evil,
      properties: {
        [evil]: { type: 'string', title: evil, description: evil, default: evil, examples: [evil] },
      },
    },
  })
  expect(main.querySelector('img')).toBe(null)
  expect(main.textContent).toContain(evil)
})

it('passes the checks of axe', async () => {
  const main = show(
    {
      schema: {
        required: ['a'],
        properties: {
          a: { type: 'string', description: 'First' },
          b: { type: 'integer' },
          c: { type: 'boolean' },
          d: { enum: ['x', 'y'] },
          e: { type: 'array', items: { type: 'string' } },
          f: { type: 'object', properties: { g: { type: ['string', 'null'] } } },
          h: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          i: {},
          j: { type: 'array', uniqueItems: true, items: { enum: ['p', 'q'] } },
        },
        additionalProperties: { type: 'string' },
      },
      showProblems: 'all',
    },
    { b: 'no', e: ['one', 'two'], f: { g: null }, extra: 'x' },
  )
  const { violations } = await axe.run(main, {
    rules: { 'color-contrast': { enabled: false } },
    resultTypes: ['violations'],
  })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
})
