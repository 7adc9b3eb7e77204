/**
 * Types of a form model: fields, their values and their problems, independent of rendering.
 *
 * A form is a tree of fields, built from schema and value on each change; it has no state. Values
 * keep their JSON types: numbers are numbers, and an unset member is absent.
 *
 * @module
 */

/** A value in a form; undefined means not set. */
export type FormValue = unknown

/** A JSON Pointer (RFC 6901), such as `/roots/0/path`; the empty string is the whole value. */
export type Pointer = string

/** A problem at a place in the form. */
export interface FieldProblem {
  readonly pointer: Pointer
  readonly message: string
}

/** Members of every kind of field. */
export interface FieldBase {
  readonly pointer: Pointer
  /** The title, or the name in words. */
  readonly label: string
  readonly description: string
  /** An example value as text, for a placeholder. */
  readonly example: string
  readonly required: boolean
  readonly readOnly: boolean
  readonly deprecated: boolean
  /** Whether there is a value. */
  readonly isSet: boolean
  readonly value: FormValue
  /** The schema's default; undefined if it has none. */
  readonly defaultValue: FormValue
  /** Whether null is allowed besides the field's own type. */
  readonly nullable: boolean
  /** Problems of this field, without those of the fields below it. */
  readonly problems: readonly string[]
}

/** One of the values that a schema lists. */
export interface Choice {
  readonly label: string
  readonly description: string
  readonly value: unknown
}

export type Field =
  | (FieldBase & {
      readonly kind: 'text'
      /** Whether to show several lines. */
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
  /** One of several values; `const` is a choice with one value. */
  | (FieldBase & { readonly kind: 'choice'; readonly choices: readonly Choice[] })
  /** A set of values from a list, each at most once. */
  | (FieldBase & { readonly kind: 'choices'; readonly choices: readonly Choice[] })
  | (FieldBase & {
      readonly kind: 'list'
      readonly items: readonly Field[]
      readonly minItems: number
      readonly maxItems: number | null
      /** Number of items at the front that have their own schema and cannot move. */
      readonly fixed: number
      readonly canAdd: boolean
      /** Initial value of a new item. */
      readonly start: FormValue
    })
  | (FieldBase & {
      readonly kind: 'object'
      readonly fields: readonly Field[]
      /** Members that the schema does not name; null if there are none and none can be added. */
      readonly extra: {
        readonly rows: readonly ExtraRow[]
        readonly canAdd: boolean
        readonly start: FormValue
      } | null
      /** Initial value when the user adds the object. */
      readonly start: FormValue
    })
  /** One of several schemas. */
  | (FieldBase & {
      readonly kind: 'variant'
      readonly variants: readonly Variant[]
      readonly chosen: number
      readonly field: Field
    })
  /** Anything else, edited as JSON. */
  | (FieldBase & { readonly kind: 'json' })

export type FieldOf<K extends FieldKind> = Extract<Field, { kind: K }>

/** One of the schemas of a variant field. */
export interface Variant {
  readonly label: string
  readonly description: string
  /** Initial value when the user chooses it. */
  readonly start: FormValue
}

/** Names of the kinds. */
export type FieldKind = Field['kind']

/** A member that the schema does not name. */
export interface ExtraRow {
  readonly name: string
  readonly field: Field
}

/** The result of `formModel`. */
export interface FormModel {
  readonly root: Field
  /** All problems, with their places. */
  readonly problems: readonly FieldProblem[]
  readonly valid: boolean
}
