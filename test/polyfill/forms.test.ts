import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { apply } from '../../polyfill/core.ts'
import { formTools, type Guard } from '../../polyfill/declarative.ts'
import { contextOf, failure, settled } from '../support/polyfill/cases/case.ts'

let undo = () => {}
const guard = vi.fn<Guard>()
const place = document.createElement('div')

beforeEach(() => {
  guard.mockReset().mockImplementation((_tool, input, _signal, run) => run(input))
  undo = apply({ additions: [formTools({ guard })] })
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

it('asks the guard before anything is filled in', async () => {
  const { form, field, call } = await tool()
  const gate = Promise.withResolvers<void>()
  guard.mockImplementation(async (_tool, input, _signal, run) => {
    await gate.promise
    return run(input)
  })
  const answer = call({ a: 'new' })
  await settled()
  expect(guard.mock.calls[0]?.slice(0, 2)).toEqual([
    { name: 'f', form, button: expect.any(Function) },
    { a: 'new' },
  ])
  expect(field.value).toBe('old')
  gate.reject(new DOMException('No', 'NotAllowedError'))
  expect(await failure(() => answer)).toBe('UnknownError')
  expect(field.value).toBe('old')
})

it('does not fill a form whose call was aborted while the guard was asked', async () => {
  const { field, call } = await tool()
  const gate = Promise.withResolvers<void>()
  guard.mockImplementation(async (_tool, input, _signal, run) => {
    await gate.promise
    return run(input)
  })
  const over = new AbortController()
  const answer = call({ a: 'new' }, { signal: over.signal })
  await settled()
  over.abort('mine')
  expect(await failure(() => answer)).toBe('mine')
  await settled()
  gate.resolve()
  await settled()
  expect(field.value).toBe('old')
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
