/**
 * The configuration schema: which fields may be set, where, and by whom, as plain data.
 *
 * It is JSON Schema draft-07, because form generators accept it and the mcp4h proposals use it; every
 * keyword in it means the same in 2020-12. `scope` says where a field may be set and `audience` by whom.
 * `policy/read.ts` enforces both, and `filterSchema` uses both to leave fields out of a form.
 *
 * @module
 */

import type { Json } from '../policy/form.ts'
import type { FieldSchema } from './field.ts'
import { FIELDS, type FieldName } from './fields.ts'

/** The schema of a whole configuration. Unknown fields are not allowed. */
export const CONFIG_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Edgewise configuration',
  description: 'What tools may use in this workspace, and how much of it they answer.',
  type: 'object',
  additionalProperties: false,
  properties: propertiesOf(FIELDS),
} as const satisfies Json

function propertiesOf(fields: Readonly<Record<FieldName, { readonly schema: FieldSchema }>>) {
  const schemas = Object.entries(fields).map(([name, { schema }]) => [name, schema])
  // The names are those of `fields`.
  return Object.fromEntries(schemas) as Readonly<Record<FieldName, FieldSchema>>
}
