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

/** A form with each kind of control, and what it has. */
async function everyKind() {
  const { form, call } = await tool('')
  form.innerHTML = `<input name="a" value="old">
    <input type="checkbox" name="b"><input type="radio" name="c" value="1" checked><input type="radio" name="c" value="2">
    <input type="radio" name="c" value="3"><select name="d"><option>x</option><option>y</option></select>
    <select name="e" multiple><option selected>x</option><option>y</option></select><button>Go</button>`
  await settled()
  const values = () =>
    [...new FormData(form)].map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : 'file'}`,
    )
  const [found] = await contextOf(document).getTools()
  if (!found) throw new Error('There is no tool')
  const fill = (options: object) =>
    contextOf(document).executeTool(found, { a: 'new', b: true, c: '2', d: 'y', e: ['y'] }, options)
  return { form, call, values, fill }
}

it('takes back what a cancelled call has filled in', async () => {
  const { form, values, fill } = await everyKind()
  const before = values()
  const over = new AbortController()
  const answer = fill({ signal: over.signal })
  await settled()
  expect(values()).toEqual(['a=new', 'b=on', 'c=2', 'd=y', 'e=y'])
  const events: string[] = []
  form.addEventListener('input', ({ target }) => {
    if (target instanceof Element) events.push(target.closest('[name]')?.getAttribute('name') ?? '')
  })
  over.abort()
  expect(await failure(() => answer)).toBe('AbortError')
  await settled()
  expect(values()).toEqual(before)
  expect(new Set(events)).toEqual(new Set(['a', 'b', 'c', 'd', 'e']))
})

it('keeps what the person has changed since the agent filled the form in', async () => {
  const { form, values, fill } = await everyKind()
  const over = new AbortController()
  const answer = fill({ signal: over.signal })
  await settled()
  const field = form.querySelector('input')
  const third = form.querySelector<HTMLInputElement>('[value="3"]')
  if (!field || !third) throw new Error('The form is not whole')
  field.value = 'mine'
  third.checked = true
  over.abort()
  await failure(() => answer)
  await settled()
  expect(values()).toEqual(['a=mine', 'c=3', 'd=x', 'e=x'])
})

it('leaves the values of a call that was submitted', async () => {
  const { form, values, fill } = await everyKind()
  const over = new AbortController()
  const answer = fill({ signal: over.signal })
  await settled()
  form.addEventListener('submit', (event) =>
    Reflect.apply(Reflect.get(event, 'respondWith'), event, ['done']),
  )
  form.requestSubmit()
  expect(await answer).toBe('done')
  over.abort()
  await settled()
  expect(values()).toContain('a=new')
})
