/**
 * What a form is, before anything is drawn: fields, their values and what is wrong with them.
 *
 * A form is a tree of fields, made anew from schema and value each time; it keeps no state. Values
 * stay what JSON says they are: numbers are numbers, and what is not set is not there.
 *
 * @module
 */

/** A value of a form; undefined is "not set". */
export type FormValue = unknown

/** A JSON pointer, such as `/roots/0/path`; the empty text is the whole. */
export type Pointer = string

export interface FieldProblem {
  readonly pointer: Pointer
  readonly message: string
}

export interface FieldBase {
  readonly pointer: Pointer
  /** What to call it: the title, or the name in words. */
  readonly label: string
  readonly description: string
  /** As text: an example of a value, for a placeholder. */
  readonly example: string
  readonly required: boolean
  readonly readOnly: boolean
  readonly deprecated: boolean
  /** Whether there is a value. */
  readonly isSet: boolean
  readonly value: FormValue
  /** What holds when nothing is set, as the schema says; undefined when it says nothing. */
  readonly defaultValue: FormValue
  /** Whether null is a value, beside what the field is for. */
  readonly nullable: boolean
  /** Problems of this very field, not of those below it. */
  readonly problems: readonly string[]
}

export interface Choice {
  readonly label: string
  readonly description: string
  readonly value: unknown
}

export type Field =
  | (FieldBase & {
      readonly kind: 'text'
      readonly long: boolean
      /** The type of the input element. */
      readonly input: 'text' | 'email' | 'url' | 'date' | 'password'
      readonly minLength: number | null
      readonly maxLength: number | null
    })
  | (FieldBase & {
      readonly kind: 'number'
      readonly integer: boolean
      readonly minimum: number | null
      readonly maximum: number | null
      readonly step: number | null
    })
  | (FieldBase & { readonly kind: 'boolean' })
  /** One of some values; `const` is a choice of one. */
  | (FieldBase & { readonly kind: 'choice'; readonly choices: readonly Choice[] })
  /** Some of some values, each once. */
  | (FieldBase & { readonly kind: 'choices'; readonly choices: readonly Choice[] })
  | (FieldBase & {
      readonly kind: 'list'
      readonly items: readonly Field[]
      readonly minItems: number
      readonly maxItems: number | null
      /** How many items at the front have a place of their own and cannot move. */
      readonly fixed: number
      readonly canAdd: boolean
      /** What a new item is. */
      readonly start: FormValue
    })
  | (FieldBase & {
      readonly kind: 'object'
      readonly fields: readonly Field[]
      /** Members beside those that the schema names; null when there are none and may be none. */
      readonly extra: {
        readonly rows: readonly ExtraRow[]
        readonly canAdd: boolean
        readonly start: FormValue
      } | null
      /** What it is when somebody asks for it. */
      readonly start: FormValue
    })
  /** One of several schemas. */
  | (FieldBase & {
      readonly kind: 'variant'
      readonly variants: readonly Variant[]
      readonly chosen: number
      readonly field: Field
    })
  /** Anything else: JSON, written by hand. */
  | (FieldBase & { readonly kind: 'json' })

export interface Variant {
  readonly label: string
  readonly description: string
  /** What the value becomes when somebody chooses it. */
  readonly start: FormValue
}

export type FieldKind = Field['kind']

export interface ExtraRow {
  readonly name: string
  readonly field: Field
}

export interface FormModel {
  readonly root: Field
  /** Everything that is wrong, with its place. */
  readonly problems: readonly FieldProblem[]
  readonly valid: boolean
}
