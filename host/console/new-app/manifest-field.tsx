/** The text of `app.json`, with what is wrong with it and where. @module */

import { useId } from 'preact/hooks'
import type { SettingProblem } from '#core/apps/templates.ts'
import { Visible } from '../ui/visible.tsx'

interface ManifestFieldProps {
  readonly text: string
  readonly problems: readonly SettingProblem[]
  readonly onInput: (text: string) => void
}

/** Shows the field; problems are announced as they appear. */
export function ManifestField({ text, problems, onInput }: ManifestFieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label htmlFor={`${id}-text`}>Settings (app.json)</label>
      <textarea
        id={`${id}-text`}
        class="code"
        rows={Math.min(Math.max(text.split('\n').length, 10), 28)}
        spellcheck={false}
        value={text}
        aria-invalid={problems.length > 0}
        aria-describedby={`${id}-help ${id}-problems`}
        data-testid="app-manifest"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <span class="help" id={`${id}-help`}>
        The preview follows each edit. The settings of every template are in the documentation,
        docs/app-templates.md.
      </span>
      <ul
        id={`${id}-problems`}
        class="settingproblems"
        aria-live="polite"
        aria-label="Problems of the settings"
        data-testid="app-problems"
      >
        {problems.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`} class="fault">
            <code>
              <Visible text={`app.json${pointer}`} />
            </code>{' '}
            <Visible text={message} />
          </li>
        ))}
      </ul>
    </div>
  )
}
