import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { apply } from '../../polyfill/core.ts'
import { formTools } from '../../polyfill/declarative.ts'
import { contextOf, failure, settled } from '../support/polyfill/cases/case.ts'

let undo = () => {}
const place = document.createElement('div')

beforeEach(() => {
  undo = apply({ additions: [formTools({ isGated: true })] })
  document.body.append(place)
})
afterEach(() => {
  place.remove()
  undo()
})

async function tool(attributes = 'toolautosubmit') {
  place.innerHTML = `<form toolname="f" tooldescription="d" ${attributes}>
    <input name="a" value="old"><button>Go</button></form>`
  const context = contextOf(document)
  await expect.poll(() => context.getTools()).toHaveLength(1)
  const [found] = await context.getTools()
  const [form, field] = [place.querySelector('form'), place.querySelector('input')]
  if (!found || !form || !field) throw new Error('The form is not whole')
  form.addEventListener('submit', (event) => event.preventDefault())
  const call = (input: object, options = {}) => context.executeTool(found, input, options)
  return { form, field, call }
}

it('marks the form and its button with classes while a call runs', async () => {
  const { form, call } = await tool('')
  const button = form.querySelector('button')
  const classes = () => [form.className, button?.className]
  const over = new AbortController()
  const seen: unknown[] = []
  contextOf(document).ontoolactivated = () => seen.push(classes())
  contextOf(document).ontoolcancel = () => seen.push(classes())
  const answer = call({ a: 'new' }, { signal: over.signal })
  await settled()
  over.abort()
  expect(await failure(() => answer)).toBe('AbortError')
  await settled()
  expect(seen).toEqual([
    ['tool-form-active', 'tool-submit-active'],
    ['', ''],
  ])
})

it('marks the form during the submission only, when the call submits', async () => {
  const { form, call } = await tool()
  let during = ''
  form.addEventListener('submit', (event) => {
    during = form.className
    event.preventDefault()
    Reflect.apply(Reflect.get(event, 'respondWith'), event, ['done'])
  })
  expect(await call({})).toBe('done')
  expect([during, form.className]).toEqual(['tool-form-active', ''])
})

it.each([
  ['submit()', (form: HTMLFormElement) => form.submit()],
  ['requestSubmit()', (form: HTMLFormElement) => form.requestSubmit()],
  ['a press of its button', (form: HTMLFormElement) => form.querySelector('button')?.click()],
])('drops %s while a form is filled in', async (_, submit) => {
  const { form, field, call } = await tool('')
  const onSubmit = vi.fn<(event: SubmitEvent) => void>((event) => {
    event.preventDefault()
    Reflect.apply(Reflect.get(event, 'respondWith'), event, [field.value])
  })
  form.addEventListener('submit', onSubmit)
  field.addEventListener('change', () => submit(form))
  const answer = call({ a: 'new' })
  await settled()
  expect(field.value).toBe('new')
  expect(onSubmit).not.toHaveBeenCalled()
  form.requestSubmit()
  expect(await answer).toBe('new')
  expect(onSubmit).toHaveBeenCalledTimes(1)
})

it('sets values past the property overrides of frameworks', async () => {
  const { form, field, call } = await tool()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    Reflect.apply(Reflect.get(event, 'respondWith'), event, ['done'])
  })
  const tracked = vi.fn()
  Object.defineProperty(field, 'value', { set: tracked, get: () => 'tracked', configurable: true })
  await call({ a: 'new' })
  Reflect.deleteProperty(field, 'value')
  expect(tracked).not.toHaveBeenCalled()
  expect(field.value).toBe('new')
})

it('a caller of this origin receives which field of a form is invalid', async () => {
  const { field, call } = await tool()
  field.required = true
  const message = expect.stringMatching(/^"f" failed: Form validation failed: a: ./)
  await expect(call({ a: '' })).rejects.toMatchObject({ name: 'UnknownError', message })
})
