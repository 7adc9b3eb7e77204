/** A field for one argument of a template or a prompt, with the values that the server suggests. @module */

import { useEffect, useId, useState } from 'preact/hooks'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { textsOf } from '../../mcp/parse.ts'
import { openConnection } from '../connect/connection.ts'

/** Most suggestions that are shown; MCP permits 100. */
const MAX_SUGGESTIONS = 100

/** Time without input after which suggestions are requested, in milliseconds. */
const PAUSE_MS = 200

export interface CompletionFieldProps {
  readonly name: string
  readonly help: string
  readonly isRequired: boolean
  /** The `ref` of `completion/complete`: a template or a prompt. */
  readonly reference: JsonRecord
  /** The values of all arguments. */
  readonly values: Readonly<Record<string, string>>
  readonly onInput: (value: string) => void
}

/** Shows the field; suggestions only from a server that declares completions. */
export function CompletionField(props: CompletionFieldProps) {
  const { name, help, isRequired, values, onInput } = props
  const id = useId()
  const suggested = useSuggestions(props)
  return (
    <label class="field">
      <span class="label">
        {name}
        {isRequired && ' (required)'}
      </span>
      <input
        class="code"
        list={id}
        required={isRequired}
        value={(Object.hasOwn(values, name) && values[name]) || ''}
        data-testid={`argument-${name}`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <datalist id={id}>
        {suggested.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      {help !== '' && <span class="help">{help}</span>}
    </label>
  )
}

/** Returns the values that the server suggests for one argument. */
export function useSuggestions({
  name,
  reference,
  values,
}: Pick<CompletionFieldProps, 'name' | 'reference' | 'values'>): readonly string[] {
  const [suggested, setSuggested] = useState<readonly string[]>([])
  const value = (Object.hasOwn(values, name) && values[name]) || ''
  useEffect(() => {
    const open = openConnection()
    if (!isRecord(open.capabilities['completions'])) return
    const controller = new AbortController()
    const { [name]: _, ...others } = values
    const params = { ref: reference, argument: { name, value }, context: { arguments: others } }
    const ask = async () => {
      const { completion } = await open.request('completion/complete', params, controller)
      setSuggested(textsOf(recordOf(completion)['values']).slice(0, MAX_SUGGESTIONS))
    }
    // A server without an answer suggests nothing.
    const timer = setTimeout(() => void ask().catch(() => setSuggested([])), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [name, value, JSON.stringify(reference)])
  return suggested
}
