/**
 * Writes the input of a call into a form, after converting all of it.
 *
 * A bad value therefore changes nothing. Values are set through the native setters, past the
 * properties that frameworks define on a control, and `input` and `change` are fired. Error
 * messages are Chromium's, because models read them.
 *
 * @module
 */

import { isObject } from '../idl.ts'
import { type Field, optionsOf, type Parameter, parametersOf } from './parameters.ts'

/**
 * Converts every value.
 *
 * @returns A function that writes the values.
 * @throws `TypeError` for an unknown parameter or a value that does not fit.
 */
export function planFill(form: HTMLFormElement, input: object): () => void {
  if (Array.isArray(input)) throw new TypeError('JSON input arguments must be an object')
  const parameters = parametersOf(form)
  const writes = Object.entries(input).map(([name, value]) => {
    const parameter = parameters.get(name)
    if (!parameter) throw new TypeError(unknownParameter(name))
    return planParameter(parameter, value)
  })
  return () => writes.forEach((write) => write())
}

const unknownParameter = (name: string) =>
  `Input contains a parameter "${name}" but there is no such parameter for the tool`

function planParameter(parameter: Parameter, value: unknown): () => void {
  const { name } = parameter
  if (parameter.type === 'field') return planField(name, parameter.field, value)
  if (parameter.type === 'checkbox') {
    const chosen = choices(name, value, parameter.group)
    return () => parameter.group.forEach((box) => check(box, chosen.has(box.value)))
  }
  const [chosen] = choices(name, [value], parameter.group)
  return () =>
    parameter.group.filter((button) => button.value === chosen).forEach((one) => check(one, true))
}

function planField(name: string, field: Field, value: unknown): () => void {
  if (field instanceof HTMLSelectElement) {
    const chosen = choices(name, field.multiple ? value : [value], optionsOf(field))
    return () => select(field, chosen)
  }
  if (field.type === 'checkbox' && field instanceof HTMLInputElement) {
    const checked = toChecked(name, value)
    return () => check(field, checked)
  }
  const text = toText(name, value)
  if (field instanceof HTMLInputElement && !accepts(field, text)) throw badValue(name, text)
  return () => write(field, text)
}

/** Converts values to options; each has to exist. */
function choices(
  name: string,
  values: unknown,
  options: readonly { readonly value: string }[],
): Set<string> {
  if (!Array.isArray(values)) throw badValue(name)
  const chosen = new Set(values.map((value) => toText(name, value)))
  for (const value of chosen)
    if (!options.some((option) => option.value === value)) throw badValue(name, value)
  return chosen
}

function toText(name: string, value: unknown): string {
  if (value === null || isObject(value)) throw badValue(name)
  return `${value as string}`
}

function toChecked(name: string, value: unknown): boolean {
  const checked = new Map<unknown, boolean>([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    ['true', true],
    ['false', false],
  ]).get(value)
  if (checked === undefined)
    throw badValue(name, isObject(value) ? undefined : `${value as string}`)
  return checked
}

const badValue = (name: string, text?: string) =>
  new TypeError(`Invalid value ${text === undefined ? '' : `"${text}" `}for parameter ${name}`)

/** Reports whether a control keeps a text; number and date controls drop an invalid one. */
function accepts(field: HTMLInputElement, text: string): boolean {
  if (field.type === 'range') return text.trim() !== '' && Number.isFinite(Number(text))
  const trial = document.createElement('input')
  trial.type = field.type
  trial.value = text
  return text === '' || trial.value !== ''
}

/** Sets a property with the setter of the element's class, past one that a framework defined. */
function assign(element: Element, name: string, value: unknown): void {
  Reflect.set(Object.getPrototypeOf(element) as object, name, value, element)
}

function fireChange(element: Element): void {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  element.dispatchEvent(new Event('change', { bubbles: true }))
}

function write(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const before = field.value
  assign(field, 'value', text)
  if (field.value !== before) fireChange(field)
}

/** As in Chromium, `change` is fired for a box that stays as it was, too. */
function check(box: HTMLInputElement, checked: boolean): void {
  const before = box.checked
  assign(box, 'checked', checked)
  if (checked !== before) fireChange(box)
  else box.dispatchEvent(new Event('change', { bubbles: true }))
}

function select(field: HTMLSelectElement, chosen: ReadonlySet<string>): void {
  const state = () => [...field.options].map(({ selected }) => selected).join()
  const before = state()
  if (field.multiple)
    for (const option of field.options) assign(option, 'selected', chosen.has(option.value))
  else assign(field, 'value', [...chosen][0])
  if (state() !== before) fireChange(field)
}
