/** The fields of a new app beside its template and its settings, and the button that creates it. @module */

import { pressByHand } from '../ui/by-hand.ts'
import { TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { titleOf, type AppFields, type AppForm } from './app-form.ts'
import { DataField } from './data-field.tsx'

interface FieldsProps {
  readonly form: AppForm
  readonly nameProblem: string | null
  readonly onChange: (part: Partial<AppFields>) => void
}

/** Shows the files, the name and the title. */
export const Fields = ({ form, nameProblem: problem, onChange }: FieldsProps) => (
  <>
    <DataField
      value={form.data}
      problem={form.dataProblem}
      onInput={(data) => onChange({ data })}
    />
    <div class="pair">
      <TextField
        label="Name"
        testId="app-name"
        isCode
        maxLength={40}
        placeholder="tasks"
        value={form.name}
        problem={problem}
        help="Its folder is /.apps/{name}: small letters, digits, - and _."
        onInput={(name) => onChange({ name })}
      />
      <TextField
        label="Title"
        testId="app-title"
        maxLength={100}
        value={titleOf(form)}
        help="What people read."
        onInput={(title) => onChange({ title })}
      />
    </div>
  </>
)

interface CreateButtonProps {
  readonly isOff: boolean
  readonly isNamed: boolean
}

/** Shows the button, with what comes next. */
export const CreateButton = ({ isOff, isNamed }: CreateButtonProps) => (
  <div class="row">
    <button
      type="submit"
      class="button primary"
      disabled={isOff}
      data-testid="create-app"
      onClick={pressByHand}
    >
      <Icon name="plus" /> Create the app
    </button>
    <span class="faint small">
      {isNamed ? 'You approve it in the next step.' : 'Give it a name first.'}
    </span>
  </div>
)
