import { afterEach, expect, it, vi } from 'vitest'
import { whenFormAppears } from '../../polyfill/forms/first-form.ts'

const FORM = '<form toolname="f" tooldescription="d"></form>'
const undos: (() => void)[] = []
afterEach(() => {
  undos.splice(0).forEach((undo) => undo())
  document.body.replaceChildren()
})

const waited = () => {
  const then = vi.fn()
  undos.push(whenFormAppears(document, then))
  return then
}

const insert = (html: string): Element => {
  const place = document.createElement('div')
  place.setHTMLUnsafe(html)
  document.body.append(place)
  return place
}

const WAYS: Readonly<Record<string, () => void>> = {
  'in the document': () => insert(FORM),
  'that becomes a tool by its attributes': () => {
    const form = insert('<form toolname="f"></form>').querySelector('form')
    setTimeout(() => form?.setAttribute('tooldescription', 'd'))
  },
  'in a shadow tree of a script': () => {
    const root = insert('').attachShadow({ mode: 'open' })
    setTimeout(() => (root.innerHTML = FORM))
  },
  'in a shadow tree of the parser': () =>
    insert(`<p><template shadowrootmode="open">${FORM}</template></p>`),
}

it.each(Object.keys(WAYS))('is called once for a form %s, there before and later', async (way) => {
  const later = waited()
  WAYS[way]?.()
  await expect.poll(() => later.mock.calls.length).toBe(1)
  expect(waited()).toHaveBeenCalledTimes(1)
  WAYS['in the document']?.()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(later).toHaveBeenCalledTimes(1)
})

it('is not called for forms that are no tools, nor when it has been undone', async () => {
  const then = waited()
  insert('<form toolname="f"></form><form tooldescription="d"></form><p>text</p>')
  await new Promise((resolve) => setTimeout(resolve, 20))
  undos.pop()?.()
  insert(FORM)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(then).not.toHaveBeenCalled()
})
