/** A Markdown file of a draft: its changed lines, or the new text as it reads. @module */

import type { ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { visible } from '#core/visible.ts'
import { resultOf } from '../amendments/amendment.ts'
import { amendmentOf, nameDraft } from '../amendments/work.ts'
import { basePath } from '../connect/workspace.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { toMarkdown } from '../markdown/template.ts'
import { useLoad } from '../ui/load.ts'
import { Fault, Waiting } from '../ui/parts.tsx'
import { Segments } from '../ui/segments.tsx'
import { addressOfFile } from './draft-file.ts'
import { FileDiff } from './file-diff.tsx'
import { readTextAt } from './file-text.ts'

/** Whether a file can be shown as it reads: Markdown that is there afterwards, as text. */
export const isMarkdown = ({ path, type, after, unseen }: ChangedFile): boolean =>
  type === 'file' && after !== null && !unseen && /\.(?:md|markdown)$/i.test(path)

/** Shows the lines first; what is decided is what they show. */
export function RenderedFile(props: ComponentProps<typeof FileDiff>) {
  const [form, setForm] = useState<'lines' | 'rendered'>('lines')
  return (
    <>
      <div class="row formtools">
        <Segments
          label={`Form of ${visible(props.file.path)}`}
          value={form}
          options={[
            ['lines', 'Lines'],
            ['rendered', 'Rendered'],
          ]}
          onChange={setForm}
        />
      </div>
      {form === 'lines' ? <FileDiff {...props} /> : <Rendered {...props} />}
    </>
  )
}

function Rendered({ id, file, of, canAmend = false }: ComponentProps<typeof FileDiff>) {
  const address = addressOfFile(basePath.value, id, { file, of }, 'after')
  const { value, error, reload } = useLoad(() => readTextAt(address), [address])
  if (error) return <Fault what="Cannot read the file" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the file…</Waiting>
  const amendment = canAmend ? amendmentOf(nameDraft(id), file) : null
  return <Markdown source={toMarkdown(amendment ? resultOf(amendment) : value)} />
}
