/**
 * Synthesises the JSON Schema of a form.
 * https://webmachinelearning.github.io/webmcp/#synthesize-a-declarative-json-schema-object-algorithm
 *
 * The specification has no algorithm yet, so this follows Chromium, with two additions: options that are disabled are
 * left out, and the length of a text is bounded. `test/support/polyfill/cases/form-schemas.ts` checks it.
 *
 * @module
 */

import { describe, textOfLabels } from './describe.ts'
import { type Field, optionsOf, type Parameter, parametersOf } from './parameters.ts'

type Schema = Readonly<Record<string, unknown>>

/** Returns the schema of a form's parameters. */
export function schemaOf(form: HTMLFormElement): Schema {
  const parameters = [...parametersOf(form)]
  const properties = parameters.map(([name, parameter]) => [name, propertyOf(parameter)])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: parameters.filter(([, parameter]) => isRequired(parameter)).map(([name]) => name),
  }
}

const controlsOf = (parameter: Parameter): readonly Field[] =>
  parameter.type === 'field' ? [parameter.field] : parameter.group

const isRequired = (parameter: Parameter): boolean =>
  controlsOf(parameter).some(({ required }) => required)

function propertyOf(parameter: Parameter): Schema {
  const schema = parameter.type === 'field' ? fieldSchema(parameter.field) : groupSchema(parameter)
  const own = describe(parameter)
  const description = schema['format'] === 'date' ? (own && `${own} `) + asDate(own) : own
  return { ...schema, ...(description && { description }) }
}

const DATES = "Dates MUST be provided in 'YYYY-MM-DD' format."
const asDate = (own: string) => (own ? `(${DATES})` : DATES)

function groupSchema({ type, group }: Exclude<Parameter, { type: 'field' }>): Schema {
  const options = group.map((control) => option(control.value, textOfLabels(control)))
  return type === 'radio' ? oneOf(options) : manyOf(options)
}

/** An option: its value, with its visible text as title. */
const option = (value: string, title: string | null): Schema => ({
  type: 'string',
  const: value,
  ...(title !== null && { title }),
})

const oneOf = (options: readonly Schema[]): Schema => ({
  type: 'string',
  anyOf: options,
  enum: options.map((one) => one['const']),
})

const manyOf = (options: readonly Schema[]): Schema => ({
  type: 'array',
  items: oneOf(options),
  uniqueItems: true,
})

const MINUTES = '([01][0-9]|2[0-3]):[0-5][0-9]'
const MONTH = '[0-9]{4}-(0[1-9]|1[0-2])'

function fieldSchema(field: Field): Schema {
  if (field instanceof HTMLSelectElement) {
    const options = optionsOf(field).map(({ value, textContent }) => option(value, textContent))
    return field.multiple ? manyOf(options) : oneOf(options)
  }
  if (field instanceof HTMLTextAreaElement) return { type: 'string', ...lengthOf(field) }
  const format = (pattern: string) => ({ type: 'string', format: `^${pattern}$` })
  switch (field.type) {
    case 'number':
    case 'range':
      return numberSchema(field)
    case 'checkbox':
      return { type: 'boolean' }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'datetime-local':
      return format(`${MONTH}-[0-9]{2}T${MINUTES}${seconds(field)}`)
    case 'time':
      return format(MINUTES + seconds(field))
    case 'month':
      return format(MONTH)
    case 'week':
      return format('[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])')
    case 'color':
      return format('#[0-9a-zA-Z]{6}')
    default:
      return { type: 'string', ...patternOf(field), ...lengthOf(field) }
  }
}

/** Returns the pattern of seconds and fractions, which are optional if the step allows them. */
function seconds({ step }: HTMLInputElement): string {
  const size = Number(step)
  if (!(size > 0) || size % 60 === 0) return ''
  return size % 1 === 0 ? '(:[0-5][0-9])?' : '(:[0-5][0-9](\\.[0-9]{1,3})?)?'
}

/** Returns the pattern; invalid ones are left out, as browsers ignore them. */
function patternOf(field: HTMLInputElement): Schema {
  if (!field.hasAttribute('pattern')) return {}
  try {
    new RegExp(field.pattern, 'v')
    return { pattern: field.pattern }
  } catch {
    return {}
  }
}

/**
 * Returns the bounds of the length of a text. The form counts UTF-16 code units and a schema characters, of which a text
 * never has more. An empty optional field satisfies any form, so only a required one has a lower bound.
 */
function lengthOf(field: HTMLInputElement | HTMLTextAreaElement): Schema {
  const { minLength, maxLength, required } = field
  return {
    ...(required && minLength > 0 && { minLength }),
    ...(maxLength >= 0 && { maxLength }),
  }
}

/** Parses a number attribute; undefined if HTML would ignore it. */
const numberOf = (text: string): number | undefined =>
  text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)

function numberSchema(field: HTMLInputElement): Schema {
  const isRange = field.type === 'range'
  const minimum = numberOf(field.min) ?? (isRange ? 0 : undefined)
  const given = numberOf(field.max) ?? (isRange ? 100 : undefined)
  const maximum = isRange ? Math.max(given ?? 0, minimum ?? 0) : given
  const multipleOf = stepOf(field)
  return {
    type: 'number',
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(multipleOf !== undefined && { multipleOf }),
  }
}

/**
 * Returns `multipleOf`. Steps count from a base, so it applies only if the base is a multiple of
 * the step.
 */
function stepOf(field: HTMLInputElement): number | undefined {
  if (field.step.toLowerCase() === 'any' && field.type === 'number') return undefined
  const given = numberOf(field.step) ?? 1
  const step = given > 0 ? given : 1
  const base = numberOf(field.min) ?? numberOf(field.defaultValue) ?? 0
  const steps = base / step
  return Math.abs(steps - Math.round(steps)) < 1e-9 ? step : undefined
}
