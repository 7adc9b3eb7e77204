/** The field for the file or the pattern that a new app shows, with the paths of the workspace. @module */

import { useId } from 'preact/hooks'
import { useSuggestions } from '../explorer/completion-field.tsx'

/** The template under which the server completes paths. */
const FILES = { type: 'ref/resource', uri: 'file:///{+path}' }

interface DataFieldProps {
  readonly value: string
  readonly problem: string | null
  readonly onInput: (value: string) => void
}

export function DataField({ value, problem, onInput }: DataFieldProps) {
  const id = useId()
  const path = value.replace(/^\/+/, '')
  const suggested = useSuggestions({ name: 'path', reference: FILES, values: { path } })
  return (
    <label class="field">
      <span class="label">Files to show</span>
      <input
        class="code"
        list={`${id}-paths`}
        value={value}
        placeholder="/tasks/*.md"
        autocomplete="off"
        spellcheck={false}
        aria-invalid={problem === null ? undefined : true}
        data-testid="app-data"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <datalist id={`${id}-paths`}>
        {suggested.flatMap(patternsOf).map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
      <span class="help">
        A path or a pattern such as <code>/tasks/*.md</code>. Leave it empty to start with sample
        data.
      </span>
      {problem !== null && <span class="fault">{problem}</span>}
    </label>
  )
}

/** A folder is offered to continue in, and as a pattern of its files. */
const patternsOf = (path: string): string[] =>
  path.endsWith('/') ? [`/${path}`, `/${path}*`] : [`/${path}`]
