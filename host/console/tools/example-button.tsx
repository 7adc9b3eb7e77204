/** The button that fills a tool's arguments with an example. @module */

import { recordOf, type JsonRecord } from '#core/json.ts'
import { createExample } from '../../forms/example.ts'
import { formModel } from '../../forms/model.ts'
import type { FieldProblem } from '../../forms/types.ts'
import type { JsonSchema } from '../../mcp/types.ts'
import { Icon } from '../ui/icons.tsx'
import { showToast } from '../ui/toasts.tsx'

interface Props {
  readonly schema: JsonSchema
  readonly args: JsonRecord
  /** Called with the filled arguments, and whether they are valid. */
  readonly onFill: (args: JsonRecord, isValid: boolean) => void
}

/** Shows the button if there is something to fill in; what is already filled in stays. */
export function ExampleButton({ schema, args, onFill }: Props) {
  if (Object.keys(recordOf(schema['properties'])).length === 0) return null
  const fill = () => {
    const { value, problems } = createExample(schema)
    const kept = Object.entries(args).filter(([, each]) => each !== undefined && each !== '')
    const filled = { ...recordOf(value), ...Object.fromEntries(kept) }
    onFill(filled, formModel(schema, filled).valid)
    if (problems.length > 0) showToast(describeRest(problems), { tone: 'danger' })
  }
  return (
    <button type="button" class="button quiet small" onClick={fill}>
      <Icon name="plus" /> Fill with an example
    </button>
  )
}

/** Most names in a sentence. */
const MAX_NAMES = 5

/** Says for which arguments there is no example. */
function describeRest(problems: readonly FieldProblem[]): string {
  const names = problems.slice(0, MAX_NAMES).map(({ pointer }) => pointer.slice(1))
  const all = names.filter((name) => name !== '').join(', ')
  return all === ''
    ? 'No example can be made for these arguments.'
    : `No example can be made for: ${all}. Fill in the rest yourself.`
}
