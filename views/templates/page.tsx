/**
 * The page of an app: its title, its template, and messages about loading, errors and actions.
 *
 * @module
 */

import type { SettingProblem } from '#core/apps/templates.ts'
import { SafeLine, SafeText } from '../safe-text.tsx'
import { Board } from './board/board.tsx'
import type { Dashboard } from './dashboard.ts'
import { DiffViewer } from './diff/diff-viewer.tsx'
import { Form } from './form/form.tsx'
import { ProgressView } from './progress/progress.tsx'
import { TableView } from './table/table-view.tsx'
import { TreeView } from './tree/tree-view.tsx'

/** Renders a message in place of content. */
export const Message = ({ text }: { readonly text: string }) => (
  <p class="empty">
    <SafeText text={text} />
  </p>
)

/** Renders the problems of an app's settings, each with its JSON pointer. */
export function Problems({ problems }: { readonly problems: readonly SettingProblem[] }) {
  return (
    <div class="page">
      <h1>This app cannot be shown</h1>
      <p class="hint">Its settings have problems. Correct them in app.json.</p>
      <div role="alert">
        <ul class="problems">
          {problems.map(({ pointer, message }) => (
            <li>
              <code>
                <SafeLine text={pointer || '/'} />
              </code>{' '}
              <SafeLine text={message} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

export interface TemplateProps {
  readonly dashboard: Dashboard
}

/** Renders an app. */
export function TemplatePage({ dashboard }: TemplateProps) {
  const { app, state } = dashboard
  const { template } = app.template
  const needsData = template !== 'form' && template !== 'progress'
  const isLoading = needsData && state.data === null && state.phase === 'loading'
  return (
    <div class={`page ${template}`} aria-busy={isLoading}>
      <header>
        <h1>
          <SafeLine text={app.title} />
        </h1>
        {app.description !== '' && (
          <p class="hint">
            <SafeText text={app.description} />
          </p>
        )}
      </header>
      <ErrorBar dashboard={dashboard} />
      {isLoading ? (
        <div class="skeleton" role="status" aria-label="Loading">
          {[60, 85, 40, 70].map((width) => (
            <div style={{ width: `${width}%` }} />
          ))}
        </div>
      ) : (
        <Template dashboard={dashboard} />
      )}
      <NoticeBar dashboard={dashboard} />
    </div>
  )
}

function Template({ dashboard }: TemplateProps) {
  const { template } = dashboard.app
  const { data } = dashboard.state
  if (template.template === 'form') return <Form {...{ dashboard, ...template }} />
  if (template.template === 'progress') return <ProgressView {...{ dashboard, ...template }} />
  if (!data) return null
  if (template.template === 'data-table') return <TableView {...{ dashboard, data, ...template }} />
  if (template.template === 'kanban') return <Board {...{ dashboard, data, ...template }} />
  if (template.template === 'tree-view') return <TreeView {...{ dashboard, data, ...template }} />
  return <DiffViewer {...{ dashboard, data, ...template }} />
}

/** Renders why there is no data, or no newer one, and how much was left out. */
function ErrorBar({ dashboard }: TemplateProps) {
  const { phase, error, data } = dashboard.state
  const isCut = data?.kind === 'files' && data.isCut
  return (
    <>
      <div role="alert">
        {(phase === 'failed' || phase === 'cancelled') && (
          <div class="problem">
            <span>
              <SafeText text={error} />
            </span>
            {dashboard.canCall && dashboard.app.name !== '' && (
              <button onClick={() => dashboard.refresh()}>Try again</button>
            )}
          </div>
        )}
      </div>
      {isCut && <p class="hint">Some files are not shown.</p>}
    </>
  )
}

function NoticeBar({ dashboard }: TemplateProps) {
  const { notice } = dashboard.state
  return (
    <div class={notice ? `notice ${notice.kind}` : 'notice-place'} role="status">
      {notice && (
        <>
          <span>
            <SafeText text={notice.text} />
          </span>
          <button onClick={() => dashboard.notify(null)}>Dismiss</button>
        </>
      )}
    </div>
  )
}
