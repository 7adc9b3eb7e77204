/** Builds scopes from an action and a folder. No scopes means all that the creator may do. @module */

import { Path } from '../ui/path.tsx'
import { visible } from '#core/visible.ts'
import { useState } from 'preact/hooks'
import { Icon } from '../ui/icons.tsx'
import { Segments } from '../ui/segments.tsx'

const ACTIONS = [
  ['read', 'Read'],
  ['write', 'Change'],
] as const

/** Shows the scopes of a new session, with inputs to add and remove them. */
export function ScopeBuilder({
  scopes,
  onChange,
}: {
  readonly scopes: readonly string[]
  readonly onChange: (scopes: readonly string[]) => void
}) {
  const [action, setAction] = useState<'read' | 'write'>('read')
  const [path, setPath] = useState('')
  const scope =
    path.trim() === '' ? `${action}:file` : `${action}:file:/${path.trim().replace(/^\/+/, '')}`
  const add = () => {
    onChange([...new Set([...scopes, scope])])
    setPath('')
  }
  return (
    <fieldset class="field">
      <legend class="label">Access</legend>
      <div class="row">
        <Segments label="Action" value={action} options={ACTIONS} onChange={setAction} />
        <input
          class="grow code"
          aria-label="Folder or file; empty for every file"
          placeholder="/docs, or empty for all"
          value={path}
          onInput={({ currentTarget }) => setPath(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <button type="button" class="button" onClick={add}>
          <Icon name="plus" /> Add
        </button>
      </div>
      <span class="help">
        {scopes.length === 0
          ? 'Without an entry: all files, read and change, as far as the rules allow.'
          : 'The agent may only:'}
      </span>
      <ul class="row">
        {scopes.map((one) => (
          <li key={one} class="badge info">
            <Path text={one} />
            <button
              type="button"
              class="plain"
              aria-label={`Remove ${visible(one)}`}
              onClick={() => onChange(scopes.filter((other) => other !== one))}
            >
              <Icon name="cross" />
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
