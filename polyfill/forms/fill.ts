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
 * @returns A function that writes the values, and returns one that takes them back: what was changed since keeps
 *   what it has.
 * @throws `TypeError` for an unknown parameter or a value that does not fit.
 */
export function planFill(form: HTMLFormElement, input: object): () => () => void {
  if (Array.isArray(input)) throw new TypeError('JSON input arguments must be an object')
  const parameters = parametersOf(form)
  const writes = Object.entries(input).map(([name, value]) => {
    const parameter = parameters.get(name)
    if (!parameter) throw new TypeError(unknownParameter(name))
    return planParameter(parameter, value)
  })
  return () => {
    const undos: typeof written = (written = [])
    writes.forEach((write) => write())
    return () => undos.forEach((undo) => undo())
  }
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
  return () => {
    const current = () => parameter.group.find(({ checked }) => checked)
    const before = current()
    parameter.group.filter((button) => button.value === chosen).forEach((one) => check(one, true))
    if (before) written.push(() => current() ?? check(before, true))
  }
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

const YES: readonly unknown[] = [true, 1, 'true']
const NO: readonly unknown[] = [false, 0, 'false']

function toChecked(name: string, value: unknown): boolean {
  const isChecked = YES.includes(value)
  if (isChecked || NO.includes(value)) return isChecked
  throw badValue(name, isObject(value) ? undefined : `${value as string}`)
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

/** Functions that take back what the last fill has written. Those that an undo adds are never called. */
let written: (() => unknown)[] = []

/**
 * Sets a property with the setter of the element's class, past one that a framework defined.
 *
 * @returns Whether it has changed.
 */
function assign(element: Element, name: string, value: unknown): boolean {
  const get = (): unknown => Reflect.get(element, name)
  const before = get()
  Reflect.set(Object.getPrototypeOf(element) as object, name, value, element)
  const after = get()
  const isChanged = before !== after
  if (isChanged)
    written.push(() => get() === after && fireChange(element, assign(element, name, before)))
  return isChanged
}

function fireChange(element: Element, isChanged = true): void {
  if (isChanged) element.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  element.dispatchEvent(new Event('change', { bubbles: true }))
}

function write(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  if (assign(field, 'value', text)) fireChange(field)
}

/** As in Chromium, `change` is fired for a box that stays as it was, too. */
function check(box: HTMLInputElement, checked: boolean): void {
  fireChange(box, assign(box, 'checked', checked))
}

function select(field: HTMLSelectElement, chosen: ReadonlySet<string>): void {
  const isChanged = field.multiple
    ? [...field.options]
        .map((option) => assign(option, 'selected', chosen.has(option.value)))
        .includes(true)
    : assign(field, 'value', [...chosen][0])
  if (isChanged) fireChange(field)
}
