/** The preview beside the form, with what it shows and what failed. @module */

import { Fault, Waiting } from '../ui/parts.tsx'
import { Preview } from './preview.tsx'
import type { CheckedPreview, PreviewState } from './use-preview.ts'

/** Shows the preview, and its state in words. */
export function PreviewPane({ preview }: { readonly preview: CheckedPreview }) {
  const { shown, error, problems, isCurrent, retry } = preview
  return (
    <section class="card previewpane" aria-labelledby="app-preview">
      <header class="row apart">
        <h2 id="app-preview">Preview</h2>
        <p class="faint small" role="status" data-testid="preview-note">
          {describe(preview)}
        </p>
      </header>
      {error ? <Fault what="Cannot check the settings" error={error} retry={retry} /> : null}
      {!shown && !isCurrent && !error && <Waiting />}
      {shown && <Preview shown={shown} />}
      {!shown && problems.length > 0 && <p class="faint">Correct the settings to see the app.</p>}
    </section>
  )
}

function describe({ shown, problems }: PreviewState): string {
  if (!shown) return ''
  if (problems.length > 0) return 'The settings have problems. This is their last valid state.'
  return `With ${shown.samples.length > 0 ? 'sample data' : 'your files'}. It changes nothing.`
}
