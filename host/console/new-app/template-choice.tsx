/** The choice of a template. @module */

import { TEMPLATES, type TemplateName } from '#core/apps/templates.ts'
import { Radio } from '../ui/fields.tsx'

const LABELS: Readonly<Record<TemplateName, readonly [title: string, hint: string]>> = {
  kanban: ['Kanban board', 'Cards in columns, from Markdown, CSV or JSON'],
  'data-table': ['Data table', 'Rows to sort, filter and export'],
  form: ['Form', 'Adds what is entered to a file'],
  'tree-view': ['Tree', 'Nodes of a JSON file, or paths'],
  'diff-viewer': ['Diff viewer', 'Two texts side by side'],
  progress: ['Progress', 'How far some work is'],
}

/** The templates, the most used first. */
const ORDER = TEMPLATES.toSorted((a, b) => placeOf(a) - placeOf(b))

function placeOf(template: TemplateName): number {
  return Object.keys(LABELS).indexOf(template)
}

interface TemplateChoiceProps {
  readonly value: TemplateName
  readonly onChoose: (template: TemplateName) => void
}

/** Shows the six templates. */
export const TemplateChoice = ({ value, onChoose }: TemplateChoiceProps) => (
  <fieldset class="field" data-testid="app-template">
    <legend class="label">Template</legend>
    <div class="choices compact templates">
      {ORDER.map((template) => {
        const [title, hint] = LABELS[template]
        return (
          <Radio
            key={template}
            name="app-template"
            checked={template === value}
            onChoose={() => onChoose(template)}
            help={hint}
          >
            {title}
          </Radio>
        )
      })}
    </div>
  </fieldset>
)
