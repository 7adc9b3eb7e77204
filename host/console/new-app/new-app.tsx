/**
 * The page "New app": a template, the files that it shows, its name and its settings, with a preview that
 * follows each edit. Creating writes the files; the app is served only after it is approved under
 * "Waiting for you". `?template=`, `?data=` and `?name=` fill the form in.
 *
 * `test/pages/console/new-app.slow.test.ts` covers it.
 *
 * @module
 */

import { useEffect, useState } from 'preact/hooks'
import { isAppName } from '#core/apps/name.ts'
import { appJsonPath } from '#core/apps/starters.ts'
import { isTemplate, type TemplateName } from '#core/apps/templates.ts'
import { basePath, features } from '../connect/workspace.ts'
import { refreshWaiting } from '../drafts/waiting-list.ts'
import { askToConfirm } from '../questions/queue.ts'
import { go, linkTo, route, setQuery } from '../shell/route.ts'
import { submitByHand } from '../ui/by-hand.ts'
import { Empty, Fault, PageHead } from '../ui/parts.tsx'
import { showToast } from '../ui/toasts.tsx'
import {
  changeFields,
  isEdited,
  startForm,
  titleOf,
  type AppFields,
  type AppForm,
} from './app-form.ts'
import { CreateButton, Fields } from './app-fields.tsx'
import { writeApp } from './check-app.ts'
import { ManifestField } from './manifest-field.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { TemplateChoice } from './template-choice.tsx'
import { usePreview, type PreviewState } from './use-preview.ts'

/** Shows the page; apps can only be made in a workspace of this server. */
export function NewApp() {
  return (
    <>
      <p class="crumb">
        <a href={linkTo(['apps'])}>Apps</a>
      </p>
      <PageHead title="New app">
        A page over files of this workspace. Nothing is written before you create it, and it is
        served only after you approve it.
      </PageHead>
      {features.value.workspace ? <Form base={basePath.value} /> : <NoWorkspace />}
    </>
  )
}

const NoWorkspace = () => (
  <Empty icon="apps" title="Not available on this server">
    Apps are made in an Edgewise workspace.
  </Empty>
)

function Form({ base }: { readonly base: string }) {
  const [form, setForm] = useState(readLink)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setIsBusy] = useState(false)
  const preview = usePreview(base, form)
  const { template, name, data } = form
  useEffect(() => setQuery({ template, name, data }), [template, name, data])
  const change = (part: Partial<AppFields>) => setForm((before) => changeFields(before, part))
  const chooseTemplate = async (next: TemplateName) => {
    if (!isEdited(form) || (await askToReplace())) change({ template: next })
    // A radio button that was not taken over shows the old choice again.
    else setForm((before) => ({ ...before }))
  }
  const problem = nameProblem(form, preview)
  const canCreate = isReady(form, preview) && problem === null && !isBusy
  const create = () => {
    setIsBusy(true)
    setError(null)
    writeApp(base, [
      ...(preview.shown?.samples ?? []),
      { path: appJsonPath(name), text: form.text },
    ])
      .then(() => leadToApproval(titleOf(form) || name))
      .catch(setError)
      .finally(() => setIsBusy(false))
  }
  return (
    <div class="newapp" data-testid="new-app">
      <form class="stack" onSubmit={submitByHand(() => canCreate && create())} noValidate>
        <TemplateChoice value={template} onChoose={(next) => void chooseTemplate(next)} />
        <Fields form={form} nameProblem={problem} onChange={change} />
        <ManifestField
          text={form.text}
          problems={preview.problems}
          onInput={(text) => setForm((before) => ({ ...before, text }))}
        />
        {error ? <Fault what="Cannot create the app" error={error} /> : null}
        <CreateButton isOff={!canCreate} isNamed={name !== ''} />
      </form>
      <PreviewPane preview={preview} />
    </div>
  )
}

function readLink(): AppForm {
  const { template, name = '', data = '' } = route.value.query
  return startForm({
    template: isTemplate(template) ? template : 'kanban',
    name,
    data,
    title: null,
  })
}

const askToReplace = () =>
  askToConfirm({
    title: 'Replace the settings?',
    text: 'Another template has other settings. Your edits of app.json are lost.',
    yes: 'Replace them',
  })

/** Whether what the preview shows is what would be written. */
const isReady = (
  { name, dataProblem }: AppForm,
  { isCurrent, problems, error, shown }: PreviewState,
) => isCurrent && problems.length === 0 && !error && shown?.name === name && dataProblem === null

function nameProblem({ name }: AppForm, { isTaken }: PreviewState): string | null {
  if (name === '') return null
  if (!isAppName(name))
    return 'Use small letters, digits, - and _, with a letter or digit at both ends'
  return isTaken ? `There is an app ${name} already. Choose another name` : null
}

function leadToApproval(title: string): void {
  refreshWaiting()
  showToast(`${title} is written. Look at it and approve it here.`, { tone: 'success' })
  go(['waiting'])
}
